//! Simulated time.

use std::fmt;

/// A moment or a duration in whole picoseconds.
///
/// Sums of whole numbers are exact, so times that are equal in the model are equal in the simulation: ties are genuine, and the
/// order of additions does not matter. Durations saturate at 213 days.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Time(u64);

const PICOSECONDS: f64 = 1e12;

impl Time {
    /// The start of a simulation.
    pub const ZERO: Self = Self(0);

    /// The latest moment, which stands for all later ones.
    pub const MAX: Self = Self(u64::MAX);

    /// Creates a time from seconds, rounded to picoseconds. Negative values become zero.
    pub fn from_seconds(seconds: f64) -> Self {
        Self((seconds * PICOSECONDS).round() as u64)
    }

    /// Returns the seconds.
    pub fn seconds(self) -> f64 {
        self.0 as f64 / PICOSECONDS
    }

    /// Creates a time from picoseconds.
    pub const fn from_picoseconds(picoseconds: u64) -> Self {
        Self(picoseconds)
    }

    /// Returns the picoseconds.
    pub const fn picoseconds(self) -> u64 {
        self.0
    }

    /// Returns the moment that is a duration later.
    #[must_use]
    pub const fn after(self, duration: Self) -> Self {
        Self(self.0.saturating_add(duration.0))
    }

    /// Returns the moment that is a duration earlier, but not before the start.
    #[must_use]
    pub const fn before(self, duration: Self) -> Self {
        Self(self.0.saturating_sub(duration.0))
    }
}

impl fmt::Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} s", self.seconds())
    }
}
