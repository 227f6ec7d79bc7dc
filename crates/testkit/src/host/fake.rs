//! The host itself: its state, and how it reacts to each message.

use std::fmt;

use serde_json::{Value, json};

use super::act::{HostAct, answer};
use super::behavior::HostBehavior;
use super::block::HostBlock;
use super::bucket::Bucket;
use super::files::Files;
use super::log::HostMessage;
use super::names::{LIST, READ, SCHEME};
use super::rejection::Rejection;
use crate::clock::ManualClock;
use crate::line::Stream;

/// A host that lets servers read its files: the client side of `ai.nimblebrain/host-resources`.
///
/// ```
/// use grange_core::{Revision, Server, Tool, host};
/// use grange_testkit::{FakeHost, HostBehavior, connect_host};
/// use serde_json::{Value, json};
/// # use std::time::Duration;
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
///
/// let summarize = Tool::builder().name("summarize").input_schema(json!({ "type": "object" }));
/// let summarize = summarize.call_with_schema(|cx, args: Value| async move {
///     let text = host(&cx).read_text(args["file_uri"].as_str().unwrap_or_default()).await?;
///     Ok(text.lines().next().unwrap_or_default().to_owned())
/// });
/// let server = Server::builder("summaries", "1.0.0").tool(summarize);
/// let server = server.requests_to_client().revisions(Revision::HANDSHAKE).build()?;
///
/// let files = FakeHost::new().file("fl_0123456789abcdef01234567", "text/plain", "Hello.\nAnd more.");
/// let mut client = connect_host(&server, Revision::V2025_11_25, files).await?;
/// let file = json!({ "file_uri": "files://fl_0123456789abcdef01234567" });
/// assert_eq!(client.call_tool("summarize", file.clone()).await?.text(), Some("Hello."));
/// assert_eq!(client.host().log()[0].params()["uri"], "files://fl_0123456789abcdef01234567");
///
/// // A request to a host that never answers times out.
/// client.host_mut().behave(HostBehavior::NeverAnswers);
/// let call = client.start_tool("summarize", file);
/// client.clock().advance(Duration::from_secs(30));
/// assert_eq!(client.finish_tool(call).await.unwrap_err().message, "Internal error");
/// # Ok(())
/// # }
/// ```
pub struct FakeHost {
    pub(super) files: Files,
    pub(super) advertised: Advertised,
    pub(super) schemes: Vec<String>,
    pub(super) max_size: u64,
    pub(super) bucket: Bucket,
    pub(super) clock: ManualClock,
    pub(super) behavior: HostBehavior,
    pub(super) answers: Option<Answers>,
    /// Answers requests in groups of this size, the newest first.
    pub(super) together: usize,
    held: Vec<Value>,
    pub(super) unrelated: UnrelatedNotifications,
    pub(super) takes_streams: bool,
    pub(super) gets: bool,
    log: Vec<HostMessage>,
}

pub(super) type Answers = Box<dyn FnMut(&Value) -> Vec<Value> + Send>;

/// The capabilities that it sends.
pub(super) enum Advertised {
    Block(HostBlock),
    Custom(Value),
    Absent,
}

/// Whether it sends unrelated notifications before and after each answer.
#[derive(Default)]
pub(super) struct UnrelatedNotifications {
    pub(super) before: bool,
    pub(super) after: bool,
}

impl Default for FakeHost {
    fn default() -> Self {
        Self::new()
    }
}

impl FakeHost {
    /// A host without files. It advertises reading and listing, and answers correctly.
    pub fn new() -> Self {
        Self {
            files: Files::default(),
            advertised: Advertised::Block(HostBlock::Normal),
            schemes: vec![SCHEME.to_owned()],
            max_size: 10 * 1024 * 1024,
            bucket: Bucket::new(1000, 100),
            clock: ManualClock::new(),
            behavior: HostBehavior::Proper,
            answers: None,
            together: 1,
            held: Vec::new(),
            unrelated: UnrelatedNotifications::default(),
            takes_streams: true,
            gets: false,
            log: Vec::new(),
        }
    }

    /// Changes how requests for its files are treated.
    pub fn behave(&mut self, behavior: HostBehavior) {
        self.behavior = behavior;
    }

