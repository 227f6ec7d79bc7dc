//! The readers of parameters, from a method's `params` to what is asked. All revisions share them.

use std::borrow::Cow;

use crate::call::Call;
use crate::fault::Fault;
use crate::rpc::{Params, Raw, StringField};

/// The notification that ends a handshake.
pub(crate) const INITIALIZED: &str = "notifications/initialized";
pub(crate) const INITIALIZE: &str = "initialize";
pub(super) const CALL_TOOL: &str = "tools/call";
pub(super) const PING: &str = "ping";

/// A request that carries `_meta` of another type is ill-typed, in every method.
fn typed<'a>(params: &'a Params<'a>) -> Result<&'a Params<'a>, Fault> {
    if params.meta.wrong { Err(Fault::InvalidParams("\"_meta\" must be an object".into())) } else { Ok(params) }
}

pub(super) fn read_resource<'a>(params: &'a Params<'a>) -> Result<Call<'a>, Fault> {
    match &typed(params)?.uri {
        StringField::Text(uri) => Ok(Call::ReadResource { uri }),
        StringField::Absent => Err(Fault::InvalidParams("\"uri\" is missing: name the resource to read".into())),
        StringField::Null | StringField::Other => Err(Fault::InvalidParams("\"uri\" must be a string".into())),
    }
}

pub(super) fn list_resources<'a>(params: &'a Params<'a>) -> Result<Call<'a>, Fault> {
    Ok(Call::ListResources { cursor: cursor(params)? })
}

pub(super) fn list_templates<'a>(params: &'a Params<'a>) -> Result<Call<'a>, Fault> {
    Ok(Call::ListTemplates { cursor: cursor(params)? })
}

pub(super) fn list_tools<'a>(params: &'a Params<'a>) -> Result<Call<'a>, Fault> {
    Ok(Call::ListTools { cursor: cursor(params)? })
}

pub(super) fn listen<'a>(params: &'a Params<'a>) -> Result<Call<'a>, Fault> {
    match params.other("notifications") {
        Some(filter) if filter.is_object() => Ok(Call::Listen),
        _ => Err(Fault::InvalidParams("\"notifications\" must be an object".into())),
    }
}

pub(super) fn call_tool<'a>(params: &'a Params<'a>) -> Result<Call<'a>, Fault> {
    let name = match &typed(params)?.name {
        StringField::Text(name) => name,
        StringField::Absent => return Err(Fault::InvalidParams("\"name\" is missing: name the tool to call".into())),
        StringField::Null | StringField::Other => return Err(Fault::InvalidParams("\"name\" must be a string".into())),
    };
    match params.optional("arguments") {
        Some(arguments) if !arguments.is_object() => {
            Err(Fault::InvalidParams("\"arguments\" must be an object".into()))
        }
        arguments => Ok(Call::Tool { name, arguments }),
    }
}

fn cursor<'a>(params: &'a Params<'a>) -> Result<Option<&'a str>, Fault> {
    match &typed(params)?.cursor {
        StringField::Text(cursor) => Ok(Some(cursor)),
        StringField::Absent | StringField::Null => Ok(None),
        StringField::Other => Err(Fault::InvalidParams("\"cursor\" must be a string".into())),
    }
}

pub(super) fn initialize<'a>(params: &'a Params<'a>) -> Result<Call<'a>, Fault> {
    let params = typed(params)?;
    let requested = params.other("protocolVersion").and_then(Raw::as_string).map(Cow::Owned);
    let requested = requested.ok_or(Fault::InvalidParams("\"protocolVersion\" must be a string".into()))?;
    Ok(Call::Initialize { requested })
}
