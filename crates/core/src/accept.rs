//! Requests that stand alone, as over HTTP without a session: **one pure call from bytes to an answer or a job**.

use std::any::Any;
use std::sync::Arc;

use bytes::Bytes;

use crate::era::{Asked, Channel, Exchange, INITIALIZE, Refusal, Selected, select};
use crate::job::Job;
use crate::rpc::{Code, Frame, Message, Params, Raw, Rejected, Request, Wire, read_frame, read_message, write_error};
use crate::server::{Accepted, Around, Server};

/// Most messages that one batch may have.
pub(crate) const BATCH: usize = 100;

impl Server {
    /// Takes the body of one HTTP request to its answer, or to the job that will answer.
    ///
    /// The transport has checked what is its own (host, origin, media types, size) before; here follow, in this order:
    /// the message, the revision with its headers and metadata, the method, its parameters.
    pub fn accept(&self, body: &Bytes, exchange: &dyn Exchange) -> Accepted {
        let message = match read_frame(body) {
            Ok(frame) => read_message(frame),
            Err(rejected) => Message::Rejected(rejected),
        };
        let channel = Channel::Http(exchange);
        match message {
            Message::Batch(members) => self.accept_batch(body, &members, exchange),
            Message::Notification(notification) => {
                let params = &notification.params;
                self.selected(Asked { method: &notification.method, params, notification: true, channel }, |_| {
                    Accepted::Silent
                })
            }
            Message::Rejected(rejected) => reject(&rejected),
            Message::Request(request) => self.accept_request(body, &request, exchange),
            // Nothing here asks a client anything. A revision that never does refuses the answer.
            Message::Response => {
                let params = Params::default();
                self.selected(Asked { method: "", params: &params, notification: true, channel }, |era| {
                    if era.handshake { Accepted::Silent } else { reject(&invalid("this server asked nothing")) }
                })
            }
        }
    }

    fn selected(&self, asked: Asked<'_>, then: impl FnOnce(&'static crate::era::Era) -> Accepted) -> Accepted {
        match self.select(&asked) {
            Ok(era) => then(era),
            Err(refused) => {
                let (wire, refusal) = refused.era.write_fault(None, &refused.fault);
                Accepted::Send(wire, refusal)
            }
        }
    }

    pub(crate) fn select(&self, asked: &Asked<'_>) -> Selected {
        select(asked, self.served())
    }

    fn accept_request(&self, body: &Bytes, request: &Request<'_>, exchange: &dyn Exchange) -> Accepted {
        let channel = Channel::Http(exchange);
        let asked = Asked { method: &request.method, params: &request.params, notification: false, channel };
        match self.select(&asked) {
            Ok(era) => self.dispatch(era, request, &around(body, &|| exchange.peer())),
            Err(refused) => {
                let (wire, refusal) = refused.era.write_fault(Some(request.id), &refused.fault);
                Accepted::Send(wire, refusal)
            }
        }
    }

    fn accept_batch(&self, body: &Bytes, members: &[Raw<'_>], exchange: &dyn Exchange) -> Accepted {
        let params = Params::default();
        let channel = Channel::Http(exchange);
        self.selected(Asked { method: "", params: &params, notification: true, channel }, |era| {
            if let Some(fault) = batch_fault(era.batches, members.len()) {
                return reject(&fault);
            }
            let peer = || exchange.peer();
            let answers: Vec<_> = members
                .iter()
                .map(|member| match read_message(Frame::part(*member)) {
                    Message::Request(request) => match batch_member_fault(&request) {
                        Some(fault) => reject(&fault),
                        None => self.dispatch(era, &request, &around(&body.slice_ref(member.text().as_bytes()), &peer)),
                    },
                    Message::Notification(_) | Message::Response => Accepted::Silent,
                    Message::Rejected(rejected) => reject(&rejected),
                    Message::Batch(_) => reject(&invalid("a batch may not hold another")),
                })
                .filter(|answer| !matches!(answer, Accepted::Silent))
                .collect();
            if answers.is_empty() { Accepted::Silent } else { Accepted::Run(Job::batch(answers)) }
        })
    }
}

fn around<'a>(frame: &'a Bytes, peer: &'a dyn Fn() -> Option<Arc<dyn Any + Send + Sync>>) -> Around<'a> {
    Around { frame, pipe: false, client_info: Bytes::new(), client_capabilities: Bytes::new(), peer }
}

/// Why an array is no message for this revision.
pub(crate) fn batch_fault(accepted: bool, members: usize) -> Option<Rejected<'static>> {
    match members {
        _ if !accepted => Some(invalid("this protocol revision has no batches: send one message")),
        0 => Some(invalid("the batch is empty")),
        1..=BATCH => None,
        _ => Some(invalid("a batch may have at most 100 messages")),
    }
}

/// Why a request may not stand in a batch.
pub(crate) fn batch_member_fault<'a>(request: &Request<'a>) -> Option<Rejected<'a>> {
    let fault = if request.method == INITIALIZE {
        invalid("\"initialize\" may not stand in a batch")
    } else if request.params.meta.marked {
        invalid("a request with per-request metadata may not stand in a batch")
    } else {
        return None;
    };
    Some(Rejected { id: Some(request.id), ..fault })
}

pub(crate) fn invalid(message: &str) -> Rejected<'static> {
    Rejected { id: None, code: Code::INVALID_REQUEST, message: format!("Invalid request: {message}").into() }
}

/// The error line for what is no message.
pub(crate) fn rejection(rejected: &Rejected<'_>) -> Wire {
    Wire::one(write_error(rejected.id, rejected.code, &rejected.message, None))
}

fn reject(rejected: &Rejected<'_>) -> Accepted {
    Accepted::Send(rejection(rejected), Refusal::Invalid)
}
