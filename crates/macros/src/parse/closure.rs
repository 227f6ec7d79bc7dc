//! The parts of a closure: its parameters and its body.
//!
//! Everything in brackets of any kind is one token; only the commas in `Map<Key, Value>` must be distinguished from
//! those between parameters. The compiler checks the parts.

use std::mem;

use proc_macro2::{Delimiter, Spacing, TokenStream, TokenTree};

/// The parts of a closure.
pub(crate) struct Closure {
    /// The tokens from bar to bar, as the position for a missing parameter.
    pub(crate) bars: TokenStream,
    pub(crate) parameters: Vec<TokenStream>,
    /// The tokens after the bars, with the type of the result if there is one.
    pub(crate) body: TokenStream,
}

impl Closure {
    /// Parses a closure; `None` if the tokens are another expression, such as the name of a function.
    pub(super) fn of(tokens: TokenStream) -> Option<Self> {
        let mut trees = bare(tokens).into_iter().peekable();
        while trees.next_if(is_lead).is_some() {}
        let bars = trees.next_if(|tree| mark(tree) == '|')?.into();
        let mut found = Self { bars, parameters: Vec::new(), body: TokenStream::new() };
        let is_whole = found.read(&mut trees);
        found.body = trees.collect();
        is_whole.then_some(found)
    }

    /// The type of the first parameter, if one is written and it is not certainly the context's.
    pub(crate) fn other_type(&self) -> Option<TokenStream> {
        let written = written_type(self.parameters.first()?)?;
        (written.to_string() != "_" && !is_context(&written)).then_some(written)
    }

    /// Whether the context is the last of several parameters.
    pub(crate) fn has_context_last(&self) -> bool {
        let second = self.parameters.get(1).and_then(written_type);
        self.other_type().is_some() && second.is_some_and(|written| is_context(&written))
    }

    /// Reads up to the second bar; returns whether there is one.
    fn read(&mut self, trees: &mut impl Iterator<Item = TokenTree>) -> bool {
        let mut parameter = TokenStream::new();
        let (mut angles, mut before) = (0_usize, ' ');
        for tree in trees {
            let mark = mark(&tree);
            self.bars.extend([tree.clone()]);
            match mark {
                '|' => {
                    self.end(&mut parameter);
                    return true;
                }
                ',' if angles == 0 => self.end(&mut parameter),
                _ => parameter.extend([tree]),
            }
            match mark {
                '<' => angles += 1,
                // The `>` of `fn(Key) -> Value` does not close.
                '>' if before != '-' => angles = angles.saturating_sub(1),
                _ => {}
            }
            before = mark;
        }
        false
    }

    /// Ends a parameter. A comma is allowed after the last one.
    fn end(&mut self, parameter: &mut TokenStream) {
        if !parameter.is_empty() {
            self.parameters.push(mem::take(parameter));
        }
    }
}

/// Whether the type is `Context`, with any path.
fn is_context(written: &TokenStream) -> bool {
    let is_path = |tree: &TokenTree| matches!(tree, TokenTree::Ident(_)) || mark(tree) == ':';
    let last = written.clone().into_iter().last();
    written.clone().into_iter().all(|tree| is_path(&tree))
        && matches!(last, Some(TokenTree::Ident(name)) if name == "Context")
}

/// The type of `pattern: Type`; `None` if there is none.
fn written_type(parameter: &TokenStream) -> Option<TokenStream> {
    let mut trees = parameter.clone().into_iter();
    let mut in_path = false;
    for tree in trees.by_ref() {
        let joint = matches!(&tree, TokenTree::Punct(mark) if mark.spacing() == Spacing::Joint);
        let is_colon = mark(&tree) == ':';
        if is_colon && !joint && !in_path {
            return Some(trees.collect());
        }
        in_path = is_colon && joint;
    }
    None
}

/// Removes parentheses around the whole, such as those of a `$call:expr`.
fn bare(mut tokens: TokenStream) -> TokenStream {
    loop {
        let mut trees = tokens.clone().into_iter();
        match (trees.next(), trees.next()) {
            (Some(TokenTree::Group(group)), None)
                if matches!(group.delimiter(), Delimiter::None | Delimiter::Parenthesis) =>
            {
                tokens = group.stream();
            }
            _ => return tokens,
        }
    }
}

