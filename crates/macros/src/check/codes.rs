//! Error codes in an author's code: reports literals that are reserved by JSON-RPC and MCP.
//!
//! Inside a reader or a tool, the macros check only this: `ReadError::public(-32001, …)` and similar calls. Any other
//! code is checked at run time, when the error is created.

use std::ops::RangeInclusive;

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use quote::ToTokens as _;

use crate::errors::Errors;
use crate::parse::{Literal, Value, first_value};

const RESERVED: RangeInclusive<f64> = -32768.0..=-32000.0;

/// Reports each reserved code in `code`.
pub(super) fn check(code: &Value, errors: &mut Errors) {
    check_tokens(code.to_token_stream(), errors);
}

fn check_tokens(tokens: TokenStream, errors: &mut Errors) {
    let mut before = [const { None }; 4];
    for tree in tokens {
        if let TokenTree::Group(group) = &tree {
            if is_public_error(&before) && group.delimiter() == Delimiter::Parenthesis {
                check_code(group, errors);
            }
            check_tokens(group.stream(), errors);
        }
        before.rotate_left(1);
        before[3] = Some(tree);
    }
}

/// Whether the tokens are `ReadError::public` or a similar path.
fn is_public_error(before: &[Option<TokenTree>; 4]) -> bool {
    let is_word = |tree: &Option<TokenTree>, words: &[&str]| matches!(tree, Some(TokenTree::Ident(word)) if words.iter().any(|known| word == known));
    let is_colon = |tree: &Option<TokenTree>| matches!(tree, Some(TokenTree::Punct(mark)) if mark.as_char() == ':');
    let [error, first, second, made] = before;
    let is_path = is_colon(first) && is_colon(second);
    is_path && is_word(error, &["ReadError", "ToolError"]) && is_word(made, &["protocol", "public"])
}

fn check_code(arguments: &Group, errors: &mut Errors) {
    let code = first_value(arguments.stream());
    let number = code.literal().as_ref().and_then(Literal::number);
    if number.is_some_and(|number| RESERVED.contains(&number)) {
        let message = "belongs to JSON-RPC and MCP: choose one outside -32768 to -32000 for an error of your own";
        errors.at(&code, format_args!("the error code {} {message}", number.unwrap_or_default()));
    }
}
