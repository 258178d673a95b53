//! The file that the attribute names.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::arguments::FileName;
use super::errors::Errors;
use super::problem::{Problem, visible};
use super::read::read;
use super::tree::Tree;

/// The maximum size of a file.
const MAX_BYTES: u64 = 64 << 20;

/// A file that the attribute names.
pub(super) struct File {
    name: String,
    path: PathBuf,
    pub(super) place: usize,
    text: String,
}

impl File {
    /// Opens a file, whose path is relative to the folder of Cargo.toml, and reads its tree.
    pub(super) fn open(name: &FileName<'_>, errors: &mut Errors) -> Option<(Self, Tree)> {
        let base = PathBuf::from(std::env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default());
        let place = name.tokens[0].place;
        let path = base.join(&name.path);
        if Path::new(&name.path).is_absolute() && name.tokens.len() == 1 {
            let message = format!(
                "`{}` is an absolute path, which is only valid on this machine\n\
                 help: name the file relative to the folder of Cargo.toml, {}",
                name.path,
                base.display()
            );
            errors.place(place, &message);
            return None;
        }
        let text = match text(&path) {
            Ok(text) => text,
            Err(error) => {
                let message = format!(
                    "cannot read `{}`: {error}\nlooked for {}\nhelp: paths are relative to the folder of Cargo.toml",
                    name.path,
                    path.display()
                );
                errors.place(place, &message);
                return None;
            }
        };
        let file = Self { name: name.path.clone(), path, place, text };
        match read(&file.text) {
            Ok(tree) => Some((file, tree)),
            Err(problems) => {
                for problem in problems {
                    file.report(&problem, errors);
                }
                None
            }
        }
    }

    /// Reports a problem at the name of the file.
    pub(super) fn report(&self, problem: &Problem, errors: &mut Errors) {
        errors.place(self.place, &problem.report(&self.name, &self.text));
    }

    /// Returns the name for people.
    pub(super) fn shown(&self) -> String {
        visible(&self.name)
    }

    /// Returns an item that makes Cargo rebuild the crate when the file changes. It adds no bytes to the crate.
    pub(super) fn tracker(&self) -> String {
        format!("const _: fn() = || {{ let _ = ::core::include_str!({:?}); }};", self.path.to_string_lossy())
    }
}

/// Returns the text of a regular file: the compiler would wait for the writer of a pipe, and for the end of a device.
fn text(path: &Path) -> io::Result<String> {
    let found = fs::metadata(path)?;
    if !found.is_file() && !found.is_dir() {
        return Err(io::Error::other("it is not a regular file"));
    }
    if found.len() > MAX_BYTES {
        return Err(io::Error::other("the file is larger than the maximum of 64 MiB"));
    }
    fs::read_to_string(path)
}
