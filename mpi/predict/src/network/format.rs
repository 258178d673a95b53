//! A format of network files.

use qtdec_core::{Problem, Problems};

use super::Network;

/// A network that was read, with the reader's notes.
#[derive(Clone, Debug, PartialEq)]
pub struct Import {
    /// The network.
    pub network: Network,
    /// The omitted or changed values, and doubtful ones.
    pub notes: Vec<Problem>,
}

/// A format of network files.
#[derive(Clone, Copy, Debug)]
pub(super) struct Format {
    /// The format's name.
    pub(super) name: &'static str,
    /// A function that returns whether a text has this format, judging by its beginning.
    pub(super) is: fn(&str) -> bool,
    /// A function that reads a text in this format.
    pub(super) read: fn(&str) -> Result<Import, Problems>,
}
