//! The procedural macros of Grange. **Use them through that package**: its macros of the same names pass their own path
//! to these, so they work under any name of the dependency.
//!
//! A definition is parsed (`parse`), its literals are checked (`check`), and it is expanded to calls of the public
//! builder of its kind (`expand`). Errors are collected (`errors`) and reported together, each at its own token. The
//! valid rest of the definition is expanded too, so that each mistake gives exactly one error.
//!
//! This crate does not know the protocol. `grange-uri` has the rules for URIs, media types, icons, keys and timestamps;
//! the engine applies the same rules to the values of expressions in `build()`.

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

/// Expands `root; key: value, …, ..base` to an expression of type `root::Template`. See `grange::template!`.
#[proc_macro]
pub fn template(input: TokenStream) -> TokenStream {
    expand::template(input.into()).into()
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
