//! The resources: each returns the nonce of its own request in some form.

use std::panic::panic_any;
use std::sync::Arc;
use std::time::Duration;

use grange_benches::soak::{
    COMPUTED, COMPUTED_BYTES, COUNTS, ECHO, FAILS, FIXED, HUGE, KIB, LARGE, MIB, MILLISECONDS, NONCE, PANICS, PROGRESS,
    REFUSES, REJECTION, STEPS, WAIT, text,
};
use grange_core::{Context, ReadError, Resource, ResourceBuilder, Template};

use crate::counts::{Counts, ON_PURPOSE, OnPurpose};
use crate::defects::Defects;

/// All resources, in the order of the list.
pub(crate) fn all(counts: &Arc<Counts>, defects: &Arc<Defects>) -> Vec<Resource> {
    let (counters, crossed) = (counts.clone(), defects.clone());
    let long = Arc::new(text(COMPUTED_BYTES));
    vec![
        named(FIXED).text(text(KIB)).build(),
        named(LARGE).text(text(MIB)).build(),
        named(HUGE).text(text(8 * MIB)).build(),
        read(ECHO, counts, move |_, nonce| {
            let nonce = crossed.echoed(nonce);
            async move { Ok(nonce) }
        }),
        read(COMPUTED, counts, move |_, nonce| {
            let long = long.clone();
            async move { Ok(nonce + &long) }
        }),
        read(WAIT, counts, |cx, nonce| async move {
            cx.progress(0.5);
            cx.sleep(time(&cx)).await;
            Ok(nonce)
        }),
        read(PROGRESS, counts, |cx, nonce| async move {
            for step in 1..=STEPS {
                cx.progress((f64::from(step), f64::from(STEPS)));
                cx.sleep(time(&cx) / STEPS).await;
            }
            Ok(nonce)
        }),
        read(FAILS, counts, |_, _| async { Err(ON_PURPOSE.into()) }),
        read(REFUSES, counts, |_, nonce| async move { Err(ReadError::public(REJECTION, nonce)) }),
        read(PANICS, counts, |_, _| async { panic_any(OnPurpose) }),
        named(COUNTS)
            .read(move |_| {
                let counters = counters.to_json();
                async move { Ok(counters) }
            })
            .build(),
    ]
}

/// The template whose resources return their own names, which are nonces.
pub(crate) fn item(counts: &Arc<Counts>) -> Template {
    let counts = counts.clone();
    Template::builder()
        .uri("soak://items/{nonce}")
        .name("item")
        .read(move |_cx, nonce: String| {
            let running = counts.begin();
            async move {
                drop(running);
                Ok(nonce)
            }
        })
        .build()
}

fn named(uri: &'static str) -> ResourceBuilder {
    Resource::builder().uri(uri).name(uri.trim_start_matches("soak://")).mime_type("text/plain")
}

/// A reader that is counted while it runs.
fn read<F, Fut>(uri: &'static str, counts: &Arc<Counts>, reader: F) -> Resource
where
    F: Fn(Context, String) -> Fut + Send + Sync + 'static,
    Fut: Future<Output = Result<String, ReadError>> + Send + 'static,
{
    let counts = counts.clone();
    named(uri)
        .read(move |cx| {
            let nonce = cx.meta().get(NONCE).and_then(|nonce| nonce.as_str()).unwrap_or_default().to_owned();
            let (running, reading) = (counts.begin(), reader(cx, nonce));
            async move {
                let read = reading.await;
                running.finish();
                read
            }
        })
        .build()
}

/// The time that the request asks the reader to wait.
fn time(cx: &Context) -> Duration {
    Duration::from_millis(cx.meta().get(MILLISECONDS).and_then(serde_json::Value::as_u64).unwrap_or_default())
}
