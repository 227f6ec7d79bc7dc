//! How a host that reads YAML 1.1 reads a plain scalar.
//!
//! The model is js-yaml 3, which NimbleBrain's host uses (through gray-matter): the types of YAML 1.1 as in that
//! library, with its gaps, such as `-.5` and `08.5`, which it reads as strings. **The result is not a value of the
//! frontmatter**: it is compared with [`super::scalar`], and a difference becomes a lint.

use grange_uri::check_timestamp;

use super::scalar::sign;

/// The value that such a host reads.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Legacy {
    Null,
    Bool(bool),
    Number(f64),
    /// A date or a time, and whether JavaScript reads the same instant from the text, since the host compares with
    /// that.
    Instant {
        is_certain: bool,
    },
    Text,
}

/// Reads a plain scalar.
pub(super) fn read(text: &str) -> Legacy {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => Legacy::Null,
        "true" | "True" | "TRUE" => Legacy::Bool(true),
        "false" | "False" | "FALSE" => Legacy::Bool(false),
        _ => match integer(text).or_else(|| float(text)) {
            Some(number) => Legacy::Number(number),
            None if is_timestamp(text) => Legacy::Instant { is_certain: is_certain(text) },
            None => Legacy::Text,
        },
    }
}

/// Binary, hexadecimal, octal with a leading zero, decimal, and base 60. `_` may be between digits, and before the
/// first one except in decimal numbers.
fn integer(text: &str) -> Option<f64> {
    let (sign_text, unsigned) = sign(text);
    let size = if unsigned == "0" {
        0.0
    } else if let Some(binary) = unsigned.strip_prefix("0b") {
        digits(binary, 2)?
    } else if let Some(hex) = unsigned.strip_prefix("0x") {
        digits(hex, 16)?
    } else if let Some(octal) = unsigned.strip_prefix('0') {
        digits(octal, 8)?
    } else if let Some((first, rest)) = unsigned.split_once(':') {
        // js-yaml does not check the end of the first number here.
        base_60(decimal(first.trim_end_matches('_'))?, rest)?
    } else {
        decimal(unsigned)?
    };
    Some(if sign_text == "-" { -size } else { size })
}

fn decimal(text: &str) -> Option<f64> {
    if text.starts_with('_') { None } else { digits(text, 10) }
}

/// The value of digits in this base: at least one, and no `_` at the end.
fn digits(text: &str, base: u32) -> Option<f64> {
    let plain = without_underscores(text)?;
    if base == 10 {
        let is_decimal = plain.bytes().all(|byte| byte.is_ascii_digit());
        return if is_decimal { plain.parse().ok() } else { None };
    }
    let size = plain.chars().try_fold(0.0, |size, digit| {
        let digit = digit.to_digit(base)?;
        Some(size * f64::from(base) + f64::from(digit))
    })?;
    Some(size)
}

fn without_underscores(text: &str) -> Option<String> {
    let plain = text.replace('_', "");
    (!plain.is_empty() && !text.ends_with('_')).then_some(plain)
}

/// The part after the first `:` of `1:30` or `1:30:00`.
fn base_60(first: f64, rest: &str) -> Option<f64> {
    rest.split(':').try_fold(first, |size, part| {
        let number = match part.as_bytes() {
            [b'0'..=b'9'] | [b'0'..=b'5', b'0'..=b'9'] => part.parse::<f64>().ok()?,
            _ => return None,
        };
        Some(size * 60.0 + number)
    })
}

/// Decimal fractions and exponents, base 60 with a fraction, the infinities and NaN.
fn float(text: &str) -> Option<f64> {
    let (sign_text, unsigned) = sign(text);
    let negative = sign_text == "-";
    let size = match unsigned {
        ".inf" | ".Inf" | ".INF" => f64::INFINITY,
        ".nan" | ".NaN" | ".NAN" if sign_text.is_empty() => f64::NAN,
        _ if unsigned.ends_with('_') => return None,
        _ if unsigned.contains(':') => base_60_float(unsigned)?,
        // A fraction without an integer part must have no sign.
        _ if unsigned.starts_with('.') && !sign_text.is_empty() => return None,
        _ => decimal_float(unsigned)?,
    };
    Some(if negative { -size } else { size })
}

