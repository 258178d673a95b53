//! The spelling of options.

/// The spelling of an option.
#[derive(Clone, Copy, Debug)]
pub struct OptionForm {
    /// The name, as in `max_depth`; on the command line `--max-depth`.
    pub name: &'static str,
    /// The placeholder for the value in a help text, as in `floor|arithmetic`, with the default first. Empty for an option that is
    /// on or off.
    pub value: &'static str,
    /// A description in one line without a full stop.
    pub help: &'static str,
}
