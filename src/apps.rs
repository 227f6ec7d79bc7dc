//! Views of MCP Apps: a resource that a host shows as a page, and the tool that it belongs to.
//!
//! ```
//! use grange::Resource;
//! use grange::apps::Ui;
//!
//! let clock = Resource::builder().uri("ui://clock").name("clock").ui(Ui::new().prefers_border(true)).text("<p>noon</p>");
//! # clock.build();
//! ```

pub use grange_core::{Ui, UiLink, UiPermission, UiVisibility};
