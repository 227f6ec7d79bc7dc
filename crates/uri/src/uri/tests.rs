//! One line per URI: the URI and the error text.

use super::{UriError, check_absolute, check_resource};

/// Compares the error text for a declared URI; "ok" if it is valid.
#[track_caller]
fn check(uri: &str, expected: &str) {
    let found = check_resource(uri).map_or_else(|error| error.to_string(), |()| "ok".to_owned());
    assert_eq!(found, expected, "{uri:?}");
}

/// The same for a content item's URI.
#[track_caller]
fn check_content(uri: &str, expected: &str) {
    let found = check_absolute(uri).map_or_else(|error| error.to_string(), |()| "ok".to_owned());
    assert_eq!(found, expected, "{uri:?}");
}

#[test]
fn accepts_uris_that_no_library_rewrites() {
    for uri in [
        "urn:isbn:0451450523",
        "file:///a/b.txt",
        "file:///C:/a",
        "file://server/share",
        "mailto:x@example.com",
        "demo:x",
        "demo:/x",
        "demo://",
        "demo:///x",
        "demo://h",
        "demo://h?q=a%2Fb#f",
        "demo://h/...//a.b/.c",
        "demo://caf%C3%A9/caf%c3%a9",
        "demo://User:Pass@h:8080/x",
        "demo://[2001:db8::1]:1/x",
        "demo://127.1",
        "demo://h:80",
        "ui://p/v",
        "demo://alpha/Read%20Me",
        "demo://beta/",
        "docs://getting-started",
        "https://example.com/a",
        "https://example.com:8443/?q=(a)",
        "https://user@127.0.0.1/",
        "a+b-c.1:x",
        "demo:?'",
    ] {
        check(uri, "ok");
        check_content(uri, "ok");
    }
}

#[test]
fn both_checks_reject_an_invalid_uri() {
    for (uri, expected) in [
        ("", "is empty: write one, as in `docs://readme`"),
        (" \n", "is empty: write one, as in `docs://readme`"),
        ("foo/bar", "is relative: start it with a scheme, as in `docs://foo/bar`"),
        ("../x?y", "is relative: start it with a scheme, as in `docs://x?y`"),
        ("//h/x", "is relative: start it with a scheme, as in `docs://h/x`"),
        ("?x", "is relative: start it with a scheme, as in `docs://?x`"),
        ("[", "is relative: start it with a scheme, as in `docs://readme`"),
        ("x/y:z", "is relative: start it with a scheme, as in `docs://x/y:z`"),
        ("not a uri at all", "is relative: start it with a scheme, as in `docs://not%20a%20uri%20at%20all`"),
        (
            "demo://{id}",
            "is a template: `{id}` stands for a variable; declare it with `template!`, or write braces as `%7B` and `%7D`",
        ),
        ("my_docs://x", "has a bad scheme `my_docs`: write `my-docs://x`"),
        ("1st:x", "has a bad scheme `1st`: begin with a letter, then use letters, digits, `+`, `-` and `.`"),
        ("demo://a b", "has a space: write `demo://a%20b`"),
        (" demo:x", "has a space: write `demo:x`"),
        ("demo://café", "is not ASCII: write `demo://caf%C3%A9`"),
        ("demo:x\n", "has a control character U+000A: write `demo:x`"),
        ("demo:a\tb", "has a control character U+0009: write `demo:a%09b`"),
        (
            "demo://x/%zz",
            "has a bad percent escape `%zz`: write two hex digits after `%`, or `demo://x/%25zz` for a literal percent sign",
        ),
        (
            "demo:100%",
            "has a bad percent escape `%`: write two hex digits after `%`, or `demo:100%25` for a literal percent sign",
        ),
        ("demo:a\\b?c\\d", "has a backslash: write `demo:a/b?c%5Cd`"),
        ("C:\\a b", "has a backslash: write `file:///C:/a%20b`"),
        ("demo:<x>", "has a raw `<`: write `demo:%3Cx%3E`"),
        ("demo:a{b", "has a raw `{`: write `demo:a%7Bb`"),
        ("demo://h/a[1]", "has a raw `[`: write `demo://h/a%5B1%5D`"),
        ("demo:a#b#c", "has a raw `#`: write `demo:a#b%23c`"),
        ("demo://h:x/y", "has a bad authority `h:x`: write `host`, `host:port` or `[ipv6]:port` after `//`"),
        ("demo://[::1", "has a bad authority `[::1`: write `host`, `host:port` or `[ipv6]:port` after `//`"),
        ("demo://[:::1]", "has a bad authority `[:::1]`: write `host`, `host:port` or `[ipv6]:port` after `//`"),
        ("demo://a@b@c", "has a bad authority `a@b@c`: write `host`, `host:port` or `[ipv6]:port` after `//`"),
    ] {
        check(uri, expected);
        check_content(uri, expected);
    }
}

