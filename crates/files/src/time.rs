//! The time of a file's last change as text.

use std::time::{SystemTime, UNIX_EPOCH};

const DAY: u64 = 24 * 60 * 60;

/// An RFC 3339 time in UTC, in whole seconds. `None` before 1970 and after 9999.
pub(crate) fn rfc3339(time: SystemTime) -> Option<String> {
    let seconds = time.duration_since(UNIX_EPOCH).ok()?.as_secs();
    let (mut day, second) = (seconds / DAY, seconds % DAY);
    let mut year = 1970;
    while day >= days_of_year(year) {
        day -= days_of_year(year);
        year += 1;
        if year > 9999 {
            return None;
        }
    }
    let mut month = 1;
    while day >= days_of_month(year, month) {
        day -= days_of_month(year, month);
        month += 1;
    }
    let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
    Some(format!("{year:04}-{month:02}-{:02}T{hour:02}:{minute:02}:{second:02}Z", day + 1))
}

fn days_of_year(year: u64) -> u64 {
    if is_leap(year) { 366 } else { 365 }
}

fn days_of_month(year: u64, month: u64) -> u64 {
    match month {
        2 if is_leap(year) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

fn is_leap(year: u64) -> bool {
    year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400))
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, UNIX_EPOCH};

    use super::rfc3339;

    #[test]
    fn l4_7_the_time_of_a_file_is_shown_in_utc() {
        for (seconds, expected) in [
            (0, Some("1970-01-01T00:00:00Z")),
            (951_782_399, Some("2000-02-28T23:59:59Z")),
            (951_782_400, Some("2000-02-29T00:00:00Z")),
            (1_767_225_600, Some("2026-01-01T00:00:00Z")),
            (4_107_542_399, Some("2100-02-28T23:59:59Z")),
            (4_107_542_400, Some("2100-03-01T00:00:00Z")),
            (253_402_300_799, Some("9999-12-31T23:59:59Z")),
            (253_402_300_800, None),
        ] {
            assert_eq!(rfc3339(UNIX_EPOCH + Duration::from_secs(seconds)).as_deref(), expected);
        }
        assert_eq!(rfc3339(UNIX_EPOCH - Duration::from_secs(1)), None);
    }
}
