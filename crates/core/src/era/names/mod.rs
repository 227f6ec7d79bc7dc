//! The JSON names of outgoing messages that belong to no single primitive, and which of them the clients of a row get.
//! The names of one primitive are in its folder (`primitive/`).

mod changes;
mod common;
mod messages;
mod server;

pub(super) use changes::{SUBSCRIPTIONS, list_member};
pub(crate) use changes::{change, subscription_acknowledged};
pub(super) use common::meta_members;
pub(crate) use common::{hint_members, icon, meta_value};
pub(super) use messages::result_type;
pub(crate) use messages::{
    CANCELLED, cancelled_notification, cancelled_request, progress, request, subscription_ended,
};
pub(crate) use server::{Changing, capabilities, discovered, initialized, server_info};
