//! Files that are written as a whole.

use std::fs::{self, File};
use std::io::{BufWriter, Result, Write};
use std::path::Path;

/// Replaces a file as a whole: whoever reads it meanwhile sees the one before, and no part is left if there is no room for all of it.
pub(crate) fn replace(path: &Path, write: impl FnOnce(&mut BufWriter<File>) -> Result<()>) -> Result<()> {
    let mut part = path.as_os_str().to_owned();
    part.push(".part");
    let written = File::create(&part).and_then(|file| {
        let mut out = BufWriter::new(file);
        write(&mut out)?;
        out.flush()
    });
    written.and_then(|()| fs::rename(&part, path)).inspect_err(|_| {
        // What cannot be removed is not read: it has another ending.
        let _ = fs::remove_file(&part);
    })
}
