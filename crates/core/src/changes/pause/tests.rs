//! Pauses, on times that a test chooses.

use super::*;

const INTERVAL: Duration = Duration::from_millis(100);

#[test]
fn l3_4_a_pause_lasts_from_the_first_time_after_a_change() {
    let (mut pause, now) = (Pause::new(INTERVAL), Instant::now());
    assert!(pause.is_quiet() && pause.poll_timeout(now).is_none());
    pause.begin();
    assert!(!pause.is_quiet());
    assert_eq!([pause.poll_timeout(now), pause.poll_timeout(now + INTERVAL / 2)], [Some(now + INTERVAL); 2]);
    assert!(!pause.handle_timeout(now + INTERVAL / 2) && !pause.is_quiet());
    assert!(pause.handle_timeout(now + INTERVAL) && pause.is_quiet());
    assert!(!pause.handle_timeout(now + INTERVAL), "it ended already");
}

#[test]
fn l3_4_an_interval_of_0_pauses_nothing() {
    let mut pause = Pause::new(Duration::ZERO);
    pause.begin();
    assert!(pause.is_quiet());
}
