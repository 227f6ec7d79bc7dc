//! The messages other than results of methods: notifications, requests to the client, and the end of a subscription.

use serde_json::Value;

use crate::call::ResultKind;
use crate::era::row::Era;
use crate::model::Progress;
use crate::rpc::{IdToken, Json, key};

/// The member that states the kind of a result, with the comma after it.
pub(in crate::era) fn result_type(kind: ResultKind) -> &'static [u8] {
    match kind {
        ResultKind::Complete => b"\"resultType\":\"complete\",",
    }
}

/// The notification with which either side cancels a request.
pub(crate) const CANCELLED: &str = "notifications/cancelled";

/// `notifications/cancelled` for a subscription that the server ends.
pub(crate) fn cancelled_notification(id: IdToken<'_>) -> Vec<u8> {
    notification(CANCELLED, |params| {
        params.id("requestId", id);
        subscription_meta(params, id);
    })
}

/// `notifications/cancelled` for a request to the client.
pub(crate) fn cancelled_request(id: u64, reason: &str) -> Vec<u8> {
    notification(CANCELLED, |params| {
        params.number("requestId", id);
        params.string("reason", reason);
    })
}

/// A request to the client.
pub(crate) fn request(id: u64, method: &str, params: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(64 + method.len() + params.len());
    let mut message = Json::object(&mut out);
    message.string("jsonrpc", "2.0");
    message.number("id", id);
    message.string("method", method);
    message.raw("params", params);
    message.end();
    out
}

/// `notifications/progress`, under the token that the client chose.
pub(crate) fn progress(token: IdToken<'_>, progress: &Progress, era: &Era) -> Vec<u8> {
    notification("notifications/progress", |params| {
        params.id("progressToken", token);
        params.value("progress", &Value::from(progress.progress));
        if let Some(total) = progress.total {
            params.value("total", &Value::from(total));
        }
        if era.progress_message {
            params.optional("message", progress.message.as_deref());
        }
    })
}

pub(super) fn subscription_meta(params: &mut Json<'_>, id: IdToken<'_>) {
    let mut meta = Json::object(params.member("_meta"));
    meta.id(key::SUBSCRIPTION_ID, id);
    meta.end();
}

pub(super) fn notification(method: &str, write: impl FnOnce(&mut Json<'_>)) -> Vec<u8> {
    let mut out = Vec::new();
    let mut message = Json::object(&mut out);
    message.string("jsonrpc", "2.0");
    message.string("method", method);
    let mut params = Json::object(message.member("params"));
    write(&mut params);
    params.end();
    message.end();
    out
}

/// The whole response that ends a subscription.
pub(crate) fn subscription_ended(id: IdToken<'_>, server_info: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    let mut message = Json::object(&mut out);
    message.string("jsonrpc", "2.0");
    message.id("id", id);
    let mut result = Json::object(message.member("result"));
    result.string("resultType", "complete");
    let mut meta = Json::object(result.member("_meta"));
    meta.raw(key::SERVER_INFO, server_info);
    meta.id(key::SUBSCRIPTION_ID, id);
    meta.end();
    result.end();
    message.end();
    out
}
