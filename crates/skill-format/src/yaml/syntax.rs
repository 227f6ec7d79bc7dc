//! Error texts for the parser's errors: the line of the file, the problem, the remedy.
//!
//! The parser gives the problem; this file adds the remedy for common mistakes.

use granit_parser::{ErrorKind, ScanError};

use super::source::line_of;
use crate::error::{FrontmatterError, FrontmatterFault};

pub(super) fn error(error: &ScanError) -> FrontmatterError {
    let fault = match error.kind() {
        ErrorKind::BomInsideDocument => FrontmatterFault::ByteOrderMark,
        ErrorKind::RecursionLimitExceeded => FrontmatterFault::Depth,
        ErrorKind::DirectiveDisallowed => FrontmatterFault::Directive,
        ErrorKind::TabInBlockIndentation | ErrorKind::TabInIndentation => FrontmatterFault::Tab,
        ErrorKind::UnknownAnchor => FrontmatterFault::UnknownAlias,
        kind => FrontmatterFault::Syntax { reason: error.info(), remedy: remedy(kind) },
    };
    FrontmatterError::at(line_of(*error.marker()), fault)
}

fn remedy(kind: &ErrorKind) -> &'static str {
    match kind {
        ErrorKind::MappingValueNotAllowed => "quote the value if it holds `: `, or begin a new line for the key",
        ErrorKind::UnexpectedCharacter { character } if character.is_control() => "remove the character",
        ErrorKind::UnexpectedCharacter { .. } => "quote a value that begins with such a character",
        ErrorKind::TabInPlainScalar | ErrorKind::TabNotAllowed => "write spaces for the tab",
        ErrorKind::UnclosedFlowCollection { .. }
        | ErrorKind::UnclosedQuotedScalar
        | ErrorKind::UnexpectedEof
        | ErrorKind::UnexpectedEofFlowMapping
        | ErrorKind::UnexpectedEofFlowSequence => "close what is open",
        ErrorKind::InvalidQuotedScalarIndent => "close the quote, or indent the lines that follow",
        _ => "correct the line, or quote the value",
    }
}
