//! What can be wrong with the frontmatter of a SKILL.md: the line, what came, and what to do.
//!
//! A fault is one cause. Its words are a clause of their own, so that "skill `x`: SKILL.md, line 4: …" reads well; nothing
//! is decided here.

use std::error::Error;
use std::fmt;

use crate::excerpt::{Shown, Whole};
use crate::name::NameError;
use crate::yaml::{MAX_ALIASED, MAX_ALIASES, MAX_DEPTH};

/// Why the frontmatter of a SKILL.md was refused, and where.
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

    /// For what is missing, and so has no line.
    pub(crate) fn nowhere(fault: FrontmatterFault) -> Self {
        Self { line: None, fault }
    }

    /// The line of the file, counted from 1, where there is one.
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
    /// Aliases stand for too much.
    Aliases,
    /// A byte order mark behind the opening fence.
    ByteOrderMark,
    /// Too many levels of lists and mappings.
    Depth,
    /// A directive such as `%YAML`.
    Directive,
    /// More than one document, or a document marker.
    Documents,
    /// A key is there twice.
    Duplicate {
        /// The key, as JSON has it.
        key: String,
        /// The line that has it first.
        first: usize,
    },
    /// Nothing stands between the fences.
    Empty,
    /// A line inside quotes or brackets is not indented by more than its key.
    Indentation,
    /// A key that is no string and that hosts do not turn into the same one.
    Key {
        /// What it is.
        found: &'static str,
    },
    /// A field has too many or no characters.
    Length {
        /// The field.
        field: &'static str,
        /// How many it has.
        found: usize,
        /// The most that it may have.
        most: usize,
    },
    /// A carriage return that no line feed follows.
    LoneReturn,
    /// A merge key.
    Merge,
    /// A field that must be there is not.
    Missing {
        /// The field.
        field: &'static str,
    },
    /// The name is against the rules.
    Name(NameError),
    /// The file does not begin with a fence.
    NoFence,
    /// The frontmatter is no mapping.
    NotMapping {
        /// What it is.
        found: &'static str,
    },
    /// A number that JSON has not.
    NotFinite {
        /// The number as written.
        value: String,
    },
    /// A field that must be a string is something else.
    NotString {
        /// The field.
        field: &'static str,
        /// What it is.
        found: &'static str,
    },
    /// The file is not UTF-8.
    NotUtf8,
    /// Something stands behind the opening fence.
    OpeningFence,
    /// An alias inside what it stands for.
    RecursiveAlias,
    /// It is not YAML.
    Syntax {
        /// What the parser says.
        reason: String,
        /// What to do.
        remedy: &'static str,
    },
    /// A tab in the indentation.
    Tab,
    /// A tag that not all hosts know in the same way.
    Tag {
        /// The tag, in its short form.
        tag: String,
    },
    /// An alias without an anchor before it.
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
                write!(f, "the key `{}` is already on line {first}: keep one of the two", Shown(key))
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
                write!(f, "`{}` is a number that JSON has not: quote it, or write a finite one", Shown(value))
            }
            Self::NotString { field, found } => write!(f, "`{field}` is {found}, not a string: quote it"),
            Self::Syntax { reason, remedy } => write!(f, "not YAML, {}: {remedy}", Whole(reason)),
            Self::Tag { tag } => write!(
                f,
                "the tag `{}` is not read alike by all hosts: leave it out, and quote what is a string",
                Shown(tag)
            ),
            other => f.write_str(other.fixed()),
        }
    }
}

impl FrontmatterFault {
    /// The words of a fault that has no parts.
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
