//! Errors of frontmatter: the line, the problem, the remedy.
//!
//! A fault is one cause. Its text is a clause, so that a caller can write "skill `x`: SKILL.md, line 4: …".

use std::error::Error;
use std::fmt;

use crate::excerpt::{Escaped, Excerpt};
use crate::name::NameError;
use crate::yaml::{MAX_ALIASED, MAX_ALIASES, MAX_DEPTH};

/// Why the frontmatter of a SKILL.md is invalid, and the line.
///
/// ```
/// use grange_skill_format::{Frontmatter, FrontmatterFault};
///
/// let error = Frontmatter::parse(b"---\nname: close\nname: open\n---\n").unwrap_err();
/// assert_eq!(error.line(), Some(3));
/// assert!(matches!(error.fault(), FrontmatterFault::Duplicate { first: 2, .. }));
/// assert_eq!(error.to_string(), "line 3: the key `name` is already on line 2: keep one of the two");
/// ```
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct FrontmatterError {
    line: Option<usize>,
    fault: FrontmatterFault,
}

impl FrontmatterError {
    pub(crate) fn at(line: usize, fault: FrontmatterFault) -> Self {
        Self { line: Some(line), fault }
    }

    /// An error without a line, because something is missing.
    pub(crate) fn nowhere(fault: FrontmatterFault) -> Self {
        Self { line: None, fault }
    }

    /// The line of the file, counted from 1, if there is one.
    pub fn line(&self) -> Option<usize> {
        self.line
    }

    /// The cause.
    pub fn fault(&self) -> &FrontmatterFault {
        &self.fault
    }
}

impl fmt::Display for FrontmatterError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(f, "line {line}: {}", self.fault),
            None => self.fault.fmt(f),
        }
    }
}

impl Error for FrontmatterError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match &self.fault {
            FrontmatterFault::Name(error) => Some(error),
            _ => None,
        }
    }
}

/// The cause of a [`FrontmatterError`].
///
/// ```
/// use grange_skill_format::{Frontmatter, FrontmatterFault};
///
/// let error = Frontmatter::parse(b"# Close\n").unwrap_err();
/// assert_eq!(error.fault(), &FrontmatterFault::NoFence);
/// ```
#[derive(Clone, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub enum FrontmatterFault {
    /// Aliases expand to too many values.
    Aliases,
    /// A byte order mark after the opening fence.
    ByteOrderMark,
    /// Lists and mappings are nested too deeply.
    Depth,
    /// A directive such as `%YAML`.
    Directive,
    /// More than one document, or a document marker.
    Documents,
    /// A mapping has the same key twice.
    Duplicate {
        /// The key, as in JSON.
        key: String,
        /// The line of the first one.
        first: usize,
    },
    /// No frontmatter between the fences.
    Empty,
    /// A line inside quotes or brackets is not indented by more than its key.
    Indentation,
    /// A key that is not a string and that hosts convert in different ways.
    Key {
        /// The kind of value.
        found: &'static str,
    },
    /// A field is empty or too long.
    Length {
        /// The field.
        field: &'static str,
        /// Its number of characters.
        found: usize,
        /// The maximum.
        most: usize,
    },
    /// A carriage return without a line feed after it.
    LoneReturn,
    /// A merge key.
    Merge,
    /// A required field is missing.
    Missing {
        /// The field.
        field: &'static str,
    },
    /// The name is invalid.
    Name(NameError),
    /// The file does not begin with a fence.
    NoFence,
    /// The frontmatter is not a mapping.
    NotMapping {
        /// The kind of value.
        found: &'static str,
    },
    /// A number that JSON cannot represent.
    NotFinite {
        /// The number as written.
        value: String,
    },
    /// A field that must be a string has another type.
    NotString {
        /// The field.
        field: &'static str,
        /// The kind of value.
        found: &'static str,
    },
    /// The file is not UTF-8.
    NotUtf8,
    /// Text after the opening fence on the same line.
    OpeningFence,
    /// An alias inside the value that it refers to.
    RecursiveAlias,
    /// The frontmatter is not YAML.
    Syntax {
        /// The parser's error.
        reason: String,
        /// The remedy.
        remedy: &'static str,
    },
    /// A tab in the indentation.
    Tab,
    /// A tag that hosts treat in different ways.
    Tag {
        /// The tag, in its short form.
        tag: String,
    },
    /// An alias without an anchor of that name before it.
    UnknownAlias,
    /// There is no closing fence.
    Unterminated,
}

