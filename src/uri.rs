//! Parts of URIs, for code that makes URIs itself. The URI of a resource of a template is easier to make with
//! [`Template::uri`](crate::Template::uri).
//!
//! ```
//! use grange::Resource;
//! use grange::uri::encode_segment;
//!
//! let title = "Q&A 2026.md";
//! let page = Resource::builder().uri(format!("docs://pages/{}", encode_segment(title)?)).name(title).text("# Q&A").build();
//! assert_eq!(page.uri(), "docs://pages/Q%26A%202026.md");
//! # Ok::<(), grange::uri::SegmentError>(())
//! ```

pub use grange_core::{SegmentError, encode_segment};
