//! The errors of a benchmark.

use std::fmt;
use std::io;
use std::path::PathBuf;

use qtdec_core::{Problem, Problems, Syntax};

/// The reason why there is no map.
///
/// `{}` and `{:?}` print the same text, so that a `main` that returns this error prints a readable message.
#[non_exhaustive]
pub enum Error {
    /// The axes, the methods or the times make no map, or cannot be written.
    Invalid(Problems),
    /// The map or the times could not be written.
    Write(PathBuf, io::Error),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Invalid(problems) => f.write_str(&problems.render(Syntax::Builder)),
            Self::Write(path, error) => write!(f, "cannot write `{}`: {error}", path.display()),
        }
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl From<Problems> for Error {
    fn from(problems: Problems) -> Self {
        Self::Invalid(problems)
    }
}

impl From<Problem> for Error {
    fn from(problem: Problem) -> Self {
        Self::Invalid(problem.into())
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Write(_, error) => Some(error),
            Self::Invalid(problems) => Some(problems),
        }
    }
}
