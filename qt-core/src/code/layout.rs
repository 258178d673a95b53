//! What the code of a tree looks like.
//!
//! A layout is one file of this folder, a line in each of the lists here, and one where a body is written.

use crate::encode::{OptionForm, one_of};
use crate::message::Message;

/// What the code of a tree looks like: the same decisions, at another price.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Layout {
    /// Nested `if` and `else if`: the fastest where a program repeats its calls, and the one that people read.
    #[default]
    Branches,
    /// A table, without a branch: as fast for calls that vary.
    Table,
}

impl Layout {
    /// All of them, with the name each has in options.
    pub const ALL: [(&'static str, Self); 2] = [("branches", Self::Branches), ("table", Self::Table)];

    /// How the option is written.
    pub const OPTION: OptionForm = OptionForm {
        name: "layout",
        value: "branches|table",
        help: "what the code looks like: nested branches, or a table without a branch",
    };

    /// Names that layouts had once, with the one to use instead and why.
    pub const REMOVED: [(&'static str, &'static str); 1] = [(
        "hybrid",
        "the layout `hybrid` was removed: use `table`, which is smaller and faster wherever calls vary",
    )];

    /// Returns the layout of a name.
    ///
    /// # Errors
    ///
    /// The names there are, or what to use instead of a layout that was removed.
    pub(crate) fn parse(name: &str, not: impl Fn(String) -> Message) -> Result<Self, Message> {
        match Self::REMOVED.iter().find(|(removed, _)| *removed == name) {
            Some((_, instead)) => Err((*instead).into()),
            None => one_of(name, &Self::ALL).map_err(not),
        }
    }
}
