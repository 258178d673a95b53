//! The file that the attribute names, with a map or a tree in it.

use std::fs;

use qtdec_core::{Document, Problems, SourceFile, Syntax};

use crate::front::arguments::FileName;
use crate::front::errors::Errors;
use crate::front::file::File;

/// Opens a file.
pub(super) fn open(name: &FileName<'_>, errors: &mut Errors) -> Option<File<SourceFile>> {
    File::open(name, |name, path| SourceFile::read(name, fs::File::open(path)?), errors)
}

impl File<SourceFile> {
    /// Returns the contents of the file, or reports its problems at the file's name.
    pub(super) fn document(&self, errors: &mut Errors) -> Option<Document> {
        self.check(self.contents.document(), errors)
    }

    /// Returns the value, or reports its problems at the file's name.
    pub(super) fn check<T>(&self, result: Result<T, Problems>, errors: &mut Errors) -> Option<T> {
        match result {
            Ok(value) => Some(value),
            Err(problems) => {
                for report in self.contents.plain_reports(&problems, Syntax::Attribute) {
                    errors.place(self.place, &report);
                }
                None
            }
        }
    }
}
