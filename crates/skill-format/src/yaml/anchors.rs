//! Anchors and aliases, with limits on their expansion.
//!
//! An alias is expanded by copying, since JSON has no references. **Copies are counted before they are made**, so that
//! a few lines that would expand to billions of values are rejected at once.

use std::collections::HashMap;

use super::limits::{MAX_ALIASED, MAX_ALIASES, MAX_DEPTH};
use super::value::Value;
use crate::error::FrontmatterFault;

/// The anchors of the document so far, by the parser's ids; 0 means no anchor.
#[derive(Default)]
pub(super) struct Anchors {
    known: HashMap<usize, Anchor>,
    aliases: usize,
    bytes: usize,
}

/// A node that aliases may refer to.
enum Anchor {
    /// The node is not complete: an alias to it would be recursive.
    Open,
    /// The node is too large for any alias.
    Large,
    Done {
        value: Value,
        aliases: usize,
    },
}

impl Anchors {
    /// Records the start of a node, and returns how many aliases came before it, for [`Self::close`].
    pub(super) fn open(&mut self, anchor: usize) -> usize {
        if anchor > 0 {
            self.known.insert(anchor, Anchor::Open);
        }
        self.aliases
    }

    pub(super) fn close(&mut self, anchor: usize, value: &Value, aliases_before: usize) {
        if anchor > 0 {
            let aliases = self.aliases - aliases_before;
            let is_large = value.size() > MAX_ALIASED;
            let closed = if is_large { Anchor::Large } else { Anchor::Done { value: value.clone(), aliases } };
            self.known.insert(anchor, closed);
        }
    }

    /// The value of an alias; `depth` is the number of collections around it.
    pub(super) fn expand(&mut self, anchor: usize, depth: usize) -> Result<Value, FrontmatterFault> {
        let (value, inside) = match self.known.get(&anchor) {
            Some(Anchor::Done { value, aliases }) => (value, *aliases),
            Some(Anchor::Large) => return Err(FrontmatterFault::Aliases),
            Some(Anchor::Open) => return Err(FrontmatterFault::RecursiveAlias),
            None => return Err(FrontmatterFault::UnknownAlias),
        };
        self.aliases += 1 + inside;
        self.bytes += value.size();
        if self.aliases > MAX_ALIASES || self.bytes > MAX_ALIASED {
            return Err(FrontmatterFault::Aliases);
        }
        if depth + value.depth() > MAX_DEPTH {
            return Err(FrontmatterFault::Depth);
        }
        Ok(value.clone())
    }
}
