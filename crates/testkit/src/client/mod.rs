//! A client of any revision, in the test's own task.
//!
//! [`state`] is the client's data, [`connect`](mod@connect) creates it, [`exchange`] sends requests and receives
//! answers; [`requests`], [`call`] and [`complete`] have the methods for single requests.

mod call;
mod changes;
mod complete;
mod connect;
mod exchange;
mod requests;
mod state;

pub use self::connect::{connect, connect_host, connect_host_http, connect_http, connect_session};
pub use self::exchange::Pending;
pub use self::requests::Page;
pub use self::state::{Client, Direction};
