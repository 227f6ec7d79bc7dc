//! The author's side: announces changes.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use super::hub::Hub;
use super::list::List;

/// Announces what has changed, to clients that listen (2026-07-28 "subscriptions/listen"; before, "resources/subscribe"). Clones are the
/// same.
///
/// Give it to the server, which then declares `subscribe` and `listChanged` of its resources. **Announce a change when a read can see it**,
/// as after a commit: a client that reads after the notification must not get what was before. No announcement waits or fails, and each may
/// come from any thread. Bursts are folded: a client is notified of a change at once, and then at most once in
/// [`Limits::notify_interval`](crate::Limits::notify_interval) of each that came meanwhile.
///
/// ```
/// use grange_core::{Changes, Resource, Server};
///
/// let changes = Changes::new();
/// let status = Resource::builder().uri("shop://status").name("status").read(|_cx| async { Ok("open") }).build();
/// let server = Server::builder("shop", "1.0.0").resource(status).changes(&changes).build()?;
/// changes.updated("shop://status");
/// # Ok::<(), grange_core::BuildError>(())
/// ```
#[derive(Clone, Default)]
pub struct Changes(Arc<Hub>);

impl Changes {
    /// Changes of the resources of a server.
    pub fn new() -> Self {
        Self::default()
    }

    /// Declares that the list of tools may change as well.
    #[must_use]
    pub fn tools(self) -> Self {
        self.declare(List::Tools)
    }

    /// Declares that the list of prompts may change as well.
    #[must_use]
    pub fn prompts(self) -> Self {
        self.declare(List::Prompts)
    }

    fn declare(self, list: List) -> Self {
        self.0.declared[list as usize].store(1, Ordering::Relaxed);
        self
    }

    /// Announces that the resource with this URI has changed. Notifies the clients that subscribed to it, in any spelling of the URI, and no
    /// others. A URI that no server has is ignored.
    pub fn updated(&self, uri: impl AsRef<str>) -> Announcement<'_> {
        self.announce(What::Updated(uri.as_ref().to_owned()))
    }

    /// Announces that this list has changed: an entry came, went, or has another description.
    pub fn relisted(&self, list: List) -> Announcement<'_> {
        self.announce(What::Relisted(list))
    }

    fn announce(&self, what: What) -> Announcement<'_> {
        Announcement { hub: &self.0, what, only: None }
    }

    /// Ends the streams and the subscriptions of this principal now.
    pub fn revoke(&self, principal: impl AsRef<str>) {
        self.0.revoke(principal.as_ref());
    }

    /// How many URIs all clients subscribe to now.
    pub fn subscribed(&self) -> usize {
        self.0.subscribed()
    }

    pub(crate) fn hub(&self) -> &Arc<Hub> {
        &self.0
    }
}

impl fmt::Debug for Changes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Changes").field("subscribed", &self.subscribed()).finish_non_exhaustive()
    }
}

/// A change that is announced when this value is dropped, at the end of its statement.
pub struct Announcement<'a> {
    hub: &'a Hub,
    what: What,
    only: Option<String>,
}

enum What {
    Updated(String),
    Relisted(List),
}

impl Announcement<'_> {
    /// Notifies only this principal, and the client of a pipe. Clients over HTTP without an identity are not notified.
    ///
    /// ```
    /// # let changes = grange_core::Changes::new();
    /// changes.updated("inbox://alice").only("https://issuer.example.com|alice");
    /// ```
    pub fn only(mut self, principal: impl Into<String>) {
        self.only = Some(principal.into());
    }
}

impl Drop for Announcement<'_> {
    fn drop(&mut self) {
        let only = self.only.as_deref();
        match &self.what {
            What::Updated(uri) => self.hub.updated(uri, only),
            What::Relisted(list) => self.hub.relisted(*list, only),
        }
    }
}

impl fmt::Debug for Announcement<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Announcement")
    }
}
