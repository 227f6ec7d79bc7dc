//! A host with files, as a server that reads them sees it: what it says of itself, what it answers, how it misbehaves.
//!
//! It knows messages only, and no way that carries them: [`connect_host`](crate::connect_host) puts it behind a client in
//! memory, and any other driver can ask [`FakeHost::answer`]. Its time is a [`ManualClock`](crate::ManualClock).

mod act;
mod behavior;
mod block;
mod bucket;
mod fake;
mod files;
mod log;
mod names;
mod refusal;
mod settings;

pub use self::act::HostAct;
pub use self::behavior::HostBehavior;
pub use self::block::HostBlock;
pub use self::fake::FakeHost;
pub use self::log::HostMessage;
