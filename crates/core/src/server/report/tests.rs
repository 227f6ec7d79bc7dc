//! Reports without `on_error` and without a log, with a sink in place of standard error.

use std::error::Error;
use std::fmt;
use std::io;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use bytes::Bytes;

use super::{ALL_OF, APART, LONGEST, Reporter, shown};
use crate::define::{Context, HandlerFailure, Providers};
use crate::{Action, Connection, JobEvent, ReadError, Resource, Server, ServerBuilder, Target, Tool, ToolError};
use crate::{Extension, ExtensionAnswer, ExtensionError, ExtensionParams, async_trait};

#[derive(Clone, Default)]
struct Lines(Arc<Mutex<Vec<String>>>);

impl Lines {
    fn take(&self) -> Vec<String> {
        std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn reporter(&self) -> Reporter {
        let said = self.clone();
        let sink = move |lines: &str| said.0.lock().unwrap_or_else(PoisonError::into_inner).push(lines.to_owned());
        Reporter { sink: Box::new(sink), ..Reporter::new(None) }
    }

    fn server(&self, builder: ServerBuilder) -> Server {
        let mut server = builder.build().expect("a server without errors");
        Arc::get_mut(&mut server.0).expect("the server has no other owner yet").reporter = self.reporter();
        server
    }
}

/// An error with a chain of causes.
#[derive(Debug)]
struct Because(&'static str, Option<Box<Because>>);

impl fmt::Display for Because {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

impl Error for Because {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.1.as_deref().map(|cause| cause as _)
    }
}

fn because(texts: &[&'static str]) -> Because {
    let [first, rest @ ..] = texts else { panic!("no text") };
    Because(first, (!rest.is_empty()).then(|| Box::new(because(rest))))
}

/// The answer to a request. Its job must be done at the first poll.
fn ask(server: &Server, method: &str, name: &str) -> String {
    let frame = format!(
        r#"{{"jsonrpc":"2.0","id":1,"method":"{method}","params":{{"uri":"{name}","name":"{name}","_meta":{{
        "io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{{}}}}}}}}"#
    );
    let mut connection = Connection::new(server.clone());
    connection.handle_frame(&Bytes::from(frame.replace('\n', "")));
    let wire = match connection.poll_action() {
        Some(Action::Send(wire)) => wire,
        Some(Action::Start(_, mut job)) => match job.poll_now() {
            std::task::Poll::Ready(JobEvent::Done(wire, _)) => wire,
            other => panic!("not done: {other:?}"),
        },
        other => panic!("no answer: {other:?}"),
    };
    String::from_utf8(wire.into_bytes().to_vec()).expect("JSON")
}

fn read(server: &Server, uri: &str) -> String {
    ask(server, "resources/read", uri)
}

fn failing(uri: &'static str, error: fn() -> ReadError) -> Resource {
    Resource::builder().uri(uri).name("failing").read(move |_| async move { Err::<String, _>(error()) }).build()
}

/// An extension that fails in the way that its parameter names.
struct Clock;

#[async_trait]
impl Extension for Clock {
    fn id(&self) -> &'static str {
        "com.example/clock"
    }

    fn methods(&self) -> &[&'static str] {
        &["clock/read"]
    }

    async fn answer(&self, _: Context, _: &str, params: ExtensionParams) -> Result<ExtensionAnswer, ExtensionError> {
        match &*params.required("name")? {
            "panic" => panic!("secret=2"),
            "wrong" => Err(ExtensionError::invalid_params("no such zone")),
            _ => Err(ExtensionError::internal(because(&["no clock", "stopped"]))),
        }
    }
}

#[test]
fn w3_12_a_failed_reader_is_reported_with_its_uri_and_every_cause_once_and_never_in_the_answer() {
    let said = Lines::default();
    let server = said.server(Server::builder("t", "1").resources([
        failing("docs://plain", || io::Error::other("disk on fire").into()),
        failing("docs://chain", || because(&["no table", "no file", "no disk"]).into()),
        failing("docs://repeats", || because(&["no table: no file", "no file", "no file", "no disk"]).into()),
        failing("docs://told", || ReadError::public(7, "told")),
        failing("docs://gone", ReadError::not_found),
    ]));
    for (uri, lines) in [
        ("docs://plain", &["grange: resource `docs://plain` failed: disk on fire\n"][..]),
        (
            "docs://chain",
            &["grange: resource `docs://chain` failed: no table\n  caused by: no file\n  caused by: no disk\n"],
        ),
        ("docs://repeats", &["grange: resource `docs://repeats` failed: no table: no file\n  caused by: no disk\n"]),
        // An error that the author returns for the client is no failure.
        ("docs://told", &[]),
        ("docs://gone", &[]),
    ] {
        let answer = read(&server, uri);
        assert!(!answer.contains("no ") && !answer.contains("fire"), "{answer}");
        assert_eq!(said.take(), lines, "{uri}");
    }
}

#[test]
fn w3_12_a_failed_tool_and_a_failed_provider_are_reported_by_name() {
    struct Db;
    let said = Lines::default();
    let tool = |name: &'static str| Tool::builder().name(name).input_schema(serde_json::json!({ "type": "object" }));
    let breaks = tool("breaks").call_without_arguments(|_| async { Err::<String, _>(io::Error::other("worn").into()) });
    let asks = tool("asks").call_without_arguments(|cx| async move { Ok(cx.get::<Db>().await.map(|_| "")?) });
    let told = tool("told").call_without_arguments(|_| async { Err::<String, _>(ToolError::failed("sharpen it")) });
    let builder = Server::builder("t", "1").tools([breaks, asks, told]);
    let server = said.server(builder.provide(|_| async { Err::<Db, _>(because(&["no db", "refused"])) }));
    ask(&server, "tools/call", "breaks");
    assert_eq!(said.take(), ["grange: tool `breaks` failed: worn\n"]);
    ask(&server, "tools/call", "asks");
    let name = std::any::type_name::<Db>();
    let expected =
        format!("grange: tool `asks` failed: the provider of `{name}` failed: no db\n  caused by: refused\n");
    assert_eq!(said.take(), [expected]);
    ask(&server, "tools/call", "told");
    assert_eq!(said.take(), [""; 0]);
}

#[test]
fn w3_12_a_failed_extension_is_reported_with_its_method_and_a_panic_without_its_message() {
    let said = Lines::default();
    let panics = Resource::builder()
        .uri("docs://p")
        .name("p")
        .read(|_| async { if true { panic!("secret=1") } else { Ok("") } });
    let server = said.server(Server::builder("t", "1").extension(Clock).resource(panics.build()));
    assert!(ask(&server, "clock/read", "fails").contains("Internal error"));
    let subject = "extension `com.example/clock` (`clock/read`)";
    assert_eq!(said.take(), [format!("grange: {subject} failed: no clock\n  caused by: stopped\n")]);
    ask(&server, "clock/read", "panic");
    assert_eq!(said.take(), [format!("grange: {subject} panicked: the message stands above\n")]);
    ask(&server, "clock/read", "wrong");
    assert_eq!(said.take(), [""; 0]);
    read(&server, "docs://p");
    assert_eq!(said.take(), ["grange: resource `docs://p` panicked: the message stands above\n"]);
}

#[test]
fn a_flood_of_failures_is_reported_ten_times_and_then_at_powers_of_two() {
    let said = Lines::default();
    let server = said.server(Server::builder("t", "1").resources([
        failing("docs://a", || io::Error::other("flood").into()),
        failing("docs://b", || io::Error::other("apart").into()),
    ]));
    for _ in 0..1000 {
        read(&server, "docs://a");
    }
    let lines = said.take();
    assert_eq!(lines.len(), 10 + [16, 32, 64, 128, 256, 512].len());
    assert_eq!(lines[8], "grange: resource `docs://a` failed: flood\n");
    let rare = "further reports are rarer";
    assert_eq!(lines[9], format!("grange: resource `docs://a` failed: flood (10 times so far; {rare})\n"));
    assert_eq!(lines[15], format!("grange: resource `docs://a` failed: flood (512 times so far; {rare})\n"));
    read(&server, "docs://b");
    assert_eq!(said.take(), ["grange: resource `docs://b` failed: apart\n"], "another is counted apart");
}

#[test]
fn so_many_kinds_and_targets_are_counted_apart_and_the_rest_together() {
    let said = Lines::default();
    let reporter = said.reporter();
    let fail = |at: usize, failure: &HandlerFailure| {
        reporter.failure(failure, &Context::detached(Providers::new()).for_uri(&format!("docs://{at}").into()));
    };
    for at in 0..APART + 1000 {
        fail(at, &HandlerFailure::NotFound);
    }
    let apart = APART as u64 + ALL_OF;
    assert_eq!(said.take().len() as u64, apart + [16, 32, 64, 128, 256, 512].len() as u64);
    fail(0, &HandlerFailure::TimedOut(Duration::from_millis(5)));
    assert_eq!(said.take(), ["grange: resource `docs://0` failed: it took longer than 5 ms\n"], "of another kind");
}

#[test]
fn what_is_not_ours_neither_begins_a_line_nor_commands_a_terminal_nor_floods() {
    assert_eq!(
        shown("a\ngrange: tool `b` failed: c\r\u{1b}[2J\u{9b}"),
        "a\n    grange: tool `b` failed: c\\r\\u{1b}[2J\\u{9b}"
    );
    assert_eq!(shown("\tcaf\u{e9} \u{1f600}"), "\tcaf\u{e9} \u{1f600}");
    let long = shown(&"x".repeat(1_000_000));
    assert!(long.len() < LONGEST + 10 && long.ends_with('…'));
}

#[test]
fn an_error_that_panics_when_it_is_shown_costs_no_more_than_its_words() {
    #[derive(Debug)]
    struct Explosive;
    impl fmt::Display for Explosive {
        fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result {
            panic!("in Display")
        }
    }
    impl Error for Explosive {}
    let said = Lines::default();
    let server = said.server(Server::builder("t", "1").resources([
        failing("docs://explosive", || Explosive.into()),
        failing("docs://plain", || io::Error::other("plain").into()),
    ]));
    assert!(read(&server, "docs://explosive").contains("Internal error"));
    let untold = "failed, and so did the report of it: the message stands above\n";
    assert_eq!(said.take(), [format!("grange: resource `docs://explosive` {untold}")]);
    read(&server, "docs://plain");
    assert_eq!(said.take().len(), 1);
}

#[test]
fn a_large_answer_is_a_warning_and_so_is_what_build_finds() {
    let said = Lines::default();
    let reporter = said.reporter();
    let context = Context::detached(Providers::new()).for_uri(&"docs://a".into());
    reporter.failure(&HandlerFailure::LargeReply(11_000_000), &context);
    reporter.warning("slow: wind it up");
    let lines = said.take();
    assert!(lines[0].starts_with("grange: warning: resource `docs://a`: an answer of 11000000 bytes"), "{lines:?}");
    assert_eq!(lines[1], "grange: warning: slow: wind it up\n");
}

#[test]
fn l2_7_values_that_were_left_out_are_a_warning() {
    let said = Lines::default();
    let target = Target::Completion { reference: "docs://{a}".into(), argument: "a".into() };
    let context = Context::detached(Providers::new()).for_target(target);
    said.reporter().failure(&HandlerFailure::InvalidCompletion(vec!["\"..\" is `.` or `..`".to_owned()]), &context);
    let expected = "grange: warning: completion of `a` in `docs://{a}`: values were left out: \"..\" is `.` or `..`\n";
    assert_eq!(said.take(), [expected]);
}
