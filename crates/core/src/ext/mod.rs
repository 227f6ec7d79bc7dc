//! Extensions of MCP: the seam, and those of this project. Each uses nothing that a third party's could not use.

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
