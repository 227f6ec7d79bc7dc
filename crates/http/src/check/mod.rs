//! The checks of a request's head: **each looks at the head alone and returns a plain value or a rejection**. `pipeline.rs` has the
//! order in which they run.

mod authority;
pub(crate) mod cors;
pub(crate) mod host;
pub(crate) mod proxies;
