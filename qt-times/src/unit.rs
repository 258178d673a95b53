//! Units of time.

use qtdec_core::{Place, Problem};

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

    /// Returns the factor that converts times of one unit to another, where files may not know theirs.
    ///
    /// # Errors
    ///
    /// Fails if only one of the units is known.
    pub fn scale(from: Option<Self>, to: Option<Self>) -> Result<f64, Problem> {
        match (from, to) {
            (Some(from), Some(to)) => Ok(from.in_units_of(to)),
            (None, None) => Ok(1.0),
            _ => {
                let message = "the unit of the times is known for some files and unknown for others";
                Err(Problem::new(Place::File, message).help("specify it with --time-unit"))
            }
        }
    }

    /// Returns the number of `other` units in one of these.
    pub fn in_units_of(self, other: Self) -> f64 {
        other.per_second() / self.per_second()
    }

    /// Returns the length in seconds.
    pub fn seconds(self) -> f64 {
        1.0 / self.per_second()
    }

    fn per_second(self) -> f64 {
        match self {
            Self::Seconds => 1.0,
            Self::Milliseconds => 1e3,
            Self::Microseconds => 1e6,
            Self::Nanoseconds => 1e9,
        }
    }
}
