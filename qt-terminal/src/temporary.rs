//! Files that exist only while a command runs. They are removed when it ends, also by a signal, except by `SIGKILL`.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use tempfile::Builder;

#[cfg(unix)]
use crate::signals;

/// The files that exist now, the oldest first. Signals are sent to the process as a whole, so this list is one of the
/// process too.
static EXISTING: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// The number of random characters in the names of new files.
const RANDOM: usize = 6;

/// The end of the names of new files.
const SUFFIX: &str = ".tmp";

/// A file that is removed when this value is dropped, or when a signal ends the process.
#[derive(Debug)]
pub(crate) struct Temporary {
    path: PathBuf,
}

impl Temporary {
    /// Creates a file with a new name, `PREFIX*.tmp`, and the permissions of any new file.
    pub(crate) fn named(prefix: &str, folder: &Path) -> io::Result<(Self, File)> {
        Self::created(|| {
            let mut builder = Builder::new();
            builder.prefix(prefix).rand_bytes(RANDOM).suffix(SUFFIX);
            // New files have these permissions, without those of the process's mask.
            #[cfg(unix)]
            builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
            let file = builder.tempfile_in(folder)?;
            let (file, path) = file.keep().map_err(|refused| refused.error)?;
            Ok((path, file))
        })
    }

    /// Returns whether a file with this name may be one of [`named`](Self::named).
    pub(crate) fn is_name(prefix: &str, name: &str) -> bool {
        let random = name.strip_prefix(prefix).and_then(|rest| rest.strip_suffix(SUFFIX));
        random.is_some_and(|random| {
            random.len() == RANDOM && random.bytes().all(|byte| byte.is_ascii_alphanumeric())
        })
    }

    /// Makes the file that `create` creates a temporary one. A signal does not end the process in between.
    pub(crate) fn created<E>(create: impl FnOnce() -> Result<(PathBuf, File), E>) -> Result<(Self, File), E> {
        #[cfg(unix)]
        signals::watch(remove_all);
        let mut existing = existing();
        let (path, file) = create()?;
        existing.push(path.clone());
        Ok((Self { path }, file))
    }

    /// Renames the file, which is then no longer temporary. If that fails, it is removed.
    pub(crate) fn persist(self, path: &Path) -> io::Result<()> {
        let _existing = existing();
        fs::rename(&self.path, path)
        // Dropping it removes its old name from the list, and finds no file of that name.
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        let mut existing = existing();
        // There is nobody to inform, and a file that was renamed is not there.
        let _ = fs::remove_file(&self.path);
        existing.retain(|path| *path != self.path);
    }
}

/// Removes all files, the newest first, and returns the list. While the list is held, no file is created or renamed.
#[cfg(unix)]
fn remove_all() -> MutexGuard<'static, Vec<PathBuf>> {
    let mut existing = existing();
    for path in existing.drain(..).rev() {
        let _ = fs::remove_file(path);
    }
    existing
}

fn existing() -> MutexGuard<'static, Vec<PathBuf>> {
    EXISTING.lock().unwrap_or_else(PoisonError::into_inner)
}
