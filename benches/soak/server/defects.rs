//! Defects on purpose, each behind a flag: **what the soak is there to find, so that it can be seen to find it**.

use std::fs::File;
use std::hint::black_box;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use grange_http::{AuthRejection, Authenticator, Identity, async_trait};
use http::HeaderValue;
use http::request::Parts;

use crate::Result;

/// None without flags.
#[derive(Default)]
pub(crate) struct Defects {
    /// Bytes that each request leaves behind.
    leak: usize,
    /// One echo in so many has the nonce of the one before.
    cross: u64,
    /// One request in so many leaves a descriptor open.
    keep_open: u64,
    echoes: AtomicU64,
    requests: AtomicU64,
    before: Mutex<String>,
}

impl Defects {
    pub(crate) fn from_arguments(mut arguments: impl Iterator<Item = String>) -> Result<Self> {
        let mut defects = Self::default();
        while let Some(flag) = arguments.next() {
            let value = arguments.next().ok_or_else(|| format!("{flag} needs a number"))?;
            match flag.as_str() {
                "--leak" => defects.leak = value.parse()?,
                "--cross" => defects.cross = value.parse()?,
                "--keep-open" => defects.keep_open = value.parse()?,
                _ => return Err(format!("{flag} is none of --leak, --cross and --keep-open").into()),
            }
        }
        Ok(defects)
    }

    /// Whether something is to happen with every request.
    pub(crate) fn are_of_requests(&self) -> bool {
        self.leak > 0 || self.keep_open > 0
    }

    /// The nonce that an echo gives.
    pub(crate) fn echoed(&self, nonce: String) -> String {
        if self.cross == 0 {
            return nonce;
        }
        let turn = self.echoes.fetch_add(1, Ordering::Relaxed) + 1;
        let Ok(mut before) = self.before.lock() else { return nonce };
        let given = if turn.is_multiple_of(self.cross) { before.clone() } else { nonce.clone() };
        *before = nonce;
        given
    }
}

/// What sees every request before it is served. Everybody is let in.
pub(crate) struct Guarded(pub(crate) Arc<Defects>);

#[async_trait]
impl Authenticator for Guarded {
    async fn authenticate(&self, _: &Parts) -> std::result::Result<Identity, AuthRejection> {
        let Defects { leak, keep_open, requests, .. } = &*self.0;
        if *leak > 0 {
            // The optimiser leaves out what nobody looks at.
            black_box(Box::leak(vec![1_u8; *leak].into_boxed_slice()));
        }
        let turn = requests.fetch_add(1, Ordering::Relaxed) + 1;
        if *keep_open > 0 && turn.is_multiple_of(*keep_open) {
            Box::leak(Box::new(File::open("/dev/null")));
        }
        Ok(Identity::new("soak"))
    }

    fn step_up(&self, _: &str) -> HeaderValue {
        HeaderValue::from_static("Bearer")
    }
}
