//! Units of time.

use std::fmt;

/// A unit of time in a file.
///
/// The variants are complete: files use no other units of time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Unit {
    /// Seconds.
    Seconds,
    /// Milliseconds.
    Milliseconds,
    /// Microseconds.
    #[default]
    Microseconds,
    /// Nanoseconds.
    Nanoseconds,
}

impl Unit {
    /// Every unit and its name in files.
    pub const NAMES: [(&str, Self); 4] = [
        ("s", Self::Seconds),
        ("ms", Self::Milliseconds),
        ("us", Self::Microseconds),
        ("ns", Self::Nanoseconds),
    ];

    /// Returns the unit's length in seconds.
    pub const fn seconds(self) -> f64 {
        match self {
            Self::Seconds => 1.0,
            Self::Milliseconds => 1e-3,
            Self::Microseconds => 1e-6,
            Self::Nanoseconds => 1e-9,
        }
    }

    /// Returns the unit's name in files.
    pub fn name(self) -> &'static str {
        name_of(&Self::NAMES, &self)
    }
}

/// Returns the name of a value in a list that has all values.
pub(crate) fn name_of<T: PartialEq>(names: &[(&'static str, T)], value: &T) -> &'static str {
    names.iter().find(|(_, named)| named == value).map_or("", |(name, _)| name)
}

impl fmt::Display for Unit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
