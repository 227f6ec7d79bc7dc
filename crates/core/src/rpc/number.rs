//! JSON numbers as values: exact, whatever their length and notation, and never converted to a double.
//!
//! JSON has one type of number, and JSON Schema calls every number with a fraction of zero an integer: `2`, `2.0` and
//! `20e-1` are one value. As doubles, two different large ids could become equal.

use std::borrow::Cow;
use std::str::FromStr;

use memchr::{memchr, memchr2};
use serde_json::Value;

/// Most digits before the point that a number in the range of a double can have.
const MOST_DIGITS: i64 = 309;

/// A number: `digits` × 10 to the power of `exponent`. Equal values are equal here.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) struct Decimal {
    negative: bool,
    /// Without zeros at either end; empty for zero.
    digits: String,
    exponent: i64,
}

impl Decimal {
    /// Reads a number by the grammar of JSON. `None` if the text is not a number.
    pub(crate) fn read(text: &str) -> Option<Self> {
        let (negative, rest) = text.strip_prefix('-').map_or((false, text), |rest| (true, rest));
        let (mantissa, exponent) = rest.split_once(['e', 'E']).map_or((rest, None), |(m, e)| (m, Some(e)));
        let (whole, fraction) = mantissa.split_once('.').map_or((mantissa, None), |(w, f)| (w, Some(f)));
        if !is_digits(whole) || (whole.len() > 1 && whole.starts_with('0')) || !fraction.is_none_or(is_digits) {
            return None;
        }
        let shift = exponent.map_or(Some(0), power)?;
        let fraction = fraction.unwrap_or_default();
        let all = [whole, fraction].concat();
        let digits = all.trim_start_matches('0').trim_end_matches('0');
        if digits.is_empty() {
            return Some(Self { negative: false, digits: String::new(), exponent: 0 });
        }
        let zeros = all.len() - all.trim_end_matches('0').len();
        let exponent = shift.saturating_add(length(zeros)).saturating_sub(length(fraction.len()));
        Some(Self { negative, digits: digits.to_owned(), exponent })
    }

    /// The one spelling of the value, if it is an integer in the range of a double.
    fn integer(&self) -> Option<String> {
        let whole = length(self.digits.len()).saturating_add(self.exponent);
        let zeros = usize::try_from(self.exponent).ok().filter(|_| whole <= MOST_DIGITS)?;
        let sign = if self.negative { "-" } else { "" };
        let digits = if self.digits.is_empty() { "0" } else { &self.digits };
        let text = format!("{sign}{digits}{}", "0".repeat(zeros));
        text.parse().is_ok_and(f64::is_finite).then_some(text)
    }
}

fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// An exponent. One that does not fit `i64` counts as the largest.
fn power(text: &str) -> Option<i64> {
    let (negative, digits) = match text.as_bytes().first()? {
        b'-' => (true, &text[1..]),
        b'+' => (false, &text[1..]),
        _ => (false, text),
    };
    // Half of the range, so that adding lengths stays exact.
    let power = digits.parse().unwrap_or(i64::MAX).min(i64::MAX / 2);
    is_digits(digits).then_some(if negative { -power } else { power })
}

fn length(bytes: usize) -> i64 {
    i64::try_from(bytes).unwrap_or(i64::MAX / 4)
}

/// An integer in its one spelling: `2` for `2.0` and `20e-1`, `0` for `-0`. `None` for a number with a fraction, for
/// one beyond the range of a double, and for text that is not a number.
pub(crate) fn integer(text: &str) -> Option<Cow<'_, str>> {
    if is_plain(text) { Some(text.into()) } else { Decimal::read(text)?.integer().map(Cow::Owned) }
}

/// Whether a number is an integer in the range of a double.
#[inline]
pub(super) fn is_integer(text: &str) -> bool {
    is_plain(text) || integer(text).is_some()
}

/// Whether a text already is the one spelling of an integer. Nearly every client sends it so.
#[inline]
fn is_plain(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let is_digit = |byte: &u8| byte.is_ascii_digit();
    match digits.as_bytes() {
        [b'1'..=b'9', rest @ ..] => rest.len() < 300 && rest.iter().all(is_digit),
        _ => text == "0",
    }
}

/// The value as an integer, in whatever notation it was sent, if the type can hold it.
pub(crate) fn integer_of<T: FromStr>(value: &Value) -> Option<T> {
    value.as_number().and_then(|number| integer(&number.to_string())?.parse().ok())
}

/// JSON in which every integer is written as one: `2` for `2.0` and `2e0`. Code that reads integers then accepts every
/// number that the schema calls one. Only numbers that a 128-bit integer can hold are rewritten.
pub(crate) fn with_plain_integers(json: &str) -> Cow<'_, str> {
    let mut out = String::new();
    let mut copied = 0;
    let mut at = 0;
    let bytes = json.as_bytes();
    while let Some(&byte) = bytes.get(at) {
        at = match byte {
            b'"' => end_of_string(bytes, at),
            b'-' | b'0'..=b'9' => {
                let end = end_of_number(bytes, at);
                if let Some(plain) = respelled(&json[at..end]) {
                    out.push_str(&json[copied..at]);
                    out.push_str(&plain);
                    copied = end;
                }
                end
            }
            _ => at + 1,
        };
    }
    if copied == 0 {
        return json.into();
    }
    out.push_str(&json[copied..]);
    out.into()
}

