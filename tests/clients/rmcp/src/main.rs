//! The Rust client `rmcp` in two of its modes, over stdio: it reads and completes a template of the fixture, then subscribes or
//! listens, hears what changed, and then no more.
//!
//! ```sh
//! cargo run --manifest-path tests/clients/rmcp/Cargo.toml -- target/debug/examples/fixture
//! ```

use std::error::Error;
use std::future::Future;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use rmcp::model::{
    CallToolRequestParams, ProtocolVersion, ReadResourceRequestParams, ResourceContents,
    ResourceUpdatedNotificationParam, ServerNotification, SubscribeRequestParams, SubscriptionFilter,
    UnsubscribeRequestParams,
};
use rmcp::service::{
    ClientLifecycleMode, NotificationContext, RunningService, Subscription, serve_client_with_lifecycle,
};
use rmcp::transport::TokioChildProcess;
use rmcp::{ClientHandler, RoleClient, ServiceError};
use serde_json::{Value, json};
use tokio::process::Command;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::time::timeout;

const HEAR: Duration = Duration::from_secs(3);
const SILENCE: Duration = Duration::from_millis(250);
/// One check, whatever it waits for.
const CHECK: Duration = Duration::from_secs(20);
/// The transport waits longer than this for a process to end by itself before it sends a signal.
const PATIENCE: Duration = Duration::from_secs(1);

const BETA: &str = "demo://beta";
const OTHER: &str = "demo://beta/";
const UNKNOWN: &str = "demo://nowhere";
const UPDATED: &str = "updated demo://beta";
const RELISTED: &str = "list_changed";

type Outcome<T = String> = Result<T, Box<dyn Error>>;
type Client = RunningService<RoleClient, Ear>;

/// What arrives outside a listen.
struct Ear(UnboundedSender<String>);

impl ClientHandler for Ear {
    async fn on_resource_updated(
        &self,
        params: ResourceUpdatedNotificationParam,
        _context: NotificationContext<RoleClient>,
    ) {
        let _ = self.0.send(format!("updated {}", params.uri));
    }

    async fn on_resource_list_changed(&self, _context: NotificationContext<RoleClient>) {
        let _ = self.0.send(RELISTED.to_owned());
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Mode {
    Initialize,
    Discover,
}

impl Mode {
    fn name(self) -> &'static str {
        match self {
            Self::Initialize => "initialize",
            Self::Discover => "discover",
        }
    }

    fn revision(self) -> ProtocolVersion {
        match self {
            Self::Initialize => ProtocolVersion::V_2025_11_25,
            Self::Discover => ProtocolVersion::V_2026_07_28,
        }
    }

    fn lifecycle(self) -> ClientLifecycleMode {
        match self {
            Self::Initialize => ClientLifecycleMode::Initialize,
            Self::Discover => ClientLifecycleMode::Discover { preferred_versions: vec![self.revision()] },
        }
    }
}

/// One connection, and what it has heard.
struct Connection {
    mode: Mode,
    client: Client,
    unasked: UnboundedReceiver<String>,
    listen: Option<Subscription>,
    process: u32,
}

impl Connection {
    async fn open(fixture: &str, flag: &str, mode: Mode) -> Outcome<Self> {
        let mut command = Command::new(fixture);
        command.args(["--stdio", flag]);
        let (sender, unasked) = unbounded_channel();
        let transport = TokioChildProcess::new(command)?;
        let process = transport.id().ok_or("the server ended at once")?;
        let client = serve_client_with_lifecycle(Ear(sender), transport, mode.lifecycle()).await?;
        Ok(Self { mode, client, unasked, listen: None, process })
    }

    fn connected(&self) -> Outcome {
        let revision = self.client.peer_info().ok_or("the server did not say who it is")?.protocol_version.clone();
        equal(&revision, &self.mode.revision(), "negotiated revision")?;
        Ok(revision.to_string())
    }

    async fn read(&self) -> Outcome {
        let uri = "demo://items/%37/notes";
        let result = self.client.read_resource(ReadResourceRequestParams::new(uri)).await?;
        let [ResourceContents::TextResourceContents { uri: got, mime_type, text, .. }] = result.contents.as_slice()
        else {
            return Err(format!("not one text: {:?}", result.contents).into());
        };
        equal(got.as_str(), uri, "content uri")?;
        equal(mime_type.as_deref(), Some("application/vnd.demo.notes+json"), "mimeType")?;
        let expected = json!({ "template": "notes", "values": { "id": 7 }, "version": 0 });
        equal(&serde_json::from_str::<Value>(text)?, &expected, "text")?;
        Ok(uri.to_owned())
    }

