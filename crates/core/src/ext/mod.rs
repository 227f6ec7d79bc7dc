//! Extensions of MCP. Each uses nothing that a third party's could not use: what authors may call, and nothing below.

mod host;

pub use host::{Host, HostError, HostFile, HostFilter, HostList, HostStatus, host};
