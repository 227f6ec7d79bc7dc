//! The server under test, and an HTTP exchange in memory, with or without a session.

use std::collections::BTreeMap;
use std::future::poll_fn;
use std::sync::LazyLock;
use std::task::Poll;

use std::time::{Duration, Instant};

use grange_core::{
    Changes, ContentBlock, Contents, Context, Exchange, Header, Host, HostFilter, Item, Job, JobEvent, Limits, Link,
    Lookup, ReadError, Resource, Server, ServerBuilder, Template, Tool, ToolResult, Wire, host,
};
use serde_json::{Value, json};

/// The URIs of the server's resources.
pub(crate) const FIXED: &str = "docs://fixed";

/// One server for all runs: fixed text and bytes, and readers that complete at once, later or never, and that fail.
///
/// No reader panics, because a fuzzer counts every panic as a finding.
pub(crate) fn server() -> Server {
    static SERVER: LazyLock<Server> = LazyLock::new(|| limited(Limits::default()));
    SERVER.clone()
}

/// The same with little room: few requests run or wait on a pipe, which may hold few bytes.
pub(crate) fn narrow() -> Server {
    static SERVER: LazyLock<Server> = LazyLock::new(|| {
        let (requests_in_flight, requests_waiting) = (3, 4);
        let (message_bytes, answer_bytes, connection_bytes) = (1024, 1024, 1024);
        limited(Limits {
            requests_in_flight,
            requests_waiting,
            message_bytes,
            answer_bytes,
            connection_bytes,
            ..Limits::default()
        })
    });
    SERVER.clone()
}

/// The same as [`server`], with changes: each computed read announces two.
pub(crate) fn living() -> Server {
    static SERVER: LazyLock<Server> = LazyLock::new(|| {
        builder(Limits::default()).changes(&Changes::new()).build().expect("the definitions are right")
    });
    SERVER.clone()
}

fn limited(limits: Limits) -> Server {
    builder(limits).build().expect("the definitions are right")
}

fn builder(limits: Limits) -> ServerBuilder {
    Server::builder("fuzz", "1.0.0")
        .instructions("Read \"docs://fixed\".")
        .resources([text(FIXED), bytes(), computed(), later(), never(), failing()])
        .template(row())
        .tools([echo(), files()])
        .page_size(2)
        .limits(limits)
        .on_error(|_, _| {})
}

fn text(uri: &'static str) -> Resource {
    Resource::builder()
        .uri(uri)
        .name("text")
        .title("A \"text\"")
        .mime_type("text/plain")
        .text("line\nline\u{2028}")
        .build()
}

fn bytes() -> Resource {
    Resource::builder().uri("docs://bytes").name("bytes").bytes(b"\xfb\xff\x00").build()
}

fn computed() -> Resource {
    let reader = |cx: grange_core::Context| async move {
        let sent = format!("{:?} {:?} {:?}", cx.meta(), cx.client_info(), cx.client_capabilities());
        cx.changes().updated(FIXED);
        cx.changes().updated("rows://a/1");
        let item = Item::text(cx.uri().to_owned(), sent);
        Ok(Contents::new().item(item).meta("example.com/key", 1))
    };
    Resource::builder().uri("docs://computed").name("computed").read(reader).build()
}

fn later() -> Resource {
    let reader = |_| async {
        let mut polled = 0;
        poll_fn(|cx| {
            polled += 1;
            cx.waker().wake_by_ref();
            if polled > 2 { Poll::Ready(Ok("later")) } else { Poll::Pending }
        })
        .await
    };
    Resource::builder().uri("docs://later").name("later").read(reader).build()
}

fn never() -> Resource {
    let reader = |_| std::future::pending::<Result<&'static str, ReadError>>();
    Resource::builder().uri("docs://never").name("never").read(reader).build()
}

