//! The level of the incumbent's times, by which a change of the machine is seen.

use std::collections::VecDeque;

/// The number of times in a cycle.
pub(super) const WATCHED: usize = 8;

/// The times of a cycle that must all lie beyond the level: the last ones.
const LAST: usize = 4;

/// By how much.
const FACTOR: f64 = 1.2;

/// The number of times that are a level.
const TIMES: usize = 2 * WATCHED;

/// The level of the times before the first cycle, with those of the first cycles if they are few.
#[derive(Clone, Debug, Default)]
pub(super) struct Level {
    times: VecDeque<u64>,
    /// The times after these, of which there are at most as many as must lie beyond the level.
    last: VecDeque<u64>,
}

impl Level {
    /// Adds a time before the first cycle. Returns whether the last ones show another level than those before.
    pub(super) fn add(&mut self, time: u64) -> bool {
        self.last.push_back(time);
        if self.last.len() > LAST {
            self.times.extend(self.last.pop_front());
        }
        if self.times.len() > TIMES {
            self.times.pop_front();
        }
        self.is_beyond(&Vec::from(self.last.clone()))
    }

    /// Adds the times of a cycle if the level is not known yet. Returns whether they show another level.
    pub(super) fn changes(&mut self, cycle: &[u64]) -> bool {
        let missing = TIMES - self.times.len();
        self.times.extend(self.last.drain(..).chain(cycle.iter().copied()).take(missing));
        missing == 0 && self.is_beyond(&cycle[cycle.len().saturating_sub(LAST)..])
    }

    /// Returns whether enough times are beyond the level, all on one side.
    fn is_beyond(&self, last: &[u64]) -> bool {
        if self.times.len() < TIMES || last.len() < LAST {
            return false;
        }
        let mut sorted = Vec::from(self.times.clone());
        sorted.sort_unstable();
        // The third from either end: two outliers among the sixteen do not widen the level.
        let (low, high) = (sorted[2] as f64 / FACTOR, sorted[TIMES - 3] as f64 * FACTOR);
        let all = |beyond: &dyn Fn(f64) -> bool| last.iter().all(|time| beyond(*time as f64));
        all(&|time| time > high) || all(&|time| time < low)
    }
}

#[cfg(test)]
mod tests {
    use super::Level;

    #[test]
    fn half_a_cycle_beyond_the_level_is_a_change() {
        let level = || {
            let mut level = Level::default();
            assert!(!level.changes(&[100, 101, 102, 103, 104, 105, 106, 900]));
            assert!(!level.changes(&[100, 101, 102, 103, 104, 105, 106, 107]));
            level
        };
        assert!(!level().changes(&[900, 900, 900, 900, 100, 900, 900, 900]));
        assert!(level().changes(&[100, 100, 100, 100, 900, 900, 900, 900]));
        assert!(level().changes(&[100, 100, 100, 100, 50, 50, 50, 50]));
        assert!(!level().changes(&[120, 120, 120, 120, 120, 120, 120, 120]));
    }

    #[test]
    fn the_last_times_before_the_first_cycle_are_the_level() {
        let mut level = Level::default();
        let shown: Vec<u32> = (0..60).filter(|time| level.add(if *time < 30 { 900 } else { 100 })).collect();
        assert_eq!(shown, [33, 34, 35], "four of the new level, before it is the level");
        assert!(level.changes(&[900; 8]) && !level.changes(&[100; 8]));
    }
}
