//! Atomic replacement of files: after any failure, a file has either its old or its new content.

use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use tempfile::{Builder, NamedTempFile};

/// Replaces the content of a regular file by what a function writes, or creates the file and its folder. If that fails, the file is
/// unchanged, and the temporary file is removed.
pub(crate) fn replace(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    Replacement::with(path, write)?.commit()
}

/// The new content of a regular file, which is on disk under a temporary name next to the file.
///
/// An existing file keeps its permissions and, where the system allows it, its owner; other hard links to it keep the
/// old content.
#[derive(Debug)]
pub(crate) struct Replacement {
    temporary: NamedTempFile,
    path: PathBuf,
}

impl Replacement {
    /// Writes the new content to a temporary file.
    pub(crate) fn new(path: &Path, bytes: &[u8]) -> io::Result<Self> {
        Self::with(path, |out| out.write_all(bytes))
    }

    fn with(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<Self> {
        let old = match fs::symlink_metadata(path) {
            Ok(found) if found.is_file() => Some(OpenOptions::new().write(true).open(path)?.metadata()?),
            // A symbolic link is replaced, and its target is not touched.
            Ok(_) => None,
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(error),
        };
        let folder = path.parent().unwrap_or(Path::new("."));
        fs::create_dir_all(folder)?;
        let mut builder = Builder::new();
        builder.prefix(".qtdec-").suffix(".tmp");
        // New files have these permissions, without those of the process's mask.
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        let temporary = builder.tempfile_in(folder)?;
        let mut out = BufWriter::with_capacity(1 << 16, temporary.as_file());
        write(&mut out)?;
        out.flush()?;
        drop(out);
        if let Some(old) = old {
            keep(temporary.as_file(), &old)?;
        }
        // Some file systems only report here that they are full.
        temporary.as_file().sync_all()?;
        Ok(Self { temporary, path: path.to_owned() })
    }

    /// Renames the temporary file, which replaces the old content. If that fails, the old content is unchanged, and the temporary file is
    /// removed.
    pub(crate) fn commit(self) -> io::Result<()> {
        self.temporary.persist(&self.path).map(drop).map_err(|refused| refused.error)
    }
}

/// Copies the owner and the permissions of the file that is replaced.
fn keep(file: &File, old: &Metadata) -> io::Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::{MetadataExt, fchown};

        let (new, group) = (file.metadata()?, Some(old.gid()));
        if (new.uid(), new.gid()) != (old.uid(), old.gid()) {
            // Only root may give files away; others can at least set a group that they belong to.
            let _ = fchown(file, Some(old.uid()), group).or_else(|_| fchown(file, None, group));
        }
    }
    file.set_permissions(old.permissions())
}
