//! The variables of a template, and which values they can carry.

use std::error::Error;
use std::fmt;
use std::sync::Arc;

/// One variable of a template.
///
/// ```
/// use grange_uri::{Template, VariableKind};
///
/// let template = Template::parse("repo://{name}{/path*}{?rev}")?;
/// let kinds: Vec<_> = template.variables().iter().map(|variable| (variable.name(), variable.kind())).collect();
/// let expected =
///     [("name", VariableKind::Segment), ("path", VariableKind::Exploded), ("rev", VariableKind::Query)];
/// assert_eq!(kinds, expected);
/// # Ok::<(), grange_uri::TemplateError>(())
/// ```
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Variable {
    name: Arc<str>,
    kind: VariableKind,
}

/// Where the value of a variable stands in a URI.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub enum VariableKind {
    /// `{v}`: one path segment, or a piece of one.
    Segment,
    /// `{+v}`: one or more whole segments, as one text with `/` between them.
    Path,
    /// `{/v*}`: any number of whole segments, as a list.
    Exploded,
    /// `{?v}`: a pair `v=value` of the query, which may be absent.
    Query,
}

/// Why a variable cannot carry a value (L1.8).
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub enum ValueError {
    /// The value, or one of its segments, is empty.
    Empty,
    /// The value, or one of its segments, is `.` or `..`.
    DotSegment,
    /// The value has a character that the variable cannot carry: the first one.
    Character(char),
}

impl Variable {
    pub(super) fn new(name: &str, kind: VariableKind) -> Self {
        Self { name: name.into(), kind }
    }

    /// The name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Where its value stands.
    pub fn kind(&self) -> VariableKind {
        self.kind
    }

    /// Checks a decoded value. For [`Path`](VariableKind::Path) and [`Exploded`](VariableKind::Exploded) it is the
    /// segments with `/` between them.
    ///
    /// ```
    /// use grange_uri::{Template, ValueError};
    ///
    /// let template = Template::parse("docs://{name}/{+path}")?;
    /// let [name, path] = template.variables() else { unreachable!() };
    /// assert_eq!(name.check("a/b"), Err(ValueError::Character('/')));
    /// assert_eq!(path.check("a/b"), Ok(()));
    /// assert_eq!(path.check("a/../b"), Err(ValueError::DotSegment));
    /// # Ok::<(), grange_uri::TemplateError>(())
    /// ```
    pub fn check(&self, value: &str) -> Result<(), ValueError> {
        match self.kind {
            VariableKind::Segment => check_segment(value),
            VariableKind::Path | VariableKind::Exploded => value.split('/').try_for_each(check_segment),
            VariableKind::Query if value.contains('\0') => Err(ValueError::Character('\0')),
            VariableKind::Query => Ok(()),
        }
    }

    pub(super) fn shared_name(&self) -> Arc<str> {
        Arc::clone(&self.name)
    }
}

/// Checks the decoded text of one segment.
pub(super) fn check_segment(value: &str) -> Result<(), ValueError> {
    let is_banned = |character: char| matches!(character, '/' | '\\') || character.is_ascii_control();
    match value {
        "" => Err(ValueError::Empty),
        "." | ".." => Err(ValueError::DotSegment),
        value => match value.chars().find(|&character| is_banned(character)) {
            Some(found) => Err(ValueError::Character(found)),
            None => Ok(()),
        },
    }
}

impl fmt::Display for ValueError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => f.write_str("is empty, or has an empty segment: give at least one character"),
            Self::DotSegment => f.write_str("is `.` or `..`, or has such a segment: give the path that it leads to"),
            Self::Character('/') => f.write_str("has a `/`: give one segment, or declare the variable as in `{+path}`"),
            Self::Character(found) => {
                write!(f, "has {found:?}, which a URI of this template cannot carry: leave it out")
            }
        }
    }
}

impl Error for ValueError {}
