//! A tool in the catalog.

use bytes::Bytes;

use super::builder::Tool;
use super::call::Call;
use super::wire;
use crate::catalog::{Entry, Found};
use crate::era::{Era, ToolFields};
use crate::model::{MirroredArgument, Primitive, Text};
use crate::task::task;

impl Tool {
    /// The task that calls the tool; `arguments` are JSON.
    pub(crate) fn found(&self, arguments: Bytes) -> Found {
        Found::Task(Primitive::Tool.target(self.key().clone()), task(Call::new(self.clone(), arguments)))
    }

    /// The arguments that HTTP clients mirror into headers.
    pub(crate) fn mirrored(&self) -> &[MirroredArgument] {
        &self.definition().mirrored
    }
}

impl Entry for Tool {
    const LIST: &'static [u8] = b"\"tools\":[";
    const SHAPES: usize = ToolFields::SHAPES;

    fn key(&self) -> &Text {
        &self.definition().listing.name
    }

    fn shape(era: &Era) -> usize {
        era.tools.slot
    }

    fn write(&self, out: &mut Vec<u8>, era: &Era) {
        wire::entry(out, &self.definition().listing, era.tools);
    }
}
