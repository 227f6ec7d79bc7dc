//! Messages that arrive in separate exchanges, as over HTTP: **one pure call from bytes to an answer or a job**.
//!
//! A message stands alone, or belongs to the session that its exchange names. Not here: the rules of one message (`receive.rs`), and
//! messages on a pipe (`connection.rs`).

use bytes::Bytes;

use crate::batch::BatchRequests;
use crate::era::{self, Exchange, Status};
use crate::inbound::Inbound;
use crate::job::Job;
use crate::receive::{Accepted, busy, check_batch, reject};
use crate::rpc::{Message, Params, Raw, Wire};
use crate::server::Server;
use crate::session::{self, Session};

/// The session that an exchange names, for an HTTP method that carries no message, as DELETE.
#[derive(Debug)]
pub enum Located {
    /// The exchange names this session.
    Session(Session),
    /// The revision of the request has no sessions.
    NoSessions,
    /// The session was not found. The error states why.
    Rejected(Wire, Status),
}

impl Server {
    /// Answers the body of one HTTP request, or returns the job that will answer it.
    ///
    /// The transport checks the host, the origin, the media types and the size first. The engine then checks, in this order: the
    /// message, the session, the revision with its headers and metadata, the method, its parameters.
    ///
    /// ```
    /// use bytes::Bytes;
    /// use grange_core::{Accepted, Exchange, Header, Server};
    ///
    /// struct Head; // A driver has the headers of the request here.
    ///
    /// impl Exchange for Head {
    ///     fn header(&self, _name: &str) -> Header<'_> {
    ///         Header::Absent
    ///     }
    ///     fn takes_stream(&self) -> bool {
    ///         true
    ///     }
    /// }
    ///
    /// let server = Server::builder("documentation", "1.0.0").build()?;
    /// let body = Bytes::from_static(br#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#);
    /// let Accepted::Send(answer, _) = server.accept(&body, &Head) else { panic!("a ping is answered at once") };
    /// assert_eq!(&answer.into_bytes()[..], br#"{"jsonrpc":"2.0","id":1,"result":{}}"#);
    /// # Ok::<(), grange_core::BuildError>(())
    /// ```
    pub fn accept(&self, body: &Bytes, exchange: &dyn Exchange) -> Accepted {
        let inbound = Inbound::http(body, exchange);
        match self.read(body) {
            Message::Batch(members) => self.accept_batch(&members, &inbound, exchange),
            Message::Request(request) if !exchange.admits_request() => Accepted::Send(busy(request.id), Status::Busy),
            message => self.receive(&message, None, &inbound),
        }
    }

    /// Finds the session that an exchange names, by the rules of a message in it: the session must exist, and the version header must
    /// not contradict it.
    pub fn locate(&self, exchange: &dyn Exchange) -> Located {
        let (mut located, nothing) = (Located::NoSessions, Bytes::new());
        let inbound = Inbound::http(&nothing, exchange);
        let accepted = self.in_selection(("", &Params::default()), None, &inbound, |selection| {
            if let Some(session) = &selection.session {
                located = Located::Session(session.clone());
            }
            Accepted::Silent
        });
        if let Accepted::Send(wire, status) = accepted { Located::Rejected(wire, status) } else { located }
    }

    /// Accepts a batch. Its exchange decides the revision of all members. Notifications and responses take effect at once; requests are
    /// dispatched by the job.
    fn accept_batch(&self, members: &[Raw<'_>], inbound: &Inbound<'_>, exchange: &dyn Exchange) -> Accepted {
        self.in_selection(("", &Params::default()), None, inbound, |selection| {
            if let Some(rejection) = check_batch(selection.era.batches, members.len()) {
                return reject(&rejection);
            }
            let mut requests = BatchRequests::new(self.clone(), selection.clone(), exchange);
            let members: Vec<_> = members.iter().filter_map(|member| requests.add(*member, inbound)).collect();
            if members.is_empty() {
                return Accepted::Silent;
            }
            Accepted::Run(Job::batch(members, Box::new(requests), self.limits().request_time))
        })
    }
}

impl Session {
    /// Takes the messages to the client that belong to none of its requests. The driver sends them when it can.
    pub fn take_messages(&self) -> impl Iterator<Item = Wire> + use<> {
        self.messages().take().into_iter().map(|message| match message {
            session::Message::Cancelled { id, reason } => Wire::one(era::cancelled_request(id, reason)),
        })
    }
}
