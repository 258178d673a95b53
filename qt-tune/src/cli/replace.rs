//! Atomic replacement of files: after any failure, a file has either its old or its new content.

use std::fs::{File, Metadata, OpenOptions};
use std::io::{self, Write};
use std::path::Path;

use tempfile::Builder;

/// Replaces the content of a regular file, or creates the file.
///
/// The data go to a temporary file next to it, `.qtdec-*.tmp`, which is renamed once they are on disk. An existing
/// file keeps its permissions and, where the system allows it, its owner; other hard links to it keep the old
/// content.
///
/// # Errors
///
/// The file or its folder is not writable, or the disk is full. The file is then unchanged, and the temporary file is
/// removed.
pub(super) fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let old = match OpenOptions::new().write(true).open(path) {
        Ok(file) => Some(file.metadata()?),
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(error) => return Err(error),
    };
    let folder = path.parent().unwrap_or(Path::new("."));
    let mut temporary =
        like_other_files(Builder::new().prefix(".qtdec-").suffix(".tmp")).tempfile_in(folder)?;
    temporary.write_all(bytes)?;
    if let Some(old) = old {
        keep(temporary.as_file(), &old)?;
    }
    // Some file systems only report here that they are full.
    temporary.as_file().sync_all()?;
    temporary.persist(path)?;
    Ok(())
}

/// Sets the permissions that new files have, from which the process's mask is subtracted.
#[cfg(unix)]
fn like_other_files<'b, 'p, 's>(builder: &'b mut Builder<'p, 's>) -> &'b mut Builder<'p, 's> {
    use std::fs::Permissions;
    use std::os::unix::fs::PermissionsExt;

    builder.permissions(Permissions::from_mode(0o666))
}

#[cfg(not(unix))]
fn like_other_files<'b, 'p, 's>(builder: &'b mut Builder<'p, 's>) -> &'b mut Builder<'p, 's> {
    builder
}

/// Copies the owner and the permissions of the file that is replaced.
#[cfg(unix)]
fn keep(file: &File, old: &Metadata) -> io::Result<()> {
    use std::os::unix::fs::{MetadataExt, fchown};

    let new = file.metadata()?;
    if (new.uid(), new.gid()) != (old.uid(), old.gid()) {
        // Only root may give files away; others can at least set a group that they belong to.
        let _ =
            fchown(file, Some(old.uid()), Some(old.gid())).or_else(|_| fchown(file, None, Some(old.gid())));
    }
    file.set_permissions(old.permissions())
}

#[cfg(not(unix))]
fn keep(file: &File, old: &Metadata) -> io::Result<()> {
    file.set_permissions(old.permissions())
}
