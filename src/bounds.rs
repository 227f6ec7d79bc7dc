//! The traits that builders ask for, and types that are seldom named. What fits has these traits by itself: they are here for the
//! documentation of a builder, and for functions of one's own that take what a builder takes.
//!
//! ```
//! use grange::Resource;
//! use grange::bounds::IntoText;
//!
//! fn page(uri: &'static str, text: impl IntoText) -> Resource {
//!     Resource::builder().uri(uri).name("page").text(text).build()
//! }
//! # page("docs://page", "# Page");
//! ```

#[cfg(feature = "schemars")]
pub use grange_core::HasSchema;
pub use grange_core::{
    AsyncCode, Blob, CallOutcome, FromArguments, FromVariables, IntoBlob, IntoText, ReadOutcome, Sleep, ThreadSafeError,
};
