//! Spans to OpenTelemetry, and the client's trace as the parent of its request's span.
//!
//! The span of a request has the client's `traceparent` as a field, from the request's metadata or the HTTP header.
//! `tracing-opentelemetry` takes the parent from the context that is current when a span is made, so this layer sets that context.

use std::collections::HashMap;
use std::error::Error;
use std::fmt;

use opentelemetry::propagation::TextMapPropagator;
use opentelemetry::trace::TracerProvider;
use opentelemetry_otlp::{Protocol, SpanExporter, WithExportConfig};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::propagation::TraceContextPropagator;
use opentelemetry_sdk::trace::SdkTracerProvider;
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Subscriber};
use tracing_subscriber::layer::{Context, Layer, SubscriberExt};
use tracing_subscriber::registry::LookupSpan;
use tracing_subscriber::util::SubscriberInitExt;
use tracing_subscriber::{EnvFilter, fmt as log};

/// Logs to standard error, and exports spans by OTLP to the endpoint in OpenTelemetry's variables.
pub(crate) fn install() -> Result<SdkTracerProvider, Box<dyn Error>> {
    let exporter = SpanExporter::builder().with_http().with_protocol(Protocol::HttpJson).build()?;
    let provider = SdkTracerProvider::builder()
        .with_batch_exporter(exporter)
        .with_resource(Resource::builder().with_service_name("documentation").build())
        .build();
    let spans = UnderTheClients(tracing_opentelemetry::layer().with_tracer(provider.tracer("grange")));
    let filter = EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new("info"));
    let logs = log::layer().with_writer(std::io::stderr);
    tracing_subscriber::registry().with(filter).with(spans).with(logs).init();
    Ok(provider)
}

/// A layer that puts each new span into the trace of its `traceparent`.
struct UnderTheClients<L>(L);

impl<S: Subscriber + for<'a> LookupSpan<'a>, L: Layer<S>> Layer<S> for UnderTheClients<L> {
    fn on_new_span(&self, attributes: &Attributes<'_>, id: &Id, context: Context<'_, S>) {
        let mut said = TraceParent::default();
        attributes.record(&mut said);
        // An invalid trace context changes nothing.
        let remote =
            said.0.map(|said| TraceContextPropagator::new().extract(&HashMap::from([(NAME.to_owned(), said)])));
        let _current = remote.map(opentelemetry::Context::attach);
        self.0.on_new_span(attributes, id, context);
    }

    fn on_record(&self, id: &Id, values: &Record<'_>, context: Context<'_, S>) {
        self.0.on_record(id, values, context);
    }

    fn on_follows_from(&self, id: &Id, follows: &Id, context: Context<'_, S>) {
        self.0.on_follows_from(id, follows, context);
    }

    fn on_event(&self, event: &Event<'_>, context: Context<'_, S>) {
        self.0.on_event(event, context);
    }

    fn on_enter(&self, id: &Id, context: Context<'_, S>) {
        self.0.on_enter(id, context);
    }

    fn on_exit(&self, id: &Id, context: Context<'_, S>) {
        self.0.on_exit(id, context);
    }

    fn on_close(&self, id: Id, context: Context<'_, S>) {
        self.0.on_close(id, context);
    }
}

const NAME: &str = "traceparent";

/// The field of that name.
#[derive(Default)]
struct TraceParent(Option<String>);

impl Visit for TraceParent {
    fn record_str(&mut self, field: &Field, value: &str) {
        if field.name() == NAME {
            self.0 = Some(value.to_owned());
        }
    }

    fn record_debug(&mut self, _: &Field, _: &dyn fmt::Debug) {}
}