#[test]
#[expect(clippy::too_many_lines, reason = "one line for each URI")]
fn only_declared_uris_reject_rewritten_spellings() {
    for (uri, expected) in [
        ("Demo://x", "has an upper-case scheme: write `demo://x`"),
        ("C:/a", "has an upper-case scheme: write `file:///C:/a`"),
        ("http://Panel/View", "has an upper-case host, which clients lower-case: write `http://panel/View`"),
        ("ws://A/b", "has an upper-case host, which clients lower-case: write `ws://a/b`"),
        ("demo://h/a/./b/../c", "has a path segment `.`, which clients resolve: write `demo://h/a/c`"),
        ("demo://h/a/%2E%2e", "has a path segment `%2E%2e`, which clients resolve: write `demo://h/`"),
        ("demo:/../a/.", "has a path segment `..`, which clients resolve: write `demo:/a/`"),
        ("demo:/.//a", "has a path segment `.`, which clients resolve: write the path that it leads to"),
        ("demo:a/..", "has a path segment `..`, which clients resolve: write the path that it leads to"),
        ("https://e.com", "has no `/` after its host, which clients add: write `https://e.com/`"),
        ("file://server", "has no `/` after its host, which clients add: write `file://server/`"),
        ("ftp://e.com?q#f", "has no `/` after its host, which clients add: write `ftp://e.com/?q#f`"),
        ("https://e.com:443/", "has the default port 443, which clients drop: write `https://e.com/`"),
        ("ws://e.com:80", "has the default port 80, which clients drop: write `ws://e.com/`"),
        ("demo://h:/", "has a port ``, which clients rewrite or refuse: write `demo://h/`"),
        ("demo://h:080", "has a port `080`, which clients rewrite or refuse: write `demo://h:80`"),
        ("http://h:00080/", "has a port `00080`, which clients rewrite or refuse: write `http://h/`"),
        ("demo://h:00", "has a port `00`, which clients rewrite or refuse: write `demo://h:0`"),
        (
            "demo://h:65536",
            "has a port `65536`, which clients rewrite or refuse: write 0 to 65535 without leading zeros, or leave out the `:`",
        ),
        ("http:x", "has no `//` after `http:`, which clients add: write `http://x/`"),
        ("file:/a", "has no `//` after `file:`, which clients add: write `file:///a`"),
        ("https:///a", "has no host: write one after `//`"),
        ("demo://:1/a", "has no host: write one after `//`"),
        ("demo://u@/a", "has no host: write one after `//`"),
        ("demo://@h/", "has `` before `@`, which clients respell: write `demo://h/`"),
        ("demo://u:@h/", "has `u:` before `@`, which clients respell: write `demo://u@h/`"),
        ("demo://a;b:c:d@h", "has `a;b:c:d` before `@`, which clients respell: write `demo://a%3Bb:c%3Ad@h`"),
        (
            "demo://[0:0::1]",
            "has an IP address `[0:0::1]` as host, which clients rewrite or refuse: write `demo://[::1]`",
        ),
        (
            "demo://[::ffff:1.2.3.4]",
            "has an IP address `[::ffff:1.2.3.4]` as host, which clients rewrite or refuse: write `demo://[::ffff:102:304]`",
        ),
        (
            "http://127.1/",
            "has an IP address `127.1` as host, which clients rewrite or refuse: write `127.0.0.1` with four decimal numbers, or `[::1]` in shortest form",
        ),
        (
            "http://caf%C3%A9.fr/",
            "has a percent escape in its host `caf%C3%A9.fr`, which clients turn into Punycode: write the host in Punycode, as in `xn--caf-dma.example`",
        ),
        (
            "file://localhost/a",
            "has `localhost` between `file://` and its path, which clients drop or refuse: write `file:///a`",
        ),
        (
            "file://u@h:1/a",
            "has `u@h:1` between `file://` and its path, which clients drop or refuse: write `file://h/a`",
        ),
        ("file://c:/a", "has `c:` between `file://` and its path, which clients drop or refuse: write `file:///c:/a`"),
        ("file:////a", "has a path that begins with `//`, which clients shorten: write `file:///a`"),
        ("file://h/c:/a", "has `h` between `file://` and its path, which clients drop or refuse: write `file:///c:/a`"),
        ("demo:x?#", "has a `?` or `#` with nothing behind it, which clients drop: write `demo:x`"),
        ("demo:x?y#", "has a `?` or `#` with nothing behind it, which clients drop: write `demo:x?y`"),
        ("http://h/?q='", "has a `'` in its query, which clients escape: write `http://h/?q=%27`"),
    ] {
        check(uri, expected);
        check_content(uri, "ok");
    }
    for host in ["0x7f.0.0.1", "1.2.3.4.", "01.2.3.4", "a.1", "0x", "[v1.a]"] {
        let found = check_resource(&format!("http://{host}/"));
        assert!(matches!(found, Err(UriError::IpHost { .. })), "{host}: {found:?}");
    }
}

#[test]
fn a_suggestion_corrects_all_problems_at_once() {
    let error = check_resource("HTTPS://Example.com:443/a b/../é").unwrap_err();
    assert_eq!(error.suggestion(), Some("https://example.com/%C3%A9"));
    // The URI of a content item is made valid and is not respelled further.
    let error = check_absolute("HTTPS://Example.com:443/a b/../é").unwrap_err();
    assert_eq!(error.suggestion(), Some("HTTPS://Example.com:443/a%20b/../%C3%A9"));
    // A suggestion that would fail the check is not made.
    assert_eq!(check_resource("demo://u@/a b").unwrap_err().suggestion(), None);
}
