//! Resolves an untagged plain scalar by the core schema of YAML 1.2.2, section 10.3.2.
//!
//! Only the text matters here; the caller has checked style and tag. [`super::legacy`] has the reading of YAML 1.1.

use super::number;

/// A plain scalar in the core schema.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Scalar {
    Null,
    Bool(bool),
    /// Decimal digits with an optional `-`.
    Integer(String),
    Float(f64),
    /// A number that JSON cannot represent: infinite, NaN, or out of range.
    NotFinite,
    Text,
}

/// Resolves a plain scalar.
pub(super) fn resolve(text: &str) -> Scalar {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => Scalar::Null,
        "true" | "True" | "TRUE" => Scalar::Bool(true),
        "false" | "False" | "FALSE" => Scalar::Bool(false),
        _ => number(text).unwrap_or(Scalar::Text),
    }
}

/// The number, if the text is one.
fn number(text: &str) -> Option<Scalar> {
    let digits = |digits: &str, base| integer("", digits, base);
    if let Some(octal) = text.strip_prefix("0o") {
        return is_all(octal, |byte| matches!(byte, b'0'..=b'7')).then(|| digits(octal, 8));
    }
    if let Some(hex) = text.strip_prefix("0x") {
        return is_all(hex, |byte| byte.is_ascii_hexdigit()).then(|| digits(hex, 16));
    }
    let (sign, unsigned) = sign(text);
    if is_all(unsigned, |byte| byte.is_ascii_digit()) {
        return Some(integer(sign, unsigned, 10));
    }
    let is_infinite = matches!(unsigned, ".inf" | ".Inf" | ".INF");
    if is_infinite || matches!(text, ".nan" | ".NaN" | ".NAN") {
        return Some(Scalar::NotFinite);
    }
    is_float(unsigned).then(|| float(text))
}

fn integer(sign: &str, digits: &str, base: u32) -> Scalar {
    let Some(decimal) = number::integer(digits, base) else { return Scalar::NotFinite };
    let sign = if sign == "-" && decimal != "0" { "-" } else { "" };
    Scalar::Integer(format!("{sign}{decimal}"))
}

/// `[-+]? ( \. [0-9]+ | [0-9]+ ( \. [0-9]* )? ) ( [eE] [-+]? [0-9]+ )?`, without the sign.
fn is_float(unsigned: &str) -> bool {
    let (mantissa, exponent) = match unsigned.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (unsigned, None),
    };
    let is_digits = |text: &str| is_all(text, |byte| byte.is_ascii_digit());
    let fits = match mantissa.split_once('.') {
        Some(("", fraction)) => is_digits(fraction),
        Some((whole, fraction)) => is_digits(whole) && (fraction.is_empty() || is_digits(fraction)),
        None => is_digits(mantissa),
    };
    fits && exponent.is_none_or(|exponent| is_digits(sign(exponent).1))
}

/// Rust parses every text that [`is_float`] accepts.
fn float(text: &str) -> Scalar {
    match text.parse::<f64>() {
        Ok(number) if number.is_finite() => Scalar::Float(number),
        _ => Scalar::NotFinite,
    }
}

/// The sign, if there is one, and the rest.
pub(super) fn sign(text: &str) -> (&str, &str) {
    text.split_at(usize::from(text.starts_with(['-', '+'])))
}

fn is_all(text: &str, fits: impl Fn(u8) -> bool) -> bool {
    !text.is_empty() && text.bytes().all(fits)
}
