//! A fake host with files: its capabilities, its answers, its misbehavior.
//!
//! It handles messages only and has no transport: [`connect_host`](crate::connect_host) puts it behind a client in
//! memory, and any other driver can call [`FakeHost::answer`]. Its clock is a [`ManualClock`](crate::ManualClock).

mod act;
mod behavior;
mod block;
mod bucket;
mod fake;
mod files;
mod log;
mod names;
mod rejection;
mod settings;

pub use self::act::HostAct;
pub use self::behavior::HostBehavior;
pub use self::block::HostBlock;
pub use self::fake::FakeHost;
pub use self::log::HostMessage;