    async fn complete(&self) -> Outcome {
        let completion = self.client.complete_resource_argument("demo://items/{id}", "id", "99", None).await?;
        let expected: Vec<String> = std::iter::once(99).chain(990..1000).map(|id| id.to_string()).collect();
        equal(&completion.values, &expected, "values")?;
        equal(completion.has_more, Some(false), "hasMore")?;
        Ok(format!("{} values", expected.len()))
    }

    /// Subscribes in the way of the era.
    async fn subscribe(&mut self) -> Outcome {
        match self.mode {
            Mode::Initialize => self.subscribe_to(BETA).await?,
            Mode::Discover => self.listen(&[BETA]).await?,
        }
        equal(self.subscriptions().await?, 1, "subscriptions")?;
        Ok(BETA.to_owned())
    }

    #[expect(deprecated, reason = "it is what the revisions with a handshake have")]
    async fn subscribe_to(&self, uri: &str) -> Result<(), ServiceError> {
        self.client.subscribe(SubscribeRequestParams::new(uri)).await
    }

    /// Listens to the lists and these, of which only `demo://beta` is there.
    async fn listen(&mut self, uris: &[&str]) -> Outcome<()> {
        let filter = |uris: &[&str]| {
            SubscriptionFilter::builder().resources_list_changed().resource_subscriptions(uris.iter().copied()).build()
        };
        let listen = self.client.listen(filter(uris)).await?;
        equal(listen.acknowledged(), &filter(&[BETA]), "acknowledged")?;
        self.listen = Some(listen);
        Ok(())
    }

    #[expect(deprecated, reason = "it is what the revisions with a handshake have")]
    async fn unsubscribe(&mut self) -> Outcome<()> {
        match self.listen.take() {
            Some(mut listen) => listen.cancel().await?,
            None => self.client.unsubscribe(UnsubscribeRequestParams::new(BETA)).await?,
        }
        Ok(())
    }

    async fn hear(&mut self) -> Outcome {
        self.touch(OTHER).await?;
        self.touch(BETA).await?;
        self.expect(&[UPDATED]).await?;
        self.call("relist", json!({})).await?;
        self.expect(&[RELISTED]).await?;
        Ok(format!("{UPDATED}, {RELISTED}"))
    }

    /// List changes go on where they were not asked for either: on revisions with a handshake.
    async fn stop(&mut self) -> Outcome {
        self.unsubscribe().await?;
        self.expect_no_subscription().await?;
        self.touch(BETA).await?;
        self.call("relist", json!({})).await?;
        let expected: &[&str] = if self.mode == Mode::Initialize { &[RELISTED] } else { &[] };
        self.expect(expected).await?;
        Ok(format!("{} heard", expected.len()))
    }

    /// A listen leaves out what is unknown; a subscription is refused with the code of a read.
    async fn refuse(&mut self) -> Outcome {
        if self.mode == Mode::Discover {
            self.listen(&[UNKNOWN, BETA]).await?;
            self.unsubscribe().await?;
            self.expect_no_subscription().await?;
            return Ok("left out".to_owned());
        }
        let Err(ServiceError::McpError(error)) = self.subscribe_to(UNKNOWN).await else {
            return Err("not refused with an error of the protocol".into());
        };
        equal(error.code.0, -32002, "error code")?;
        equal(error.data, Some(json!({ "uri": UNKNOWN })), "error data")?;
        Ok(error.code.0.to_string())
    }

    /// Closes with a subscription that nobody ended.
    async fn close(mut self) -> Outcome {
        let begin = Instant::now();
        self.client.close().await?;
        let took = begin.elapsed();
        if took > PATIENCE {
            return Err(format!("the server did not end by itself: {took:?}").into());
        }
        let alive = Command::new("sh").args(["-c", &format!("kill -0 {} 2>&1", self.process)]).output().await?;
        equal(alive.status.success(), false, "the server still runs")?;
        Ok(format!("{} ms", took.as_millis()))
    }

    /// Exactly this is heard, and then silence.
    async fn expect(&mut self, expected: &[&str]) -> Outcome<()> {
        let mut heard = Vec::new();
        loop {
            let patience = if heard.len() < expected.len() { HEAR } else { SILENCE };
            match timeout(patience, self.next()).await {
                Ok(what) => heard.push(what?),
                Err(_) => return equal(heard.as_slice(), expected, "heard"),
            }
        }
    }

