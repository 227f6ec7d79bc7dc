//! Checks of strings that authors write, and URI templates. The macros run them at compile time, the core in `build()`
//! and at run time.
//!
//! One function per kind of string: [`check_resource`] and [`check_absolute`] for URIs, [`check_mime`], [`check_icon`],
//! [`check_icon_size`], [`check_meta_key`], [`check_policy_origin`], [`check_timestamp`], [`check_tool_name`],
//! [`check_web_url`]; [`mime_by_extension`] for files; [`Template`] for URI templates, which also matches and makes URIs, and [`encode_segment`]; and [`nearest()`] for "did you
//! mean". They are in one crate so that a literal in a macro and a string at run time have the same rules and the same
//! error texts.
//!
//! Every error text is a predicate, such as "has a space: write …": the caller puts the subject before it ("uri
//! `foo/bar` "). It gives the problem, then the remedy. **No check changes a string**: an accepted string is served
//! byte for byte, and a corrected spelling is only suggested ([`UriError::suggestion`]).
//!
//! This is *not* a URI library: it does not resolve, normalise or compare URIs, and its API has no types of other crates.
//!
//! ```
//! use grange_uri::{check_mime, check_resource, nearest};
//!
//! assert!(check_resource("docs://getting-started").is_ok());
//! assert!(check_mime("text/markdown; charset=utf-8").is_ok());
//!
//! let error = check_resource("docs://café").unwrap_err();
//! assert_eq!(error.to_string(), "is not ASCII: write `docs://caf%C3%A9`");
//!
//! assert_eq!(nearest("prority", &["title", "priority"]), Some("priority"));
//! ```

mod uri;

mod template;

mod extension;
mod icon;
mod meta;
mod mime;
mod policy;
mod time;
mod tool;
mod web;

mod nearest;

#[cfg(test)]
mod properties;

pub use extension::mime_by_extension;
pub use icon::{IconError, IconSizeError, check_icon, check_icon_size};
pub use meta::{MetaKeyError, check_meta_key};
pub use mime::{MimeError, check_mime};
pub use nearest::nearest;
pub use policy::{PolicyOriginError, check_policy_origin};
pub use template::{
    Candidate, ExpandError, Match, SegmentError, Template, TemplateError, UnknownQuery, Value, ValueError, Values,
    Variable, VariableKind, encode_segment,
};
pub use time::{TimestampError, check_timestamp};
pub use tool::{ToolNameError, check_tool_name};
pub use uri::{UriError, check_absolute, check_resource};
pub use web::{WebUrlError, check_web_url};
