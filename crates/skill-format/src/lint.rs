//! What is correct, and yet not read alike by every host.
//!
//! A host that compares the listed frontmatter with its own reading of the file, by YAML 1.1, passes over a skill that it
//! reads differently, and tells nobody. So every such place is a [`Lint`]: a warning, never an error.

use std::fmt;

use crate::excerpt::Shown;

/// Most places that are named; a file that has more has said enough.
pub(crate) const MAX_LINTS: usize = 100;

/// A place in frontmatter that not every host reads alike, or that goes against the format without breaking it.
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
    /// Where it stands, as a path of keys: `metadata.retries`, `tags[0]`, `metadata["a.b"]`.
    pub field: String,
    /// What stands there, as written but for quotes and folding; for a key, the key.
    pub value: String,
    /// The line of the file, counted from 1.
    pub line: Option<usize>,
    /// What is the matter with it.
    pub kind: LintKind,
}

/// What a [`Lint`] is about.
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
        /// What it is by YAML 1.2, as JSON.
        here: String,
        /// What the other host reads, as JSON.
        there: String,
    },
    /// A line that begins with `---` and is no fence: some hosts end the frontmatter there.
    Fence,
    /// A date or time that hosts read in their own time zone or not at all: it has a space, no zone, a short number, or
    /// does not exist.
    Instant,
    /// A key that is no string, or that a YAML 1.1 host takes for something else.
    Key {
        /// The key as YAML 1.2 and JSON have it.
        here: String,
        /// The key that the other host has.
        there: String,
    },
    /// A way of writing, rather than a value, that not every host reads alike, or at all.
    Layout {
        /// What it is.
        found: &'static str,
        /// What to do instead.
        remedy: &'static str,
    },
    /// A field that Agent Skills has as a mapping.
    NotMapping {
        /// What came instead.
        found: &'static str,
    },
    /// A field that Agent Skills has as a string.
    NotString {
        /// What came instead.
        found: &'static str,
    },
    /// A key of `metadata` with the prefix that the protocol keeps for itself.
    Reserved,
    /// An integer beyond 2^53, which JavaScript hosts round.
    Rounded {
        /// What they read.
        there: String,
    },
    /// An explicit tag, which not every host's reader knows.
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
    /// A value that is read in two ways.
    fn write_value(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place = format!("`{}: {}`", Shown(&self.field), Shown(&self.value));
        match &self.kind {
            LintKind::Differs { here, there } if here.starts_with('"') => {
                write!(f, "{place} is a string, but {LEGACY} takes it for {} {PASSED}: quote it", Shown(there))
            }
            LintKind::Differs { here, there } => {
                let (here, there) = (Shown(here), Shown(there));
                write!(
                    f,
                    "{place} is {here}, but {LEGACY} takes it for {there} {PASSED}: write `{here}`, or quote it for a string"
                )
            }
            LintKind::Rounded { there } => {
                write!(f, "{place} is beyond 2^53, and JavaScript hosts round it to {}: quote it", Shown(there))
            }
            _ => write!(
                f,
                "{place} is a string, but {LEGACY} takes it for a time, in its own zone or one that does not exist, \
                 {PASSED}: write it as in `2026-01-01T00:00:00Z`, or quote it"
            ),
        }
    }

    fn write_key(&self, f: &mut fmt::Formatter<'_>, here: &str, there: &str) -> fmt::Result {
        let (key, here, there) = (Shown(&self.value), Shown(here), Shown(there));
        if here.0 == there.0 {
            return write!(f, "the key `{key}` is no string, and JSON has only such keys: quote it, `\"{here}\"`");
        }
        write!(f, "the key `{key}` is `{here}`, but {LEGACY} takes it for `{there}` {PASSED}: quote it")
    }

    /// Anything that is not about the value itself.
    fn write_form(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let field = if self.field.is_empty() { "the line".to_owned() } else { format!("`{}`", Shown(&self.field)) };
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
                Shown(tag)
            ),
            _ => write!(
                f,
                "`{}` begins its line with `---`, where some hosts end the frontmatter: quote what stands there",
                Shown(&self.value)
            ),
        }
    }
}

/// Appends a key to the path of a field: behind a dot if it is a word, in brackets and quotes if it is not.
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
