//! A host with files, as a server that reads them sees it: what it says of itself, what it answers, how it misbehaves.
//!
//! It knows messages only, and no way that carries them: [`connect_host`](crate::connect_host) puts it behind a client in
//! memory, and any other driver can ask [`FakeHost::answer`]. Its time is a [`ManualClock`].

mod block;
mod bucket;
mod files;
mod log;
mod manner;
mod refusal;

use std::fmt;

use bytes::Bytes;
use serde_json::{Value, json};

pub use self::block::HostBlock;
use self::bucket::Bucket;
use self::files::{File, Files, SCHEME};
pub use self::log::HostMessage;
pub use self::manner::HostManner;
use self::refusal::Refusal;
use crate::clock::ManualClock;
use crate::line::Stream;

const READ: &str = "ai.nimblebrain/resources/read";
const LIST: &str = "ai.nimblebrain/resources/list";

/// A host that lets servers read its files: `ai.nimblebrain/host-resources`, the client's side.
///
/// ```
/// use grange_core::{Revision, Server, Tool, host};
/// use grange_testkit::{FakeHost, HostManner, connect_host};
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
/// let server = server.client_requests().revisions(Revision::HANDSHAKE).build()?;
///
/// let files = FakeHost::new().file("fl_0123456789abcdef01234567", "text/plain", "Hello.\nAnd more.");
/// let mut client = connect_host(&server, Revision::V2025_11_25, files).await?;
/// let file = json!({ "file_uri": "files://fl_0123456789abcdef01234567" });
/// assert_eq!(client.call_tool("summarize", file.clone()).await?.text(), Some("Hello."));
/// assert_eq!(client.host().log()[0].params()["uri"], "files://fl_0123456789abcdef01234567");
///
/// // A host that never answers is given up when its time is over.
/// client.host_mut().behave(HostManner::NeverAnswers);
/// let call = client.start_tool("summarize", file);
/// client.clock().advance(Duration::from_secs(30));
/// assert_eq!(client.finish_tool(call).await.unwrap_err().message, "Internal error");
/// # Ok(())
/// # }
/// ```
pub struct FakeHost {
    files: Files,
    says: Says,
    schemes: Vec<String>,
    max_size: u64,
    bucket: Bucket,
    clock: ManualClock,
    manner: HostManner,
    answers: Option<Answers>,
    /// Requests are answered in groups of so many, the newest first.
    together: usize,
    held: Vec<Value>,
    /// Unrelated notifications around each answer.
    chatter: Chatter,
    takes_streams: bool,
    gets: bool,
    log: Vec<HostMessage>,
}

type Answers = Box<dyn FnMut(&Value) -> Vec<Value> + Send>;

/// What it says of its capabilities.
enum Says {
    Block(HostBlock),
    This(Value),
    Nothing,
}

#[derive(Default)]
struct Chatter {
    before: bool,
    after: bool,
}

/// What a host does about a message.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum HostAct {
    /// It sends this to the server.
    Send(Value),
    /// It drops the stream that the message came on.
    DropStream,
    /// It ends the session.
    EndSession,
}

impl Default for FakeHost {
    fn default() -> Self {
        Self::new()
    }
}

impl FakeHost {
    /// A host without files, that advertises reading and listing and behaves.
    pub fn new() -> Self {
        Self {
            files: Files::default(),
            says: Says::Block(HostBlock::Normal),
            schemes: vec![SCHEME.to_owned()],
            max_size: 10 * 1024 * 1024,
            bucket: Bucket::new(1000, 100),
            clock: ManualClock::new(),
            manner: HostManner::Proper,
            answers: None,
            together: 1,
            held: Vec::new(),
            chatter: Chatter::default(),
            takes_streams: true,
            gets: false,
            log: Vec::new(),
        }
    }

    /// Adds a file that is read at `files://` and this id, such as `fl_0123456789abcdef01234567` or, of older hosts,
    /// `fl_m3k9x2ab_0123abcd`. Its name is its id.
    ///
    /// Types of text are given as text, in which bytes that are no UTF-8 are replaced; others as bytes.
    #[must_use]
    pub fn file(self, id: &str, mime_type: &str, bytes: impl Into<Bytes>) -> Self {
        self.named_file(id, id, mime_type, bytes, &[])
    }

    /// The same with a name, and tags to list it by.
    #[must_use]
    pub fn named_file(mut self, id: &str, name: &str, mime_type: &str, bytes: impl Into<Bytes>, tags: &[&str]) -> Self {
        let (id, name, mime_type) = (id.to_owned(), name.to_owned(), mime_type.to_owned());
        let tags = tags.iter().map(|tag| (*tag).to_owned()).collect();
        self.files.add(File { id, name, mime_type, bytes: bytes.into(), tags });
        self
    }

    /// Advertises its files in this form.
    #[must_use]
    pub fn block(mut self, block: HostBlock) -> Self {
        self.says = Says::Block(block);
        self
    }

    /// Sends this as its capabilities, whatever it is.
    #[must_use]
    pub fn capabilities(mut self, capabilities: Value) -> Self {
        self.says = Says::This(capabilities);
        self
    }

