//! A client at the other end of a pipe, and the servers for it.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use grange_core::{Context, Error, Limits, ReadError, Resource, Revision, Server};
use grange_stdio::pipe;
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader, DuplexStream, duplex};
use tokio::task::JoinHandle;
use tokio::time::{Instant, sleep};

use crate::schema::fitting;

/// The duration of `demo://slow`.
pub(crate) const SLOW: Duration = Duration::from_secs(2);

/// The length of `demo://page`.
pub(crate) const PAGE: usize = 100 * 1024;

/// The capacity of an operating system's pipe.
pub(crate) const PIPE: usize = 64 * 1024;

/// One client, and the server that serves it.
pub(crate) struct Client {
    pub(crate) requests: DuplexStream,
    pub(crate) answers: BufReader<DuplexStream>,
    pub(crate) serving: JoinHandle<Result<(), Error>>,
}

impl Client {
    pub(crate) fn of(server: Server) -> Self {
        Self::over(server, PIPE)
    }

    /// Uses pipes with this capacity in bytes.
    pub(crate) fn over(server: Server, bytes: usize) -> Self {
        let ((requests, read), (write, answers)) = (duplex(bytes), duplex(bytes));
        let serving = tokio::spawn(server.listen(pipe(read, write)));
        Self { requests, answers: BufReader::new(answers), serving }
    }

    /// Writes bytes unchanged.
    pub(crate) async fn write(&mut self, bytes: &[u8]) {
        self.requests.write_all(bytes).await.unwrap();
    }

    /// Writes a message as one line.
    pub(crate) async fn send(&mut self, message: &Value) {
        self.write(format!("{message}\n").as_bytes()).await;
    }

    /// The next line, which must be one message.
    pub(crate) async fn answer(&mut self) -> Value {
        let mut line = String::new();
        self.answers.read_line(&mut line).await.unwrap();
        assert!(line.ends_with('\n'), "a whole line: {line:.300}");
        message(&line)
    }

    /// Ends the input and waits for the server to end; returns the remaining messages.
    pub(crate) async fn finish(self) -> Vec<Value> {
        let Self { requests, mut answers, serving } = self;
        drop(requests);
        let mut rest = String::new();
        answers.read_to_string(&mut rest).await.unwrap();
        serving.await.unwrap().unwrap();
        rest.lines().map(message).collect()
    }
}

fn message(line: &str) -> Value {
    let message: Value = serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line:.300}"));
    fitting(message)
}

/// The `_meta` of a modern request.
pub(crate) fn marks() -> Value {
    json!({
        "io.modelcontextprotocol/protocolVersion": Revision::V2026_07_28.name(),
        "io.modelcontextprotocol/clientCapabilities": {},
    })
}

/// A modern read of `demo://NAME`.
pub(crate) fn read(id: impl Into<Value>, name: &str) -> Value {
    let params = json!({ "uri": format!("demo://{name}"), "_meta": marks() });
    json!({ "jsonrpc": "2.0", "id": id.into(), "method": "resources/read", "params": params })
}

pub(crate) fn ping(id: impl Into<Value>) -> Value {
    json!({ "jsonrpc": "2.0", "id": id.into(), "method": "ping" })
}

pub(crate) fn initialize(id: impl Into<Value>, revision: Revision) -> Value {
    let info = json!({ "name": "tests", "version": "1" });
    let params = json!({ "protocolVersion": revision.name(), "capabilities": {}, "clientInfo": info });
    json!({ "jsonrpc": "2.0", "id": id.into(), "method": "initialize", "params": params })
}

pub(crate) fn cancel(id: impl Into<Value>) -> Value {
    json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": id.into() } })
}

pub(crate) fn text(answer: &Value) -> &str {
    answer["result"]["contents"][0]["text"].as_str().unwrap_or_else(|| panic!("no text: {answer:.300}"))
}

pub(crate) fn code(answer: &Value) -> i64 {
    answer["error"]["code"].as_i64().unwrap_or_else(|| panic!("not an error: {answer:.300}"))
}

pub(crate) fn ids(answers: &[Value]) -> Vec<&Value> {
    answers.iter().map(|answer| &answer["id"]).collect()
}

/// For reads of the slow and the stuck resource: how many run, the maximum at once, and how many ended.
#[derive(Clone, Default)]
pub(crate) struct Runs(Arc<[AtomicUsize; 3]>);

struct Run(Runs);

impl Runs {
    fn start(&self) -> Run {
        let [running, most, _] = &*self.0;
        most.fetch_max(running.fetch_add(1, Ordering::Relaxed) + 1, Ordering::Relaxed);
        Run(self.clone())
    }

    pub(crate) fn running(&self) -> usize {
        self.0[0].load(Ordering::Relaxed)
    }

    pub(crate) fn most(&self) -> usize {
        self.0[1].load(Ordering::Relaxed)
    }

    pub(crate) fn over(&self) -> usize {
        self.0[2].load(Ordering::Relaxed)
    }
}

impl Drop for Run {
    fn drop(&mut self) {
        let [running, _, over] = &*self.0.0;
        running.fetch_sub(1, Ordering::Relaxed);
        over.fetch_add(1, Ordering::Relaxed);
    }
}

/// `note` is fixed, `large` is a fixed text of 10 MiB, `page` one of [`PAGE`], `slow` takes [`SLOW`], `stuck` never
/// ends, `restless` never ends and is always ready, `boom` panics.
pub(crate) fn server(limits: Limits) -> (Server, Runs) {
    let runs = Runs::default();
    let restless = runs.clone();
    let resource = |name: &str| Resource::builder().uri(format!("demo://{name}")).name(name.to_owned());
    let reader = |takes: Option<Duration>| {
        let runs = runs.clone();
        move |_cx: Context| {
            let runs = runs.clone();
            async move {
                let _run = runs.start();
                match takes {
                    Some(time) => sleep(time).await,
                    None => std::future::pending().await,
                }
                Ok("done")
            }
        }
    };
    let resources = [
        resource("note").text("a\nnote\r\n").build(),
        resource("large").text("0123456789abcde\n".repeat(10 * 65_536)).build(),
        resource("page").text("p".repeat(PAGE)).build(),
        resource("slow").read(reader(Some(SLOW))).build(),
        resource("stuck").read(reader(None)).build(),
        resource("restless")
            .read(move |_cx| {
                let runs = restless.clone();
                async move {
                    let _run = runs.start();
                    loop {
                        tokio::task::yield_now().await;
                    }
                    #[allow(unreachable_code, reason = "it gives the type")]
                    Ok("")
                }
            })
            .build(),
        resource("boom")
            .read(|_cx| async { if true { panic!("secret=/srv/key") } else { Ok::<_, ReadError>("") } })
            .build(),
    ];
    let builder = Server::builder("tests", "1.0.0").resources(resources).on_error(|_, _| {});
    (builder.limits(limits).build().unwrap(), runs)
}

/// A client of that server with default limits.
pub(crate) fn client() -> (Client, Runs) {
    let (server, runs) = server(Limits::default());
    (Client::of(server), runs)
}

/// The whole seconds since then, on the clock of the test.
pub(crate) fn seconds(since: Instant) -> u64 {
    since.elapsed().as_secs()
}
