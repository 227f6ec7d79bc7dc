//! Resource templates in the catalog. There is no way to declare one yet, so the list of a server with resources is empty.

use crate::catalog::Entry;
use crate::era::Era;
use crate::model::Text;

/// No template: the type has no values.
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
