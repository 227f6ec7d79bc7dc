//! The extensions of a server: what is declared of them, and which answers which method.

use std::collections::HashMap;
use std::sync::Arc;

use serde_json::{Map, Value};

use crate::define::{Extension, ExtensionParts};
use crate::rpc::write_value;

/// The extensions.
#[derive(Default)]
pub(crate) struct Extensions {
    /// The `extensions` member of `capabilities`, encoded; empty if there is nothing to declare.
    declared: Vec<u8>,
    by_method: HashMap<&'static str, Arc<dyn Extension>>,
}

impl Extensions {
    /// Takes extensions whose identifiers and methods differ, and what extensions have put on the definitions.
    pub(crate) fn new<'a>(extensions: &[Arc<dyn Extension>], parts: impl Iterator<Item = &'a ExtensionParts>) -> Self {
        let mut declared = Map::new();
        for part in parts.flat_map(ExtensionParts::iter) {
            declared.insert(part.extension.to_owned(), Value::Object(Map::new()));
        }
        let mut by_method = HashMap::new();
        for extension in extensions {
            declared.insert(extension.id().to_owned(), Value::Object(extension.settings()));
            by_method.extend(extension.methods().iter().map(|method| (*method, extension.clone())));
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

    /// The extension that answers a method.
    pub(crate) fn answering(&self, method: &str) -> Option<&dyn Extension> {
        self.by_method.get(method).map(|extension| &**extension)
    }

    /// The name of a method that one answers.
    pub(crate) fn name(&self, method: &str) -> Option<&'static str> {
        self.by_method.get_key_value(method).map(|(name, _)| *name)
    }
}
