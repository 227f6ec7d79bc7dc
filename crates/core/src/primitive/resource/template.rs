//! Resource templates in the catalog. Authors cannot declare one yet, so the list is empty. It exists because clients of a server with
//! resources request it.

use crate::catalog::Entry;
use crate::era::Era;
use crate::model::Text;

/// The entry of a template. The type has no values.
pub(crate) enum TemplateEntry {}

impl Entry for TemplateEntry {
    const LIST: &'static [u8] = b"\"resourceTemplates\":[";
    const SHAPES: usize = 1;

    fn key(&self) -> &Text {
        match *self {}
    }

    fn shape(_era: &Era) -> usize {
        0
    }

    fn write(&self, _out: &mut Vec<u8>, _era: &Era) {
        match *self {}
    }
}
