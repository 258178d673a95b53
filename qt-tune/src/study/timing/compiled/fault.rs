//! Why there are no compiled functions to time.

use std::ffi::OsString;
use std::fmt;
use std::io;

use qtdec_core::Problems;

/// Why there are no compiled functions to time.
#[derive(Debug)]
pub enum Fault {
    /// The compiler could not be run.
    NoCompiler(OsString, io::Error),
    /// The compiler failed, with this to say.
    NotCompiled(String),
    /// A tree has no function.
    NotWritten(Problems),
    /// The program's files could not be written or run.
    Files(io::Error),
}

impl fmt::Display for Fault {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoCompiler(rustc, error) => {
                write!(out, "the Rust compiler `{}` cannot be run: {error}", rustc.display())
            }
            Self::NotCompiled(said) => write!(out, "the Rust compiler failed:\n{said}"),
            Self::NotWritten(problems) => problems.fmt(out),
            Self::Files(error) => write!(out, "the compiled program cannot be made or run: {error}"),
        }
    }
}

impl std::error::Error for Fault {}
