//! A checked definition to code: calls of the one public builder of its kind, as they could be written by hand.
//!
//! Method names keep the author's spans, so that editors lead from a key to its documentation. Each call is a statement of its own,
//! located at the author's value: an error of the compiler about a value marks that value. In a chain it would mark all of it, where
//! what is wrong is how long the value lives. Paths begin with the root that came with the input, never with a crate's name.

use std::iter;

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::ext::IdentExt as _;
use syn::spanned::Spanned as _;
use syn::{Ident, LitStr};

use crate::check::{self, Argument, Call, Definition, Tool};
use crate::errors::Errors;
use crate::parse::{self, Closure, Entry, Key, Value};

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
        let made = made(Span::mixed_site());
        self.steps(&builder, &definition.calls, &quote!(#made.build()))
    }

    fn tool(&self, Tool { calls, ending }: &Tool) -> TokenStream {
        let Self { root } = self;
        let nothing = || {
            let made = made(Span::mixed_site());
            // Stands beside a message: only its type matters.
            quote!(#made.call_without_arguments(|_| async { ::core::result::Result::Ok("") }))
        };
        let ending = ending.as_ref().map_or_else(nothing, |ending| self.call(ending));
        self.steps(&quote!(#root::Tool::builder()), calls, &ending)
    }

    /// `{ let made = start; let made = made.a(1); made.b(2) }`
    fn made(&self, start: &TokenStream, calls: &[Call]) -> TokenStream {
        match calls {
            [] => start.clone(),
            [calls @ .., last] => self.steps(start, calls, &self.call(last)),
        }
    }

    fn steps(&self, start: &TokenStream, calls: &[Call], ending: &TokenStream) -> TokenStream {
        let calls = calls.iter().map(|call| self.call(call));
        let steps = iter::once(start.clone()).chain(calls).map(|step| {
            let made = made(located(&step));
            quote_spanned!(made.span()=> let #made = #step;)
        });
        quote!({ #(#steps)* #ending })
    }

    /// `made.text("…")`
    fn call(&self, Call { method, argument }: &Call) -> TokenStream {
        if let Argument::Code(builder, code) = argument {
            return self.code(builder, method, code);
        }
        let argument = self.argument(argument);
        let made = made(located(&argument));
        quote_spanned!(made.span()=> #made.#method(#argument))
    }

    /// `ResourceBuilder::read(made, |cx| …)`: written so, it is the code that the compiler marks when its type does not fit, and
    /// not the key.
    fn code(&self, builder: &str, method: &Ident, code: &Value) -> TokenStream {
        let closure = code.closure();
        let strange = closure.as_ref().and_then(Closure::strange_type);
        let place = strange.as_ref().map_or_else(|| code.code_span(), TokenStream::span);
        let place = Span::mixed_site().located_at(place);
        let (made, builder) = (made(place), Ident::new(builder, place));
        let root = self.root_at(place);
        let code = match closure.filter(|_| strange.is_some()) {
            None => code.to_token_stream(),
            // Has the compiler ask whether that is the context by another name.
            Some(closure) => {
                let asks = if closure.parameters.len() == 1 { "context_only" } else { "context_first" };
                let asks = Ident::new(asks, place);
                quote_spanned!(place=> #root::__private::#asks(#code))
            }
        };
        quote_spanned!(place=> #root::#builder::#method(#made, #code))
    }

    fn argument(&self, argument: &Argument) -> TokenStream {
        let Self { root } = self;
        match argument {
            Argument::Code(_, value) | Argument::Expression(value) => value.to_token_stream(),
            Argument::Constant(enumeration, variant) => {
                let enumeration = path(enumeration);
                quote!(#root::#enumeration::#variant)
            }
            Argument::Icon { src, calls } => {
                let src = self.argument(src);
                let root = self.root_at(located(&src));
                self.made(&quote_spanned!(located(&src)=> #root::Icon::new(#src)), calls)
            }
            Argument::List(arguments) => {
                let arguments = arguments.iter().map(|argument| self.argument(argument));
                let arguments = quote!(#(#arguments),*);
                quote_spanned!(located(&arguments)=> [#arguments])
            }
            Argument::New(structure, calls) => {
                let structure = path(structure);
                self.made(&quote!(#root::#structure::new()), calls)
            }
            Argument::Object(entries) => {
                let members = entries.iter().map(member);
                quote!(#root::__private::json!({ #(#members),* }))
            }
        }
    }

    /// The root as if it were written at this place.
    fn root_at(&self, place: Span) -> TokenStream {
        let trees = self.root.clone().into_iter();
        let moved = trees.map(|mut tree| {
            tree.set_span(tree.span().located_at(place));
            tree
        });
        moved.collect()
    }
}

/// `apps::Ui`
fn path(names: &str) -> TokenStream {
    let names = names.split("::").map(|name| Ident::new(name, Span::mixed_site()));
    quote!(#(#names)::*)
}

/// The variable that every step of a definition hands to the next.
fn made(place: Span) -> Ident {
    Ident::new("made", place)
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
