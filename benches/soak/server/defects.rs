//! Defects on purpose, each behind a flag: **they prove that the soak finds such defects**.

use std::fs::File;
use std::hint::black_box;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use grange_http::{AuthRejection, Authenticator, Identity, async_trait};
use http::HeaderValue;
use http::request::Parts;

use crate::Result;

/// Without flags there are none.
#[derive(Default)]
pub(crate) struct Defects {
    /// The bytes that each request leaks.
    leak: usize,
    /// One echo in this many returns the nonce of the one before.
    cross: u64,
    /// One request in this many leaves a descriptor open.
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

    /// Whether a defect applies to every request.
    pub(crate) fn are_of_requests(&self) -> bool {
        self.leak > 0 || self.keep_open > 0
    }

    /// The nonce that an echo returns.
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

/// Runs the defects before each request. Accepts every caller.
pub(crate) struct Guarded(pub(crate) Arc<Defects>);

#[async_trait]
impl Authenticator for Guarded {
    async fn authenticate(&self, _: &Parts) -> std::result::Result<Identity, AuthRejection> {
        let Defects { leak, keep_open, requests, .. } = &*self.0;
        if *leak > 0 {
            // The optimizer removes memory that is never read.
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
