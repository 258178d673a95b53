//! Advice in errors of the front end, of which stored trees have less than maps.

use std::io;
use std::path::Path;

use crate::front::arguments::FileName;
use crate::front::axis::Axis;
use crate::front::item::Declared;

/// Returns the help for a file that cannot be read.
pub(crate) fn of_unreadable_file(_: &FileName<'_>, _: &Path, _: &io::Error) -> &'static str {
    "\nhelp: paths are relative to the folder of Cargo.toml"
}

// It takes many lines to find the name that a misspelled one means.

pub(crate) fn similar_axis<'a>(_: &str, _: &'a [Axis], _: &'a str) -> &'a str {
    ""
}

pub(crate) fn similar_parameter<'t>(_: &str, _: &[Declared<'t>]) -> &'t str {
    ""
}

pub(crate) fn similar_label<'a>(_: &str, _: &'a [String]) -> &'a str {
    ""
}
