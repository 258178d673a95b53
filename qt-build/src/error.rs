//! The errors of a build script.

use std::fmt;
use std::io;
use std::path::PathBuf;

use qtdec_core::{Problems, Syntax};

/// The reason why nothing was generated.
///
/// `{}` and `{:?}` print the same text, so that a `main` that returns this error prints a readable message.
///
/// ```
/// let error = qtdec_build::Builder::new().generate().unwrap_err();
/// assert_eq!(format!("{error:?}"), "no map was named: call `map(\"maps/file.json\")`");
/// ```
#[non_exhaustive]
pub enum Error {
    /// No map was named.
    NoMap,
    /// Files cannot be read, or they or their options are invalid. Each problem comes with its place in the file.
    Invalid(Vec<String>),
    /// Two maps would be generated into the same file.
    Collision(PathBuf),
    /// A generated file would overwrite a map.
    Overwrites(PathBuf),
    /// Neither `OUT_DIR` nor [`Builder::out_dir`](crate::Builder::out_dir) sets an output directory.
    NoOutDir,
    /// A file could not be written.
    Write(PathBuf, io::Error),
    /// The build script could not read a file of its own, from which it makes a map.
    Io(io::Error),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoMap => f.write_str("no map was named: call `map(\"maps/file.json\")`"),
            Self::Invalid(reports) => f.write_str(&reports.join("\n\n")),
            Self::Collision(path) => {
                write!(
                    f,
                    "two maps would be generated into `{}`: give their files different names",
                    path.display()
                )
            }
            Self::Overwrites(map) => write!(
                f,
                "the map `{}` would be overwritten by the code: generate into another folder",
                map.display()
            ),
            Self::NoOutDir => f.write_str("OUT_DIR is not set: outside a build script, call `out_dir`"),
            Self::Write(path, error) => write!(f, "cannot write `{}`: {error}", path.display()),
            Self::Io(error) => fmt::Display::fmt(error, f),
        }
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// For maps that the build script makes itself.
impl From<Problems> for Error {
    fn from(problems: Problems) -> Self {
        Self::Invalid(vec![problems.render(Syntax::Builder)])
    }
}

/// For files from which the build script makes maps itself.
///
/// ```
/// let error = qtdec_build::Error::from(std::fs::read("no-such-file").unwrap_err());
/// assert!(std::error::Error::source(&error).is_some());
/// ```
impl From<io::Error> for Error {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Write(_, error) | Self::Io(error) => Some(error),
            Self::NoMap | Self::Invalid(_) | Self::Collision(_) | Self::Overwrites(_) | Self::NoOutDir => {
                None
            }
        }
    }
}
