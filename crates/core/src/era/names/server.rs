//! The server's description of itself: `serverInfo`, capabilities, the results of `initialize` and `server/discover`.

use super::common::icon;
use crate::era::fields::Fields;
use crate::model::Identity;
use crate::rpc::{Json, write_array, write_string};

/// `serverInfo`.
pub(crate) fn server_info(out: &mut Vec<u8>, identity: &Identity, fields: &Fields) {
    let mut object = Json::object(out);
    object.string("name", &identity.name);
    object.string("version", &identity.version);
    if fields.title {
        object.optional("title", identity.title.as_deref());
    }
    if fields.icons {
        object.optional("description", identity.description.as_deref());
        object.optional("websiteUrl", identity.website_url.as_deref());
        if !identity.icons.is_empty() {
            write_array(object.member("icons"), &identity.icons, icon);
        }
    }
    object.end();
}

/// What of a capability changes. A bit is `true` or absent.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Changing {
    /// Whether clients can subscribe to what it has.
    pub(crate) subscribe: bool,
    /// Whether its list changes.
    pub(crate) list: bool,
}

/// `capabilities`: each is declared exactly if its methods are served. `extensions` is a JSON object, or empty if there
/// are none. It is declared to every revision: older ones do not define the member, and their clients accept it.
pub(crate) fn capabilities(
    out: &mut Vec<u8>,
    primitives: impl Iterator<Item = (&'static str, Changing)>,
    extensions: &[u8],
) {
    let mut object = Json::object(out);
    for (name, changing) in primitives {
        let mut capability = Json::object(object.member(name));
        for (bit, _) in
            [("subscribe", changing.subscribe), ("listChanged", changing.list)].iter().filter(|(_, set)| *set)
        {
            capability.raw(bit, b"true");
        }
        capability.end();
    }
    if !extensions.is_empty() {
        object.raw("extensions", extensions);
    }
    object.end();
}

/// The members of an `initialize` result.
pub(crate) fn initialized(
    version: &str,
    capabilities: &[u8],
    server_info: &[u8],
    instructions: Option<&str>,
) -> Vec<u8> {
    members(|object| {
        object.string("protocolVersion", version);
        object.raw("capabilities", capabilities);
        object.raw("serverInfo", server_info);
        object.optional("instructions", instructions);
    })
}

/// The members of a `server/discover` result.
pub(crate) fn discovered(versions: &[&str], capabilities: &[u8], instructions: Option<&str>) -> Vec<u8> {
    members(|object| {
        write_array(object.member("supportedVersions"), versions, |out, version| write_string(out, version));
        object.raw("capabilities", capabilities);
        object.optional("instructions", instructions);
    })
}

/// Writes members without the braces around them.
fn members(write: impl FnOnce(&mut Json<'_>)) -> Vec<u8> {
    let mut out = Vec::new();
    let mut object = Json::object(&mut out);
    write(&mut object);
    out.remove(0);
    out
}
