//! Where credentials may be: in one header, once. Never in the URL, which logs and proxies keep.

use http::HeaderMap;
use http::header::{AUTHORIZATION, HeaderName};

use crate::token_error::TokenError;

/// Tokens are shorter than this, and most servers accept no longer headers.
const TOKEN_BYTES: usize = 16 * 1024;

/// The token of `Authorization: Bearer …`. A header with another scheme counts as no token.
pub(crate) fn bearer(headers: &HeaderMap) -> Result<&str, TokenError> {
    let Some(value) = only(headers, &AUTHORIZATION)? else { return Err(TokenError::Absent) };
    let (scheme, token) = split(value);
    if !scheme.eq_ignore_ascii_case(b"bearer") || token.is_empty() {
        return Err(TokenError::Absent);
    }
    checked(token)
}

/// The value of a header that holds nothing but a key.
pub(crate) fn bare<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Result<&'a str, TokenError> {
    only(headers, name)?.filter(|value| !value.is_empty()).map_or(Err(TokenError::Absent), checked)
}

fn only<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Result<Option<&'a [u8]>, TokenError> {
    let mut values = headers.get_all(name).iter();
    let first = values.next();
    if values.next().is_some() {
        return Err(TokenError::Several);
    }
    Ok(first.map(|value| value.as_bytes().trim_ascii()))
}

/// The scheme, and the rest after the spaces.
fn split(value: &[u8]) -> (&[u8], &[u8]) {
    let end = value.iter().position(|byte| *byte == b' ').unwrap_or(value.len());
    let (scheme, rest) = value.split_at(end);
    (scheme, rest.trim_ascii_start())
}

fn checked(token: &[u8]) -> Result<&str, TokenError> {
    if token.len() > TOKEN_BYTES {
        return Err(TokenError::Oversized);
    }
    std::str::from_utf8(token).map_err(|_| TokenError::Malformed)
}

#[cfg(test)]
mod tests {
    use http::HeaderMap;
    use http::header::{AUTHORIZATION, HeaderName, HeaderValue};

    use super::{TOKEN_BYTES, bare, bearer};
    use crate::token_error::TokenError;

    fn headers(values: &[&[u8]]) -> HeaderMap {
        let values = values.iter().map(|value| HeaderValue::from_bytes(value).expect("a header value"));
        values.map(|value| (AUTHORIZATION, value)).collect()
    }

    #[track_caller]
    fn check(values: &[&[u8]], expected: Result<&str, TokenError>) {
        assert_eq!(bearer(&headers(values)), expected);
    }

    #[test]
    fn a_token_is_in_one_header_of_its_scheme() {
        for value in ["Bearer a.b.c", "bearer a.b.c", "BEARER a.b.c", "bEaReR   a.b.c  "] {
            check(&[value.as_bytes()], Ok("a.b.c"));
        }
        check(&[], Err(TokenError::Absent));
        for value in ["", " ", "Bearer", "Bearer ", "Basic YTpi", "Bearera.b.c", "DPoP a.b.c"] {
            check(&[value.as_bytes()], Err(TokenError::Absent));
        }
    }

    #[test]
    fn malformed_credentials_are_rejected() {
        check(&[b"Bearer a", b"Bearer a"], Err(TokenError::Several));
        check(&[b"Basic YTpi", b"Bearer a"], Err(TokenError::Several));
        check(&[b"Bearer \xff\xfe"], Err(TokenError::Malformed));
        let longest = format!("Bearer {}", "a".repeat(TOKEN_BYTES));
        assert!(bearer(&headers(&[longest.as_bytes()])).is_ok());
        check(&[format!("{longest}a").as_bytes()], Err(TokenError::Oversized));
    }

    #[test]
    fn a_named_header_holds_the_key_alone() {
        let name = HeaderName::from_static("x-api-key");
        let headers = HeaderMap::from_iter([(name.clone(), HeaderValue::from_static("secret"))]);
        assert_eq!(bare(&headers, &name), Ok("secret"));
        assert_eq!(bare(&headers, &AUTHORIZATION), Err(TokenError::Absent));
    }
}