    /// What is heard next, by the listen or without one.
    async fn next(&mut self) -> Outcome {
        let Some(listen) = &mut self.listen else {
            return self.unasked.recv().await.ok_or_else(|| "the connection ended".into());
        };
        tokio::select! {
            unasked = self.unasked.recv() => Err(format!("outside the listen: {unasked:?}").into()),
            heard = listen.next() => match heard? {
                Some(ServerNotification::ResourceUpdatedNotification(updated)) => Ok(format!("updated {}", updated.params.uri)),
                Some(ServerNotification::ResourceListChangedNotification(_)) => Ok(RELISTED.to_owned()),
                other => Err(format!("on the listen: {other:?}, {:?}", listen.end()).into()),
            },
        }
    }

    async fn touch(&self, uri: &str) -> Outcome {
        self.call("touch", json!({ "uri": uri })).await
    }

    async fn subscriptions(&self) -> Outcome<u64> {
        let counts: Value = serde_json::from_str(&self.call("counts", json!({})).await?)?;
        counts["subscriptions"].as_u64().ok_or_else(|| format!("no number: {counts}").into())
    }

    async fn expect_no_subscription(&self) -> Outcome<()> {
        let deadline = Instant::now() + HEAR;
        while self.subscriptions().await? > 0 && Instant::now() < deadline {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        equal(self.subscriptions().await?, 0, "subscriptions left")
    }

    async fn call(&self, name: &'static str, arguments: Value) -> Outcome {
        let arguments = arguments.as_object().cloned().unwrap_or_default();
        let result = self.client.call_tool(CallToolRequestParams::new(name).with_arguments(arguments)).await?;
        match result.content.first().and_then(|content| content.as_text()) {
            Some(content) if result.is_error != Some(true) => Ok(content.text.clone()),
            _ => Err(format!("{name}: {result:?}").into()),
        }
    }
}

fn equal<T: PartialEq<U> + std::fmt::Debug, U: std::fmt::Debug>(got: T, expected: U, what: &str) -> Outcome<()> {
    if got == expected { Ok(()) } else { Err(format!("{what}: expected {expected:?}, got {got:?}").into()) }
}

#[derive(Default)]
struct Report {
    passed: usize,
    failed: usize,
}

impl Report {
    async fn check(&mut self, name: String, run: impl Future<Output = Outcome>) {
        let outcome = timeout(CHECK, run).await.unwrap_or_else(|_| Err(format!("not done after {CHECK:?}").into()));
        self.note(&name, outcome);
    }

    fn note(&mut self, name: &str, outcome: Outcome) {
        match outcome {
            Ok(detail) => {
                println!("ok   {name} ({detail})");
                self.passed += 1;
            }
            Err(error) => {
                println!("FAIL {name}: {}", error.to_string().replace('\n', " "));
                self.failed += 1;
            }
        }
    }

    async fn open(&mut self, name: &str, fixture: &str, flag: &str, mode: Mode) -> Option<Connection> {
        let opened = timeout(CHECK, Connection::open(fixture, flag, mode)).await;
        let opened = opened.unwrap_or_else(|_| Err(format!("not done after {CHECK:?}").into()));
        self.note(
            &format!("{name}: connect"),
            opened.as_ref().map_err(|error| error.to_string().into()).and_then(Connection::connected),
        );
        opened.ok()
    }
}

async fn check_templates(report: &mut Report, fixture: &str, mode: Mode) {
    let name = format!("rmcp templates {} stdio", mode.name());
    let Some(connection) = report.open(&name, fixture, "--templates", mode).await else { return };
    report.check(format!("{name}: read"), connection.read()).await;
    report.check(format!("{name}: complete"), connection.complete()).await;
    report.check(format!("{name}: close"), connection.close()).await;
}

async fn check_changes(report: &mut Report, fixture: &str, mode: Mode) {
    let name = format!("rmcp changes {} stdio", mode.name());
    let Some(mut connection) = report.open(&name, fixture, "--live", mode).await else { return };
    report.check(format!("{name}: subscribe"), connection.subscribe()).await;
    report.check(format!("{name}: hear what changed"), connection.hear()).await;
    report.check(format!("{name}: unsubscribe"), connection.stop()).await;
    report.check(format!("{name}: unknown resource"), connection.refuse()).await;
    report.check(format!("{name}: subscribe again"), connection.subscribe()).await;
    report.check(format!("{name}: close"), connection.close()).await;
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    let Some(fixture) = std::env::args().nth(1) else {
        eprintln!("usage: grange-rmcp-client FIXTURE");
        return ExitCode::from(2);
    };
    let mut report = Report::default();
    for mode in [Mode::Initialize, Mode::Discover] {
        check_templates(&mut report, &fixture, mode).await;
        check_changes(&mut report, &fixture, mode).await;
    }
    println!("{} passed, {} failed", report.passed, report.failed);
    ExitCode::from(u8::from(report.failed > 0))
}
