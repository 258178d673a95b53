//! Files whose names are in the messages about them.

use std::fs;
use std::io;
use std::path::Path;

/// Returns a function that adds the name of a file to an error.
pub fn named<E: std::fmt::Display>(path: &Path) -> impl Fn(E) -> String {
    move |error| format!("{}: {error}", path.display())
}

/// Reads a file of text.
///
/// # Errors
///
/// Returns an error with the name of the file.
pub fn read(path: impl AsRef<Path>) -> Result<String, String> {
    with(path, |path| fs::read_to_string(path))
}

/// Reads the bytes of a file.
///
/// # Errors
///
/// Returns an error with the name of the file.
pub fn bytes(path: impl AsRef<Path>) -> Result<Vec<u8>, String> {
    with(path, |path| fs::read(path))
}

/// Writes a file in a folder that exists.
///
/// # Errors
///
/// Returns an error with the name of the file.
pub fn write(path: impl AsRef<Path>, content: impl AsRef<[u8]>) -> Result<(), String> {
    with(path, |path| fs::write(path, content))
}

/// Makes a folder, and those in which it lies.
///
/// # Errors
///
/// Returns an error with the name of the folder.
pub fn folder(path: impl AsRef<Path>) -> Result<(), String> {
    with(path, |path| fs::create_dir_all(path))
}

fn with<T>(path: impl AsRef<Path>, access: impl FnOnce(&Path) -> io::Result<T>) -> Result<T, String> {
    access(path.as_ref()).map_err(named(path.as_ref()))
}
