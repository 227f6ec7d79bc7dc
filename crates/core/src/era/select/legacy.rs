//! The rules of the revisions with a handshake: which row an unmarked request belongs to, and whether it is served.

use crate::era::exchange::{Exchange, Header, Lookup, PROTOCOL_VERSION, trim};
use crate::era::incoming::{Channel, Rejected, RequestHead, Selected, Selection};
use crate::era::row::{Era, PING};
use crate::era::served::Served;
use crate::era::table::{ALL, row};
use crate::era::version_header::Named;
use crate::rejection::Rejection;
use crate::rpc::{key, truncate};
use crate::session::Session;

/// The handshake: the newest legacy row that is served encodes the answer, which settles the revision.
pub(in crate::era) fn check_handshake(asked: &RequestHead<'_>, served: &Served) -> Selected {
    let newest = served.newest_legacy().ok_or_else(|| reject(no_handshake(asked, served)))?;
    match asked.channel {
        Channel::Http(exchange) => match exchange.session() {
            Lookup::Known(session) => in_session(exchange, session),
            Lookup::Unknown => Err(Rejected { era: newest, rejection: Rejection::UnknownSession }),
            Lookup::Missing | Lookup::NotKept => Ok(of(newest)),
        },
        Channel::Pipe { .. } => Ok(of(newest)),
    }
}

/// An unmarked message over HTTP: its session has settled the revision, or the version header names it.
pub(in crate::era) fn check_exchange(exchange: &dyn Exchange, named: Named, served: &Served) -> Selected {
    if let Some(era) = served.newest_legacy() {
        match exchange.session() {
            Lookup::Known(session) => return in_session(exchange, session),
            Lookup::Unknown => return Err(Rejected { era, rejection: Rejection::UnknownSession }),
            Lookup::Missing => return Err(Rejected { era, rejection: Rejection::NoSession }),
            Lookup::NotKept => {}
        }
    }
    let era = match named {
        Named::Absent => headerless(served),
        Named::Row(era) if served.serves(era) => Ok(era),
        Named::Row(era) => Err(unsupported(era.name, served)),
        Named::Later(name) => Err(unsupported(&truncate(&name), served)),
        Named::Nothing(what) => Err(no_revision(&what, served)),
    };
    era.map(of).map_err(reject)
}

/// An unmarked message on a pipe: the handshake has settled the revision. Before it, only notifications and `ping` are
/// accepted.
pub(in crate::era) fn check_pipe(
    asked: &RequestHead<'_>,
    negotiated: Option<(&'static Era, &Session)>,
    served: &Served,
) -> Selected {
    match (negotiated, served.newest_legacy()) {
        (Some((era, session)), _) => Ok(Selection { era, session: Some(session.clone()) }),
        (None, Some(era)) if asked.notification || asked.method == PING => Ok(of(era)),
        (None, _) => Err(reject(unopened(served))),
    }
}

fn of(era: &'static Era) -> Selection {
    Selection { era, session: None }
}

fn reject(rejection: Rejection) -> Rejected {
    Rejected { era: &ALL[ALL.len() - 1], rejection }
}

/// In a session, the revision of its handshake is in force. The header may repeat it, and must not name another.
fn in_session(exchange: &dyn Exchange, session: Session) -> Selected {
    let era = row(session.version()).expect("a session's revision is from the table");
    let reject = |said: &[u8]| {
        let (said, version) = (String::from_utf8_lossy(said), era.name);
        let said = truncate(&said);
        let rejection = format!("the MCP-Protocol-Version header says {said:?}, and this session settled on {version}");
        Err(Rejected { era, rejection: Rejection::InvalidRequest(rejection.into()) })
    };
    match exchange.header(PROTOCOL_VERSION) {
        Header::One(value) if trim(value) != era.name.as_bytes() => reject(value),
        Header::Many => reject(b"several things"),
        Header::One(_) | Header::Absent => Ok(Selection { era, session: Some(session) }),
    }
}

/// Without header and marks: the revision that is then assumed, or else another served one that has no version header.
fn headerless(served: &Served) -> Result<&'static Era, Rejection> {
    let rows = || served.legacy();
    if let Some(era) = rows().find(|era| era.headerless).or_else(|| rows().find(|era| !era.knows_header)) {
        return Ok(era);
    }
    let named = "the MCP-Protocol-Version header is missing";
    Err(Rejection::HeaderMismatch(format!("{named}: this server serves {}", served.names().join(", "))))
}

/// The rejection of a revision that is not served. If no modern revision is served, it must not look like a modern
/// rejection, or a client would stop falling back.
fn unsupported(requested: &str, served: &Served) -> Rejection {
    let supported = served.names();
    if served.modern().next().is_some() {
        Rejection::UnsupportedVersion { requested: requested.to_owned(), supported }
    } else {
        Rejection::InvalidRequest(
            format!("{requested} is not served; this server serves {}", supported.join(", ")).into(),
        )
    }
}

/// The rejection of a header that names no revision. Its code is neither that of a header that differs from the body
/// nor that of an unsupported version: either would stop a client from falling back.
fn no_revision(what: &str, served: &Served) -> Rejection {
    let supported = served.names().join(", ");
    Rejection::InvalidRequest(format!("the MCP-Protocol-Version header {what}: this server serves {supported}").into())
}

fn no_handshake(asked: &RequestHead<'_>, served: &Served) -> Rejection {
    let supported = served.names();
    match asked.channel {
        Channel::Http(_) => Rejection::HeaderMismatch(format!(
            "this server has no \"initialize\" handshake: send the MCP-Protocol-Version header with one of {}",
            supported.join(", ")
        )),
        Channel::Pipe { .. } => {
            let requested = asked.params.string("protocolVersion").unwrap_or_default().into_owned();
            Rejection::UnsupportedVersion { requested, supported }
        }
    }
}

fn unopened(served: &Served) -> Rejection {
    let handshake = if served.newest_legacy().is_some() { "; or open with \"initialize\"" } else { "" };
    Rejection::InvalidParams(
        format!(
            "_meta[\"{}\"] and _meta[\"{}\"] are missing: this server serves {}{handshake}",
            key::PROTOCOL_VERSION,
            key::CLIENT_CAPABILITIES,
            served.names().join(", ")
        )
        .into(),
    )
}
