//! Extensions of MCP: capabilities and methods that a server has beside those of the protocol. `Skills` is one.
//!
//! ```
//! use grange::Server;
//! use grange::extension::Extension;
//!
//! /// Clients find `com.example/clock` among the capabilities of the server.
//! struct Clock;
//!
//! impl Extension for Clock {
//!     fn id(&self) -> &str {
//!         "com.example/clock"
//!     }
//! }
//!
//! let server = Server::builder("clock", "1.0.0").extension(Clock).build()?;
//! # Ok::<(), grange::BuildError>(())
//! ```

pub use grange_core::{Extension, ExtensionAnswer, ExtensionData, ExtensionError, ExtensionParams};
