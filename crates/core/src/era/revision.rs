//! The protocol revisions by name. What each has is in its row (`row.rs`); the rows are in `table.rs`.

/// A protocol revision. Revisions have no order: ask what one has, not how new it is.
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