    /// Sends no capabilities at all. Revisions without a handshake require some: there they are empty.
    #[must_use]
    pub fn without_capabilities(mut self) -> Self {
        self.says = Says::Nothing;
        self
    }

    /// Advertises these schemes. It serves `files` and no other.
    #[must_use]
    pub fn schemes(mut self, schemes: &[&str]) -> Self {
        self.schemes = schemes.iter().map(|scheme| (*scheme).to_owned()).collect();
        self
    }

    /// The longest file that it gives, in bytes. Default 10 MiB.
    #[must_use]
    pub fn max_size(mut self, bytes: u64) -> Self {
        self.max_size = bytes;
        self
    }

    /// How many requests it answers at once, and how many more a second. Default 1000 and 100.
    #[must_use]
    pub fn rate(mut self, burst: u32, per_second: u32) -> Self {
        self.bucket = Bucket::new(burst, per_second);
        self
    }

    /// Runs on that clock. A client in memory runs on its host's.
    #[must_use]
    pub fn on_clock(mut self, clock: &ManualClock) -> Self {
        self.clock = clock.clone();
        self
    }

    /// Treats requests for its files like that.
    #[must_use]
    pub fn manner(mut self, manner: HostManner) -> Self {
        self.manner = manner;
        self
    }

    /// Answers requests for its files with the messages that this gives, whatever they are.
    #[must_use]
    pub fn answers_with(mut self, answers: impl FnMut(&Value) -> Vec<Value> + Send + 'static) -> Self {
        self.answers = Some(Box::new(answers));
        self
    }

    /// Answers requests only once so many wait, and then the newest first.
    #[must_use]
    pub fn together(mut self, requests: usize) -> Self {
        self.together = requests;
        self
    }

    /// Sends an unrelated notification before each answer.
    #[must_use]
    pub fn notifies_before(mut self) -> Self {
        self.chatter.before = true;
        self
    }

    /// Sends an unrelated notification after each answer.
    #[must_use]
    pub fn notifies_after(mut self) -> Self {
        self.chatter.after = true;
        self
    }

    /// Takes no event streams for an answer over HTTP, only JSON.
    #[must_use]
    pub fn takes_json_only(mut self) -> Self {
        self.takes_streams = false;
        self
    }

    /// Over HTTP with a session, opens the `GET` stream too.
    #[must_use]
    pub fn opens_get_stream(mut self) -> Self {
        self.gets = true;
        self
    }

    /// Changes how requests for its files are treated from now on.
    pub fn behave(&mut self, manner: HostManner) {
        self.manner = manner;
    }

    /// What it does about a message of the server that came on that stream. The message is logged.
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
            None => self.manner.act(self, request),
        };
        let unrelated = json!({ "jsonrpc": "2.0", "method": "notifications/roots/list_changed" });
        let unrelated = |wanted: bool| wanted.then(|| HostAct::Send(unrelated.clone()));
        let (before, after) = (unrelated(self.chatter.before), unrelated(self.chatter.after));
        before.into_iter().chain(acts).chain(after).collect()
    }

    /// What it sends back to a message of the server, in order; nothing to a notification, and where its manner is to do
    /// something else than to send.
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

    /// The answer to a request as it should be, whatever its manner is.
    pub fn proper_answer(&mut self, request: &Value) -> Value {
        let params = &request["params"];
        let outcome = match request["method"].as_str() {
            Some(READ) => self.admit().and_then(|()| self.files.read(params, self.max_size)),
            Some(LIST) => self.admit().and_then(|()| self.files.list(params)),
            Some("ping") => Ok(json!({})),
            _ => Err(Refusal::no_method()),
        };
        answer(&request["id"], outcome)
    }

    /// The rate is looked at before anything else.
    fn admit(&mut self) -> Result<(), Refusal> {
        self.bucket.take(self.clock.now()).map_err(Refusal::rate_limited)
    }

    /// Everything that the server sent it, in order.
    pub fn log(&self) -> &[HostMessage] {
        &self.log
    }

    /// The requests among that.
    pub fn requests(&self) -> impl Iterator<Item = &HostMessage> {
        self.log.iter().filter(|message| message.id().is_some())
    }

    /// Its clock.
    pub fn clock(&self) -> &ManualClock {
        &self.clock
    }

    /// Its name and version, as in a handshake.
    pub fn client_info(&self) -> Value {
        json!({ "name": "nimblebrain", "version": "0.1.0" })
    }

    /// Its capabilities, as in a handshake; `None` if it sends none.
    pub fn client_capabilities(&self) -> Option<Value> {
        match &self.says {
            Says::Block(block) => Some(block.capabilities(&self.schemes, self.max_size)),
            Says::This(capabilities) => Some(capabilities.clone()),
            Says::Nothing => None,
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
        f.debug_struct("FakeHost").field("files", &self.files).field("manner", &self.manner).finish_non_exhaustive()
    }
}

/// The response to the request of that id.
fn answer(id: &Value, outcome: Result<Value, Refusal>) -> Value {
    match outcome {
        Ok(result) => json!({ "jsonrpc": "2.0", "id": id, "result": result }),
        Err(refusal) => json!({ "jsonrpc": "2.0", "id": id, "error": refusal.to_json() }),
    }
}
