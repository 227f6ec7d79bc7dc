//! `ai.nimblebrain/host-resources`: reads the host's own files from a tool or a reader, without the model in between.
//!
//! The host declares in its handshake what it serves. A request travels to it on the stream of the call that needs the file. Only
//! revisions with a handshake have requests to the client.

mod capability;
mod error;
mod filter;
mod result;
mod status;

use std::collections::hash_map::RandomState;
use std::future::poll_fn;
use std::hash::{BuildHasher as _, Hasher as _};
use std::pin::{Pin, pin};
use std::task::Poll;
use std::time::Duration;

use bytes::Bytes;
use serde_json::{Value, json};

use self::capability::Capability;
pub use self::error::HostError;
pub use self::filter::HostFilter;
pub use self::result::{HostFile, HostList};
pub use self::status::HostStatus;
use crate::define::{Context, NoBackChannel, Sleep};
use crate::model::{Contents, Text};

const READ: &str = "ai.nimblebrain/resources/read";
const LIST: &str = "ai.nimblebrain/resources/list";

/// The host's files, as the client of this request offers them.
///
/// Only revisions with a handshake have requests to the client. **A host that speaks every revision chooses the newest that the
/// server serves, and that one has no such requests**: a server that depends on the host's files sets
/// `.requests_to_client().revisions(Revision::HANDSHAKE)`. A server of every revision gets its input in another way if
/// [`Host::available`] returns `false`, as here:
///
/// ```
/// use grange_core::{Tool, ToolError, host, schemars};
///
/// #[derive(serde::Deserialize, schemars::JsonSchema)]
/// struct Summarize { file_uri: Option<String>, text: Option<String> }
///
/// let summarize = Tool::builder()
///     .name("summarize")
///     .description("Summarizes a document: `file_uri` for a workspace file, or `text` inline.")
///     .call(|cx, args: Summarize| async move {
///         let host = host(&cx);
///         let text = match (args.file_uri, args.text) {
///             (Some(uri), _) if host.available() => host.read_text(&uri).await?,
///             (_, Some(text)) => text.into(),
///             (Some(_), None) => {
///                 return Err(ToolError::failed("This host cannot read files by URI. Pass the content as `text`."));
///             }
///             (None, None) => return Err(ToolError::failed("Pass `file_uri` or `text`.")),
///         };
///         Ok(text.lines().next().unwrap_or_default().to_owned())
///     });
/// ```
pub fn host(context: &Context) -> Host {
    let capability = Capability::of(context);
    Host { context: context.clone(), capability, time: Duration::from_secs(30), retries: 0 }
}

/// Access to the host's files; see [`host`]. Over HTTP the server must be built with
/// [`requests_to_client`](crate::ServerBuilder::requests_to_client), and should serve
/// [`Revision::HANDSHAKE`](crate::Revision::HANDSHAKE) only.
#[derive(Clone)]
pub struct Host {
    context: Context,
    /// The client's declaration; `None` if it has none.
    capability: Option<Capability>,
    time: Duration,
    retries: u32,
}

impl Host {
    /// Whether files can be read.
    pub fn available(&self) -> bool {
        self.status() == HostStatus::Available
    }

    /// Whether files can be listed. A host may offer reads without lists, or lists without reads.
    pub fn list_available(&self) -> bool {
        self.context.back_channel().is_ok() && self.capability.as_ref().is_some_and(|offered| offered.list)
    }

    /// Whether files can be read, or why not.
    pub fn status(&self) -> HostStatus {
        match (self.context.back_channel(), &self.capability) {
            (Err(NoBackChannel::Revision), _) => HostStatus::EraUnsupported,
            (Err(NoBackChannel::Transport), _) => HostStatus::NoBackChannel,
            (Ok(()), None) => HostStatus::NotAdvertised,
            (Ok(()), Some(offered)) if !offered.read => HostStatus::ReadDisabled,
            (Ok(()), Some(_)) => HostStatus::Available,
        }
    }

    /// Whether the host declares that it reads URIs of that scheme, as in `files`.
    pub fn supports_scheme(&self, scheme: &str) -> bool {
        self.schemes().iter().any(|supported| supported == scheme)
    }

    /// The schemes that the host declares to read.
    pub fn schemes(&self) -> &[String] {
        self.capability.as_ref().map_or(&[], |offered| &offered.schemes)
    }

    /// The longest file that the host declares to serve, in bytes.
    pub fn max_read_size(&self) -> Option<u64> {
        self.capability.as_ref()?.max_size
    }

    /// Whether the host declares that it reads ranges.
    pub fn range_supported(&self) -> bool {
        self.capability.as_ref().is_some_and(|offered| offered.range)
    }

    /// Whether the host declares that it accepts writes, and a request can reach it.
    pub fn write_available(&self) -> bool {
        self.context.back_channel().is_ok() && self.capability.as_ref().is_some_and(|offered| offered.write)
    }