impl fmt::Display for FrontmatterFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Aliases => {
                let kilobytes = MAX_ALIASED / 1024;
                write!(f, "aliases stand for more than {MAX_ALIASES} nodes or {kilobytes} KiB: write the values out")
            }
            Self::Depth => write!(f, "more than {MAX_DEPTH} lists and mappings in each other: nest less"),
            Self::Duplicate { key, first } => {
                write!(f, "the key `{}` is already on line {first}: keep one of the two", Excerpt(key))
            }
            Self::Key { found } => write!(f, "a key is {found}, of which hosts make different strings: quote it"),
            Self::Length { field, found: 0, .. } => write!(f, "`{field}` is blank: write at least one word"),
            Self::Length { field, found, most } => {
                write!(f, "`{field}` has {found} characters: {most} are allowed, move the rest below the frontmatter")
            }
            Self::Missing { field } => write!(f, "there is no `{field}`: add a line `{field}: …`"),
            Self::Name(error) => write!(f, "the name {error}"),
            Self::NotMapping { found } => {
                write!(f, "the frontmatter is {found}, not a mapping: write `name: …` and `description: …`")
            }
            Self::NotFinite { value } => {
                write!(f, "`{}` is a number that JSON has not: quote it, or write a finite one", Excerpt(value))
            }
            Self::NotString { field, found } => write!(f, "`{field}` is {found}, not a string: quote it"),
            Self::Syntax { reason, remedy } => write!(f, "not YAML, {}: {remedy}", Escaped(reason)),
            Self::Tag { tag } => write!(
                f,
                "the tag `{}` is not read alike by all hosts: leave it out, and quote what is a string",
                Excerpt(tag)
            ),
            other => f.write_str(other.fixed()),
        }
    }
}

impl FrontmatterFault {
    /// The text of a fault without fields.
    fn fixed(&self) -> &'static str {
        match self {
            Self::ByteOrderMark => "a byte order mark inside the frontmatter, which some hosts read: remove it",
            Self::Directive => "a directive, where only keys and values may stand: leave the line with `%` out",
            Self::Documents => "a second document, where there must be one: leave `---` and `...` out, or quote them",
            Self::Empty => "nothing stands between the fences: write `name: …` and `description: …`",
            Self::Indentation => "a line inside quotes or brackets stands no deeper than its key: indent it",
            Self::LoneReturn => {
                "a carriage return without a line feed, which is a line break to some hosts: save with LF or CRLF"
            }
            Self::Merge => {
                "a merge key, which some hosts merge and some keep: write the merged keys out, or quote `<<`"
            }
            Self::NoFence => {
                "the file does not begin with frontmatter: make `---` its very first line, before `name: …`"
            }
            Self::NotUtf8 => "the file is not UTF-8: save it as UTF-8",
            Self::OpeningFence => "something stands behind the opening `---`, perhaps a space: end the line there",
            Self::RecursiveAlias => "an alias inside what it stands for, which never ends: write the value out",
            Self::Tab => "a tab in the indentation, where YAML has none: indent with spaces",
            Self::UnknownAlias => "an alias without an anchor before it: quote a value that begins with `*`",
            Self::Unterminated => "no line `---` ends the frontmatter: add one, at the beginning of its line",
            _ => "",
        }
    }
}
