//! What is logged of a rejected request: the reason, and no token.

use std::fmt::{self, Write};
use std::sync::{Arc, Mutex};

use serde_json::json;
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Metadata, Subscriber};

use super::service::{read, service};
use super::signer::{EC, ED, accepting, good};

/// Collects all that is logged.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<String>>);

impl Subscriber for Log {
    fn enabled(&self, _: &Metadata<'_>) -> bool {
        true
    }

    fn new_span(&self, span: &Attributes<'_>) -> Id {
        span.record(&mut self.clone());
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, values: &Record<'_>) {
        values.record(&mut self.clone());
    }

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, event: &Event<'_>) {
        event.record(&mut self.clone());
    }

    fn enter(&self, _: &Id) {}

    fn exit(&self, _: &Id) {}
}

impl Visit for Log {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        writeln!(self.0.lock().unwrap(), "{field}={value:?}").unwrap();
    }
}

#[tokio::test]
async fn no_token_is_logged() {
    let log = Log::default();
    let _guard = tracing::subscriber::set_default(log.clone());
    let service = service(accepting(&[&ED]).require_scopes(["docs:write"]).build().unwrap());
    let mut old = good();
    old["exp"] = json!(1);
    let tokens = [ED.token(&good()), ED.token(&old), EC.token(&good()), "xQ9.a-secret.zV7".to_owned()];
    for token in &tokens {
        read(&service, "docs://who", &[("authorization", &format!("Bearer {token}"))]).await;
    }
    let log = log.0.lock().unwrap();
    assert_eq!(log.matches("denied a request").count(), tokens.len(), "{log}");
    for part in tokens.iter().flat_map(|token| token.split('.')).filter(|part| part.len() > 1) {
        assert!(!log.contains(part), "{part} is in {log}");
    }
    assert!(!log.contains("alice"), "{log}");
}
