//! Parsing steps that cannot fail.

use proc_macro2::{TokenStream, TokenTree};
use syn::parse::{Parse, ParseStream, Parser as _};

/// Runs a parser that collects its own errors and reads to the end.
pub(super) fn read<T>(tokens: TokenStream, reader: impl FnOnce(ParseStream<'_>) -> T) -> T {
    let read = |input: ParseStream<'_>| {
        let value = reader(input);
        skip_while(input, |_| true);
        Ok(value)
    };
    read.parse2(tokens).expect("the reader takes everything and returns no error")
}

/// Takes the token if it is next.
pub(super) fn skip<T: Parse>(input: ParseStream<'_>) -> bool {
    let ahead = input.fork();
    let is_next = ahead.parse::<T>().is_ok();
    if is_next {
        drop(input.parse::<T>());
    }
    is_next
}

/// Takes tokens while the condition holds.
pub(super) fn skip_while(input: ParseStream<'_>, holds: impl Fn(ParseStream<'_>) -> bool) -> TokenStream {
    let mut taken = TokenStream::new();
    while !input.is_empty() && holds(input) {
        taken.extend(input.parse::<TokenTree>());
    }
    taken
}
