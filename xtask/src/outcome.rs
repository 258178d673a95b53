//! What comes of a check that not every machine can make.

/// What came of it, where it did not fail.
pub(crate) enum Outcome {
    /// All was as it should be: what was looked at, in words.
    Held(String),
    /// It could not be made, and why.
    Skipped(String),
}
