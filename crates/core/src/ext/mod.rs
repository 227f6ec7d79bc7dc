//! Extensions of MCP: the seam for all of them, and the extensions of this project. These use only what an extension of a third party
//! can use too.

mod answer;
mod apps;
mod extension;
mod host;
mod message;
mod methods;
pub mod nimblebrain;

pub use apps::{Ui, UiLink, UiPermission, UiVisibility};
pub use extension::Extension;
pub use host::{Host, HostError, HostFile, HostFilter, HostList, HostStatus, host};
pub use message::{ExtensionAnswer, ExtensionError, ExtensionParams};
pub(crate) use methods::Extensions;
