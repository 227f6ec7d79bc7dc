//! An incoming message: its bytes, its channel, and the clock of its driver.
//!
//! Not here: the parsed message (`rpc/`), and the choice of its row (`era/select.rs`).

use bytes::Bytes;

use crate::changes::Recipient;
use crate::era::{Channel, Clock, Exchange, Header};

/// An incoming message.
#[derive(Clone, Copy)]
pub(crate) struct Inbound<'a> {
    pub(crate) frame: &'a Bytes,
    pub(crate) channel: Channel<'a>,
    /// The driver's clock, if it has one.
    pub(crate) clock: Option<Clock>,
}

impl<'a> Inbound<'a> {
    /// The body of an HTTP request.
    pub(crate) fn http(frame: &'a Bytes, exchange: &'a dyn Exchange) -> Self {
        Self { frame, channel: Channel::Http(exchange), clock: exchange.clock() }
    }

    /// A part of this message, as a member of a batch.
    pub(crate) fn part(self, frame: &'a Bytes) -> Self {
        Self { frame, ..self }
    }

    pub(crate) fn is_pipe(&self) -> bool {
        matches!(self.channel, Channel::Pipe { .. })
    }

    /// Whether the client accepts messages before the answer.
    pub(crate) fn takes_stream(&self) -> bool {
        match self.channel {
            Channel::Http(exchange) => exchange.takes_stream(),
            Channel::Pipe { .. } => true,
        }
    }

    /// Whether one more request may run. A pipe limits no rate.
    pub(crate) fn admits_request(&self) -> bool {
        match self.channel {
            Channel::Http(exchange) => exchange.admits_request(),
            Channel::Pipe { .. } => true,
        }
    }

    /// Whose client it is, for announcements to one principal.
    pub(crate) fn recipient(&self) -> Recipient {
        match self.channel {
            Channel::Pipe { .. } => Recipient::Pipe,
            Channel::Http(exchange) => {
                exchange.principal().map_or(Recipient::Anonymous, |principal| Recipient::Principal(principal.into()))
            }
        }
    }

    pub(crate) fn header(&self, name: &str) -> Header<'_> {
        match self.channel {
            Channel::Http(exchange) => exchange.header(name),
            Channel::Pipe { .. } => Header::Absent,
        }
    }
}
