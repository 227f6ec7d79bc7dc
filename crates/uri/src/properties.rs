//! Properties of all strings: no check panics, a valid declared URI is a valid absolute URI, suggestions are accepted,
//! and URL libraries keep an accepted declared URI unchanged.

use proptest::prelude::*;

use crate::{check_absolute, check_icon, check_meta_key, check_mime, check_resource, check_timestamp, nearest};

/// Any text, and text similar enough to a URI to pass the first checks.
fn text() -> impl Strategy<Value = String> {
    prop_oneof![any::<String>(), uri_like(), "[ -~]{0,24}"]
}

fn uri_like() -> impl Strategy<Value = String> {
    let scheme = prop_oneof![
        Just("demo"),
        Just("Demo"),
        Just("my_docs"),
        Just("c"),
        Just("http"),
        Just("HTTPS"),
        Just("ws"),
        Just("ftp"),
        Just("file"),
    ];
    let authority = prop_oneof![
        Just(String::new()),
        "//[a-cA-C]{0,4}",
        "//[a-zA-Z0-9.:@\\[\\]%;=é -]{0,12}",
        "//(u:?p?@)?([0-9x]{1,3}\\.){0,3}[0-9x]{1,3}(:[0-9]{0,6})?",
        "//\\[([0-9a-f]{0,4}:){2,7}[0-9a-f.]{0,8}\\](:[0-9]{0,6})?",
        Just("//localhost".to_owned()),
    ];
    let path = "((/|\\\\)(\\.|\\.\\.|%2e|%2E\\.|[a-zA-Z:@%'é {}\\[\\]|]{0,4})){0,4}";
    let tail = "(\\?[a-z'\\[\\]%/?]{0,4})?(#[a-z'#^`]{0,4})?";
    (scheme, authority, path, tail)
        .prop_map(|(scheme, authority, path, tail)| format!("{scheme}:{authority}{path}{tail}"))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1024, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_check_panics(text in text(), other in any::<String>()) {
        let errors = [
            check_resource(&text).err().map(|error| error.to_string()),
            check_absolute(&text).err().map(|error| error.to_string()),
            check_mime(&text).err().map(|error| error.to_string()),
            check_icon(&text).err().map(|error| error.to_string()),
            check_meta_key(&text).err().map(|error| error.to_string()),
            check_timestamp(&text).err().map(|error| error.to_string()),
        ];
        for message in errors.into_iter().flatten() {
            prop_assert!(message.contains(": "), "no remedy: {message}");
            prop_assert!(!message.contains(char::is_control), "raw control character: {message:?}");
        }
        nearest(&text, &[&other, "uri", ""]);
    }

    #[test]
    fn declared_implies_absolute(uri in text()) {
        if check_resource(&uri).is_ok() {
            prop_assert_eq!(check_absolute(&uri), Ok(()));
        }
    }

    #[test]
    fn suggestions_are_accepted(uri in text()) {
        if let Err(error) = check_resource(&uri)
            && let Some(suggestion) = error.suggestion()
        {
            prop_assert_eq!(check_resource(suggestion), Ok(()), "{} for {}", suggestion, uri);
        }
        if let Err(error) = check_absolute(&uri)
            && let Some(suggestion) = error.suggestion()
        {
            prop_assert_eq!(check_absolute(suggestion), Ok(()), "{} for {}", suggestion, uri);
        }
    }

    #[test]
    fn no_library_rewrites_a_declared_uri(uri in uri_like()) {
        let accepted = match check_resource(&uri) {
            Ok(()) => Some(uri.as_str()),
            Err(ref error) => error.suggestion(),
        }
        .map(str::to_owned);
        if let Some(accepted) = accepted {
            let parsed = url::Url::parse(&accepted).map(String::from);
            prop_assert_eq!(parsed, Ok(accepted));
        }
    }

    #[test]
    fn meta_keys_made_by_the_grammar_pass(
        key in "([a-zA-Z]([a-zA-Z0-9-]{0,4}[a-zA-Z0-9])?(\\.[a-z]){0,2}/)?[a-zA-Z0-9]([a-zA-Z0-9._-]{0,4}[a-zA-Z0-9])?"
    ) {
        prop_assert_eq!(check_meta_key(&key), Ok(()));
    }

    #[test]
    fn mime_types_made_by_the_grammar_pass(
        mime in "[a-z!#$&^_.+-]{1,6}/[a-z0-9.+-]{1,6}([ \t]{0,2};[ \t]{0,2}[a-z]{1,3}=([a-z0-9]{1,3}|\"([a-z;/ ]|\\\\[ -~]){0,3}\")){0,2}"
    ) {
        prop_assert_eq!(check_mime(&mime), Ok(()));
    }
}
