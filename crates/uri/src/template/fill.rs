//! Checks the URI around the variables: with something filled in, it obeys the rules of a fixed URI.

use super::error::TemplateError;
use super::percent::cuts_escape;
use super::pieces::{Piece, expressions};
use crate::uri::{UriError, check_resource, check_resource_silently};

/// Checks a template's literals and scheme (L1.1).
pub(super) fn check(text: &str, pieces: &[Piece<'_>]) -> Result<(), TemplateError> {
    check_escapes(pieces)?;
    let filler = Filler::new(text, pieces);
    let complete = filler.fill(pieces);
    if let Err(error) = check_resource(&complete) {
        // A suggestion that drops a segment may drop a variable with it.
        let keeps_all = |suggestion: &str| filler.marks.iter().all(|(mark, _)| suggestion.contains(mark));
        let error = if error.suggestion().is_none_or(keeps_all) {
            error
        } else {
            check_resource_silently(&complete).err().unwrap_or(error)
        };
        return Err(TemplateError::Uri { problem: filler.put_back(&error.to_string()) });
    }
    let Some(several) = expressions(pieces).find(|expression| expression.text.starts_with("{/")) else { return Ok(()) };
    let bare = complete.replace(&filler.mark_of(several.text), "");
    check_resource_silently(&bare).map_err(|error| {
        let problem = filler.put_back(&error.to_string());
        TemplateError::Uri { problem: format!("with no segment for `{}` {problem}", several.text) }
    })
}

/// An escape must be complete before a variable: what is filled in must not complete it.
fn check_escapes(pieces: &[Piece<'_>]) -> Result<(), TemplateError> {
    for pair in pieces.windows(2) {
        let [Piece::Literal(text), Piece::Expression(_)] = pair else { continue };
        if let Some(place) = text.rfind('%').filter(|_| cuts_escape(text)) {
            let error = UriError::Escape { escape: text[place..].to_owned(), suggestion: None };
            return Err(TemplateError::Uri { problem: error.to_string() });
        }
    }
    Ok(())
}

/// What is filled in for each expression, and the expression.
///
/// The letter is no hexadecimal digit, so that a variable never becomes a piece of an escape, of a number or of an IP
/// address; and lower-case, so that it may stand in a host.
struct Filler<'t> {
    marks: Vec<(String, &'t str)>,
}

impl<'t> Filler<'t> {
    const LETTER: char = 'w';

    fn new(text: &str, pieces: &[Piece<'t>]) -> Self {
        let runs = text.split(|letter: char| !letter.eq_ignore_ascii_case(&Self::LETTER)).map(str::len);
        let border = Self::LETTER.to_string().repeat(runs.max().unwrap_or(0) + 1);
        let marks = expressions(pieces).enumerate().map(|(place, expression)| {
            let before = match expression.text.as_bytes() {
                [_, b'/', ..] => "/",
                [_, b'?', ..] => "?",
                _ => "",
            };
            (format!("{before}{border}{place}{border}"), expression.text)
        });
        Self { marks: marks.collect() }
    }

    fn mark_of(&self, expression: &str) -> String {
        self.marks.iter().find(|mark| mark.1 == expression).map(|mark| mark.0.clone()).unwrap_or_default()
    }

    fn fill(&self, pieces: &[Piece<'_>]) -> String {
        let mut marks = self.marks.iter();
        let fill = |piece: &Piece<'_>| match piece {
            Piece::Literal(text) => (*text).to_owned(),
            Piece::Expression(_) => marks.next().map(|mark| mark.0.clone()).unwrap_or_default(),
        };
        pieces.iter().map(fill).collect()
    }

    fn put_back(&self, text: &str) -> String {
        self.marks.iter().fold(text.to_owned(), |text, (mark, expression)| text.replace(mark, expression))
    }
}
