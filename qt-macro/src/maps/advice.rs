//! Advice in errors of the front end.

use std::io;
use std::path::{Path, PathBuf};

use qtdec_core::help_if_missing;
use qtdec_core::similar::did_you_mean;

use super::source_file;
use crate::front::arguments::FileName;
use crate::front::axis::Axis;
use crate::front::item::Declared;

/// Returns the help for a file that cannot be read.
pub(crate) fn of_unreadable_file(name: &FileName<'_>, base: &Path, error: &io::Error) -> String {
    let help = match relative_to_source(base, name) {
        Some(path) => format!("\nhelp: relative to the folder of Cargo.toml it is \"{}\"", path.display()),
        None if name.tokens.len() > 1 => String::new(),
        None => "\nhelp: paths are relative to the folder of Cargo.toml".to_owned(),
    };
    let missing = help_if_missing(&name.path, error).map(|help| format!("\nhelp: {help}"));
    help + &missing.unwrap_or_default()
}

/// Returns the path to write if the file is relative to the source file instead.
fn relative_to_source(base: &Path, name: &FileName<'_>) -> Option<PathBuf> {
    let path = source_file()?.parent()?.join(&name.path);
    let absolute = std::path::absolute(&path).ok().filter(|path| path.is_file())?;
    absolute.strip_prefix(base).ok().map(Path::to_path_buf)
}

/// Returns the axis or option that a misspelled name means; an empty name if it is similar to none.
pub(crate) fn similar_axis<'a>(name: &str, axes: &'a [Axis], options: &'a str) -> &'a str {
    let axes = axes.iter().map(|axis| &*axis.name);
    did_you_mean(name, axes.chain(options.split_whitespace())).unwrap_or_default()
}

/// Returns the parameter that a misspelled name means.
pub(crate) fn similar_parameter<'t>(name: &str, parameters: &[Declared<'t>]) -> &'t str {
    did_you_mean(name, parameters.iter().map(Declared::name)).unwrap_or_default()
}

/// Returns the label that a misspelled one means.
pub(crate) fn similar_label<'a>(label: &str, labels: &'a [String]) -> &'a str {
    did_you_mean(label, labels.iter().map(String::as_str)).unwrap_or_default()
}
