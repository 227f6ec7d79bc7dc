//! A checked definition to code: calls of the one public builder of its kind, as they could be written by hand.
//!
//! Method names keep the author's spans, so that editors lead from a key to its documentation, and a type error
//! is marked at the author's value. Paths begin with the root that came with the input, never with a crate's name.

use std::slice;

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::ext::IdentExt as _;
use syn::spanned::Spanned as _;
use syn::{Ident, LitStr};

use crate::check::{self, Argument, Call, Definition, Tool};
use crate::errors::Errors;
use crate::parse::{self, Entry, Key};

/// `resource!`: an expression of type `Resource`.
pub(crate) fn one(input: TokenStream) -> TokenStream {
    let mut errors = Errors::new();
    let parsed = parse::one(input, &mut errors);
    let definition = check::one(parsed.body, &mut errors);
    with_errors(errors, &Expansion { root: &parsed.root }.definition(&definition))
}

/// `resources!`: an array of `Resource`.
pub(crate) fn many(input: TokenStream) -> TokenStream {
    let mut errors = Errors::new();
    let parsed = parse::many(input, &mut errors);
    let definitions = check::many(parsed.body, &mut errors);
    let expansion = Expansion { root: &parsed.root };
    with_errors(errors, &expansion.array(&definitions))
}

/// `tool!`: an expression of type `Tool`.
pub(crate) fn tool(input: TokenStream) -> TokenStream {
    let mut errors = Errors::new();
    let parsed = parse::one(input, &mut errors);
    let tool = check::tool(parsed.body, &mut errors);
    with_errors(errors, &Expansion { root: &parsed.root }.tool(&tool))
}

/// In front of the definition as far as it is sound: its type is right, and what it uses is used, so that the
/// compiler has nothing to add to our words.
fn with_errors(errors: Errors, expression: &TokenStream) -> TokenStream {
    let statements = errors.into_statements();
    if statements.is_empty() { expression.clone() } else { quote!({ #statements #expression }) }
}

struct Expansion<'a> {
    /// The path of the framework.
    root: &'a TokenStream,
}

impl Expansion<'_> {
    fn array(&self, definitions: &[Definition]) -> TokenStream {
        let Self { root } = self;
        if definitions.is_empty() {
            // Says what it is an array of.
            return quote!({ const NONE: [#root::Resource; 0] = []; NONE });
        }
        let definitions = definitions.iter().map(|definition| self.definition(definition));
        quote!([#(#definitions),*])
    }

    fn definition(&self, definition: &Definition) -> TokenStream {
        let Self { root } = self;
        let fresh = || quote!(#root::Resource::builder());
        let copy = |base| {
            let argument = quote_spanned!(located(base)=> (&#base));
            quote!(#root::Resource::to_builder #argument)
        };
        let builder = definition.base.as_ref().map_or_else(fresh, copy);
        let calls = self.calls(&definition.calls);
        quote!(#builder #calls .build())
    }

    fn tool(&self, Tool { calls, ending }: &Tool) -> TokenStream {
        let Self { root } = self;
        let calls = self.calls(calls);
        // Stands beside a message: only its type matters.
        let nothing = || quote!(.call_without_arguments(|_| async { ::core::result::Result::Ok("") }));
        let ending = ending.as_ref().map_or_else(nothing, |ending| self.calls(slice::from_ref(ending)));
        quote!(#root::Tool::builder() #calls #ending)
    }

    fn calls(&self, calls: &[Call]) -> TokenStream {
        let call = |Call { method, argument }: &Call| {
            let argument = self.argument(argument);
            quote_spanned!(located(&argument)=> .#method(#argument))
        };
        calls.iter().map(call).collect()
    }

    fn argument(&self, argument: &Argument) -> TokenStream {
        let Self { root } = self;
        match argument {
            Argument::Constant(enumeration, variant) => {
                let enumeration = Ident::new(enumeration, Span::mixed_site());
                quote!(#root::#enumeration::#variant)
            }
            Argument::Expression(value) => value.to_token_stream(),
            Argument::Icon { src, calls } => {
                let (src, calls) = (self.argument(src), self.calls(calls));
                quote!(#root::Icon::new(#src) #calls)
            }
            Argument::List(arguments) => {
                let arguments = arguments.iter().map(|argument| self.argument(argument));
                let arguments = quote!(#(#arguments),*);
                quote_spanned!(located(&arguments)=> [#arguments])
            }
            Argument::New(structure, calls) => {
                let structure = Ident::new(structure, Span::mixed_site());
                let calls = self.calls(calls);
                quote!(#root::#structure::new() #calls)
            }
            Argument::Object(entries) => {
                let members = entries.iter().map(member);
                quote!(#root::__private::json!({ #(#members),* }))
            }
        }
    }
}

/// `"key": value`, as `json!` takes it.
fn member(Entry { key, value }: &Entry) -> TokenStream {
    let key = match key {
        Key::Bare(word) => LitStr::new(&word.unraw().to_string(), word.span()).into_token_stream(),
        Key::Quoted(_) | Key::Computed(_) => key.to_token_stream(),
    };
    quote!(#key: #value)
}

/// The place of the author's tokens, for tokens of ours: an error is shown there, and lints know whose they are.
fn located(tokens: &impl ToTokens) -> Span {
    Span::mixed_site().located_at(tokens.to_token_stream().span())
}
