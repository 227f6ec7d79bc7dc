//! A template's text as literals and expressions, and the rules for what may stand beside what.

use std::collections::BTreeSet;

use super::error::TemplateError;
use super::expression::Expression;
use super::variable::VariableKind;

#[derive(Clone, Debug, Eq, PartialEq)]
pub(super) enum Piece<'t> {
    /// Text without braces, not empty.
    Literal(&'t str),
    Expression(Expression<'t>),
}

/// Splits a template, and checks all that does not need the URI around the variables (L1.1, L1.2).
pub(super) fn split(text: &str) -> Result<Vec<Piece<'_>>, TemplateError> {
    let mut pieces = Vec::new();
    let mut rest = text;
    while let Some(start) = rest.find('{') {
        let (literal, behind) = rest.split_at(start);
        let end = behind.find('}').ok_or_else(|| TemplateError::Unclosed { text: behind.to_owned() })?;
        let (expression, after) = behind.split_at(end + 1);
        pieces.extend((!literal.is_empty()).then_some(Piece::Literal(literal)));
        pieces.push(Piece::Expression(Expression::parse(expression)?));
        rest = after;
    }
    pieces.extend((!rest.is_empty()).then_some(Piece::Literal(rest)));
    check_scheme(&pieces)?;
    pieces.windows(2).try_for_each(|pair| check_pair(&pair[0], &pair[1]))?;
    check_starts(&pieces)?;
    check_tail(&pieces)?;
    check_names(&pieces)?;
    Ok(pieces)
}

pub(super) fn expressions<'p, 't>(pieces: &'p [Piece<'t>]) -> impl Iterator<Item = &'p Expression<'t>> {
    pieces.iter().filter_map(|piece| match piece {
        Piece::Expression(expression) => Some(expression),
        Piece::Literal(_) => None,
    })
}

/// A variable before the `:` that ends the scheme.
fn check_scheme(pieces: &[Piece<'_>]) -> Result<(), TemplateError> {
    let mut first = None;
    for piece in pieces {
        match piece {
            Piece::Expression(expression) => first = first.or(Some(expression)),
            Piece::Literal(text) => match (first, text.find([':', '/', '?', '#', '\\'])) {
                (Some(first), Some(end)) if text[end..].starts_with(':') => {
                    return Err(TemplateError::Scheme { expression: first.text.to_owned() });
                }
                (_, Some(_)) => return Ok(()),
                (_, None) => {}
            },
        }
    }
    Ok(())
}

fn check_pair(left: &Piece<'_>, right: &Piece<'_>) -> Result<(), TemplateError> {
    let Piece::Expression(left) = left else { return Ok(()) };
    match right {
        _ if left.is_query() => Err(TemplateError::QueryNotLast { expression: left.text.to_owned() }),
        Piece::Literal(text) if left.is_several() && !text.starts_with('/') => {
            Err(TemplateError::PathEnd { expression: left.text.to_owned() })
        }
        Piece::Expression(right) if !right.is_query() && !is_exploded(right) => {
            Err(TemplateError::Adjacent { first: left.text.to_owned(), second: right.text.to_owned() })
        }
        _ => Ok(()),
    }
}

fn is_exploded(expression: &Expression<'_>) -> bool {
    expression.kind == VariableKind::Exploded
}

/// `{+v}` takes whole segments, so it follows a `/`.
fn check_starts(pieces: &[Piece<'_>]) -> Result<(), TemplateError> {
    let follows_slash = |place: usize| {
        let before = place.checked_sub(1).map(|before| &pieces[before]);
        matches!(before, Some(Piece::Literal(text)) if text.ends_with('/'))
    };
    for (place, piece) in pieces.iter().enumerate() {
        if let Piece::Expression(expression) = piece
            && expression.kind == VariableKind::Path
            && !follows_slash(place)
        {
            return Err(TemplateError::PathStart { expression: expression.text.to_owned() });
        }
    }
    Ok(())
}

/// Literals with `#`, and with `?` where `{?…}` brings it.
fn check_tail(pieces: &[Piece<'_>]) -> Result<(), TemplateError> {
    let has = |sign: char| pieces.iter().any(|piece| matches!(piece, Piece::Literal(text) if text.contains(sign)));
    match expressions(pieces).find(|expression| expression.is_query()) {
        _ if has('#') => Err(TemplateError::Fragment),
        Some(query) if has('?') => Err(TemplateError::LiteralQuery { expression: query.text.to_owned() }),
        _ => Ok(()),
    }
}

fn check_names(pieces: &[Piece<'_>]) -> Result<(), TemplateError> {
    let mut several = expressions(pieces).filter(|expression| expression.is_several());
    if let (Some(first), Some(second)) = (several.next(), several.next()) {
        return Err(TemplateError::TwoPaths { first: first.text.to_owned(), second: second.text.to_owned() });
    }
    let mut seen = BTreeSet::new();
    let mut names = expressions(pieces).flat_map(|expression| &expression.names);
    match names.find(|name| !seen.insert(**name)) {
        Some(name) => Err(TemplateError::DuplicateName { name: (*name).to_owned() }),
        None => Ok(()),
    }
}
