//! The checks of author-written strings that the macros run at compile time and the core at build and run time.
//!
//! One function a question: [`check_resource`] and [`check_absolute`] for URIs, [`check_mime`], [`check_icon`], [`check_icon_size`],
//! [`check_meta_key`], [`check_policy_origin`], [`check_timestamp`], [`check_tool_name`], [`check_web_url`]; and [`nearest()`] for "did you mean". They share a crate so that a
//! literal in an attribute and a string at run time meet the same rule and the same words.
//!
//! Every message is a predicate that its user completes, as in "uri `foo/bar` " + error: it says what is wrong,
//! then the remedy. **No check changes a string**: what is accepted is served byte for byte, and a respelling is
//! only ever offered ([`UriError::suggestion`]).
//!
//! This is *not* a URI library: nothing here resolves, compares or decodes, and no foreign type is in the API.
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

pub use icon::{IconError, IconSizeError, check_icon, check_icon_size};
pub use meta::{MetaKeyError, check_meta_key};
pub use mime::{MimeError, check_mime};
pub use nearest::nearest;
pub use policy::{PolicyOriginError, check_policy_origin};
pub use time::{TimestampError, check_timestamp};
pub use tool::{ToolNameError, check_tool_name};
pub use uri::{UriError, check_absolute, check_resource};
pub use web::{WebUrlError, check_web_url};
