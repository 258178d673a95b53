//! Advice in errors of the front end.

use std::io;
use std::path::{Path, PathBuf};

use qtdec_core::{help_if_missing, similar};

use super::source_file;
use crate::front::arguments::FileName;

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

/// Returns the known name that a misspelled one may mean.
pub(crate) fn did_you_mean<'k>(word: &str, known: &[&'k str]) -> Option<&'k str> {
    similar::did_you_mean(word, known.iter().copied())
}
