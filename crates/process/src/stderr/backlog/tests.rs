//! Pieces in, batches out.

use proptest::prelude::*;

use super::{Backlog, LIMIT, notice};

fn take(backlog: &mut Backlog) -> String {
    let mut batch = Vec::new();
    backlog.take(&mut batch);
    String::from_utf8(batch).unwrap()
}

fn fill(backlog: &mut Backlog) -> String {
    let line = format!("{}\n", "f".repeat(1023));
    let lines = line.repeat(LIMIT / line.len());
    backlog.push(lines.as_bytes());
    lines
}

#[test]
fn what_fits_comes_out_as_it_came_in() {
    let mut backlog = Backlog::default();
    backlog.push(b"one\ntw");
    assert_eq!(take(&mut backlog), "one\ntw");
    backlog.push(b"o\nthree");
    assert_eq!(take(&mut backlog), "o\nthree");
    assert!(backlog.is_empty());
}

#[test]
fn w7_7_what_does_not_fit_is_dropped_by_lines_and_counted_where_it_is_missing() {
    let mut backlog = Backlog::default();
    let kept = fill(&mut backlog);
    backlog.push(b"lost\nlost too\nlost in part, its ");
    assert!(backlog.is_full());
    assert_eq!(take(&mut backlog), kept + &notice(3));
    backlog.push(b"end\nnext\n");
    assert_eq!(take(&mut backlog), "next\n");
}

#[test]
fn w7_7_a_line_is_not_cut_by_one_that_fits_after_it() {
    let mut backlog = Backlog::default();
    let kept = fill(&mut backlog);
    let room = LIMIT - kept.len();
    backlog.push("x".repeat(room + 1).as_bytes());
    backlog.push(b"\n\n");
    assert_eq!(take(&mut backlog), kept + &notice(2));
}

#[test]
fn w7_7_a_line_whose_beginning_is_out_ends_before_the_count() {
    let mut backlog = Backlog::default();
    backlog.push(b"out: ");
    assert_eq!(take(&mut backlog), "out: ");
    backlog.push(&vec![b'x'; LIMIT + 1]);
    assert_eq!(take(&mut backlog), format!("\n{}", notice(1)));
    backlog.push(b"its end\nnext\n");
    assert_eq!(take(&mut backlog), "next\n");
}

#[test]
fn the_count_reads_as_a_sentence() {
    assert_eq!(notice(1), "grange: 1 line of standard error was dropped: the host did not read it\n");
    assert_eq!(notice(2), "grange: 2 lines of standard error were dropped: the host did not read them\n");
}

proptest! {
    /// However the lines are cut into pieces and whenever batches are taken: every line comes out whole, in order, or is counted.
    #[test]
    fn w7_7_lines_come_whole_or_are_counted(
        lengths in prop::collection::vec(0_usize..60_000, 1..40),
        piece in 1_usize..70_000,
        taken_every in 1_usize..30,
    ) {
        let lines: Vec<String> = lengths.iter().enumerate().map(|(at, length)| format!("{at}{}\n", "-".repeat(*length))).collect();
        let (mut backlog, mut out) = (Backlog::default(), String::new());
        for (at, bytes) in lines.concat().as_bytes().chunks(piece).enumerate() {
            backlog.push(bytes);
            prop_assert!(backlog.bytes.len() <= LIMIT);
            if at % taken_every == 0 {
                out += &take(&mut backlog);
            }
        }
        out += &take(&mut backlog);
        let mut next = 0;
        for line in out.split_inclusive('\n') {
            if let Some(rest) = line.strip_prefix("grange: ") {
                next += rest.split(' ').next().unwrap().parse::<usize>().unwrap();
            } else if lines[next] == line {
                next += 1;
            } else {
                // Its beginning was out before it did not fit.
                prop_assert!(lines[next].starts_with(line.trim_end()), "{line:.50} in place of line {next}");
            }
        }
        prop_assert_eq!(next, lines.len());
    }
}
