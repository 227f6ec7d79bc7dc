//! What a server listens on, and what a transport of one's own is made of.
//!
//! [`stdio()`](crate::stdio()), [`pipe()`](crate::pipe()) and [`http()`](crate::http()) are [`Transport`]s. One of one's own gives what
//! comes in to [`Server::accept`](crate::Server::accept), where each request stands alone, or to a [`Connection`], where all of them
//! belong to one client; it carries out what these return, and polls the jobs.

pub use grange_core::{
    Accepted, Action, ByteGuard, Canceller, Clock, Connection, Exchange, Header, Job, JobEvent, Located, Lookup,
    NewSession, Peer, Permits, Providers, Session, Status, Ticket, Transport, Wire,
};
#[cfg(feature = "stdio")]
pub use grange_stdio::{Pipe, Stdio};
