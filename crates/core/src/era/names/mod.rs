//! Every JSON name that we send, and which of them a row's clients may see: a file for each kind of thing.

mod contents;
mod listing;
mod messages;
mod server;
mod tools;

pub(super) use contents::{contents, item_size};
pub(crate) use contents::{item, item_ends};
pub(super) use listing::meta_members;
pub(crate) use listing::resource_entry;
pub(super) use messages::result_type;
pub(crate) use messages::{
    CANCELLED, cancelled_notification, cancelled_request, progress, request, subscription_acknowledged,
    subscription_ended,
};
pub(crate) use server::{capabilities, discovered, initialized, server_info};
pub(crate) use tools::{tool_entry, tool_result};
