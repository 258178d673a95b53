//! Advice in errors of the front end, of which stored trees have less than maps.

use std::io;
use std::path::Path;

use crate::front::arguments::FileName;

/// Returns the help for a file that cannot be read.
pub(crate) fn of_unreadable_file(_: &FileName<'_>, _: &Path, _: &io::Error) -> &'static str {
    "\nhelp: paths are relative to the folder of Cargo.toml"
}

/// Returns no known name for a misspelled one, because it takes many lines to find it.
pub(crate) fn did_you_mean<'k>(_: &str, _: &[&'k str]) -> Option<&'k str> {
    None
}
