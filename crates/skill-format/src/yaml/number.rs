//! Numbers as JSON.
//!
//! An integer keeps all its digits, in any base and of any size. Any other number is written as in JavaScript, since
//! both hosts and the conformance suite compare JavaScript numbers. Other files decide which text is a number.

/// 2^53: a JavaScript host cannot represent every integer beyond this.
const EXACT: &str = "9007199254740992";

/// The decimal digits in one limb of [`from_base`].
const LIMB_DIGITS: usize = 9;
const LIMB: u64 = 1_000_000_000;

/// The decimal digits of an integer written in `base`, without a sign or prefix; `None` if it is beyond the range of
/// JavaScript's numbers.
///
/// The length is checked first, so that the cost is bounded.
pub(super) fn integer(digits: &str, base: u32) -> Option<String> {
    let digits = digits.trim_start_matches('0');
    let most = match base {
        8 => 342,
        16 => 256,
        _ => 309,
    };
    if digits.len() > most {
        return None;
    }
    let decimal = match (digits, base) {
        ("", _) => "0".to_owned(),
        (_, 10) => digits.to_owned(),
        _ => from_base(digits, base),
    };
    decimal.parse::<f64>().is_ok_and(f64::is_finite).then_some(decimal)
}

/// Whether a JavaScript host rounds this integer, given as decimal digits with an optional `-`.
pub(super) fn is_rounded(integer: &str) -> bool {
    let digits = integer.trim_start_matches('-');
    digits.len() > EXACT.len() || (digits.len() == EXACT.len() && digits > EXACT)
}

/// A finite number as in JavaScript and JSON: the shortest digits that parse to the same number.
pub(super) fn float(number: f64) -> String {
    let size = number.abs();
    if size == 0.0 {
        return "0".to_owned();
    }
    if (1e-6..1e21).contains(&size) {
        return number.to_string();
    }
    let text = format!("{number:e}");
    if size < 1.0 { text } else { text.replace('e', "e+") }
}

/// Long multiplication with limbs of nine decimal digits, the lowest first.
fn from_base(digits: &str, base: u32) -> String {
    let mut limbs: Vec<u64> = vec![0];
    for digit in digits.chars().filter_map(|digit| digit.to_digit(base)) {
        let mut carry = u64::from(digit);
        for limb in &mut limbs {
            let product = *limb * u64::from(base) + carry;
            *limb = product % LIMB;
            carry = product / LIMB;
        }
        if carry > 0 {
            limbs.push(carry);
        }
    }
    let mut decimal = String::new();
    for limb in limbs.iter().rev() {
        let width = if decimal.is_empty() { 1 } else { LIMB_DIGITS };
        let digits = format!("{limb:0width$}");
        decimal.push_str(&digits);
    }
    decimal
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_keep_every_digit() {
        for (digits, base, expected) in [
            ("0", 10, Some("0")),
            ("000", 10, Some("0")),
            ("017", 10, Some("17")),
            ("9007199254740993", 10, Some("9007199254740993")),
            ("1F", 16, Some("31")),
            ("17", 8, Some("15")),
            ("3B9ACA00", 16, Some("1000000000")),
            ("1fffffffffffffffff", 16, Some("590295810358705651711")),
            ("DE0B6B3A7640000", 16, Some("1000000000000000000")),
            ("7777777777777777777777777", 8, Some("37778931862957161709567")),
        ] {
            assert_eq!(integer(digits, base).as_deref(), expected, "{digits} in base {base}");
        }
        let nines = "9".repeat(308);
        assert_eq!(integer(&nines, 10), Some(nines.clone()));
        assert_eq!(integer(&"9".repeat(309), 10), None);
        assert_eq!(integer(&format!("00{}", "F".repeat(256)), 16), None);
        assert!(integer(&format!("007{}", "F".repeat(255)), 16).is_some());
        assert_eq!(integer(&"7".repeat(100_000), 8), None);
    }

    #[test]
    fn rounding_begins_beyond_two_to_the_53() {
        assert!(!is_rounded("9007199254740992") && !is_rounded("-9007199254740992") && !is_rounded("0"));
        assert!(is_rounded("9007199254740993") && is_rounded("-9007199254740993") && is_rounded("10000000000000000"));
    }

    #[test]
    fn floats_are_written_as_javascript_writes_them() {
        for (number, expected) in [
            (1.0, "1"),
            (-0.0, "0"),
            (0.5, "0.5"),
            (-1.25, "-1.25"),
            (1e20, "100000000000000000000"),
            (1e21, "1e+21"),
            (1.5e300, "1.5e+300"),
            (1e-6, "0.000001"),
            (1.5e-7, "1.5e-7"),
            (0.1 + 0.2, "0.30000000000000004"),
        ] {
            assert_eq!(float(number), expected);
        }
    }
}
