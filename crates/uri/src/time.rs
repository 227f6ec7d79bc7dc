//! RFC 3339 date-times, for `lastModified`.
//!
//! The string is served as written, so it is not converted to an instant. The check covers the grammar of RFC 3339
//! section 5.6 and the ranges of section 5.7, days of the month and leap seconds included.

use std::error::Error;
use std::fmt;

/// Checks an RFC 3339 date-time ("lastModified").
///
/// ```
/// use grange_uri::check_timestamp;
///
/// assert!(check_timestamp("2026-01-01T00:00:00Z").is_ok());
/// assert_eq!(
///     check_timestamp("2026-01-01").unwrap_err().to_string(),
///     "has no time: write it as in `2026-01-01T00:00:00Z`",
/// );
/// ```
pub fn check_timestamp(value: &str) -> Result<(), TimestampError> {
    if value.is_empty() {
        return Err(TimestampError::Empty);
    }
    let (date, rest) = Date::read(value.as_bytes()).ok_or(TimestampError::Shape)?;
    date.check()?;
    let rest = match rest {
        [] => return Err(TimestampError::NoTime),
        [b'T' | b't', rest @ ..] => rest,
        [b' ', ..] => return Err(TimestampError::Separator),
        _ => return Err(TimestampError::Shape),
    };
    let (time, rest) = Time::read(rest).ok_or(TimestampError::Shape)?;
    let rest = after_fraction(rest)?;
    let offset = match rest {
        [] => return Err(TimestampError::NoOffset),
        [b'Z' | b'z'] => 0,
        [sign @ (b'+' | b'-'), rest @ ..] => offset_minutes(*sign == b'-', rest)?,
        _ => return Err(TimestampError::Shape),
    };
    time.check(offset)
}

/// Why a timestamp is invalid.
///
/// ```
/// use grange_uri::{TimestampError, check_timestamp};
///
/// assert_eq!(check_timestamp("2026-01-01T00:00:00"), Err(TimestampError::NoOffset));
/// ```
#[derive(Clone, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub enum TimestampError {
    /// The string is empty.
    Empty,
    /// A `.` after the seconds without a digit.
    Fraction,
    /// No `Z` or offset at the end.
    NoOffset,
    /// A date without a time.
    NoTime,
    /// A number outside its range.
    Range {
        /// The name of the field, as "month".
        field: &'static str,
        /// The number as written.
        found: u32,
        /// The minimum.
        least: u32,
        /// The maximum.
        most: u32,
    },
    /// A space between date and time.
    Separator,
    /// Any other shape.
    Shape,
}

impl fmt::Display for TimestampError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => write!(f, "is empty: write it as in `2026-01-01T00:00:00Z`"),
            Self::Fraction => write!(f, "has no digit behind the `.`: add one, or drop the `.`"),
            Self::NoOffset => write!(f, "has no offset: end it with `Z`, or as in `+02:00`"),
            Self::NoTime => write!(f, "has no time: write it as in `2026-01-01T00:00:00Z`"),
            Self::Range { field, found, least, most } => {
                write!(f, "has {field} {found:02}: write {least:02} to {most:02}")
            }
            Self::Separator => write!(f, "has a space between date and time: write `T`"),
            Self::Shape => write!(f, "is no RFC 3339 date-time: write it as in `2026-01-01T00:00:00Z`"),
        }
    }
}

impl Error for TimestampError {}

struct Date {
    year: u32,
    month: u32,
    day: u32,
}

impl Date {
    fn read(text: &[u8]) -> Option<(Self, &[u8])> {
        let (year, text) = number(4, text)?;
        let (month, text) = number(2, text.strip_prefix(b"-")?)?;
        let (day, text) = number(2, text.strip_prefix(b"-")?)?;
        Some((Self { year, month, day }, text))
    }

    fn check(&self) -> Result<(), TimestampError> {
        in_range("month", self.month, 1, 12)?;
        let is_leap = self.year.is_multiple_of(4) && (!self.year.is_multiple_of(100) || self.year.is_multiple_of(400));
        let last = match self.month {
            2 if is_leap => 29,
            2 => 28,
            4 | 6 | 9 | 11 => 30,
            _ => 31,
        };
        in_range("day", self.day, 1, last)
    }
}

struct Time {
    hour: u32,
    minute: u32,
    second: u32,
}

impl Time {
    fn read(text: &[u8]) -> Option<(Self, &[u8])> {
        let (hour, text) = number(2, text)?;
        let (minute, text) = number(2, text.strip_prefix(b":")?)?;
        let (second, text) = number(2, text.strip_prefix(b":")?)?;
        Some((Self { hour, minute, second }, text))
    }

    /// Checks the ranges. `offset` is the minutes to add for UTC, in 0..1440, since a leap second is at the end of a
    /// UTC day.
    fn check(&self, offset: u32) -> Result<(), TimestampError> {
        in_range("hour", self.hour, 0, 23)?;
        in_range("minute", self.minute, 0, 59)?;
        let ends_day = (self.hour * 60 + self.minute + offset) % 1440 == 1439;
        in_range("second", self.second, 0, if ends_day { 60 } else { 59 })
    }
}

