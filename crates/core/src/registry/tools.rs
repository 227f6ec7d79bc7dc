//! The tools of a server: looked up by name, listed in registration order, encoded at most once for each row shape.

use std::collections::HashMap;
use std::sync::OnceLock;

use bytes::Bytes;

use crate::call::Reply;
use crate::define::Tool;
use crate::era::{self, ToolFields};
use crate::fault::Fault;
use crate::model::{CacheHints, MirroredArgument, Text};

/// The registered tools.
pub(crate) struct Tools {
    entries: Vec<Tool>,
    by_name: HashMap<Text, usize>,
    hints: CacheHints,
    lists: [OnceLock<Bytes>; ToolFields::SHAPES],
}

impl Tools {
    /// Takes tools whose names differ.
    pub(crate) fn new(tools: Vec<Tool>, hints: CacheHints) -> Self {
        let by_name = tools.iter().enumerate().map(|(index, tool)| (tool.definition().listing.name.clone(), index));
        Self { by_name: by_name.collect(), entries: tools, hints, lists: Default::default() }
    }

    pub(crate) fn find(&self, name: &str) -> Option<&Tool> {
        self.by_name.get(name).map(|index| &self.entries[*index])
    }

    pub(crate) fn mirrored(&self, name: &str) -> &[MirroredArgument] {
        self.find(name).map_or(&[], |tool| &tool.definition().mirrored)
    }

    /// `tools/list`, which is one page.
    pub(crate) fn list(&self, cursor: Option<&str>, fields: &'static ToolFields) -> Result<Reply<'static>, Fault> {
        if cursor.is_some() {
            return Err(Fault::UnknownCursor);
        }
        let list = self.lists[fields.slot].get_or_init(|| {
            let mut out = b"\"tools\":".to_vec();
            crate::rpc::write_array(&mut out, &self.entries, |out, tool| {
                era::tool_entry(out, &tool.definition().listing, fields);
            });
            out.into()
        });
        Ok(Reply { cache: Some(self.hints), ..Reply::members(list.clone()) })
    }
}
