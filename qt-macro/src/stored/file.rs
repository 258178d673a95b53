//! The file that the attribute names, with a stored tree in it.

use std::fs;
use std::io;
use std::path::Path;

use super::problem::{Problem, visible};
use super::read::read;
use super::tree::Tree;
use crate::front::arguments::FileName;
use crate::front::errors::Errors;
use crate::front::file::File;

/// The maximum size of a file.
const MAX_BYTES: u64 = 64 << 20;

/// Opens a file and reads its tree.
pub(super) fn open(name: &FileName<'_>, errors: &mut Errors) -> Option<(File<String>, Tree)> {
    let file = File::open(name, text, errors)?;
    match read(&file.contents) {
        Ok(tree) => Some((file, tree)),
        Err(problems) => {
            for problem in problems {
                file.report(&problem, errors);
            }
            None
        }
    }
}

fn text(_: &str, path: &Path) -> io::Result<String> {
    if fs::metadata(path)?.len() > MAX_BYTES {
        return Err(io::Error::other("the file is larger than the maximum of 64 MiB"));
    }
    fs::read_to_string(path)
}

impl File<String> {
    /// Reports a problem at the name of the file.
    pub(super) fn report(&self, problem: &Problem, errors: &mut Errors) {
        errors.place(self.place, &problem.report(&self.name, &self.contents));
    }

    /// Returns the name for people.
    pub(super) fn shown(&self) -> String {
        visible(&self.name)
    }
}
