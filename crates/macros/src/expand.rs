//! From a checked definition to code: calls of the public builder of its kind, as an author could write them.
//!
//! Method names keep the author's spans, so that editors show the documentation of a key. Each call is its own
//! statement with the span of the author's value, so that the compiler marks that value in its errors. In a chain it
//! would mark the whole chain for some errors, as about lifetimes. Paths begin with the root from the input, never with
//! the name of a crate.

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
    with_errors(errors, &Expansion { root: &parsed.root }.definition("Resource", &definition))
}

/// `resources!`: an array of `Resource`.
pub(crate) fn many(input: TokenStream) -> TokenStream {
    let mut errors = Errors::new();
    let parsed = parse::many(input, &mut errors);
    let definitions = check::many(parsed.body, &mut errors);
    let expansion = Expansion { root: &parsed.root };
    with_errors(errors, &expansion.array(&definitions))
}

/// `template!`: an expression of type `Template`.
pub(crate) fn template(input: TokenStream) -> TokenStream {
    let mut errors = Errors::new();
    let parsed = parse::one(input, &mut errors);
    let definition = check::template(parsed.body, &mut errors);
    with_errors(errors, &Expansion { root: &parsed.root }.definition("Template", &definition))
}

/// `tool!`: an expression of type `Tool`.
pub(crate) fn tool(input: TokenStream) -> TokenStream {
    let mut errors = Errors::new();
    let parsed = parse::one(input, &mut errors);
    let tool = check::tool(parsed.body, &mut errors);
    with_errors(errors, &Expansion { root: &parsed.root }.tool(&tool))
}

/// Puts the errors before the valid part of the definition. That part has the right type and uses the author's
/// variables, so that the compiler reports no further errors.
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
            // The constant gives the empty array its type.
            return quote!({ const NONE: [#root::Resource; 0] = []; NONE });
        }
        let definitions = definitions.iter().map(|definition| self.definition("Resource", definition));
        quote!([#(#definitions),*])
    }

    /// A resource or a template. `structure` is the name of its type.
    fn definition(&self, structure: &str, definition: &Definition) -> TokenStream {
        let (root, structure) = (self.root, path(structure));
        let fresh = || quote!(#root::#structure::builder());
        let copy = |base| {
            let argument = quote_spanned!(located(base)=> (&#base));
            quote!(#root::#structure::to_builder #argument)
        };
        let builder = definition.base.as_ref().map_or_else(fresh, copy);
        let made = made(Span::mixed_site());
        self.steps(&builder, &definition.calls, &quote!(#made.build()))
    }

    fn tool(&self, Tool { calls, ending }: &Tool) -> TokenStream {
        let Self { root } = self;
        let nothing = || {
            let made = made(Span::mixed_site());
            // Follows an error: only its type matters.
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
        let (name, argument) = match argument {
            Argument::Named(name, argument) => (Some(text(name)), &**argument),
            argument => (None, argument),
        };
        let first = name.map(|name| quote!(#name,));
        if let Argument::Code(builder, code) = argument {
            return self.code(builder, method, first.as_ref(), code);
        }
        let argument = self.argument(argument);
        let made = made(located(&argument));
        quote_spanned!(made.span()=> #made.#method(#first #argument))
    }

    /// `ResourceBuilder::read(made, |cx| …)`: with this form, the compiler marks the code if its type does not fit, and
    /// not the key.
    fn code(&self, builder: &str, method: &Ident, first: Option<&TokenStream>, code: &Value) -> TokenStream {
        let closure = code.closure();
        let strange = closure.as_ref().and_then(Closure::other_type);
        let place = strange.as_ref().map_or_else(|| code.code_span(), TokenStream::span);
        let place = Span::mixed_site().located_at(place);
        let (made, builder) = (made(place), Ident::new(builder, place));
        let root = self.root_at(place);
        let code = match closure.filter(|_| strange.is_some()) {
            None => code.to_token_stream(),
            // Makes the compiler check that the type is an alias of the context.
            Some(closure) => {
                let check = if closure.parameters.len() == 1 { "context_only" } else { "context_first" };
                let check = Ident::new(check, place);
                quote_spanned!(place=> #root::__private::#check(#code))
            }
        };
        quote_spanned!(place=> #root::#builder::#method(#made, #first #code))
    }

    fn argument(&self, argument: &Argument) -> TokenStream {
        let Self { root } = self;
        match argument {
            Argument::Code(_, value) | Argument::Expression(value) => value.to_token_stream(),
            // Its name is written by `call`.
            Argument::Named(_, argument) => self.argument(argument),
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
            // Makes the compiler say what it expects in place of a function's name.
            Argument::Values(value) => {
                let (place, root) = (located(value), self.root_at(located(value)));
                quote_spanned!(place=> #root::__private::value_list(#value))
            }
        }
    }

    /// The root with the span of this position.
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

/// The variable for the result of each step.
fn made(place: Span) -> Ident {
    Ident::new("made", place)
}

/// `"key": value`, as `json!` expects it.
fn member(Entry { key, value }: &Entry) -> TokenStream {
    let key = match key {
        Key::Bare(_) | Key::Quoted(_) => text(key),
        // The parentheses belong to the syntax of `json!`.
        Key::Computed(_) => key.to_token_stream(),
    };
    quote!(#key: #value)
}

/// A key as an expression: a string, or what computes it.
fn text(key: &Key) -> TokenStream {
    match key {
        Key::Bare(word) => LitStr::new(&word.unraw().to_string(), word.span()).into_token_stream(),
        Key::Quoted(text) => text.to_token_stream(),
        Key::Computed(group) => group.stream(),
    }
}

/// The position of the author's tokens, for generated tokens: errors are shown there, and lints treat them as
/// generated.
fn located(tokens: &impl ToTokens) -> Span {
    Span::mixed_site().located_at(tokens.to_token_stream().span())
}
