//! The file that the attribute names, with a map or a tree in it.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use proc_macro2::{Span, TokenStream};
use qtdec_core::{Document, Problems, SourceFile, Syntax, help_if_missing};
use quote::quote;

use crate::errors::Errors;
use crate::path::FileName;
use crate::tokens::first_span;

/// A file that was opened.
pub(crate) struct MapFile {
    pub(crate) source: SourceFile,
    path: PathBuf,
    /// The place of the file's name.
    pub(crate) span: Span,
}

impl MapFile {
    /// Reads a file, whose path is relative to the folder of Cargo.toml.
    pub(crate) fn open(name: &FileName, errors: &mut Errors) -> Option<Self> {
        let base = PathBuf::from(std::env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default());
        let span = first_span(&name.tokens, Span::call_site());
        let text = &*name.path;
        let path = base.join(text);
        if Path::new(text).is_absolute() && !name.computed {
            let message = format!(
                "`{text}` is an absolute path, which is only valid on this machine\n\
                 help: name the file relative to the folder of Cargo.toml, {}",
                base.display()
            );
            errors.span(span, message);
            return None;
        }
        match opened(&path).and_then(|file| SourceFile::read(text, file)) {
            Ok(source) => Some(Self { source, path, span }),
            Err(error) => {
                let advice = advice(name, &base, &error);
                let looked = path.display();
                errors.span(span, format!("cannot read `{text}`: {error}\nlooked for {looked}{advice}"));
                None
            }
        }
    }

    /// Returns the contents of the file, or reports its problems at the file's name.
    pub(crate) fn document(&self, errors: &mut Errors) -> Option<Document> {
        self.check(self.source.document(), errors)
    }

    /// Returns the value, or reports its problems at the file's name.
    pub(crate) fn check<T>(&self, result: Result<T, Problems>, errors: &mut Errors) -> Option<T> {
        match result {
            Ok(value) => Some(value),
            Err(problems) => {
                for report in self.source.plain_reports(&problems, Syntax::Attribute) {
                    errors.span(self.span, report);
                }
                None
            }
        }
    }

    /// Returns an item that makes Cargo rebuild the crate when the file changes. It adds no bytes to the crate and is valid wherever items
    /// are.
    ///
    /// `include_bytes!` is not an option: rust-analyzer sees an array of unknown length, and reports an error.
    pub(crate) fn tracker(&self) -> TokenStream {
        let path = self.path.to_string_lossy();
        quote! {
            const _: fn() = || {
                let _ = ::core::include_str!(#path);
            };
        }
    }
}

/// Opens a regular file: the compiler would wait for the writer of a pipe, and for the end of a device.
fn opened(path: &Path) -> io::Result<File> {
    let found = fs::metadata(path)?;
    if !found.is_file() && !found.is_dir() {
        return Err(io::Error::other("it is not a regular file"));
    }
    File::open(path)
}

/// Returns the help for a file that cannot be read.
fn advice(name: &FileName, base: &Path, error: &io::Error) -> String {
    let help = match relative_to_source(base, name) {
        Some(path) => format!("\nhelp: relative to the folder of Cargo.toml it is \"{}\"", path.display()),
        None if name.computed => String::new(),
        None => "\nhelp: paths are relative to the folder of Cargo.toml".to_owned(),
    };
    let missing = help_if_missing(&name.path, error).map(|help| format!("\nhelp: {help}"));
    help + &missing.unwrap_or_default()
}

/// Returns the path to write if the file is relative to the source file instead.
fn relative_to_source(base: &Path, name: &FileName) -> Option<PathBuf> {
    let path = Span::call_site().local_file()?.parent()?.join(&name.path);
    let absolute = std::path::absolute(&path).ok().filter(|path| path.is_file())?;
    absolute.strip_prefix(base).ok().map(Path::to_path_buf)
}
