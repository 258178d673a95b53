//! Files that nobody named, but that stand beside others.

use std::fs::{self, File, Metadata};
use std::io;
use std::path::Path;

/// Opens a regular file. Nothing else is opened: a pipe waits for its writer, and a device need not end.
///
/// # Errors
///
/// The file cannot be opened, or is not a regular file.
pub fn open_regular(path: &Path) -> io::Result<File> {
    regular(&fs::metadata(path)?)?;
    let file = File::open(path)?;
    // Another one may have taken its name.
    regular(&file.metadata()?)?;
    Ok(file)
}

fn regular(found: &Metadata) -> io::Result<()> {
    if found.is_file() { Ok(()) } else { Err(io::Error::other("it is not a regular file")) }
}
