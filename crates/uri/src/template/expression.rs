//! One expression of a template, from `{` to `}`.

use super::error::TemplateError;
use super::variable::VariableKind;

/// An expression that has a supported form.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(super) struct Expression<'t> {
    /// As written, braces included.
    pub(super) text: &'t str,
    pub(super) kind: VariableKind,
    /// One name, or those of the query.
    pub(super) names: Vec<&'t str>,
}

impl<'t> Expression<'t> {
    /// Parses `{…}`.
    pub(super) fn parse(text: &'t str) -> Result<Self, TemplateError> {
        let inner = text.trim_start_matches('{').trim_end_matches('}');
        let (kind, list) = form(inner).ok_or_else(|| unsupported(text, inner))?;
        let names: Vec<&str> = list.split(',').collect();
        match names.iter().find(|name| !is_name(name)) {
            Some(name) => Err(TemplateError::Name { expression: text.to_owned(), name: (*name).to_owned() }),
            None => Ok(Self { text, kind, names }),
        }
    }

    /// Whether it takes several segments.
    pub(super) fn is_several(&self) -> bool {
        matches!(self.kind, VariableKind::Path | VariableKind::Exploded)
    }

    pub(super) fn is_query(&self) -> bool {
        self.kind == VariableKind::Query
    }
}

/// The kind of a supported form, and its names; `None` for the forms of RFC 6570 that are not supported.
fn form(inner: &str) -> Option<(VariableKind, &str)> {
    let (kind, list) = match inner.chars().next()? {
        '+' => (VariableKind::Path, &inner[1..]),
        '/' => (VariableKind::Exploded, inner[1..].strip_suffix('*')?),
        '?' => (VariableKind::Query, &inner[1..]),
        '.' | ';' | '#' | '&' => return None,
        _ => (VariableKind::Segment, inner),
    };
    let has_one = kind == VariableKind::Query || !list.contains(',');
    (has_one && !list.is_empty() && !list.contains(['*', ':'])).then_some((kind, list))
}

/// The error for a form that is not supported.
fn unsupported(text: &str, inner: &str) -> TemplateError {
    let (operator, list) = match inner.chars().next() {
        Some(operator @ ('+' | '/' | '?' | '.' | ';' | '#' | '&')) => (operator, &inner[1..]),
        _ => (' ', inner),
    };
    // Without `*` and `:3`.
    let names: Vec<&str> = list.split(',').map(|name| name.split([':', '*']).next().unwrap_or_default()).collect();
    let remedy = if names.iter().all(|name| is_name(name)) {
        remedy(operator, list.contains('*'), &names)
    } else {
        "write a name in it, as in `{id}`".to_owned()
    };
    TemplateError::Expression { expression: text.to_owned(), remedy }
}

/// What to write instead of an operator with these names.
fn remedy(operator: char, is_exploded: bool, names: &[&str]) -> String {
    let separator = if operator == '.' { "." } else { "/" };
    let each = names.iter().map(|name| format!("{{{name}}}")).collect::<Vec<_>>().join(separator);
    let name = names[0];
    match operator {
        '+' if names.len() > 1 => "write one variable, which takes all segments, as in `{+path}`".to_owned(),
        '+' => format!("write `{{+{name}}}`"),
        '/' if is_exploded && names.len() == 1 => format!("write `{{/{name}*}}`"),
        '/' | '.' => format!("write `{separator}{each}`"),
        ';' => {
            let pairs: Vec<_> = names.iter().map(|name| format!(";{name}={{{name}}}")).collect();
            format!("write `{}`", pairs.concat())
        }
        '#' => "leave it out: no request has a fragment".to_owned(),
        '?' | '&' => format!("write `{{?{}}}` at the end", names.join(",")),
        _ if is_exploded && names.len() == 1 => format!("write `{{{name}}}`, or `{{/{name}*}}` for several segments"),
        _ => format!("write `{each}`"),
    }
}

/// RFC 6570 `varname`, without percent escapes: a query name of a URI is compared as sent.
fn is_name(name: &str) -> bool {
    let is_word =
        |word: &str| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    name.split('.').all(is_word)
}
