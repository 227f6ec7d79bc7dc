//! The table of the revisions, with one row for each.

use std::fmt;

use super::fields::{Fields, ToolFields};
use super::revision::Revision;
use super::row::Era;
use super::{legacy, modern};

/// Every revision, oldest first.
pub(crate) static ALL: [Era; 6] = [
    Era { revision: Revision::V2024_10_07, name: "2024-10-07", batches: true, ..legacy::FIRST },
    Era { revision: Revision::V2024_11_05, name: "2024-11-05", batches: true, ..legacy::FIRST },
    Era { revision: Revision::V2025_03_26, name: "2025-03-26", batches: true, headerless: true, ..legacy::MIDDLE },
    Era {
        revision: Revision::V2025_06_18,
        name: "2025-06-18",
        knows_header: true,
        completion_context: true,
        fields: &Fields::TITLED,
        tools: &ToolFields::STRUCTURED,
        ..legacy::MIDDLE
    },
    Era {
        revision: Revision::V2025_11_25,
        name: "2025-11-25",
        knows_header: true,
        id_only_first_event: true,
        completion_context: true,
        fields: &Fields::FULL,
        tools: &ToolFields::FULL,
        ..legacy::MIDDLE
    },
    Era { revision: Revision::V2026_07_28, name: "2026-07-28", ..modern::FIRST },
];

/// The row with that name.
pub(crate) fn row(name: &str) -> Option<&'static Era> {
    ALL.iter().find(|era| era.name == name)
}

/// Whether any revision has that method.
pub(crate) fn has_method(name: &str) -> bool {
    ALL.iter().any(|era| era.method(name).is_some())
}

impl Revision {
    /// Every revision, oldest first.
    pub const ALL: [Self; 6] = [
        Self::V2024_10_07,
        Self::V2024_11_05,
        Self::V2025_03_26,
        Self::V2025_06_18,
        Self::V2025_11_25,
        Self::V2026_07_28,
    ];

    /// The revisions with a handshake, oldest first. Only in these can a server send requests to its clients, as
    /// [`host`](crate::host()) does.
    ///
    /// ```
    /// use grange_core::{Revision, Server};
    /// let server = Server::builder("summaries", "1.0.0").requests_to_client().revisions(Revision::HANDSHAKE).build()?;
    /// assert!(Revision::HANDSHAKE.iter().all(|revision| revision.has_handshake()));
    /// # Ok::<(), grange_core::BuildError>(())
    /// ```
    pub const HANDSHAKE: [Self; 5] =
        [Self::V2024_10_07, Self::V2024_11_05, Self::V2025_03_26, Self::V2025_06_18, Self::V2025_11_25];

    /// The name in messages, as `2025-06-18`.
    pub fn name(self) -> &'static str {
        self.era().name
    }

    /// The revision with that name.
    pub fn from_name(name: &str) -> Option<Self> {
        row(name).map(|era| era.revision)
    }

    /// Whether clients of this revision send an `MCP-Protocol-Version` header over HTTP.
    pub fn has_version_header(self) -> bool {
        self.era().knows_header
    }

    /// Whether a client opens with an `initialize` handshake; otherwise every request stands alone and carries its own
    /// metadata.
    pub fn has_handshake(self) -> bool {
        self.era().handshake
    }

    pub(crate) fn era(self) -> &'static Era {
        ALL.iter().find(|era| era.revision == self).expect("every revision has its row")
    }
}

impl fmt::Display for Revision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
