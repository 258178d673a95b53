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
    /// Other programs [disturbed](crate::Measured::disturbance) the measurement, so that its map is in another file.
    #[non_exhaustive]
    Disturbed {
        /// How they did.
        reason: String,
        /// The file that was not written.
        path: PathBuf,
        /// The file with the map.
        kept: PathBuf,
        /// What may be called to measure in spite of it, apart from [`force`](crate::Benchmark::force).
        remedies: Vec<&'static str>,
        /// The command that writes the file all the same.
        command: String,
    },
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Invalid(problems) => f.write_str(&problems.render(Syntax::Builder)),
            Self::Write(path, error) => write!(f, "cannot write `{}`: {error}", path.display()),
            Self::Disturbed { reason, path, kept, remedies, command } => {
                let others: Vec<String> =
                    remedies.iter().map(|remedy| format!(", or with {remedy}")).collect();
                let others = others.concat();
                write!(
                    f,
                    "`{}` was not written, because {reason}; the new map is `{}`\n\
                     help: measure again when nothing else runs{others}; `.force()` or `{command}` writes it all the same",
                    path.display(),
                    kept.display()
                )
            }
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
            Self::Disturbed { .. } => None,
        }
    }
}
