//! The URI checks: no panic, a valid declared URI is a valid URI of an item, a suggestion is accepted.

use grange_uri::{UriError, check_absolute, check_resource};

/// Reads the data as a URI.
pub fn uri(data: &[u8]) {
    let uri = String::from_utf8_lossy(data);
    let declared = check_resource(&uri);
    let shown = check_absolute(&uri);
    assert!(shown.is_ok() || declared.is_err(), "{uri:?} is valid as declared and not as an item's");
    rejected(declared.err(), check_resource);
    rejected(shown.err(), check_absolute);
}

fn rejected(error: Option<UriError>, check: fn(&str) -> Result<(), UriError>) {
    let Some(error) = error else { return };
    let message = error.to_string();
    assert!(!message.contains(char::is_control), "a control character in {message:?}");
    if let Some(suggestion) = error.suggestion() {
        assert!(check(suggestion).is_ok(), "the suggestion {suggestion:?} is rejected itself");
    }
}
