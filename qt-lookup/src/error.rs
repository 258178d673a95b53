//! The error for bytes that cannot be loaded.

use core::fmt;

/// The reason why bytes cannot be loaded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// The bytes do not begin with the magic number.
    NotThisForm,
    /// The bytes hold the tree that earlier versions wrote as an alternative to the table.
    Tree,
    /// The bytes have a version that this crate does not know.
    Version(u8),
    /// The bytes end too early, or continue after the end of the table.
    Length,
    /// The bytes were changed after they were written.
    Checksum,
    /// The function takes this many sizes, which is not the number in the type.
    Axes(u8),
    /// The bytes contradict themselves.
    Invalid,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotThisForm => f.write_str("these bytes are not of this form of decision function"),
            Self::Tree => f.write_str(
                "these bytes are a tree, a form that is no longer read: write them again with `qtdec emit --target lookup-table`",
            ),
            Self::Version(version) => write!(f, "these bytes are of version {version}, and only 1 is known"),
            Self::Length => f.write_str("these bytes do not end where they should"),
            Self::Checksum => f.write_str("these bytes were changed since they were written"),
            Self::Axes(axes) => write!(f, "the function has {axes} axes, another number than the type says"),
            Self::Invalid => f.write_str("these bytes contradict themselves"),
        }
    }
}

impl core::error::Error for Error {}
