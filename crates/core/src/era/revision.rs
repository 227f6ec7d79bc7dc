//! The protocol revisions by name. Their features are in the rows (`row.rs`, `table.rs`).

/// A protocol revision. Revisions have no order: check whether one has a feature, not how new it is.
///
/// ```
/// use grange_core::Revision;
/// let revision = Revision::from_name("2025-06-18").expect("MCP has this revision");
/// assert!(revision.has_handshake() && revision.has_version_header());
/// ```
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
#[non_exhaustive]
#[allow(missing_docs, reason = "a date says it all")]
pub enum Revision {
    V2024_10_07,
    V2024_11_05,
    V2025_03_26,
    V2025_06_18,
    V2025_11_25,
    V2026_07_28,
}
