//! The capability block that a fake host sends in its handshake, in every form that hosts send or might send.

use serde_json::{Value, json};

use super::names::KEY;

/// The form of the capability block for a fake host's files.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
#[non_exhaustive]
pub enum HostBlock {
    /// Under `extensions`, with reading and listing enabled, as hosts do.
    #[default]
    Normal,
    /// The same under `experimental`, its place before MCP had extensions.
    Experimental,
    /// No block.
    Absent,
    /// `read.enabled` is false.
    ReadDisabled,
    /// `list.enabled` is false.
    ListDisabled,
    /// The string `"x"` in place of the object.
    Text,
    /// `schemes` is the string `"files"`, not a list.
    SchemesText,
    /// `enabled` is the string `"true"`, not a boolean.
    EnabledText,
}

impl HostBlock {
    /// All forms.
    pub const ALL: [Self; 8] = [
        Self::Normal,
        Self::Experimental,
        Self::Absent,
        Self::ReadDisabled,
        Self::ListDisabled,
        Self::Text,
        Self::SchemesText,
        Self::EnabledText,
    ];

    /// The client's capabilities with the block in this form.
    pub(super) fn capabilities(self, schemes: &[String], max_size: u64) -> Value {
        let mut block = json!({
            "read": { "enabled": true, "range": false, "maxSize": max_size },
            "list": { "enabled": true },
            "write": { "enabled": false },
            "schemes": schemes,
        });
        match self {
            Self::Normal | Self::Experimental | Self::Absent => {}
            Self::ReadDisabled => block["read"]["enabled"] = false.into(),
            Self::ListDisabled => block["list"]["enabled"] = false.into(),
            Self::Text => block = "x".into(),
            Self::SchemesText => block["schemes"] = "files".into(),
            Self::EnabledText => {
                block["read"]["enabled"] = "true".into();
                block["list"]["enabled"] = "true".into();
            }
        }
        let mut capabilities = json!({ "tasks": { "requests": { "tools": { "call": {} } }, "cancel": {} } });
        match self {
            Self::Absent => {}
            Self::Experimental => capabilities["experimental"] = json!({ KEY: block }),
            _ => capabilities["extensions"] = json!({ KEY: block }),
        }
        capabilities
    }
}
