//! The rules of the revisions without a handshake: headers mirror the body, the metadata is complete, the revision is
//! served.

use std::borrow::Cow;

use crate::era::incoming::{Channel, Rejected, RequestHead, Selected, Selection};
use crate::era::mirror;
use crate::era::params::CALL_TOOL;
use crate::era::served::Served;
use crate::era::table::ALL;
use crate::rejection::Rejection;
use crate::rpc::{Kind, Params, StringField, key, truncate};

/// Whether only revisions without a handshake have the method, so that its name alone shows that a request is modern.
pub(in crate::era) fn is_own_method(name: &str) -> bool {
    let has = |handshake| ALL.iter().any(|era| era.handshake == handshake && era.method(name).is_some());
    has(false) && !has(true)
}

/// Checks 10 to 12 of `docs/contract/wire.md`: headers mirror the body, the metadata is complete, the revision is
/// served.
pub(in crate::era) fn check(asked: &RequestHead<'_>, served: &Served) -> Selected {
    let Some(newest) = served.modern().next_back() else {
        return Err(not_served(asked, served));
    };
    let reject = |rejection| Rejected { era: newest, rejection };
    if asked.notification {
        return Ok(Selection { era: newest, session: None });
    }
    if let Channel::Http(exchange) = asked.channel {
        let member = newest.method(asked.method).and_then(|method| method.mirrored);
        mirror::check(exchange, asked, member).map_err(reject)?;
        if asked.method == CALL_TOOL {
            mirror::check_arguments(exchange, asked).map_err(reject)?;
        }
    }
    let version = complete(asked.params).map_err(reject)?;
    served.named(&version).filter(|era| !era.handshake).map(|era| Selection { era, session: None }).ok_or_else(|| {
        // The same list as in the result of `server/discover`: a marked request can use these only.
        let supported = served.modern_names();
        reject(Rejection::UnsupportedVersion { requested: version.into_owned(), supported })
    })
}

/// Checks that `_meta` has all members that every request must carry, and returns the version.
fn complete<'a>(params: &'a Params<'a>) -> Result<Cow<'a, str>, Rejection> {
    let invalid = |name: &str, what: &str| Rejection::InvalidParams(format!("_meta[\"{name}\"] {what}").into());
    if params.meta.wrong {
        return Err(Rejection::InvalidParams("\"_meta\" must be an object".into()));
    }
    let version = match &params.meta.version {
        StringField::Text(version) => version.clone(),
        StringField::Absent => return Err(invalid(key::PROTOCOL_VERSION, "is missing: every request carries it")),
        StringField::Null | StringField::Other => return Err(invalid(key::PROTOCOL_VERSION, "must be a string")),
    };
    match params.meta.capabilities {
        Kind::Object => Ok(version),
        Kind::Null | Kind::Other => Err(invalid(key::CLIENT_CAPABILITIES, "must be an object")),
        Kind::Absent => {
            Err(invalid(key::CLIENT_CAPABILITIES, "is missing: every request carries it, {} if there are none"))
        }
    }
}

/// The rejection if no modern revision is served. Its code is never that of an unsupported version: a client that gets
/// it must not fall back to the handshake, which is what this server needs.
fn not_served(asked: &RequestHead<'_>, served: &Served) -> Rejected {
    let names = served.names().join(", ");
    let era = served.newest_legacy().unwrap_or(&ALL[0]);
    let rejection = match asked.channel {
        Channel::Http(_) => {
            Rejection::InvalidRequest(format!("this server serves {names}; open with \"initialize\"").into())
        }
        Channel::Pipe { .. } => {
            let method = truncate(asked.method);
            Rejection::UnknownMethod(format!("{method} (this server serves {names}; open with \"initialize\")"))
        }
    };
    Rejected { era, rejection }
}
