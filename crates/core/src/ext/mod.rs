//! Extensions of MCP. Each uses nothing that a third party's could not use: what authors may call, and nothing below.

mod apps;
mod host;
pub mod nimblebrain;

pub use apps::{Ui, UiLink, UiPermission, UiVisibility};
pub use host::{Host, HostError, HostFile, HostFilter, HostList, HostStatus, host};
