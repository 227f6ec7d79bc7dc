//! The messages about changes: the notifications, and the acknowledgment of a subscription.

use super::messages::{notification, subscription_meta};
use crate::changes::{List, Lists, Notice};
use crate::rpc::{IdToken, Json, write_array, write_string};

/// The notification of a change. `subscription`: the id of the request that it belongs to, in revisions that have one.
pub(crate) fn change(notice: &Notice, subscription: Option<IdToken<'_>>) -> Vec<u8> {
    match notice {
        Notice::Updated(uri) => notification("notifications/resources/updated", |params| {
            params.string("uri", uri);
            of_subscription(params, subscription);
        }),
        Notice::Relisted(list) => notification(relisted(*list), |params| of_subscription(params, subscription)),
    }
}

fn of_subscription(params: &mut Json<'_>, subscription: Option<IdToken<'_>>) {
    if let Some(id) = subscription {
        subscription_meta(params, id);
    }
}

fn relisted(list: List) -> &'static str {
    match list {
        List::Resources => "notifications/resources/list_changed",
        List::Tools => "notifications/tools/list_changed",
        List::Prompts => "notifications/prompts/list_changed",
    }
}

/// The member of a filter that asks for a list.
pub(in crate::era) fn list_member(list: List) -> &'static str {
    match list {
        List::Resources => "resourcesListChanged",
        List::Tools => "toolsListChanged",
        List::Prompts => "promptsListChanged",
    }
}

/// The member of a filter that asks for resources, by their URIs.
pub(in crate::era) const SUBSCRIPTIONS: &str = "resourceSubscriptions";

/// `notifications/subscriptions/acknowledged`, with what the stream will carry.
pub(crate) fn subscription_acknowledged(id: IdToken<'_>, lists: Lists, uris: &[impl AsRef<str>]) -> Vec<u8> {
    notification("notifications/subscriptions/acknowledged", |params| {
        subscription_meta(params, id);
        let mut honored = Json::object(params.member("notifications"));
        for list in List::ALL.into_iter().filter(|list| lists.contains(*list)) {
            honored.raw(list_member(list), b"true");
        }
        if !uris.is_empty() {
            write_array(honored.member(SUBSCRIPTIONS), uris, |out, uri| write_string(out, uri.as_ref()));
        }
        honored.end();
    })
}
