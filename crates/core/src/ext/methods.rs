//! The extensions of a built server: their declaration, and a table of the methods that they answer.

use std::collections::HashMap;
use std::sync::Arc;

use bytes::Bytes;
use serde_json::{Map, Value};

use super::answer::Answer;
use super::extension::Extension;
use crate::define::ExtensionParts;
use crate::model::{CacheHints, Target};
use crate::rpc::write_value;
use crate::task::{Task, task};

/// The extensions.
#[derive(Default)]
pub(crate) struct Extensions {
    /// The `extensions` member of `capabilities`, encoded; empty if there is nothing to declare.
    declared: Vec<u8>,
    by_method: HashMap<&'static str, Method>,
}

/// A method, and what its code runs for.
struct Method {
    extension: Arc<dyn Extension>,
    target: Target,
}

impl Extensions {
    /// Takes extensions with distinct identifiers and methods, and the extension data of all definitions.
    pub(crate) fn new<'a>(extensions: &[Arc<dyn Extension>], parts: impl Iterator<Item = &'a ExtensionParts>) -> Self {
        let mut declared = Map::new();
        for part in parts.flat_map(ExtensionParts::iter) {
            declared.insert(part.extension.to_owned(), Value::Object(Map::new()));
        }
        let mut by_method = HashMap::new();
        for extension in extensions {
            let id = extension.id();
            declared.insert(id.to_owned(), Value::Object(extension.settings()));
            by_method.extend(extension.methods().iter().map(|method| {
                let target = Target::Extension { id: id.to_owned().into(), method: (*method).into() };
                (*method, Method { extension: extension.clone(), target })
            }));
        }
        let mut encoded = Vec::new();
        if !declared.is_empty() {
            write_value(&mut encoded, &Value::Object(declared));
        }
        Self { declared: encoded, by_method }
    }

    pub(crate) fn declared(&self) -> &[u8] {
        &self.declared
    }

    /// The task that answers a request and its target, if an extension has the method.
    pub(crate) fn task(&self, method: &str, request: &Bytes, hints: CacheHints) -> Option<(Target, Box<dyn Task>)> {
        let (method, Method { extension, target }) = self.by_method.get_key_value(method)?;
        let request = request.clone();
        Some((target.clone(), task(Answer { extension: extension.clone(), method, request, hints })))
    }

    /// The name of a method, if an extension has it.
    pub(crate) fn name(&self, method: &str) -> Option<&'static str> {
        self.by_method.get_key_value(method).map(|(name, _)| *name)
    }
}
