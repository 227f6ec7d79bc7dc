//! Any bytes in any pieces give the same lines.

use std::io;
use std::pin::{Pin, pin};
use std::task::{Context, Poll, Waker};

use bytes::Bytes;
use proptest::prelude::*;
use tokio::io::{AsyncRead, ReadBuf};

use super::{Line, Lines};

/// An input that arrives in these pieces.
struct Pieces<'a>(&'a [Vec<u8>]);

impl AsyncRead for Pieces<'_> {
    fn poll_read(mut self: Pin<&mut Self>, _: &mut Context<'_>, buf: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        if let Some((piece, rest)) = self.0.split_first() {
            buf.put_slice(piece);
            self.0 = rest;
        }
        Poll::Ready(Ok(()))
    }
}

fn split(pieces: &[Vec<u8>], limit: usize) -> Vec<Line> {
    // An empty piece would be the end.
    let pieces: Vec<_> = pieces.iter().filter(|piece| !piece.is_empty()).cloned().collect();
    let (mut lines, mut input, mut found) = (Lines::new(limit), pin!(Pieces(&pieces)), Vec::new());
    let mut cx = Context::from_waker(Waker::noop());
    while let Poll::Ready(Ok(true)) = lines.poll_fill(&mut cx, input.as_mut()) {
        found.extend(std::iter::from_fn(|| lines.next()));
    }
    found.extend(lines.finish());
    found
}

/// A second implementation of the rules for lines.
fn expected(bytes: &[u8], limit: usize) -> Vec<Line> {
    let mut lines: Vec<&[u8]> = bytes.split(|byte| *byte == b'\n').collect();
    if lines.last().is_some_and(|last| last.is_empty()) {
        lines.pop();
    }
    let line = |line: &[u8]| match line.strip_suffix(b"\r").unwrap_or(line) {
        line if line.len() > limit => Line::Oversized,
        line => Line::Whole(Bytes::copy_from_slice(line)),
    };
    lines.into_iter().map(line).collect()
}

fn piece() -> impl Strategy<Value = Vec<u8>> {
    let byte = prop_oneof![4 => Just(b'a'), 1 => Just(b'\n'), 1 => Just(b'\r'), 1 => any::<u8>()];
    prop::collection::vec(byte, 0..12)
}

proptest! {
    #[test]
    fn w7_1_any_pieces_give_the_same_lines(pieces in prop::collection::vec(piece(), 0..12), limit in 0_usize..10) {
        prop_assert_eq!(split(&pieces, limit), expected(&pieces.concat(), limit));
    }
}

#[test]
fn w7_2_a_long_line_is_not_kept_beyond_the_limit() {
    let chunk = vec![b'x'; 50_000];
    let mut pieces = vec![chunk; 100];
    pieces.push(b"\nnext".to_vec());
    assert_eq!(split(&pieces, 120_000), [Line::Oversized, Line::Whole(Bytes::from_static(b"next"))]);
}

#[test]
fn w7_2_a_limit_without_end_is_none() {
    assert_eq!(split(&[b"a\r\n".to_vec()], usize::MAX), [Line::Whole(Bytes::from_static(b"a"))]);
}
