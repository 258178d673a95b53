//! The error for bytes that cannot be loaded.

use core::fmt;

/// The reason why bytes cannot be loaded.
///
/// ```
/// use qtdec_lookup::{Error, Table};
///
/// assert_eq!(Table::<2>::load(b"{}").unwrap_err(), Error::Length);
/// let mut bytes = *include_bytes!("../examples/bcast.qtl");
/// bytes[20] ^= 1;
/// let error = Table::<2>::load(&bytes).unwrap_err();
/// assert_eq!(error.to_string(), "the checksum is wrong: these bytes were changed after they were written");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// The bytes do not begin with the magic number.
    NotThisForm,
    /// The bytes have a version that this crate does not know.
    Version(u8),
    /// The bytes end too early, or continue after the end of the table.
    Length,
    /// The bytes were changed after they were written.
    Checksum,
    /// The function takes this many sizes, which is not the number in the type.
    Axes(u8),
    /// The table contains a number that is out of range, or a name that is not UTF-8.
    Invalid,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotThisForm => f.write_str("these bytes are not a decision table"),
            Self::Version(version) => write!(
                f,
                "these bytes have version {version}, and only version 1 is \
                 known"
            ),
            Self::Length => f.write_str("these bytes are truncated, or continue after the end of the table"),
            Self::Checksum => f.write_str(
                "the checksum is wrong: these bytes were changed after they were \
                 written",
            ),
            Self::Axes(axes) => write!(f, "the function has {axes} axes, not the number in the type `Table`"),
            Self::Invalid => f.write_str(
                "the table is invalid: it contains a number that is out of range, \
                 or a name that is not UTF-8",
            ),
        }
    }
}

impl core::error::Error for Error {}
