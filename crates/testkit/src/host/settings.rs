//! The settings of a host: its files, its capabilities, its behavior.

use bytes::Bytes;
use serde_json::Value;

use super::behavior::HostBehavior;
use super::block::HostBlock;
use super::bucket::Bucket;
use super::fake::{Advertised, FakeHost};
use super::files::File;
use crate::clock::ManualClock;

impl FakeHost {
    /// Adds a file with the URI `files://` + `id`, such as `fl_0123456789abcdef01234567` or, from older hosts,
    /// `fl_m3k9x2ab_0123abcd`. Its name is its id.
    ///
    /// A file of a text type is sent as text, with invalid UTF-8 replaced; any other as bytes.
    #[must_use]
    pub fn file(self, id: &str, mime_type: &str, bytes: impl Into<Bytes>) -> Self {
        self.named_file(id, id, mime_type, bytes, &[])
    }

    /// Adds a file with a name, and with tags for lists.
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
        self.advertised = Advertised::Block(block);
        self
    }

    /// Sends this value as its capabilities, unchecked.
    #[must_use]
    pub fn capabilities(mut self, capabilities: Value) -> Self {
        self.advertised = Advertised::Custom(capabilities);
        self
    }

    /// Sends no capabilities. For a revision without a handshake, which requires them, sends an empty object.
    #[must_use]
    pub fn without_capabilities(mut self) -> Self {
        self.advertised = Advertised::Absent;
        self
    }

    /// Advertises these schemes. It serves only `files`.
    #[must_use]
    pub fn schemes(mut self, schemes: &[&str]) -> Self {
        self.schemes = schemes.iter().map(|scheme| (*scheme).to_owned()).collect();
        self
    }

    /// The maximum size of a file, in bytes. Default 10 MiB.
    #[must_use]
    pub fn max_size(mut self, bytes: u64) -> Self {
        self.max_size = bytes;
        self
    }

    /// The rate limit: how many requests at once, and how many more per second. Default 1000 and 100.
    #[must_use]
    pub fn rate(mut self, burst: u32, per_second: u32) -> Self {
        self.bucket = Bucket::new(burst, per_second);
        self
    }

    /// Uses this clock. A client in memory uses the clock of its host.
    #[must_use]
    pub fn on_clock(mut self, clock: &ManualClock) -> Self {
        self.clock = clock.clone();
        self
    }

    /// Treats requests for its files in this way.
    #[must_use]
    pub fn behavior(mut self, behavior: HostBehavior) -> Self {
        self.behavior = behavior;
        self
    }

    /// Answers requests for its files with the messages that this function returns, unchecked.
    #[must_use]
    pub fn answers_with(mut self, answers: impl FnMut(&Value) -> Vec<Value> + Send + 'static) -> Self {
        self.answers = Some(Box::new(answers));
        self
    }

    /// Waits until this many requests have arrived, then answers them, the newest first.
    #[must_use]
    pub fn together(mut self, requests: usize) -> Self {
        self.together = requests;
        self
    }

    /// Sends an unrelated notification before each answer.
    #[must_use]
    pub fn notifies_before(mut self) -> Self {
        self.unrelated.before = true;
        self
    }

    /// Sends an unrelated notification after each answer.
    #[must_use]
    pub fn notifies_after(mut self) -> Self {
        self.unrelated.after = true;
        self
    }

    /// Accepts only JSON responses over HTTP, no event streams.
    #[must_use]
    pub fn takes_json_only(mut self) -> Self {
        self.takes_streams = false;
        self
    }

    /// Opens the `GET` stream, over HTTP with a session.
    #[must_use]
    pub fn opens_get_stream(mut self) -> Self {
        self.gets = true;
        self
    }
}
