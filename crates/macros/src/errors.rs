//! Collects errors, so that one run of the compiler shows all of them.

use std::fmt;
use std::thread;

use proc_macro2::{Span, TokenStream};
use quote::ToTokens;

/// The errors so far. **Panics if dropped without being read**, so that no error can be lost.
pub(crate) struct Errors {
    found: Option<Vec<syn::Error>>,
}

impl Errors {
    pub(crate) fn new() -> Self {
        Self { found: Some(Vec::new()) }
    }

    /// Adds an error at these tokens.
    pub(crate) fn at(&mut self, tokens: impl ToTokens, message: impl fmt::Display) {
        self.found.get_or_insert_default().push(syn::Error::new_spanned(tokens, message));
    }

    /// Adds an error at a position, for something that is missing.
    pub(crate) fn at_span(&mut self, span: Span, message: impl fmt::Display) {
        self.found.get_or_insert_default().push(syn::Error::new(span, message));
    }

    /// The errors as `compile_error!` statements; empty if there are none.
    pub(crate) fn into_statements(mut self) -> TokenStream {
        self.found.take().iter().flatten().map(syn::Error::to_compile_error).collect()
    }

    #[cfg(test)]
    pub(crate) fn into_messages(mut self) -> Vec<String> {
        self.found.take().iter().flatten().map(ToString::to_string).collect()
    }
}

impl Drop for Errors {
    fn drop(&mut self) {
        assert!(self.found.is_none() || thread::panicking(), "mistakes were collected but not reported");
    }
}
