//! The author's limit on the rate of requests, which is asked once for each request, also for each of a batch.

use std::fmt;

use grange_core::{Clock, Exchange, Header, Lookup};
use http::request::Parts;

/// Whether one more request may run, by the head of its HTTP request.
pub(crate) struct Rate(Box<dyn Fn(&Parts) -> bool + Send + Sync>);

impl Rate {
    pub(crate) fn new(admit: impl Fn(&Parts) -> bool + Send + Sync + 'static) -> Self {
        Self(Box::new(admit))
    }
}

impl fmt::Debug for Rate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Rate")
    }
}

/// An exchange whose requests are limited. A service without such a limit does without it.
pub(crate) struct Rated<'a, E> {
    pub(crate) exchange: &'a E,
    pub(crate) rate: &'a Rate,
    pub(crate) head: &'a Parts,
}

impl<E: Exchange> Exchange for Rated<'_, E> {
    fn header(&self, name: &str) -> Header<'_> {
        self.exchange.header(name)
    }

    fn takes_stream(&self) -> bool {
        self.exchange.takes_stream()
    }

    fn clock(&self) -> Option<Clock> {
        self.exchange.clock()
    }

    fn admits_request(&self) -> bool {
        (self.rate.0)(self.head)
    }

    fn principal(&self) -> Option<&str> {
        self.exchange.principal()
    }

    fn session(&self) -> Lookup {
        self.exchange.session()
    }
}
