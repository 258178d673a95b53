//! Atomic writing of generated files.

use std::fs::{self, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

/// Writes a file, unless it holds these bytes already: Cargo rebuilds whatever has a newer file.
///
/// An interrupted build leaves either the old file or the new one, and possibly the temporary file `.*.tmp` next to it.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    // A symbolic link is kept; the file that it points to is replaced.
    match path.canonicalize() {
        Ok(file) if file.is_file() => {
            if fs::read(&file).is_ok_and(|old| old == bytes) {
                Ok(())
            } else {
                replace(&file, bytes)
            }
        }
        Ok(other) if !other.is_dir() => Err(io::Error::other("it is not a regular file: remove it")),
        Err(error) if error.kind() == io::ErrorKind::NotFound && !path.is_symlink() => replace(path, bytes),
        _ => fs::write(path, bytes),
    }
}

fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let old = match OpenOptions::new().write(true).open(path) {
        Ok(file) => Some(file.metadata()?.permissions()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(error) => return Err(error),
    };
    let temporary = temporary_path(path);
    let written = fs::write(&temporary, bytes)
        .and_then(|()| old.map_or(Ok(()), |old| fs::set_permissions(&temporary, old)))
        .and_then(|()| fs::rename(&temporary, path));
    if written.is_err() {
        let _ = fs::remove_file(&temporary);
    }
    written
}

/// Returns the path of the temporary file for a file. Cargo runs a build script once at a time, but other programs may write to
/// the same source directory.
fn temporary_path(path: &Path) -> PathBuf {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    path.with_file_name(format!(".{name}.{}.tmp", std::process::id()))
}