fn in_range(field: &'static str, found: u32, least: u32, most: u32) -> Result<(), TimestampError> {
    if (least..=most).contains(&found) {
        return Ok(());
    }
    Err(TimestampError::Range { field, found, least, most })
}

/// The number in exactly `width` digits, and the rest of the text.
fn number(width: usize, text: &[u8]) -> Option<(u32, &[u8])> {
    let (digits, rest) = text.split_at_checked(width)?;
    let value = digits
        .iter()
        .try_fold(0, |value, digit| digit.is_ascii_digit().then(|| value * 10 + u32::from(digit - b'0')))?;
    Some((value, rest))
}

fn after_fraction(text: &[u8]) -> Result<&[u8], TimestampError> {
    let Some(behind) = text.strip_prefix(b".") else { return Ok(text) };
    let digits = behind.iter().take_while(|byte| byte.is_ascii_digit()).count();
    if digits == 0 { Err(TimestampError::Fraction) } else { Ok(behind.split_at(digits).1) }
}

/// The minutes to add to local time for UTC, in 0..1440.
fn offset_minutes(west: bool, text: &[u8]) -> Result<u32, TimestampError> {
    let (hours, rest) = number(2, text).ok_or(TimestampError::Shape)?;
    let minutes = rest.strip_prefix(b":").and_then(|rest| number(2, rest));
    let Some((minutes, [])) = minutes else { return Err(TimestampError::Shape) };
    in_range("offset hour", hours, 0, 23)?;
    in_range("offset minute", minutes, 0, 59)?;
    let offset = hours * 60 + minutes;
    Ok(if west { offset } else { (1440 - offset) % 1440 })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(value: &str, expected: &Result<(), TimestampError>) {
        assert_eq!(&check_timestamp(value), expected, "{value:?}");
    }

    #[test]
    fn accepts_the_grammar() {
        for value in [
            "2026-01-01T00:00:00Z",
            "1985-04-12t23:20:50.52z",
            "1996-12-19T16:39:57-08:00",
            "2024-02-29T12:00:00+05:30",
            "2000-02-29T12:00:00-00:00",
            "0000-01-01T00:00:00.000000000000000001Z",
            "1990-12-31T23:59:60Z",
            "1990-12-31T15:59:60-08:00",
            "1991-01-01T05:29:60+05:30",
        ] {
            check(value, &Ok(()));
        }
    }

    #[test]
    fn rejects_each_problem() {
        let range = |field, found, least, most| Err(TimestampError::Range { field, found, least, most });
        check("", &Err(TimestampError::Empty));
        check("2026-01-01", &Err(TimestampError::NoTime));
        check("2026-01-01 00:00:00Z", &Err(TimestampError::Separator));
        check("2026-01-01T00:00:00", &Err(TimestampError::NoOffset));
        check("2026-01-01T00:00:00.", &Err(TimestampError::Fraction));
        check("2026-00-01", &range("month", 0, 1, 12));
        check("2026-13-01T00:00:00Z", &range("month", 13, 1, 12));
        check("2026-04-31T00:00:00Z", &range("day", 31, 1, 30));
        check("2026-02-29T00:00:00Z", &range("day", 29, 1, 28));
        check("1900-02-29T00:00:00Z", &range("day", 29, 1, 28));
        check("2026-01-01T24:00:00Z", &range("hour", 24, 0, 23));
        check("2026-01-01T00:60:00Z", &range("minute", 60, 0, 59));
        check("2026-01-01T00:00:60Z", &range("second", 60, 0, 59));
        check("2026-01-01T23:59:61Z", &range("second", 61, 0, 60));
        check("2026-01-01T23:59:60+01:00", &range("second", 60, 0, 59));
        check("2026-01-01T00:00:00+24:00", &range("offset hour", 24, 0, 23));
        check("2026-01-01T00:00:00+01:60", &range("offset minute", 60, 0, 59));
        for value in [
            "yesterday",
            "2026-1-1",
            "20260101T000000Z",
            "2026-01-01T00:00Z",
            "2026-01-01T00:00:00+0100",
            "2026-01-01T00:00:00Z ",
            "2026-01-01T00:00:00+01:00x",
            "２026-01-01T00:00:00Z",
            "2026-01-01_00:00:00Z",
        ] {
            check(value, &Err(TimestampError::Shape));
        }
    }

    #[test]
    fn every_error_text_has_the_remedy() {
        let message = |value: &str| check_timestamp(value).unwrap_err().to_string();
        assert_eq!(message("2026-13-01"), "has month 13: write 01 to 12");
        assert_eq!(message("2026-01-01T00:00:00"), "has no offset: end it with `Z`, or as in `+02:00`");
        assert_eq!(message("2026-01-01 0"), "has a space between date and time: write `T`");
    }
}
