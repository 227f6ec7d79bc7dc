//! The URI of a file: the prefix, and the path below the root with each byte escaped that a segment must not have. **No code goes the
//! other way:** a client's URI is compared with those that were made here, and never becomes a path.

use grange_core::{Resource, Shelf, ShelfError};

/// The URI of the file at this path, which has `/` between segments.
pub(crate) fn uri(prefix: &str, path: &str) -> String {
    const HEX: &[u8; 16] = b"0123456789ABCDEF";
    let mut uri = String::with_capacity(prefix.len() + path.len());
    uri.push_str(prefix);
    for byte in path.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte) {
            uri.push(char::from(byte));
        } else {
            uri.extend(['%', char::from(HEX[usize::from(byte >> 4)]), char::from(HEX[usize::from(byte & 15)])]);
        }
    }
    uri
}

/// Checks that a prefix with a path behind it is a URI that a resource may have.
pub(crate) fn check(prefix: &str) -> Result<(), ShelfError> {
    let sample = Resource::builder().uri(uri(prefix, "file")).name("file").text("").build();
    Shelf::new().insert(sample)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::{check, uri};

    /// The path of a URI, by the rules of RFC 3986.
    fn path(prefix: &str, uri: &str) -> String {
        let mut bytes = uri.strip_prefix(prefix).unwrap().bytes();
        let mut path = Vec::new();
        while let Some(byte) = bytes.next() {
            let digits = [bytes.clone().next(), bytes.clone().nth(1)].map(|digit| char::from(digit.unwrap_or(b'-')));
            path.push(match digits.map(|digit| digit.to_digit(16)) {
                [Some(high), Some(low)] if byte == b'%' => {
                    bytes.nth(1);
                    u8::try_from(high * 16 + low).unwrap()
                }
                _ => byte,
            });
        }
        String::from_utf8(path).unwrap()
    }

    #[test]
    fn l4_7_a_uri_is_the_prefix_and_the_encoded_path() {
        for (path, expected) in [
            ("a b#.md", "docs://manual/a%20b%23.md"),
            ("100%?.txt", "docs://manual/100%25%3F.txt"),
            ("caf\u{e9}/x.md", "docs://manual/caf%C3%A9/x.md"),
            ("a\\b\n", "docs://manual/a%5Cb%0A"),
        ] {
            assert_eq!(uri("docs://manual/", path), expected);
        }
    }

    #[test]
    fn l4_7_a_prefix_that_makes_no_uri_is_refused() {
        assert!(check("docs://manual/").is_ok());
        for prefix in ["", "manual/", "docs://a b/", "docs://manual/%zz"] {
            assert!(check(prefix).is_err(), "{prefix}");
        }
    }

    proptest! {
        #[test]
        fn l4_7_a_path_and_its_uri_stand_for_each_other(paths in prop::collection::btree_set("([^/\0.][^/\0]{0,9}/){0,2}[^/\0.][^/\0]{0,9}", 1..5)) {
            let uris: BTreeSet<String> = paths.iter().map(|path| uri("docs://manual/", path)).collect();
            let are_valid = uris.iter().all(|uri| check(&format!("{uri}/")).is_ok());
            prop_assert!(are_valid);
            let back: BTreeSet<String> = uris.iter().map(|uri| path("docs://manual/", uri)).collect();
            prop_assert_eq!(back, paths);
        }
    }
}
