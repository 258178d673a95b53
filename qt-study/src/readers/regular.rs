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

/// Opens a regular file in a folder, or returns `None` if there is no entry of this name. A symbolic link is not followed.
///
/// # Errors
///
/// Returns an error for an entry that is not a regular file or cannot be opened.
pub fn open_entry(path: &Path) -> io::Result<Option<File>> {
    match fs::symlink_metadata(path) {
        Ok(found) if found.is_symlink() => Err(io::Error::other("it is a symbolic link")),
        Ok(_) => open_regular(path).map(Some),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

fn regular(found: &Metadata) -> io::Result<()> {
    if found.is_file() { Ok(()) } else { Err(io::Error::other("it is not a regular file")) }
}
