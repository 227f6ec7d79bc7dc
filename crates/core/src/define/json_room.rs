//! The memory of JSON values that one request makes for author code: bounded for each part of a message by a number of values, and for all
//! requests by the driver's budget of bytes.
//!
//! Values take up to a hundred times their JSON, so the length of a message does not bound them.

use std::sync::Mutex;

use crate::lock::lock;
use crate::rpc::{ByteGuard, memory};

/// What is counted for one request. Returned when the last clone of its context is dropped.
#[derive(Default)]
pub(super) struct JsonRoom {
    /// With the address of the JSON, for a part of the request that may be read again.
    held: Mutex<Vec<(Option<usize>, ByteGuard)>>,
}

/// The driver holds as much for its clients as it may.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) struct NoRoom;

/// The bytes that were counted.
type Held = Result<ByteGuard, NoRoom>;

/// Why values are not made.
#[derive(Debug)]
pub(crate) enum NotAdmitted {
    /// There are too many of them; with the remedy.
    TooMany(String),
    NoRoom,
}

impl JsonRoom {
    /// Counts the values of JSON, of which there may be `most`. `hold` counts their bytes.
    pub(super) fn admit(&self, json: &str, most: usize, hold: impl FnOnce(usize) -> Held) -> Result<(), NotAdmitted> {
        self.add(None, json, most, hold)
    }

    /// The same for a part of what the request keeps, which counts once however often it is read.
    pub(super) fn admit_part(
        &self,
        json: &str,
        most: usize,
        hold: impl FnOnce(usize) -> Held,
    ) -> Result<(), NotAdmitted> {
        let address = json.as_ptr().addr();
        if lock(&self.held).iter().any(|(of, _)| *of == Some(address)) {
            return Ok(());
        }
        self.add(Some(address), json, most, hold)
    }

    fn add(
        &self,
        address: Option<usize>,
        json: &str,
        most: usize,
        hold: impl FnOnce(usize) -> Held,
    ) -> Result<(), NotAdmitted> {
        let bytes = memory(json, most).map_err(NotAdmitted::TooMany)?;
        if bytes > 0 {
            let guard = hold(bytes).map_err(|NoRoom| NotAdmitted::NoRoom)?;
            lock(&self.held).push((address, guard));
        }
        Ok(())
    }
}
