//! The procedural macros of Grange. **Use them through that package**, whose macros of the
//! same names hand their own path on to these; so they work under whatever name a program gives its dependency.
//!
//! A definition is parsed (`parse`), checked as far as its literals go (`check`), and expanded to calls of the one
//! public builder of its kind (`expand`). Mistakes are collected (`errors`) and reported all at once, each at its own
//! token; the sound rest of the definition is expanded beside them, so that one mistake gives one message.
//!
//! Nothing here knows the protocol. The rules for URIs, media types, icons, keys and timestamps are `grange-uri`'s,
//! shared with the engine, which applies them at `build()` to what an expression hides from a macro.

mod errors;

mod parse;

mod check;
mod expand;

#[cfg(feature = "skills")]
mod skill;

#[cfg(test)]
mod tests;

use proc_macro::TokenStream;

/// Expands `root; key: value, …, ..base` to an expression of type `root::Resource`. See `grange::resource!`.
#[proc_macro]
pub fn resource(input: TokenStream) -> TokenStream {
    expand::one(input.into()).into()
}

/// Expands `root; { key: value, … }, …` to an array of `root::Resource`. See `grange::resources!`.
#[proc_macro]
pub fn resources(input: TokenStream) -> TokenStream {
    expand::many(input.into()).into()
}

/// Expands `root; key: value, …` to an expression of type `root::Tool`. See `grange::tool!`.
#[proc_macro]
pub fn tool(input: TokenStream) -> TokenStream {
    expand::tool(input.into()).into()
}

/// Expands `root; "directory"` to an expression of type `root::skills::Skill`. See `grange::skill!`.
#[cfg(feature = "skills")]
#[proc_macro]
pub fn skill(input: TokenStream) -> TokenStream {
    skill::expand(input.into()).into()
}