    /// How long each operation may take, retries included. Default 30 s, which is less than the 60 s after which hosts cancel a call.
    #[must_use]
    pub fn with_timeout(mut self, time: Duration) -> Self {
        self.time = time;
        self
    }

    /// Retries at most so many times if the host limits the rate and states when to retry, and never beyond the
    /// [timeout](Self::with_timeout). Default: no retry.
    #[must_use]
    pub fn with_retry(mut self, times: u32) -> Self {
        self.retries = times;
        self
    }

    /// Reads a file. The result may have no items.
    ///
    /// # Errors
    /// [`HostError`]. If the host does not offer the read, no message is sent.
    pub async fn read(&self, uri: &str) -> Result<Contents, HostError> {
        self.check("read", self.available())?;
        if !scheme_of(uri).is_some_and(|scheme| self.supports_scheme(scheme)) {
            let supported = Some(self.schemes().to_vec());
            return Err(HostError::UnsupportedScheme { uri: Some(uri.to_owned()), supported });
        }
        let result = self.ask(READ, json!({ "uri": uri })).await?;
        result::contents(result).map_err(HostError::InvalidResponse)
    }

    /// Reads a file that is text.
    ///
    /// # Errors
    /// [`HostError`]; also if the file is not text or has no contents.
    pub async fn read_text(&self, uri: &str) -> Result<Text, HostError> {
        match self.read(uri).await?.items.into_iter().next().map(|item| item.payload) {
            Some(crate::model::Payload::Text(text)) => Ok(text),
            Some(_) => Err(HostError::NotText { uri: uri.to_owned() }),
            None => Err(HostError::Empty { uri: uri.to_owned() }),
        }
    }

    /// Reads a file as bytes, also if the host sends it as text.
    ///
    /// # Errors
    /// [`HostError`]; also if the file has no contents.
    pub async fn read_bytes(&self, uri: &str) -> Result<Bytes, HostError> {
        let contents = self.read(uri).await?;
        let item = contents.items().first().ok_or_else(|| HostError::Empty { uri: uri.to_owned() })?;
        Ok(item
            .as_bytes()
            .or_else(|| item.as_text().map(|text| Bytes::copy_from_slice(text.as_bytes())))
            .unwrap_or_default())
    }

    /// Lists the files that fit a filter.
    ///
    /// # Errors
    /// [`HostError`]. If the host does not offer lists, no message is sent.
    pub async fn list(&self, filter: HostFilter) -> Result<HostList, HostError> {
        self.check("list", self.list_available())?;
        let result = self.ask(LIST, filter.into_params()).await?;
        result::list(result).map_err(HostError::InvalidResponse)
    }

    fn check(&self, capability: &'static str, available: bool) -> Result<(), HostError> {
        if available { Ok(()) } else { Err(HostError::CapabilityMissing { capability, status: self.status() }) }
    }

    /// Sends a request, with retries, until the timeout.
    async fn ask(&self, method: &'static str, params: Value) -> Result<Value, HostError> {
        let mut deadline = pin!(self.context.sleep(self.time));
        let mut retries = self.retries;
        loop {
            let asking = self.context.request(method, &params, self.time);
            let Some(asked) = before(deadline.as_mut(), asking).await else {
                return Err(HostError::Timeout(self.time));
            };
            let error = match asked {
                Ok(result) => return Ok(result),
                Err(error) => HostError::from(error),
            };
            let HostError::RateLimited { retry_after: Some(wait) } = error else { return Err(error) };
            let waiting = self.context.sleep(wait.max(Duration::from_millis(1)) + jitter(wait));
            // If the wait would end after the timeout, the caller gets the error of the host and not a timeout.
            if retries == 0 || wait >= self.time || before(deadline.as_mut(), waiting).await.is_none() {
                return Err(error);
            }
            retries -= 1;
        }
    }
}

/// The output of a future; `None` if the deadline is first.
async fn before<T>(mut deadline: Pin<&mut Sleep>, future: impl Future<Output = T>) -> Option<T> {
    let mut future = pin!(future);
    poll_fn(|cx| match future.as_mut().poll(cx) {
        Poll::Ready(given) => Poll::Ready(Some(given)),
        Poll::Pending => deadline.as_mut().poll(cx).map(|()| None),
    })
    .await
}

/// A random part of the wait, so that clients whose requests were rejected together do not retry together.
fn jitter(wait: Duration) -> Duration {
    let most = u64::try_from((wait / 10).as_millis()).unwrap_or(u64::MAX).clamp(1, 50);
    Duration::from_millis(RandomState::new().build_hasher().finish() % (most + 1))
}

/// The part before the first colon, if it is a scheme.
fn scheme_of(uri: &str) -> Option<&str> {
    let (scheme, _) = uri.split_once(':')?;
    let legal = |byte: u8| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte);
    (scheme.starts_with(|first: char| first.is_ascii_alphabetic()) && scheme.bytes().all(legal)).then_some(scheme)
}