fn failing() -> Resource {
    let reader = |cx: grange_core::Context| async move {
        if cx.meta().is_empty() { Err(ReadError::not_found()) } else { Err::<&'static str, _>("broken".into()) }
    };
    Resource::builder().uri("docs://failing").name("failing").read(reader).build()
}

/// A template whose variables are completed: by what was typed, with the other argument; by a list; and by nothing.
fn row() -> Template {
    Template::builder()
        .uri("rows://{table}/{id}{?page,size}")
        .name("row")
        .complete("id", |_, typed| async move {
            let other = typed.other("table").unwrap_or_default().to_owned();
            Ok((0..102).map(|at| format!("{}{other}{at}", typed.value())).collect::<Vec<_>>())
        })
        .complete_from("table", ["Orders", "order lines", "Ordners", "../orders", ""])
        .complete("page", |_, typed| async move {
            if typed.value().is_empty() {
                Err(ReadError::missing_scopes("rows:read"))
            } else {
                Ok(typed.other("id").map(str::to_owned))
            }
        })
        .read(|_, values: BTreeMap<String, String>| async move { Ok(format!("{values:?}")) })
        .build()
}

/// Returns its arguments in every form, with progress before.
fn echo() -> Tool {
    let schema = json!({ "type": "object", "properties": { "text": { "type": "string", "x-mcp-header": "Text" } } });
    Tool::builder().name("echo").input_schema(schema).call_with_schema(|cx, arguments: Value| async move {
        cx.progress((1.0, 2.0));
        cx.suspend();
        cx.progress((2.0, 2.0));
        let sent = arguments["text"].as_str().unwrap_or_default().to_owned();
        let blocks = [
            ContentBlock::text(sent.clone()),
            ContentBlock::audio(sent.clone().into_bytes(), "audio/wav"),
            ContentBlock::resource(Item::text("docs://echo", sent)),
            ContentBlock::link(Link::new("docs://fixed", "fixed")),
        ];
        let result = blocks.into_iter().fold(ToolResult::new(), ToolResult::content);
        Ok(result.structured(arguments).meta("example.com/key", 1))
    })
}

/// Requests the client's files.
fn files() -> Tool {
    Tool::builder().name("files").call_without_arguments(|cx: Context| async move {
        let host: Host = host(&cx).with_retry(2).with_timeout(Duration::from_secs(5));
        let read = host.read("files://fl_1").await;
        let listed = host.list(HostFilter::new().mime_type("text/csv")).await;
        let unchecked = cx.request("x/y", json!({ "k": [1] }), Duration::from_secs(1)).await;
        Ok(format!("{read:?} {listed:?} {unchecked:?}"))
    })
}

/// The parts of a request's head that the engine reads.
#[derive(Clone, Debug, Default)]
pub(crate) struct Head {
    pub(crate) version: Vec<Vec<u8>>,
    pub(crate) method: Vec<Vec<u8>>,
    pub(crate) name: Vec<Vec<u8>>,
    pub(crate) session: Option<Lookup>,
}

impl Exchange for Head {
    fn header(&self, name: &str) -> Header<'_> {
        let lines = match name {
            "mcp-protocol-version" => &self.version,
            "mcp-method" => &self.method,
            "mcp-name" => &self.name,
            _ => return Header::Absent,
        };
        match lines.as_slice() {
            [] => Header::Absent,
            [one] => Header::One(one),
            _ => Header::Many,
        }
    }

    fn takes_stream(&self) -> bool {
        true
    }

    fn session(&self) -> Lookup {
        self.session.clone().unwrap_or(Lookup::NotKept)
    }
}

/// Passes a job a time that is later in each round.
pub(crate) fn expire(job: &mut Job, now: Instant, round: u64) {
    job.poll_timeout(now);
    job.handle_timeout(now + Duration::from_secs(2 * round));
}

/// Polls a job to its end and returns all its messages. A job that does not end by itself is ended, then expired.
pub(crate) fn finish(job: &mut Job) -> Vec<Wire> {
    let mut sent = Vec::new();
    let now = Instant::now();
    for round in 0..64 {
        match job.poll_now() {
            Poll::Ready(JobEvent::Event(wire)) => sent.push(wire),
            Poll::Ready(JobEvent::Cancelled) => return sent,
            Poll::Ready(JobEvent::Done(wire, _)) => {
                sent.push(wire);
                return sent;
            }
            Poll::Pending if round > 8 => expire(job, now, round),
            Poll::Pending if round > 4 => job.handle_shutdown(),
            Poll::Pending | Poll::Ready(JobEvent::Suspend) => {}
        }
    }
    panic!("a job did not end: {job:?}")
}
