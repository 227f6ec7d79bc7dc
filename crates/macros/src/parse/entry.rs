//! Entries `key: value`.

use proc_macro2::{Group, TokenStream, TokenTree};
use quote::ToTokens;
use syn::ext::IdentExt as _;
use syn::parse::ParseStream;
use syn::{Ident, LitStr, Token};

use super::extent;
use super::stream::{read, skip, skip_while};
use super::value::Value;
use crate::errors::Errors;

/// The content of a pair of braces, in order.
pub(crate) struct Entries {
    pub(crate) entries: Vec<Entry>,
    pub(crate) base: Option<Base>,
}

impl Entries {
    /// The entries of `{ key: value, … }`, if the value has that form.
    pub(crate) fn of(value: &Value, errors: &mut Errors) -> Option<Self> {
        Some(read(value.braced()?, |input| entries(input, errors)))
    }

    fn set_base(&mut self, base: Base, errors: &mut Errors) {
        if self.base.is_some() {
            errors.at(base.dots, "duplicate `..`: keep one");
        } else {
            self.base = Some(Base { before: self.entries.len(), ..base });
        }
    }

    fn check_order(&self, errors: &mut Errors) {
        if let Some(base) = &self.base
            && base.before < self.entries.len()
        {
            let dots = &base.dots;
            errors.at(dots, "`..` stands before other keys: move it to the end");
        }
    }
}

pub(crate) struct Entry {
    pub(crate) key: Key,
    pub(crate) value: Value,
}

/// `..value`
pub(crate) struct Base {
    /// The number of entries before it.
    before: usize,
    pub(crate) dots: Token![..],
    pub(crate) value: Value,
}

pub(crate) enum Key {
    /// `uri:`
    Bare(Ident),
    /// `"example.com/author":`
    Quoted(LitStr),
    /// `(KEY):`
    Computed(Group),
}

impl Key {
    /// The text of the key; `None` if it is computed at run time.
    pub(crate) fn text(&self) -> Option<String> {
        match self {
            Self::Bare(word) => Some(word.unraw().to_string()),
            Self::Quoted(text) => Some(text.value()),
            Self::Computed(_) => None,
        }
    }
}

impl ToTokens for Key {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        match self {
            Self::Bare(word) => word.to_tokens(tokens),
            Self::Quoted(text) => text.to_tokens(tokens),
            Self::Computed(group) => group.to_tokens(tokens),
        }
    }
}

/// Reads all entries.
pub(super) fn entries(input: ParseStream<'_>, errors: &mut Errors) -> Entries {
    let mut read = Entries { entries: Vec::new(), base: None };
    while !input.is_empty() {
        if let Some(base) = base(input) {
            read.set_base(base, errors);
            separator(input, errors);
        } else if let Some(entry) = entry(input, errors) {
            read.entries.push(entry);
            separator(input, errors);
        } else {
            skip::<Token![,]>(input);
        }
    }
    read.check_order(errors);
    read
}

fn base(input: ParseStream<'_>) -> Option<Base> {
    let dots = if input.peek(Token![..]) { input.parse().ok()? } else { return None };
    Some(Base { before: 0, dots, value: Value::new(extent::value(input)) })
}

fn entry(input: ParseStream<'_>, errors: &mut Errors) -> Option<Entry> {
    let Some(key) = key(input) else {
        skip_invalid(input, errors);
        return None;
    };
    let name = key.to_token_stream();
    if !skip::<Token![:]>(input) {
        missing_colon(input, &name, errors);
    }
    let value = extent::value(input);
    if value.is_empty() {
        errors.at(&name, format_args!("`{name}` has no value: write `{name}: …`"));
        return None;
    }
    Some(Entry { key, value: Value::new(value) })
}

fn key(input: ParseStream<'_>) -> Option<Key> {
    if input.peek(Ident::peek_any) {
        input.call(Ident::parse_any).ok().map(Key::Bare)
    } else if input.peek(LitStr) {
        input.parse().ok().map(Key::Quoted)
    } else if input.peek(syn::token::Paren) {
        input.parse().ok().map(Key::Computed)
    } else {
        None
    }
}

/// Skips tokens that are not a key, up to the next comma or key.
fn skip_invalid(input: ParseStream<'_>, errors: &mut Errors) {
    let at_comma = input.peek(Token![,]);
    errors.at(input.parse::<TokenTree>().ok(), "expected a key: write `key: value`");
    if !at_comma {
        skip_while(input, |input| !input.peek(Token![,]) && !extent::starts_entry(input));
    }
}

/// Reports a missing colon at the token in its place. At the end of the input, reports the missing value instead.
fn missing_colon(input: ParseStream<'_>, name: &TokenStream, errors: &mut Errors) {
    if input.is_empty() || input.peek(Token![,]) {
        return;
    }
    let ahead = input.fork().parse::<TokenTree>().ok();
    errors.at(ahead, format_args!("expected `:` after `{name}`"));
    let _ = skip::<Token![=>]>(input) || skip::<Token![=]>(input);
}

fn separator(input: ParseStream<'_>, errors: &mut Errors) {
    if input.is_empty() || skip::<Token![,]>(input) {
        return;
    }
    if let Ok(semicolon) = input.parse::<Token![;]>() {
        errors.at(semicolon, "expected `,`, not `;`");
    } else {
        let next = input.fork().parse::<TokenTree>().map_or_else(|_| TokenStream::new(), TokenStream::from);
        errors.at(&next, format_args!("expected `,` before `{next}`"));
    }
}
