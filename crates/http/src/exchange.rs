//! What the engine may ask of the HTTP request around a message, and how every check here looks at a header.

use std::any::Any;
use std::cell::OnceCell;
use std::sync::Arc;

use grange_core::{Exchange, Header};
use http::header::{AsHeaderName, HeaderMap};
use http::request::Parts;

use crate::media::Accepts;

/// The lines of one header.
pub(crate) fn lines(headers: &HeaderMap, name: impl AsHeaderName) -> Header<'_> {
    let mut values = headers.get_all(name).iter();
    match (values.next(), values.next()) {
        (None, _) => Header::Absent,
        (Some(value), None) => Header::One(value.as_bytes()),
        (Some(_), Some(_)) => Header::Many,
    }
}

/// The head of one request, for the engine.
pub(crate) struct HttpExchange<'a> {
    head: &'a Parts,
    accepts: Accepts,
    /// Made when a reader first asks, and shared by the requests of a batch.
    peer: OnceCell<Arc<Parts>>,
}

impl<'a> HttpExchange<'a> {
    pub(crate) fn new(head: &'a Parts, accepts: Accepts) -> Self {
        Self { head, accepts, peer: OnceCell::new() }
    }
}

impl Exchange for HttpExchange<'_> {
    fn header(&self, name: &str) -> Header<'_> {
        lines(&self.head.headers, name)
    }

    fn takes_stream(&self) -> bool {
        self.accepts.stream
    }

    fn peer(&self) -> Option<Arc<dyn Any + Send + Sync>> {
        Some(self.peer.get_or_init(|| Arc::new(self.head.clone())).clone())
    }
}
