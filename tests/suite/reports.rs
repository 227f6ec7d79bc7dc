//! Where failures are reported: `on_error`, else the log, else standard error. `crates/core/src/server/report` tests
//! the texts and their frequency; this file tests the events in a log, and a process without either.

#![allow(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

use std::collections::BTreeMap;
use std::fmt;
use std::io;
use std::process::Command;
use std::sync::{Arc, Mutex};

use grange_core::{
    Extension, ExtensionAnswer, ExtensionError, ExtensionParams, HandlerFailure, ReadError, Resource, Revision, Server,
    ServerBuilder, Target, Tool, ToolError, async_trait,
};
use serde_json::json;
use tracing::field::{Field, Visit};
use tracing_subscriber::layer::{Context, Layer, SubscriberExt};

use crate::raw;

type Fields = BTreeMap<String, String>;

struct Recorded(Fields);

impl Visit for Recorded {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        self.0.insert(field.name().to_owned(), format!("{value:?}"));
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        self.0.insert(field.name().to_owned(), value.to_owned());
    }
}

/// The events of level WARN and above.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<Fields>>>);

impl<S: tracing::Subscriber> Layer<S> for Log {
    fn on_event(&self, event: &tracing::Event<'_>, _: Context<'_, S>) {
        let (level, target) = (*event.metadata().level(), event.metadata().target());
        if level <= tracing::Level::WARN {
            let mut seen = Recorded(Fields::from([("level".to_owned(), format!("{level} {target}"))]));
            event.record(&mut seen);
            self.0.lock().unwrap().push(seen.0);
        }
    }
}

impl Log {
    /// The events that are logged while `does` runs.
    fn of(does: impl FnOnce()) -> Vec<Fields> {
        let log = Self::default();
        tracing::subscriber::with_default(tracing_subscriber::registry().with(log.clone()), does);
        std::mem::take(&mut *log.0.lock().unwrap())
    }
}

fn fields(of: &[(&str, &str)]) -> Fields {
    of.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
}

struct Clock;

#[async_trait]
impl Extension for Clock {
    fn id(&self) -> &'static str {
        "com.example/clock"
    }

    fn methods(&self) -> &[&'static str] {
        &["clock/read"]
    }

    async fn answer(
        &self,
        _: grange_core::Context,
        _: &str,
        params: ExtensionParams,
    ) -> Result<ExtensionAnswer, ExtensionError> {
        match &*params.required("zone")? {
            "panics" => panic!("secret=2"),
            _ => Err(ExtensionError::internal(io::Error::other("stopped"))),
        }
    }

    fn warnings(&self) -> Vec<String> {
        vec!["slow: wind it up".to_owned()]
    }
}

/// An error with a cause.
#[derive(Debug)]
struct NoTable(io::Error);

impl fmt::Display for NoTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("no table")
    }
}

impl std::error::Error for NoTable {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.0)
    }
}

fn builder() -> ServerBuilder {
    let failing = Resource::builder().uri("docs://failing").name("failing");
    let failing = failing.read(|_| async { Err::<&str, ReadError>(NoTable(io::Error::other("no disk")).into()) });
    let breaks = Tool::builder().name("breaks");
    let breaks = breaks.call_without_arguments(|_| async { Err::<&str, ToolError>(io::Error::other("worn").into()) });
    Server::builder("told", "1.0.0").resource(failing.build()).tool(breaks).extension(Clock)
}

/// Causes one failure of each kind of author code.
fn fail_everywhere(server: &Server) {
    for (method, params) in [
        ("resources/read", json!({ "uri": "docs://failing" })),
        ("tools/call", json!({ "name": "breaks" })),
        ("clock/read", json!({ "zone": "fails" })),
        ("clock/read", json!({ "zone": "panics" })),
    ] {
        let error = raw::modern(server, method, params).json()["error"].clone();
        assert_eq!(error, json!({ "code": -32603, "message": "Internal error" }), "{method}");
    }
}

#[test]
fn w3_12_a_log_gets_one_event_per_failure_with_its_target_and_cause() {
    let events = Log::of(|| fail_everywhere(&builder().build().unwrap()));
    let (error, clock) = (("level", "ERROR grange"), [("extension", "com.example/clock"), ("method", "clock/read")]);
    let expected = [
        fields(&[("level", "WARN grange"), ("message", "slow: wind it up")]),
        fields(&[
            error,
            ("message", "read failed"),
            ("uri", "docs://failing"),
            ("failure", "no table"),
            ("causes", "no disk"),
        ]),
        fields(&[error, ("message", "call failed"), ("tool", "breaks"), ("failure", "worn")]),
        fields(&[error, ("message", "extension failed"), clock[0], clock[1], ("failure", "stopped")]),
        fields(&[
            error,
            ("message", "extension failed"),
            clock[0],
            clock[1],
            ("failure", "the code panicked: secret=2"),
        ]),
    ];
    assert_eq!(events, expected);
}

