//! The file that the attribute names.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::arguments::FileName;
use super::errors::Errors;
use crate::way::advice::of_unreadable_file;

/// A file that the attribute names, and what was read from it.
pub(crate) struct File<C> {
    pub(crate) name: String,
    path: PathBuf,
    pub(crate) place: usize,
    pub(crate) contents: C,
}

impl<C> File<C> {
    /// Reads a file, whose path is relative to the folder of Cargo.toml.
    pub(crate) fn open(
        name: &FileName<'_>,
        read: fn(&str, &Path) -> io::Result<C>,
        errors: &mut Errors,
    ) -> Option<Self> {
        let base = PathBuf::from(std::env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default());
        let place = name.tokens[0].place;
        let path = base.join(&name.path);
        let text = &*name.path;
        let message = if Path::new(text).is_absolute() && name.tokens.len() == 1 {
            format!(
                "`{text}` is an absolute path, which is only valid on this machine\n\
                 help: name the file relative to the folder of Cargo.toml, {}",
                base.display()
            )
        } else {
            match check(&path).and_then(|()| read(text, &path)) {
                Ok(contents) => return Some(Self { name: text.to_owned(), path, place, contents }),
                Err(error) => {
                    let advice = of_unreadable_file(name, &base, &error);
                    format!("cannot read `{text}`: {error}\nlooked for {}{advice}", path.display())
                }
            }
        };
        errors.place(place, &message);
        None
    }

    /// Returns an item that makes Cargo rebuild the crate when the file changes. It adds no bytes to the crate and is valid wherever items
    /// are.
    ///
    /// `include_bytes!` is not an option: rust-analyzer sees an array of unknown length, and reports an error.
    pub(crate) fn tracker(&self) -> String {
        format!("const _: fn() = || {{ let _ = ::core::include_str!({:?}); }};", self.path.to_string_lossy())
    }
}

/// Checks that a file is a regular one: the compiler would wait for the writer of a pipe, and for the end of a device.
fn check(path: &Path) -> io::Result<()> {
    let found = fs::metadata(path)?;
    if !found.is_file() && !found.is_dir() {
        return Err(io::Error::other("it is not a regular file"));
    }
    Ok(())
}
