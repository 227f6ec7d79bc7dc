//! The file format of a transcript: parsing and writing.

use std::fmt;

/// A parsed transcript. `Display` writes the same file.
///
/// ```
/// use grange_testkit::transcript::Transcript;
/// let text = "# wires: pipe\n\n>>> {\"a\":1}\n<<< {\"b\":2}\n";
/// let transcript = Transcript::parse(text).unwrap();
/// assert_eq!(transcript.setting("wires"), Some("pipe"));
/// assert_eq!(transcript.exchanges()[0].received, [r#"{"b":2}"#]);
/// assert_eq!(transcript.to_string(), text);
/// assert_eq!(Transcript::parse("<<< {}").unwrap_err(), "line 1: nothing was sent that this could answer");
/// ```
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Transcript {
    pub(super) exchanges: Vec<Exchange>,
    /// Comments and blank lines after the last exchange.
    rest: Vec<String>,
}

/// One message to the server and the messages that it sends in return.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Exchange {
    /// Comments and blank lines before the message.
    notes: Vec<String>,
    /// The message to the server.
    pub sent: String,
    /// The HTTP status, if it is not the usual one.
    pub status: Option<u16>,
    /// The messages of the server, in order.
    pub received: Vec<String>,
}

impl Transcript {
    /// Reads a transcript.
    ///
    /// # Errors
    /// The number of the first line that is of no known kind or in a wrong place, and the problem.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut transcript = Self::default();
        for (index, line) in text.lines().enumerate() {
            transcript.read_line(line.trim_end()).map_err(|problem| format!("line {}: {problem}", index + 1))?;
        }
        Ok(transcript)
    }

    fn read_line(&mut self, line: &str) -> Result<(), &'static str> {
        const NOTHING_SENT: &str = "nothing was sent that this could answer";
        let (kind, rest) = line.split_once(' ').unwrap_or((line, ""));
        match kind {
            ">>>" => {
                let notes = std::mem::take(&mut self.rest);
                self.exchanges.push(Exchange { notes, sent: rest.to_owned(), ..Exchange::default() });
            }
            "<<<" => self.open().ok_or(NOTHING_SENT)?.received.push(rest.to_owned()),
            "===" => {
                let status = rest.parse().map_err(|_| "`===` is followed by a status code")?;
                self.open().ok_or(NOTHING_SENT)?.status = Some(status);
            }
            _ if kind.is_empty() || kind.starts_with('#') => self.rest.push(line.to_owned()),
            _ => return Err("a line starts with `>>>`, `<<<`, `===` or `#`"),
        }
        Ok(())
    }

    /// The exchange of the last line; a comment ends it.
    fn open(&mut self) -> Option<&mut Exchange> {
        if self.rest.is_empty() { self.exchanges.last_mut() } else { None }
    }

    /// The exchanges, in order.
    pub fn exchanges(&self) -> &[Exchange] {
        &self.exchanges
    }

    /// The setting with this name, from the comments before the first message.
    pub fn setting(&self, name: &str) -> Option<&str> {
        let notes = self.exchanges.first().map_or(&self.rest, |first| &first.notes);
        notes.iter().find_map(|note| note.strip_prefix("# ")?.strip_prefix(name)?.strip_prefix(':')).map(str::trim)
    }
}

impl fmt::Display for Transcript {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.exchanges.iter().try_for_each(|exchange| write!(f, "{exchange}"))?;
        self.rest.iter().try_for_each(|line| writeln!(f, "{line}"))
    }
}

impl fmt::Display for Exchange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.notes.iter().try_for_each(|line| writeln!(f, "{line}"))?;
        writeln!(f, ">>> {}", self.sent)?;
        if let Some(status) = self.status {
            writeln!(f, "=== {status}")?;
        }
        self.received.iter().try_for_each(|message| writeln!(f, "<<< {message}"))
    }
}
