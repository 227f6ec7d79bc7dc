//! The protocol revisions: **a revision is a row in one table (`table.rs`), and nothing outside this folder names
//! one.**
//!
//! A row is a static with flags for the features of the revision and function pointers for its behavior (`row.rs`).
//! Code outside reads the row; nothing compares revisions, which therefore have no order. `legacy.rs` and `modern.rs`
//! have the values that the rows of one era share, `select.rs` decides which row a request belongs to, `names/` has the
//! JSON names that belong to no single primitive.

mod completion;
mod exchange;
mod fields;
mod incoming;
mod legacy;
mod listen;
mod modern;
mod names;
#[cfg(test)]
mod page;
mod revision;
mod row;
mod select;
mod served;
mod table;
mod version_header;

pub use exchange::{Clock, Exchange, Header, Lookup};
pub(crate) use fields::{Fields, ToolFields};
pub(crate) use incoming::{Channel, RequestHead, Selection};
pub(crate) use listen::invalid as invalid_filter;
pub(crate) use names::{
    CANCELLED, Changing, cancelled_notification, cancelled_request, capabilities, change, discovered, hint_members,
    icon, initialized, meta_value, progress, request, server_info, subscription_acknowledged, subscription_ended,
};
pub use revision::Revision;
pub use row::Status;
pub(crate) use row::{Era, INITIALIZE, INITIALIZED, ReplyWriter};
pub(crate) use select::select;
pub(crate) use served::Served;
pub(crate) use table::{has_method, row};
