//! The checks of a request's head: **each looks at headers alone and gives a plain value or a rejection**. In which order they run is
//! `pipeline.rs`'s to say.

pub(crate) mod cors;
pub(crate) mod host;
pub(crate) mod media;
pub(crate) mod proxies;
