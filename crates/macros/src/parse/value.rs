//! A value: tokens, with a method for each form that the macros understand.
//!
//! A method returns `None` if the value does not have its form: then the value is an expression for the compiler.

use proc_macro2::{Delimiter, Group, Span, TokenStream};
use quote::ToTokens;
use syn::ext::IdentExt as _;
use syn::parse::{Parse as _, ParseStream, Parser as _};
use syn::{Ident, Lit, Token};

use super::closure::Closure;
use super::extent;
use super::stream::{read, skip};

#[derive(Clone)]
pub(crate) struct Value(TokenStream);

/// A single literal.
pub(crate) struct Literal {
    /// Whether a `-` precedes a number.
    pub(crate) negative: bool,
    pub(crate) lit: Lit,
}

impl Literal {
    /// The number, if it is one.
    pub(crate) fn number(&self) -> Option<f64> {
        let digits = match &self.lit {
            Lit::Int(number) => number.base10_digits(),
            Lit::Float(number) => number.base10_digits(),
            _ => return None,
        };
        let number: f64 = digits.parse().ok()?;
        Some(if self.negative { -number } else { number })
    }
}

/// The first of several values separated by commas.
pub(crate) fn first_value(tokens: TokenStream) -> Value {
    Value(read(tokens, extent::value))
}

impl Value {
    pub(crate) fn new(tokens: TokenStream) -> Self {
        Self(tokens)
    }

    /// `"text"`, `0.5`, `-1`, `true`, …
    pub(crate) fn literal(&self) -> Option<Literal> {
        self.whole(|input| {
            let negative = skip::<Token![-]>(input);
            let lit = input.parse()?;
            let fits = !negative || matches!(lit, Lit::Int(_) | Lit::Float(_));
            fits.then_some(Literal { negative, lit }).ok_or_else(|| input.error("no number"))
        })
    }

    /// A single word.
    pub(crate) fn word(&self) -> Option<Ident> {
        self.whole(Ident::parse_any)
    }

    /// Whether it is `{ key: value, … }`.
    pub(crate) fn is_fields(&self) -> bool {
        self.braced().is_some()
    }

    /// The content of the braces of `{ key: value, … }`; `None` for a block.
    pub(super) fn braced(&self) -> Option<TokenStream> {
        let begins = |input: ParseStream<'_>| input.is_empty() || input.peek(Token![..]) || extent::starts_entry(input);
        self.group(Delimiter::Brace).filter(|inside| read(inside.clone(), begins))
    }

    /// `[value, …]`, but not `[value; length]`.
    pub(crate) fn list(&self) -> Option<Vec<Self>> {
        read(self.group(Delimiter::Bracket)?, |input| {
            let mut values = Vec::new();
            while !input.is_empty() {
                let value = extent::value(input);
                if value.is_empty() || (!skip::<Token![,]>(input) && !input.is_empty()) {
                    return None;
                }
                values.push(Self(value));
            }
            Some(values)
        })
    }

    /// `|cx| …`, with any body.
    pub(crate) fn closure(&self) -> Option<Closure> {
        Closure::of(self.0.clone())
    }

    /// The name of the called macro: `include_str` in `std::include_str!("…")`.
    pub(crate) fn called_macro(&self) -> Option<Ident> {
        self.whole(|input| {
            skip::<Token![::]>(input);
            let mut name = Ident::parse_any(input)?;
            while skip::<Token![::]>(input) {
                name = Ident::parse_any(input)?;
            }
            input.parse::<Token![!]>()?;
            input.parse::<Group>()?;
            Ok(name)
        })
    }

    /// The position for errors about code: the body of a closure, or the whole value.
    pub(crate) fn code_span(&self) -> Span {
        let body = self.closure().and_then(|closure| closure.body.into_iter().next());
        body.or_else(|| self.0.clone().into_iter().next()).map_or_else(Span::call_site, |tree| tree.span())
    }

    fn group(&self, delimiter: Delimiter) -> Option<TokenStream> {
        let group: Group = self.whole(Group::parse)?;
        (group.delimiter() == delimiter).then(|| group.stream())
    }

    /// Parses the whole value as a `T`; `None` if it is something else.
    fn whole<T>(&self, parse: impl FnOnce(ParseStream<'_>) -> syn::Result<T>) -> Option<T> {
        parse.parse2(self.0.clone()).ok()
    }
}

impl ToTokens for Value {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        self.0.to_tokens(tokens);
    }
}
