//! A message as it came in: its bytes, and how it came.

use bytes::Bytes;

use crate::era::{Channel, Clock, Exchange, Header};

/// A message as it came in.
#[derive(Clone, Copy)]
pub(crate) struct Inbound<'a> {
    pub(crate) frame: &'a Bytes,
    pub(crate) channel: Channel<'a>,
    /// The driver's.
    pub(crate) clock: Option<Clock>,
}

impl<'a> Inbound<'a> {
    /// The body of an HTTP request.
    pub(crate) fn http(frame: &'a Bytes, exchange: &'a dyn Exchange) -> Self {
        Self { frame, channel: Channel::Http(exchange), clock: exchange.clock() }
    }

    /// The same for a part of the frame.
    pub(crate) fn part(self, frame: &'a Bytes) -> Self {
        Self { frame, ..self }
    }

    pub(crate) fn is_pipe(&self) -> bool {
        matches!(self.channel, Channel::Pipe { .. })
    }

    /// Whether the client takes messages before the answer.
    pub(crate) fn takes_stream(&self) -> bool {
        match self.channel {
            Channel::Http(exchange) => exchange.takes_stream(),
            Channel::Pipe { .. } => true,
        }
    }

    pub(crate) fn header(&self, name: &str) -> Header<'_> {
        match self.channel {
            Channel::Http(exchange) => exchange.header(name),
            Channel::Pipe { .. } => Header::Absent,
        }
    }
}
