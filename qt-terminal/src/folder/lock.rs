//! Locks of folders: of several commands, one at a time writes its files.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::{Duration, Instant};

use fs4::{FileExt, TryLockError};
use same_file::Handle;

use crate::output;
use crate::temporary::Temporary;

/// The name of the file that is locked, which exists only while a command writes.
const NAME: &str = ".qtdec-outputs.lock";

/// The maximum time that a command waits for another one, which has all its files ready when it begins to write.
const PATIENCE: Duration = Duration::from_secs(60);

/// The time after which the user is told.
const SILENCE: Duration = Duration::from_secs(1);

/// The time between two attempts.
const PAUSE: Duration = Duration::from_millis(20);

/// The lock of a folder. The system releases it however the process ends.
#[derive(Debug)]
pub(crate) struct Lock {
    // The file is removed while it is still locked, so that nobody removes the file of another command.
    _name: Temporary,
    _file: File,
    /// Whether a killed command had left the lock, and perhaps temporary files.
    pub(crate) is_left_over: bool,
}

/// The reason why a folder is not locked now.
enum Refused {
    /// Another command has the lock.
    Locked,
    /// The file system has no locks.
    Unsupported,
    Failed(io::Error),
}

impl Lock {
    /// Waits until no other command writes to a folder. Returns `None` after a warning if the file system has no locks.
    pub(crate) fn acquire(folder: &Path) -> io::Result<Option<Self>> {
        let path = folder.canonicalize()?.join(NAME);
        let (mut began, mut is_told) = (None, false);
        loop {
            let is_left_over = path.exists();
            match Temporary::created(|| locked(&path)) {
                Ok((name, file)) => return Ok(Some(Self { _name: name, _file: file, is_left_over })),
                Err(Refused::Failed(error)) => return Err(error),
                Err(Refused::Unsupported) => {
                    output::warn(&format!(
                        "the file system of `{}` has no locks: run one command at a time for this folder",
                        folder.display()
                    ));
                    return Ok(None);
                }
                Err(Refused::Locked) => {}
            }
            let waited = began.get_or_insert_with(Instant::now).elapsed();
            if waited > SILENCE && !is_told {
                output::note(&format!("waiting for another command that writes to `{}`", folder.display()));
                is_told = true;
            }
            if waited > PATIENCE {
                let message = "another command is writing to this folder: try again when it has ended";
                return Err(io::Error::other(message));
            }
            sleep(PAUSE);
        }
    }
}

/// Opens and locks a file, if no other process has locked it.
fn locked(path: &Path) -> Result<(PathBuf, File), Refused> {
    // Locks are empty files. Opening a pipe could block forever.
    if fs::symlink_metadata(path).is_ok_and(|found| !found.is_file() || found.len() > 0) {
        let message = format!("`{NAME}` in it is not a lock of qtdec: rename or remove it");
        return Err(Refused::Failed(io::Error::other(message)));
    }
    let mut options = OpenOptions::new();
    let file = options.write(true).create(true).truncate(false).open(path).map_err(Refused::Failed)?;
    match FileExt::try_lock(&file) {
        // The file may have been removed, by the command that had the lock, after it was opened.
        Ok(()) if is_at(&file, path) => Ok((path.to_owned(), file)),
        Ok(()) | Err(TryLockError::WouldBlock) => Err(Refused::Locked),
        Err(TryLockError::Error(_)) => Err(Refused::Unsupported),
    }
}

fn is_at(file: &File, path: &Path) -> bool {
    let opened = file.try_clone().and_then(Handle::from_file);
    opened.is_ok_and(|opened| Handle::from_path(path).is_ok_and(|found| found == opened))
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::thread;

    use super::*;

    #[test]
    fn one_at_a_time_and_nothing_is_left() {
        let folder = tempfile::tempdir().unwrap();
        let inside = AtomicUsize::new(0);
        thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for _ in 0..5 {
                        let lock = Lock::acquire(folder.path()).unwrap();
                        assert!(lock.is_some());
                        assert_eq!(inside.fetch_add(1, Ordering::SeqCst), 0);
                        thread::yield_now();
                        inside.fetch_sub(1, Ordering::SeqCst);
                    }
                });
            }
        });
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }

    #[test]
    fn a_file_left_by_a_killed_command_is_no_obstacle() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join(NAME), "").unwrap();
        let lock = Lock::acquire(folder.path()).unwrap().unwrap();
        assert!(lock.is_left_over);
        drop(lock);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }
}
