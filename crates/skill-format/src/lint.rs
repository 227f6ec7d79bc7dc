//! Frontmatter that is valid but that hosts read in different ways.
//!
//! A host may compare the listed frontmatter with its own reading of the file. If it reads YAML 1.1 and gets another
//! value, it ignores the skill without an error. So each such place is a [`Lint`]: a warning, never an error.

use std::fmt;

use crate::excerpt::Excerpt;

/// The maximum number of lints for a file.
pub(crate) const MAX_LINTS: usize = 100;

/// A place in frontmatter that hosts read in different ways, or that deviates from the format without being invalid.
///
/// ```
/// use grange_skill_format::{Frontmatter, LintKind};
///
/// let skill_md = b"---\nname: close\ndescription: Close the ledger.\nmetadata:\n  retries: 017\n---\n";
/// let frontmatter = Frontmatter::parse(skill_md)?;
/// let [lint] = frontmatter.lints() else { panic!("one place") };
/// assert_eq!((lint.field.as_str(), lint.value.as_str(), lint.line), ("metadata.retries", "017", Some(5)));
/// assert!(matches!(&lint.kind, LintKind::Differs { there, .. } if there == "15"));
/// assert_eq!(
///     lint.to_string(),
///     "line 5: `metadata.retries: 017` is 17, but a host that reads YAML 1.1 takes it for 15 and then passes over \
///      the skill: write `17`, or quote it for a string",
/// );
/// # Ok::<(), grange_skill_format::FrontmatterError>(())
/// ```
#[derive(Clone, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub struct Lint {
    /// The path of keys: `metadata.retries`, `tags[0]`, `metadata["a.b"]`.
    pub field: String,
    /// The value as written, without quotes and folding; for a lint about a key, the key.
    pub value: String,
    /// The line of the file, counted from 1.
    pub line: Option<usize>,
    /// The kind of problem.
    pub kind: LintKind,
}

/// The kind of problem of a [`Lint`].
///
/// ```
/// use grange_skill_format::{Frontmatter, LintKind};
///
/// let skill_md = b"---\nname: close\ndescription: Close the ledger.\nmetadata: {count: !!str 5}\n---\n";
/// let frontmatter = Frontmatter::parse(skill_md)?;
/// assert_eq!(frontmatter.lints()[0].kind, LintKind::Tag { tag: "!!str".to_owned() });
/// # Ok::<(), grange_skill_format::FrontmatterError>(())
/// ```
#[derive(Clone, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub enum LintKind {
    /// A value that a YAML 1.1 host reads differently.
    Differs {
        /// The value in YAML 1.2, as JSON.
        here: String,
        /// The value in the other host, as JSON.
        there: String,
    },
    /// A line that begins with `---` and is not a fence: some hosts end the frontmatter there.
    Fence,
    /// A date or time that hosts read in their own time zone or cannot read: it has a space, no zone or a short number,
    /// or does not exist.
    Instant,
    /// A key that is not a string, or that a YAML 1.1 host reads as another value.
    Key {
        /// The key in YAML 1.2, as in JSON.
        here: String,
        /// The key in the other host.
        there: String,
    },
    /// A syntax, not a value, that hosts read in different ways or cannot read.
    Layout {
        /// The syntax.
        found: &'static str,
        /// The remedy.
        remedy: &'static str,
    },
    /// A field that is a mapping in Agent Skills.
    NotMapping {
        /// The kind of value.
        found: &'static str,
    },
    /// A field that is a string in Agent Skills.
    NotString {
        /// The kind of value.
        found: &'static str,
    },
    /// A key of `metadata` with a prefix that is reserved for the protocol.
    Reserved,
    /// An integer beyond 2^53, which JavaScript hosts round.
    Rounded {
        /// The rounded value.
        there: String,
    },
    /// An explicit tag, which some readers do not support.
    Tag {
        /// The tag, in its short form.
        tag: String,
    },
}

impl fmt::Display for Lint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(line) = self.line {
            write!(f, "line {line}: ")?;
        }
        match &self.kind {
            LintKind::Differs { .. } | LintKind::Instant | LintKind::Rounded { .. } => self.write_value(f),
            LintKind::Key { here, there } => self.write_key(f, here, there),
            _ => self.write_form(f),
        }
    }
}

const LEGACY: &str = "a host that reads YAML 1.1";
const PASSED: &str = "and then passes over the skill";

impl Lint {
    /// Writes a lint about a value.
    fn write_value(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place = format!("`{}: {}`", Excerpt(&self.field), Excerpt(&self.value));
        match &self.kind {
            LintKind::Differs { here, there } if here.starts_with('"') => {
                write!(f, "{place} is a string, but {LEGACY} takes it for {} {PASSED}: quote it", Excerpt(there))
            }
            LintKind::Differs { here, there } => {
                let (here, there) = (Excerpt(here), Excerpt(there));
                write!(
                    f,
                    "{place} is {here}, but {LEGACY} takes it for {there} {PASSED}: write `{here}`, or quote it for a string"
                )
            }
            LintKind::Rounded { there } => {
                write!(f, "{place} is beyond 2^53, and JavaScript hosts round it to {}: quote it", Excerpt(there))
            }
            _ => write!(
                f,
                "{place} is a string, but {LEGACY} takes it for a time, in its own zone or one that does not exist, \
                 {PASSED}: write it as in `2026-01-01T00:00:00Z`, or quote it"
            ),
        }
    }

    fn write_key(&self, f: &mut fmt::Formatter<'_>, here: &str, there: &str) -> fmt::Result {
        let (key, here, there) = (Excerpt(&self.value), Excerpt(here), Excerpt(there));
        if here.0 == there.0 {
            return write!(f, "the key `{key}` is no string, and JSON has only such keys: quote it, `\"{here}\"`");
        }
        write!(f, "the key `{key}` is `{here}`, but {LEGACY} takes it for `{there}` {PASSED}: quote it")
    }

    /// Writes a lint about the syntax, a key or a type.
    fn write_form(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let field = if self.field.is_empty() { "the line".to_owned() } else { format!("`{}`", Excerpt(&self.field)) };
        match &self.kind {
            LintKind::Layout { found, remedy } => {
                write!(f, "{field} has {found}, which not every host reads alike, or at all: {remedy}")
            }
            LintKind::NotMapping { found } => {
                write!(f, "{field} is {found}, where hosts look for a mapping: write keys and values below it")
            }
            LintKind::NotString { found } => {
                write!(f, "{field} is {found}, where hosts look for a string: write it in one line, in quotes")
            }
            LintKind::Reserved => write!(
                f,
                "the key {field} has a prefix that the protocol keeps for itself: write your own, as in `com.example/author`"
            ),
            LintKind::Tag { tag } => write!(
                f,
                "{field} has the tag `{}`, which nothing needs and not every reader knows: leave it out, and quote a string",
                Excerpt(tag)
            ),
            _ => write!(
                f,
                "`{}` begins its line with `---`, where some hosts end the frontmatter: quote what stands there",
                Excerpt(&self.value)
            ),
        }
    }
}

/// Appends a key to the path of a field: after a dot if it is a word, otherwise in brackets and quotes.
pub(crate) fn push_key(path: &mut String, key: &str) {
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
    if key.is_empty() || !key.bytes().all(is_word) {
        path.extend(["[\"", key, "\"]"]);
        return;
    }
    if !path.is_empty() {
        path.push('.');
    }
    path.push_str(key);
}