/// Whether the token is a keyword before the bars.
fn is_lead(tree: &TokenTree) -> bool {
    matches!(tree, TokenTree::Ident(word) if word == "async" || word == "move")
}

/// The punctuation character, or a space.
fn mark(tree: &TokenTree) -> char {
    match tree {
        TokenTree::Punct(mark) => mark.as_char(),
        _ => ' ',
    }
}

#[cfg(test)]
mod tests {
    use proc_macro2::Group;

    use super::*;

    fn tokens(source: &str) -> TokenStream {
        source.parse().expect("Rust's tokens")
    }

    #[track_caller]
    fn check(source: &str, expected: &[&str]) {
        let closure = Closure::of(tokens(source)).expect(source);
        let found: Vec<String> = closure.parameters.iter().map(ToString::to_string).collect();
        let expected: Vec<String> = expected.iter().map(|parameter| tokens(parameter).to_string()).collect();
        assert_eq!(found, expected, "{source}");
    }

    #[test]
    fn counts_parameters() {
        check("|| async {}", &[]);
        check("|_| async { Ok((a, b)) }", &["_"]);
        check("move |cx,| f(cx, b)", &["cx"]);
        check("async |cx: Context| a | b", &["cx: Context"]);
        check("async move |cx, City { name, .. }: City,| {}", &["cx", "City { name, .. }: City"]);
        check("|#[allow(unused)] cx, a, b| {}", &["#[allow(unused)] cx", "a", "b"]);
        check("(|cx, (a, b): (A, B)| {})", &["cx", "(a, b): (A, B)"]);
    }

    #[test]
    fn finds_a_first_parameter_of_another_type() {
        for (source, expected) in [
            ("|_cx| {}", None),
            ("|_| {}", None),
            ("|_: _| {}", None),
            ("|cx: Context, b: B| {}", None),
            ("|Context { .. }: ::grange::Context| {}", None),
            ("|cx: Context<A>| {}", Some("Context<A>")),
            ("|City { name: n, .. }: City| {}", Some("City")),
            ("|a::City(n): a::City| {}", Some("a::City")),
            ("|#[allow(unused)] (a, b): Map<A, B>,| {}", Some("Map<A, B>")),
            ("async move |cx: &Context| {}", Some("&Context")),
        ] {
            let found = Closure::of(tokens(source)).expect(source).other_type();
            assert_eq!(found.map(|found| found.to_string()), expected.map(|of| tokens(of).to_string()), "{source}");
        }
    }

    #[test]
    fn skips_commas_of_generics() {
        check("|cx, args: Map<String, Vec<u8>>| {}", &["cx", "args: Map<String, Vec<u8>>"]);
        check("|cx, args: Map::<A, B>| {}", &["cx", "args: Map::<A, B>"]);
        check("|Pair::<A, B>(a, b), c| {}", &["Pair::<A, B>(a, b)", "c"]);
        check(
            "|_: <Map<A, B> as T<C, D>>::E, b: &'static str| {}",
            &["_: <Map<A, B> as T<C, D>>::E", "b: &'static str"],
        );
        check("|cx, args: Wrap<fn(A) -> B, C>, d| {}", &["cx", "args: Wrap<fn(A) -> B, C>", "d"]);
        check("|cx, args: Grid<{ A | B }, 2>| {}", &["cx", "args: Grid<{ A | B }, 2>"]);
    }

    #[test]
    fn ignores_invisible_groups_of_macros() {
        let group = Group::new(Delimiter::None, tokens("move |cx| f(cx)"));
        let closure = Closure::of(TokenTree::from(group).into()).expect("a closure");
        assert_eq!((closure.parameters.len(), closure.bars.to_string()), (1, tokens("|cx|").to_string()));
    }

    #[test]
    fn other_expressions_are_not_closures() {
        for source in
            ["f", "self::f::<A, B>", "{ |cx| a }", "make(|cx| a)", "a | b", "|cx, args", "async {}", "()", "5"]
        {
            assert!(Closure::of(tokens(source)).is_none(), "{source}");
        }
    }
}
