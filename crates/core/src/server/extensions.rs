//! The checks that `build()` makes of the extensions of a server.

use std::collections::HashSet;
use std::sync::Arc;

use crate::define::DefinitionError;
use crate::era;
use crate::ext::Extension;

/// The problems of each extension, and of two extensions with the same identifier or method.
pub(super) fn errors(extensions: &[Arc<dyn Extension>]) -> Vec<DefinitionError> {
    let (mut ids, mut methods) = (HashSet::new(), HashSet::new());
    let mut errors = Vec::new();
    for extension in extensions {
        let id = extension.id();
        let mut note = |problem: String| errors.push(DefinitionError::new(format!("extension `{id}`"), problem));
        if id.split_once('/').is_none_or(|(_, name)| name.is_empty()) {
            note("the identifier needs a prefix and a name: write it as in `com.example/clock`".to_owned());
        } else if let Err(error) = grange_uri::check_meta_key(id) {
            note(format!("the identifier {error}"));
        }
        if !ids.insert(id) {
            note("it is added twice: add it once".to_owned());
        }
        for method in extension.methods() {
            if era::has_method(method) {
                note(format!("the method `{method}` is the protocol's own: name it otherwise"));
            } else if !methods.insert(*method) {
                note(format!("the method `{method}` is answered twice: leave it to one extension"));
            }
        }
        errors.extend(extension.errors());
    }
    errors
}
