//! Hosts with ports, as `Host` and `Origin` have them: the spellings of this machine itself, and what may be configured.

use std::net::{Ipv4Addr, Ipv6Addr};

/// Whether one of the allowed ones is this value, in any case.
pub(crate) fn contains(allowed: &[String], value: &str) -> bool {
    allowed.iter().any(|allowed| allowed.eq_ignore_ascii_case(value))
}

/// `localhost`, 127.0.0.0/8 or `[::1]`, with any port or none.
pub(crate) fn is_loopback(authority: &str) -> bool {
    let Some((host, _)) = split(authority) else { return false };
    match host.strip_prefix('[').and_then(|host| host.strip_suffix(']')) {
        Some(address) => address.parse().is_ok_and(|address: Ipv6Addr| address.is_loopback()),
        // The usual ones first: they are not parsed.
        None if matches!(host, "localhost" | "127.0.0.1") => true,
        None => {
            host.eq_ignore_ascii_case("localhost") || host.parse().is_ok_and(|address: Ipv4Addr| address.is_loopback())
        }
    }
}

/// Host and port. The characters of the host are not checked.
pub(crate) fn split(authority: &str) -> Option<(&str, Option<u16>)> {
    let end = if authority.starts_with('[') {
        authority.find(']')? + 1
    } else {
        authority.find(':').unwrap_or(authority.len())
    };
    let (host, rest) = authority.split_at_checked(end)?;
    let port = match rest.strip_prefix(':') {
        Some(digits) if digits.bytes().all(|byte| byte.is_ascii_digit()) => Some(digits.parse().ok()?),
        None if rest.is_empty() => None,
        Some(_) | None => return None,
    };
    Some((host, port))
}

/// A host, with a port or without, and nothing else.
pub(crate) fn is_authority(text: &str) -> bool {
    let Some((host, _)) = split(text) else { return false };
    let named = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_');
    match host.strip_prefix('[').and_then(|host| host.strip_suffix(']')) {
        Some(address) => address.parse::<Ipv6Addr>().is_ok(),
        None => !host.is_empty() && host.bytes().all(named),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn no_value_breaks_the_parsers(value in ".{0,40}") {
            let _ = (is_loopback(&value), is_authority(&value));
        }

        /// Whatever stands before or behind: only the whole name is this machine.
        #[test]
        fn a_loopback_name_inside_a_longer_one_is_foreign(before in "[a-z0-9.@/-]{0,8}", after in "[a-z0-9.@/-]{0,8}") {
            for name in ["localhost", "127.0.0.1", "[::1]"] {
                let value = format!("{before}{name}{after}");
                let digits = name == "127.0.0.1" && value.parse::<Ipv4Addr>().is_ok_and(|address| address.is_loopback());
                prop_assert_eq!(is_loopback(&value), value == name || digits, "{}", value);
            }
        }
    }
}
