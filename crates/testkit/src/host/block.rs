//! What a fake host says of itself in its handshake: the capability block, in every form that hosts were seen or feared to
//! send it.

use serde_json::{Value, json};

use super::names::KEY;

/// In which form a fake host advertises that its files can be read.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
#[non_exhaustive]
pub enum HostBlock {
    /// As hosts do: under `extensions`, reading and listing enabled.
    #[default]
    Normal,
    /// The same under `experimental`, where it was before there were extensions.
    Experimental,
    /// Not at all.
    Absent,
    /// With `read.enabled: false`.
    ReadDisabled,
    /// With `list.enabled: false`.
    ListDisabled,
    /// `"x"` in its place.
    Text,
    /// With `schemes: "files"`, which is no list.
    SchemesText,
    /// With `enabled: "true"`, which is no boolean.
    EnabledText,
}

impl HostBlock {
    /// Every form.
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

    /// The client capabilities with the block in this form.
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
