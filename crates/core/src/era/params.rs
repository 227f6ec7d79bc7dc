//! Reads the `params` of a method into a [`Call`]. All revisions share these functions.

use std::borrow::Cow;

use crate::call::Call;
use crate::model::Primitive;
use crate::rejection::Rejection;
use crate::rpc::{Params, Raw, StringField};

/// The notification that ends a handshake.
pub(crate) const INITIALIZED: &str = "notifications/initialized";
pub(crate) const INITIALIZE: &str = "initialize";
pub(super) const CALL_TOOL: &str = "tools/call";
pub(super) const PING: &str = "ping";

/// Rejects a request whose `_meta` is not an object, in every method.
fn typed<'a>(params: &'a Params<'a>) -> Result<&'a Params<'a>, Rejection> {
    if params.meta.wrong { Err(Rejection::InvalidParams("\"_meta\" must be an object".into())) } else { Ok(params) }
}

/// Reads the request of a page of one primitive's list.
pub(super) fn list<'a>(params: &'a Params<'a>, primitive: Primitive) -> Result<Call<'a>, Rejection> {
    Ok(Call::List { primitive, cursor: cursor(params)? })
}

/// Reads the request of one resource, by its URI.
pub(super) fn by_uri<'a>(params: &'a Params<'a>) -> Result<Call<'a>, Rejection> {
    let name = required(&typed(params)?.uri, "uri", Primitive::Resource)?;
    Ok(Call::Use { primitive: Primitive::Resource, name, arguments: None })
}

/// Reads the request of one of another primitive, by its name and with arguments.
pub(super) fn by_name<'a>(params: &'a Params<'a>, primitive: Primitive) -> Result<Call<'a>, Rejection> {
    let name = required(&typed(params)?.name, "name", primitive)?;
    match params.optional("arguments") {
        Some(arguments) if !arguments.is_object() => {
            Err(Rejection::InvalidParams("\"arguments\" must be an object".into()))
        }
        arguments => Ok(Call::Use { primitive, name, arguments }),
    }
}

fn required<'a>(field: &'a StringField<'_>, member: &str, primitive: Primitive) -> Result<&'a str, Rejection> {
    let purpose = primitive.purpose();
    match field {
        StringField::Text(text) => Ok(text),
        StringField::Absent => {
            Err(Rejection::InvalidParams(format!("\"{member}\" is missing: name the {purpose}").into()))
        }
        StringField::Null | StringField::Other => {
            Err(Rejection::InvalidParams(format!("\"{member}\" must be a string").into()))
        }
    }
}

pub(super) fn listen<'a>(params: &'a Params<'a>) -> Result<Call<'a>, Rejection> {
    match params.other("notifications") {
        Some(filter) if filter.is_object() => Ok(Call::Listen),
        _ => Err(Rejection::InvalidParams("\"notifications\" must be an object".into())),
    }
}

fn cursor<'a>(params: &'a Params<'a>) -> Result<Option<&'a str>, Rejection> {
    match &typed(params)?.cursor {
        StringField::Text(cursor) => Ok(Some(cursor)),
        StringField::Absent | StringField::Null => Ok(None),
        StringField::Other => Err(Rejection::InvalidParams("\"cursor\" must be a string".into())),
    }
}

pub(super) fn initialize<'a>(params: &'a Params<'a>) -> Result<Call<'a>, Rejection> {
    let params = typed(params)?;
    let requested = params.other("protocolVersion").and_then(Raw::as_string).map(Cow::Owned);
    let requested = requested.ok_or(Rejection::InvalidParams("\"protocolVersion\" must be a string".into()))?;
    Ok(Call::Initialize { requested })
}
