//! Results of checks that not every machine can run.

/// The result of a check that did not fail.
pub(crate) enum Outcome {
    /// The check passed, with a description of what was checked.
    Held(String),
    /// The check could not run, with the reason.
    Skipped(String),
}
