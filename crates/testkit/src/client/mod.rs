//! A client of any revision, in the test's own task.
//!
//! [`state`] is what it keeps, [`connect`](mod@connect) how it comes to be, [`exchange`] its requests and the answers to them;
//! [`requests`] and [`call`] are methods for single requests.

mod call;
mod connect;
mod exchange;
mod requests;
mod state;

pub use self::connect::{connect, connect_host, connect_host_http, connect_http};
pub use self::exchange::Pending;
pub use self::requests::Page;
pub use self::state::{Client, Direction};