    /// Logs a message of the server that arrived on `stream`, and returns the reactions to it.
    pub fn act(&mut self, stream: Stream, message: &Value) -> Vec<HostAct> {
        if !message["method"].is_string() {
            return Vec::new();
        }
        self.log.push(HostMessage::new(message.clone(), stream));
        if message.get("id").is_none() {
            return Vec::new();
        }
        self.held.push(message.clone());
        if self.held.len() < self.together {
            return Vec::new();
        }
        let waiting = std::mem::take(&mut self.held);
        waiting.iter().rev().flat_map(|request| self.act_on(request)).collect()
    }

    fn act_on(&mut self, request: &Value) -> Vec<HostAct> {
        let of_files = [READ, LIST].iter().any(|method| request["method"] == *method);
        let acts = match &mut self.answers {
            _ if !of_files => vec![HostAct::Send(self.proper_answer(request))],
            Some(answers) => answers(request).into_iter().map(HostAct::Send).collect(),
            None => {
                let (behavior, max_size) = (self.behavior, self.max_size);
                behavior.act(request, max_size, || self.proper_answer(request))
            }
        };
        let unrelated = json!({ "jsonrpc": "2.0", "method": "notifications/roots/list_changed" });
        let unrelated = |wanted: bool| wanted.then(|| HostAct::Send(unrelated.clone()));
        let (before, after) = (unrelated(self.unrelated.before), unrelated(self.unrelated.after));
        before.into_iter().chain(acts).chain(after).collect()
    }

    /// The messages that it sends back for a message of the server, in order. Empty for a notification, and if the
    /// behavior does not send a message.
    ///
    /// ```
    /// use grange_testkit::FakeHost;
    /// use serde_json::json;
    /// let mut host = FakeHost::new().file("fl_0123456789abcdef01234567", "text/csv", "a,b");
    /// let params = json!({ "uri": "files://fl_0123456789abcdef01234567" });
    /// let request = json!({ "jsonrpc": "2.0", "id": 7, "method": "ai.nimblebrain/resources/read", "params": params });
    /// let answers = host.answer(&request);
    /// assert_eq!(answers[0]["id"], 7);
    /// assert_eq!(answers[0]["result"]["contents"][0]["text"], "a,b");
    /// ```
    pub fn answer(&mut self, message: &Value) -> Vec<Value> {
        let sent = |act| if let HostAct::Send(message) = act { Some(message) } else { None };
        self.act(Stream::Pipe, message).into_iter().filter_map(sent).collect()
    }

    /// The correct answer to a request, for any behavior.
    pub fn proper_answer(&mut self, request: &Value) -> Value {
        let params = &request["params"];
        let outcome = match request["method"].as_str() {
            Some(READ) => self.admit().and_then(|()| self.files.read(params, self.max_size)),
            Some(LIST) => self.admit().and_then(|()| self.files.list(params)),
            Some("ping") => Ok(json!({})),
            _ => Err(Rejection::no_method()),
        };
        answer(&request["id"], outcome)
    }

    /// Checks the rate limit, before any other check.
    fn admit(&mut self) -> Result<(), Rejection> {
        self.bucket.take(self.clock.now()).map_err(Rejection::rate_limited)
    }

    /// All messages that the server sent, in order.
    pub fn log(&self) -> &[HostMessage] {
        &self.log
    }

    /// The requests in the log.
    pub fn requests(&self) -> impl Iterator<Item = &HostMessage> {
        self.log.iter().filter(|message| message.id().is_some())
    }

    /// The host's clock.
    pub fn clock(&self) -> &ManualClock {
        &self.clock
    }

    /// The host's name and version, as in a handshake.
    pub fn client_info(&self) -> Value {
        json!({ "name": "nimblebrain", "version": "0.1.0" })
    }

    /// The host's capabilities, as in a handshake; `None` if it sends none.
    pub fn client_capabilities(&self) -> Option<Value> {
        match &self.advertised {
            Advertised::Block(block) => Some(block.capabilities(&self.schemes, self.max_size)),
            Advertised::Custom(capabilities) => Some(capabilities.clone()),
            Advertised::Absent => None,
        }
    }

    pub(crate) fn takes_streams(&self) -> bool {
        self.takes_streams
    }

    pub(crate) fn gets(&self) -> bool {
        self.gets
    }
}

impl fmt::Debug for FakeHost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FakeHost").field("files", &self.files).field("behavior", &self.behavior).finish_non_exhaustive()
    }
}
