//! A small deterministic mutator, for runs without coverage: the same seed and number give the same bytes.

/// Fragments that matter to the parsers under test.
const FRAGMENTS: &[&[u8]] = &[
    b"{",
    b"}",
    b"[",
    b"]",
    b"\"",
    b":",
    b",",
    b"\n",
    b"\\u0061",
    b"\\ud800",
    b"\\",
    b"null",
    b"true",
    b"-0",
    b"1e9",
    b"0",
    b"\"id\":1",
    b"\"id\":\"1\"",
    b"\"jsonrpc\":\"2.0\"",
    b"\"method\":\"ping\"",
    b"\"params\":{}",
    b"\"_meta\":{}",
    b"\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\"",
    b"\"cursor\":\"\"",
    b"\xef\xbb\xbf",
    b"\xff",
    b"\0",
    b"=?base64?",
    b"?=",
    b" ",
    b"\t",
    b"%2F",
    b"%",
    b"://",
    b"..",
    b"@",
    b"[::1]",
    b"#",
    b"?",
    b"\xc3\xa9",
    b"!poll 0\n",
    b"!expire 1\n",
    b"!end 0\n",
    b"2025-03-26",
    b"---\n",
    b"\n  ",
    b"- ",
    b"? ",
    b": ",
    b"&a ",
    b"*a",
    b"!!str ",
    b"<<: ",
    b"|+\n  ",
    b"'",
    b"017",
    b"1e400",
    b"{a}",
    b"{+b}",
    b"{/c*}",
    b"{?d,e}",
    b"/",
    b"d=%41&",
];

/// A xorshift generator, sufficient to vary seeds.
#[derive(Debug)]
pub struct Random(u64);

impl Random {
    /// Starts from any number, zero included.
    pub fn new(start: u64) -> Self {
        Self(start.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    /// A number below `bound`; zero if that is zero.
    pub fn below(&mut self, bound: usize) -> usize {
        let random = usize::try_from(self.next() >> 33).unwrap_or_default();
        random.checked_rem(bound).unwrap_or_default()
    }
}

/// Changes `data` in one to six places; pieces are taken from `others`.
pub fn mutate(data: &[u8], others: &[Vec<u8>], random: &mut Random) -> Vec<u8> {
    let mut data = data.to_vec();
    for _ in 0..=random.below(6) {
        change(&mut data, others, random);
    }
    data
}

fn change(data: &mut Vec<u8>, others: &[Vec<u8>], random: &mut Random) {
    let start = random.below(data.len() + 1);
    let end = (start + random.below(12)).min(data.len());
    match random.below(8) {
        0 => drop(data.drain(start..end)),
        1 => drop(data.splice(start..start, FRAGMENTS[random.below(FRAGMENTS.len())].iter().copied())),
        2 => drop(data.splice(start..end, FRAGMENTS[random.below(FRAGMENTS.len())].iter().copied())),
        3 => data.truncate(start),
        4 => {
            let piece = data[start..end].to_vec();
            data.splice(start..start, piece);
        }
        5 => {
            let other = others.get(random.below(others.len())).map_or(&[][..], Vec::as_slice);
            let from = random.below(other.len() + 1);
            let to = (from + random.below(200)).min(other.len());
            data.splice(start..end, other[from..to].iter().copied());
        }
        _ => {
            if let Some(byte) = data.get_mut(start) {
                *byte ^= 1 << random.below(8);
            }
        }
    }
}
