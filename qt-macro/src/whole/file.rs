//! The file that the attribute names.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use qtdec_core::tokens::{Code, Span};
use qtdec_core::{Document, Method, Problems, SourceFile, Syntax, help_if_missing, rust};

use crate::whole::errors::Errors;
use crate::whole::path::FileName;
use crate::whole::spans::Spans;

/// A file that the attribute names.
pub(crate) struct MapFile {
    source: SourceFile,
    path: PathBuf,
    span: Span,
}

impl MapFile {
    /// Opens the file. Its path is relative to the directory of Cargo.toml.
    pub(crate) fn open(name: &FileName, spans: &Spans, errors: &mut Errors) -> Option<Self> {
        let base = std::env::var_os("CARGO_MANIFEST_DIR").map_or_else(PathBuf::new, PathBuf::from);
        Self::open_in(&base, name, spans, errors)
    }

    fn open_in(base: &Path, name: &FileName, spans: &Spans, errors: &mut Errors) -> Option<Self> {
        if Path::new(&name.path).is_absolute() && !name.computed {
            errors.span(
                name.span,
                format!(
                    "`{}` is an absolute path, which is only valid on this machine\n\
                     help: name the file relative to the folder of Cargo.toml, {}",
                    name.path,
                    base.display()
                ),
            );
            return None;
        }
        let path = base.join(&name.path);
        match opened(&path).and_then(|file| SourceFile::read(&name.path, file)) {
            Ok(source) => Some(Self { source, path, span: name.span }),
            Err(error) => {
                let help = match relative_to_source(base, name, spans) {
                    Some(path) => {
                        format!("\nhelp: relative to the folder of Cargo.toml it is \"{}\"", path.display())
                    }
                    None if name.computed => String::new(),
                    None => "\nhelp: paths are relative to the folder of Cargo.toml".to_owned(),
                };
                let missing = help_if_missing(&name.path, &error).map(|help| format!("\nhelp: {help}"));
                let looked = format!("cannot read `{}`: {error}\nlooked for {}", name.path, path.display());
                errors.span(name.span, looked + &help + &missing.unwrap_or_default());
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

    pub(crate) fn sound_methods(&self) -> Vec<Method> {
        self.source.sound_methods()
    }

    pub(crate) fn name(&self) -> &str {
        self.source.name()
    }

    pub(crate) fn span(&self) -> Span {
        self.span
    }

    /// Returns an item that makes Cargo rebuild the crate when the file changes. It adds no bytes to the crate and is valid wherever
    /// items are.
    ///
    /// `include_bytes!` is not an option: rust-analyzer sees an array of unknown length, and reports an error.
    pub(crate) fn tracker(&self) -> Code {
        let path = self.path.to_string_lossy();
        rust!(
            "const _: fn() = || {
                let _ = ::core::include_str!(#path);
            };";
            path = &*path
        )
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

/// Returns the path to write if the file is relative to the source file instead.
fn relative_to_source(base: &Path, name: &FileName, spans: &Spans) -> Option<PathBuf> {
    let source = spans.local_file(name.span)?;
    let path = source.parent()?.join(&name.path);
    let absolute = std::path::absolute(&path).ok().filter(|path| path.is_file())?;
    absolute.strip_prefix(base).ok().map(Path::to_path_buf)
}
