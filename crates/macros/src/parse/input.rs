//! The input of a macro: the root, then one definition or several.

use proc_macro2::{Group, Span, TokenStream};
use syn::Token;
use syn::parse::ParseStream;
use syn::token::Brace;

use super::entry::{Entries, entries};
use super::extent;
use super::stream::{read, skip, skip_while};
use crate::errors::Errors;

/// The input of a macro: a path to the framework, a `;` and the definitions.
pub(crate) struct Input<T> {
    /// The facade's `$crate`, under any name of the dependency.
    pub(crate) root: TokenStream,
    pub(crate) body: T,
}

/// One definition, as written.
pub(crate) struct Definition {
    /// The position for errors about something missing.
    pub(crate) span: Span,
    pub(crate) entries: Entries,
}

/// Reads `root; key: value, …`.
pub(crate) fn one(input: TokenStream, errors: &mut Errors) -> Input<Definition> {
    read(input, |input| Input { root: root(input), body: definition(input, Span::call_site(), errors) })
}

/// Reads `root; { key: value, … }, { … }`.
pub(crate) fn many(input: TokenStream, errors: &mut Errors) -> Input<Vec<Definition>> {
    read(input, |input| Input { root: root(input), body: definitions(input, errors) })
}

fn root(input: ParseStream<'_>) -> TokenStream {
    let root = skip_while(input, |input| !input.peek(Token![;]));
    skip::<Token![;]>(input);
    root
}

fn definition(input: ParseStream<'_>, place: Span, errors: &mut Errors) -> Definition {
    let span = if input.is_empty() { place } else { input.span() };
    Definition { span, entries: entries(input, errors) }
}

fn definitions(input: ParseStream<'_>, errors: &mut Errors) -> Vec<Definition> {
    let mut found = Vec::new();
    while !input.is_empty() {
        if let Some(group) = braces(input) {
            let place = group.span_open();
            found.push(read(group.stream(), |input| definition(input, place, errors)));
        } else {
            errors.at_span(input.span(), NO_BRACES);
            // Keys without braces are parsed as one definition, with its commas.
            let all = extent::starts_entry(input);
            skip_while(input, |input| all || !input.peek(Token![,]));
        }
        if !skip::<Token![,]>(input) && !input.is_empty() {
            errors.at_span(input.span(), "expected `,` before the next definition");
        }
    }
    found
}

fn braces(input: ParseStream<'_>) -> Option<Group> {
    if input.peek(Brace) { input.parse().ok() } else { None }
}

const NO_BRACES: &str = "expected a definition in braces, as in `{ uri: \"…\", name: \"…\", text: \"…\" }`: \
     give a finished resource to `.resource(…)`";
