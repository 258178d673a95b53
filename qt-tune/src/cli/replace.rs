//! Files that have their old content or the new, whatever happens in between.

use std::fs::{File, Metadata, OpenOptions};
use std::io::{self, Write};
use std::path::Path;

use tempfile::Builder;

/// Replaces the content of a regular file, or makes the file.
///
/// The bytes go to a temporary file next to it, `.qtdec-*.tmp`, which takes its name once they are on the disk. A file that
/// was there keeps its permissions and, where the system allows it, its owner; other hard links to it keep the old content.
///
/// # Errors
///
/// A file that may not be written, a folder that takes no further file, a full disk. The file is as it was then, and the
/// temporary file is gone.
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
    // Some file systems find only here that they are full.
    temporary.as_file().sync_all()?;
    temporary.persist(path)?;
    Ok(())
}

/// Gives a file the permissions that new files have, of which the process's mask takes its part.
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

/// Gives a file the owner and the permissions of the one that it replaces.
#[cfg(unix)]
fn keep(file: &File, old: &Metadata) -> io::Result<()> {
    use std::os::unix::fs::{MetadataExt, fchown};

    let new = file.metadata()?;
    if (new.uid(), new.gid()) != (old.uid(), old.gid()) {
        // Only root may give files away; others keep at least the group where they are in it.
        let _ =
            fchown(file, Some(old.uid()), Some(old.gid())).or_else(|_| fchown(file, None, Some(old.gid())));
    }
    file.set_permissions(old.permissions())
}

#[cfg(not(unix))]
fn keep(file: &File, old: &Metadata) -> io::Result<()> {
    file.set_permissions(old.permissions())
}