#[test]
fn w3_12_on_error_gets_all_failures_instead_of_the_log() {
    let reported = Arc::new(Mutex::new(Vec::new()));
    let notes = reported.clone();
    let on_error = move |failure: &HandlerFailure, cx: &grange_core::Context| {
        let versions = cx.protocol_version().unwrap();
        notes.lock().unwrap().push(format!("{}: {failure:#} ({versions})", cx.target()));
    };
    let server = builder().on_error(on_error).build().unwrap();
    assert_eq!(Log::of(|| fail_everywhere(&server)), Vec::<Fields>::new());
    let reported = reported.lock().unwrap().clone();
    let clock = "extension `com.example/clock` (`clock/read`)";
    assert_eq!(
        reported,
        [
            "resource `docs://failing`: no table: no disk (2026-07-28)".to_owned(),
            "tool `breaks`: worn (2026-07-28)".to_owned(),
            format!("{clock}: stopped (2026-07-28)"),
            format!("{clock}: the code panicked: secret=2 (2026-07-28)"),
        ]
    );
}

#[test]
fn a_target_has_a_name_and_a_kind() {
    let seen = Arc::new(Mutex::new(Vec::new()));
    let notes = seen.clone();
    let named = Tool::builder().name("named").call_without_arguments(move |cx| {
        notes.lock().unwrap().push((cx.target().clone(), cx.uri().to_string(), cx.tool().map(str::to_owned)));
        async { Ok("") }
    });
    let notes = seen.clone();
    let page = Resource::builder().uri("docs://page").name("page").read(move |cx| {
        notes.lock().unwrap().push((cx.target().clone(), cx.uri().to_string(), cx.tool().map(str::to_owned)));
        async { Ok("") }
    });
    let server = Server::builder("named", "1").tool(named).resource(page.build()).build().unwrap();
    raw::modern(&server, "tools/call", json!({ "name": "named" }));
    raw::modern(&server, "resources/read", json!({ "uri": "docs://page" }));
    let of_tool = (Target::Tool("named".into()), String::new(), Some("named".to_owned()));
    let of_page = (Target::Resource("docs://page".into()), "docs://page".to_owned(), None);
    assert_eq!(*seen.lock().unwrap(), [of_tool, of_page]);
}

/// The name of the next test, which runs itself again as a process to read its standard error.
const ALONE: &str = "reports::w3_12_a_process_with_neither_prints_failures_to_standard_error";

#[test]
fn w3_12_a_process_with_neither_prints_failures_to_standard_error() {
    const CHILD: &str = "GRANGE_TESTS_TOLD";
    if std::env::var_os(CHILD).is_some() {
        fail_everywhere(&builder().requests_to_client().build().unwrap());
        return;
    }
    let mut child = Command::new(std::env::current_exe().unwrap());
    let output = child.args(["--exact", ALONE, "--nocapture"]).env(CHILD, "1").output().unwrap();
    assert!(output.status.success(), "{output:?}");
    let output_text = String::from_utf8(output.stderr).unwrap();
    for line in [
        "grange: warning: slow: wind it up\n",
        "grange: warning: the server asks its clients",
        "add `.revisions(Revision::HANDSHAKE)`",
        "grange: resource `docs://failing` failed: no table\n  caused by: no disk\n",
        "grange: tool `breaks` failed: worn\n",
        "grange: extension `com.example/clock` (`clock/read`) failed: stopped\n",
        "grange: extension `com.example/clock` (`clock/read`) panicked",
    ] {
        assert_eq!(output_text.matches(line).count(), 1, "{line:?} in\n{output_text}");
    }
}

#[test]
fn d1_a_server_whose_clients_cannot_get_requests_warns_with_the_remedy() {
    let warnings = |builder: ServerBuilder| {
        let mut warnings = Vec::new();
        Log::of(|| warnings.extend_from_slice(builder.build().unwrap().warnings()));
        warnings
    };
    let asking = || Server::builder("asking", "1").requests_to_client();
    let modern: Vec<_> = Revision::ALL.into_iter().filter(|revision| !revision.has_handshake()).collect();
    for server in [asking(), asking().revisions(modern.clone()), asking().revisions([Revision::V2025_11_25, modern[0]])]
    {
        let warnings = warnings(server);
        let [warning] = &warnings[..] else { panic!("not one warning: {warnings:?}") };
        for said in [
            "`.requests_to_client()`",
            "2026-07-28",
            "`.revisions(Revision::HANDSHAKE)`",
            "`.revisions(Revision::ALL)`",
        ] {
            assert!(warning.contains(said), "{said} is not in {warning}");
        }
    }
    for server in
        [asking().revisions(Revision::HANDSHAKE), asking().revisions(Revision::ALL), Server::builder("t", "1")]
    {
        assert_eq!(warnings(server), [""; 0]);
    }
    let handshakes = Revision::ALL.into_iter().filter(|revision| revision.has_handshake());
    assert!(handshakes.eq(Revision::HANDSHAKE));
}
