//! The extent of a value: up to the next comma, except one inside `Map::<Key, Value>` or `|first, second|`.
//!
//! The macros parse no more of Rust's expressions than this. Everything in brackets of any kind is one token.

use proc_macro2::{Delimiter, Spacing, TokenStream, TokenTree};
use syn::ext::IdentExt as _;
use syn::parse::ParseStream;
use syn::{Ident, Lifetime, LitStr, Token};

/// Takes the tokens of one value; empty if there is no value.
pub(super) fn value(input: ParseStream<'_>) -> TokenStream {
    let mut taken = TokenStream::new();
    let mut nesting = Nesting::default();
    while !input.is_empty() {
        if let Ok(label) = input.fork().parse::<Lifetime>() {
            drop(input.parse::<Lifetime>());
            taken.extend(quote::quote!(#label));
            continue;
        }
        let ends = input.peek(Token![,]) || input.peek(Token![;]) || starts_entry(input);
        if ends && !nesting.is_open() {
            break;
        }
        let Ok(tree) = input.parse::<TokenTree>() else { break };
        nesting.step(&tree);
        taken.extend([tree]);
    }
    taken
}

/// Whether `key:` follows, which is not part of any expression outside brackets.
pub(super) fn starts_entry(input: ParseStream<'_>) -> bool {
    let colon = input.peek2(Token![:]) && !input.peek2(Token![::]);
    colon && (input.peek(Ident::peek_any) || input.peek(LitStr) || input.peek(syn::token::Paren))
}

/// Open constructs that are not brackets for the tokenizer.
#[derive(Default)]
struct Nesting {
    /// The number of open `<`.
    angles: usize,
    /// Whether the position is between the bars of a closure.
    parameters: bool,
    /// Whether the position is between the `->` of a closure and its body: in a type, where every `<` opens.
    result: bool,
    /// The token before the current one.
    before: Before,
}

/// The kinds of tokens that change the meaning of the next one.
#[derive(Default, PartialEq)]
enum Before {
    /// Only keywords of a closure so far: `async`, `move`.
    #[default]
    Start,
    /// `::`, after which a `<` opens.
    Path,
    /// `-` or `=`, which form an arrow with `>`.
    Shaft,
    Colon,
    Other,
}

impl Nesting {
    fn is_open(&self) -> bool {
        self.angles > 0 || self.parameters
    }

    fn step(&mut self, tree: &TokenTree) {
        let mark = match tree {
            TokenTree::Punct(mark) => mark.as_char(),
            TokenTree::Ident(word) if self.before == Before::Start && (word == "async" || word == "move") => {
                return;
            }
            _ => ' ',
        };
        let leads = self.result || matches!(self.before, Before::Start | Before::Path);
        match mark {
            '|' if self.parameters => self.parameters = false,
            '|' if self.before == Before::Start => self.parameters = true,
            '<' if self.angles > 0 || leads => self.angles += 1,
            '>' if self.before != Before::Shaft => self.angles = self.angles.saturating_sub(1),
            '>' if self.angles == 0 && !self.parameters => self.result = true,
            _ => {}
        }
        if matches!(tree, TokenTree::Group(group) if group.delimiter() == Delimiter::Brace) {
            self.result = false;
        }
        let joint = matches!(tree, TokenTree::Punct(mark) if mark.spacing() == Spacing::Joint);
        self.before = match mark {
            ':' if self.before == Before::Colon => Before::Path,
            ':' if joint => Before::Colon,
            '-' | '=' if joint => Before::Shaft,
            _ => Before::Other,
        };
    }
}

#[cfg(test)]
mod tests {
    use syn::parse::Parser as _;

    use super::*;

    /// Checks the first value of `source`, and the rest.
    #[track_caller]
    fn check(source: &str, expected: &str, rest: &str) {
        let read = |input: ParseStream<'_>| Ok((value(input), input.parse::<TokenStream>()?));
        let (found, left) = read.parse_str(source).unwrap();
        let tokens = |source: &str| source.parse::<TokenStream>().unwrap().to_string();
        assert_eq!((found.to_string(), left.to_string()), (tokens(expected), tokens(rest)), "{source}");
    }

    #[test]
    fn ends_at_a_comma() {
        check("1, b", "1", ", b");
        check("f(a, b)[c, d] + { e, f }, g", "f(a, b)[c, d] + { e, f }", ", g");
        check("a < b, c > d", "a < b", ", c > d");
        check("a; b", "a", "; b");
        check(", b", "", ", b");
    }

    #[test]
    fn skips_commas_of_generics() {
        check("Map::<A, B>::new(), c", "Map::<A, B>::new()", ", c");
        check("<Map<A, B> as T<C, D>>::f(), e", "<Map<A, B> as T<C, D>>::f()", ", e");
        check("f::<fn(A) -> B, C>(), d", "f::<fn(A) -> B, C>()", ", d");
        check("x.collect::<Vec<_>>(), d", "x.collect::<Vec<_>>()", ", d");
    }

    #[test]
    fn passes_closures() {
        check("|cx| async move { a, b }, c", "|cx| async move { a, b }", ", c");
        check("async move |cx: Context, b: B| x, c", "async move |cx: Context, b: B| x", ", c");
        check("|| a | b, c", "|| a | b", ", c");
        check("move |_: Map<A, B>| a, b", "move |_: Map<A, B>| a", ", b");
        check("|_, b: B| -> Result<A, B> { c < d }, e", "|_, b: B| -> Result<A, B> { c < d }", ", e");
        check("|_| -> Map<fn() -> A, B<C, D>> {}, e > f", "|_| -> Map<fn() -> A, B<C, D>> {}", ", e > f");
        check("|_| -> A { b } < c, d", "|_| -> A { b } < c", ", d");
        check("|_: fn() -> A, b| c < d, e", "|_: fn() -> A, b| c < d", ", e");
    }

    #[test]
    fn ends_before_the_next_key() {
        check("1 name: 2", "1", "name: 2");
        check("\"a\" type: 2", "\"a\"", "type: 2");
        check("a::b \"k\": 2", "a::b", "\"k\": 2");
        check("'a: loop { break 'a }, b", "'a: loop { break 'a }", ", b");
    }
}
