//! Why bytes are refused.

use core::fmt;

/// Why bytes are refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// They do not begin as the form begins.
    NotThisForm,
    /// They are the tree that earlier versions wrote beside the table.
    Tree,
    /// They are of a version that this crate does not know.
    Version(u8),
    /// They end too early, or go on where they should end.
    Length,
    /// They were changed since they were written.
    Checksum,
    /// The function takes so many sizes, not as many as the type says.
    Axes(u8),
    /// They contradict themselves.
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