/// The integer part must have no leading zero; an exponent must have no `_`.
fn decimal_float(text: &str) -> Option<f64> {
    let (mantissa, exponent) = text.split_at(text.find(['e', 'E']).unwrap_or(text.len()));
    let (whole, fraction) = mantissa.split_at(mantissa.find('.').unwrap_or(mantissa.len()));
    let is_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'_');
    let is_whole = match whole.as_bytes() {
        [] => fraction.len() > 1,
        [b'0'] => true,
        [b'1'..=b'9', ..] => is_digits(whole),
        _ => false,
    };
    let is_exponent = exponent.get(1..).is_none_or(|power| {
        let power = sign(power).1;
        !power.is_empty() && power.bytes().all(|byte| byte.is_ascii_digit())
    });
    if !is_whole || !is_digits(fraction.trim_start_matches('.')) || fraction.matches('.').count() > 1 || !is_exponent {
        return None;
    }
    let plain = format!("{}{exponent}", mantissa.replace('_', ""));
    // js-yaml accepts a fraction of only `_` and reads NaN.
    Some(plain.parse().unwrap_or(f64::NAN))
}

fn base_60_float(text: &str) -> Option<f64> {
    let (whole, fraction) = text.split_once('.')?;
    let (first, rest) = whole.split_once(':')?;
    let is_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'_');
    if !first.starts_with(|c: char| c.is_ascii_digit()) || !is_digits(first) || !is_digits(fraction) {
        return None;
    }
    let first: f64 = first.replace('_', "").parse().ok()?;
    let fraction: f64 = format!("0.{}0", fraction.replace('_', "")).parse().ok()?;
    Some(base_60(first, rest)? + fraction)
}

/// The format of a date or time in YAML 1.1, which does not check ranges.
fn is_timestamp(text: &str) -> bool {
    let Some((date, rest)) = date(text) else { return false };
    match rest.as_bytes() {
        [] => date == Date::Full,
        [b'T' | b't', ..] => is_time(&rest[1..]),
        [b' ' | b'\t', ..] => is_time(rest.trim_start_matches([' ', '\t'])),
        _ => false,
    }
}

/// Whether month and day have two digits each.
#[derive(PartialEq)]
enum Date {
    Full,
    Short,
}

fn date(text: &str) -> Option<(Date, &str)> {
    let (year, rest) = number(text, 4, 4)?;
    let (month, rest) = number(rest.strip_prefix('-')?, 1, 2)?;
    let (day, rest) = number(rest.strip_prefix('-')?, 1, 2)?;
    let is_full = year.len() == 4 && month.len() == 2 && day.len() == 2;
    Some((if is_full { Date::Full } else { Date::Short }, rest))
}

fn is_time(text: &str) -> bool {
    let Some(rest) = after_seconds(text) else { return false };
    let rest = match rest.strip_prefix('.') {
        Some(fraction) => fraction.trim_start_matches(|c: char| c.is_ascii_digit()),
        None => rest,
    };
    let offset = rest.trim_start_matches([' ', '\t']);
    // White space at the end is not part of a plain scalar.
    offset.is_empty() || offset == "Z" || is_offset(offset)
}

fn after_seconds(text: &str) -> Option<&str> {
    let (_, rest) = number(text, 1, 2)?;
    let (_, rest) = number(rest.strip_prefix(':')?, 2, 2)?;
    let (_, rest) = number(rest.strip_prefix(':')?, 2, 2)?;
    Some(rest)
}

fn is_offset(text: &str) -> bool {
    let Some((_, rest)) = text.strip_prefix(['+', '-']).and_then(|text| number(text, 1, 2)) else { return false };
    let minutes = rest.strip_prefix(':').and_then(|minutes| number(minutes, 2, 2));
    rest.is_empty() || minutes.is_some_and(|(_, rest)| rest.is_empty())
}

/// Takes up to `most` digits; returns them and the rest, or `None` if there are fewer than `least`.
fn number(text: &str, least: usize, most: usize) -> Option<(&str, &str)> {
    let length = text.bytes().take(most).take_while(u8::is_ascii_digit).count();
    (length >= least).then(|| text.split_at(length))
}

/// Whether JavaScript reads the same instant from the text: a date that exists, or such a date with `T`, seconds and a
/// zone. For any other format it uses its own time zone, or guesses.
fn is_certain(text: &str) -> bool {
    let whole = if text.len() == 10 { format!("{text}T00:00:00Z") } else { text.to_owned() };
    // js-yaml reads a year below 100 as one of the twentieth century; JavaScript has no leap seconds.
    let in_range = !text.starts_with("00") && whole.get(17..19) != Some("60") && !whole.contains('t');
    in_range && check_timestamp(&whole).is_ok()
}
