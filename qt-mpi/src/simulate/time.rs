//! Simulated time.

use std::fmt;

/// A moment or a duration in whole picoseconds.
///
/// Sums of whole numbers are exact, so what is equal in the model is equal in the simulation: ties are real ones, and no
/// order of additions changes them. What is longer than 213 days is that long.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Time(u64);

const PICOSECONDS: f64 = 1e12;

impl Time {
    /// The start of a simulation.
    pub const ZERO: Self = Self(0);

    /// The latest moment, which stands for all later ones.
    pub const MAX: Self = Self(u64::MAX);

    /// Returns as many seconds, rounded to picoseconds; negative ones are none.
    pub fn from_seconds(seconds: f64) -> Self {
        Self((seconds * PICOSECONDS).round() as u64)
    }

    /// Returns the seconds.
    pub fn seconds(self) -> f64 {
        self.0 as f64 / PICOSECONDS
    }

    /// Returns as many picoseconds.
    pub const fn from_picoseconds(picoseconds: u64) -> Self {
        Self(picoseconds)
    }

    /// Returns the picoseconds.
    pub const fn picoseconds(self) -> u64 {
        self.0
    }

    /// Returns the moment a duration later.
    #[must_use]
    pub const fn after(self, duration: Self) -> Self {
        Self(self.0.saturating_add(duration.0))
    }

    /// Returns the moment a duration earlier, the start at the earliest.
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
