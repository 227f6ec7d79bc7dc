//! The settings of a host: its files, what it says of itself, how it answers.

use bytes::Bytes;
use serde_json::Value;

use super::behavior::HostBehavior;
use super::block::HostBlock;
use super::bucket::Bucket;
use super::fake::{FakeHost, Says};
use super::files::File;
use crate::clock::ManualClock;

impl FakeHost {
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
    pub fn behavior(mut self, behavior: HostBehavior) -> Self {
        self.behavior = behavior;
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
}
