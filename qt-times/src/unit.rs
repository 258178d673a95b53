//! Units of time.

/// A unit of time.
///
/// The variants are complete: benchmarks print no other units of time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimeUnit {
    /// Seconds.
    Seconds,
    /// Milliseconds.
    Milliseconds,
    /// Microseconds.
    Microseconds,
    /// Nanoseconds.
    Nanoseconds,
}

impl TimeUnit {
    /// Every unit and its name in options and files.
    pub const ALL: [(&'static str, Self); 4] = [
        ("s", Self::Seconds),
        ("ms", Self::Milliseconds),
        ("us", Self::Microseconds),
        ("ns", Self::Nanoseconds),
    ];

    /// Returns the name in options and files.
    pub fn name(self) -> &'static str {
        Self::ALL.iter().find(|(_, unit)| *unit == self).map_or("", |(name, _)| name)
    }

    /// Returns the number of `other` units in one of these.
    pub fn in_units_of(self, other: Self) -> f64 {
        let per_second = |unit| match unit {
            Self::Seconds => 1.0,
            Self::Milliseconds => 1e3,
            Self::Microseconds => 1e6,
            Self::Nanoseconds => 1e9,
        };
        per_second(other) / per_second(self)
    }
}
