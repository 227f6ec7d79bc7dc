//! Every JSON name of our messages that no primitive has to itself, and which of them a row's clients may see. The names of a primitive are
//! in its room (`primitive/`).

mod common;
mod messages;
mod server;

pub(super) use common::meta_members;
pub(crate) use common::{hint_members, icon, meta_value};
pub(super) use messages::result_type;
pub(crate) use messages::{
    CANCELLED, cancelled_notification, cancelled_request, progress, request, subscription_acknowledged,
    subscription_ended,
};
pub(crate) use server::{capabilities, discovered, initialized, server_info};