/// The plain spelling of a number that is an integer and is not written as one.
fn respelled(number: &str) -> Option<String> {
    /// Digits of the largest 128-bit integer.
    const DIGITS: usize = 39;
    let is_respelled = number == "-0" || number.contains(['.', 'e', 'E']);
    Decimal::read(number).filter(|_| is_respelled)?.integer().filter(|plain| plain.len() <= DIGITS + 1)
}

fn end_of_number(bytes: &[u8], start: usize) -> usize {
    let is_part = |byte: &u8| byte.is_ascii_digit() || matches!(byte, b'-' | b'+' | b'.' | b'e' | b'E');
    bytes[start..].iter().position(|byte| !is_part(byte)).map_or(bytes.len(), |length| start + length)
}

/// The position after the closing quote of the string that begins at `start`.
pub(super) fn end_of_string(bytes: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    while let Some(found) = bytes.get(at..).and_then(|rest| memchr2(b'"', b'\\', rest)) {
        at += found + 1;
        if bytes[at - 1] == b'"' {
            return at;
        }
        at += 1;
    }
    bytes.len()
}

/// Whether the inside of a JSON string has one half of a surrogate pair without the other.
pub(super) fn has_lone_surrogate(string: &[u8]) -> bool {
    let mut at = 0;
    while let Some(found) = string.get(at..).and_then(|rest| memchr(b'\\', rest)) {
        at += found;
        match unit(string, at) {
            Some(0xD800..=0xDBFF) if matches!(unit(string, at + 6), Some(0xDC00..=0xDFFF)) => at += 12,
            Some(0xD800..=0xDFFF) => return true,
            Some(_) => at += 6,
            None => at += 2,
        }
    }
    false
}

/// The UTF-16 code unit of the escape at this position.
fn unit(string: &[u8], at: usize) -> Option<u16> {
    let digits = string.get(at..at + 6)?.strip_prefix(b"\\u")?;
    u16::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()
}

#[cfg(test)]
mod tests {
    use std::cmp::Ordering;

    use proptest::prelude::*;

    use super::*;

    #[test]
    fn w2_10_an_integer_has_one_spelling() {
        for (text, plain) in [
            ("0", "0"),
            ("-0", "0"),
            ("-0.0", "0"),
            ("0e99999999999999999999", "0"),
            ("1.0", "1"),
            ("-3.00", "-3"),
            ("2e0", "2"),
            ("2E+1", "20"),
            ("20e-1", "2"),
            ("1.5e1", "15"),
            ("100e-2", "1"),
            ("9007199254740993", "9007199254740993"),
            ("9007199254740993.0", "9007199254740993"),
            ("18446744073709551616", "18446744073709551616"),
        ] {
            assert_eq!(integer(text).as_deref(), Some(plain), "{text}");
        }
        assert_eq!(integer("1e308").map(|plain| plain.len()), Some(309));
    }

    #[test]
    fn w2_10_a_fraction_a_number_beyond_a_double_and_other_text_are_no_integers() {
        let long = "9".repeat(400);
        for text in [
            "1.5",
            "1e-1",
            "1e-400",
            "1e400",
            "-1E+999",
            "1e99999999999999999999",
            &long,
            "",
            "-",
            "01",
            "1.",
            ".5",
            "1e",
            "+1",
            "0x1",
            "1 ",
        ] {
            assert_eq!(integer(text), None, "{text}");
        }
    }

    #[test]
    fn w2_10_only_numbers_are_respelled() {
        let json = r#"{"a":2.0,"b":"2.0 \" 3.0","c":[-0,1e2,1.5,1e400,-1.0e0],"d2.0":7}"#;
        let plain = r#"{"a":2,"b":"2.0 \" 3.0","c":[0,100,1.5,1e400,-1],"d2.0":7}"#;
        assert_eq!(with_plain_integers(json), plain);
        assert!(matches!(with_plain_integers(plain), Cow::Borrowed(_)));
    }

    proptest! {
        #[test]
        fn no_text_breaks_the_readers(text in "[-+0-9.eE]{0,12}|.{0,12}") {
            let _ = (integer(&text), with_plain_integers(&text), has_lone_surrogate(text.as_bytes()));
        }

        #[test]
        fn any_spelling_of_an_integer_is_that_integer(value: i64, zeros in 0_usize..6) {
            let shown = value.to_string();
            for spelled in [format!("{shown}.{}", "0".repeat(zeros + 1)), format!("{shown}{}e-{zeros}", "0".repeat(zeros)), format!("{shown}E+0")] {
                prop_assert_eq!(integer(&spelled), Some(shown.as_str().into()));
                prop_assert_eq!(Decimal::read(&spelled), Decimal::read(&shown));
            }
        }

        #[test]
        fn numbers_are_equal_as_serde_json_reads_them(left: f64, right: f64) {
            prop_assume!(left.is_finite() && right.is_finite());
            let [one, other] = [left, right].map(|value| serde_json::to_string(&value).expect("a finite number is JSON"));
            prop_assert_eq!(Decimal::read(&one) == Decimal::read(&other), left.partial_cmp(&right) == Some(Ordering::Equal));
        }

        #[test]
        fn lone_surrogates_are_what_serde_json_refuses(escapes in prop::collection::vec(prop::sample::select(vec!["\\ud800", "\\uDC00", "\\u0041", "\\\\", "u", "\\n", "\\uDBFF", "\\udfff"]), 0..6)) {
            let inside = escapes.concat();
            let read: Result<String, _> = serde_json::from_str(&format!("\"{inside}\""));
            prop_assert_eq!(has_lone_surrogate(inside.as_bytes()), read.is_err(), "{}", inside);
        }
    }
}
