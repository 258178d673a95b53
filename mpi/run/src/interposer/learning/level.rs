//! The level of the incumbent's times, by which a change of the machine is seen.

/// The number of times in a cycle.
pub(super) const WATCHED: usize = 8;

/// The times of a cycle that must all lie beyond the level: the last ones.
const LAST: usize = 4;

/// By how much.
const FACTOR: f64 = 1.2;

/// The level of the first two cycles.
#[derive(Clone, Debug, Default)]
pub(super) struct Level {
    times: Vec<u64>,
}

impl Level {
    /// Adds the times of a cycle. Returns whether they show another level than before.
    pub(super) fn changes(&mut self, cycle: &[u64]) -> bool {
        let known = self.times.len();
        if known < 2 * WATCHED {
            self.times.extend(cycle.iter().take(2 * WATCHED - known));
            self.times.sort_unstable();
            return false;
        }
        // The third from either end: two outliers among the sixteen do not widen the level.
        let (low, high) = (self.times[2] as f64 / FACTOR, self.times[known - 3] as f64 * FACTOR);
        let last = &cycle[cycle.len().saturating_sub(LAST)..];
        let all = |beyond: &dyn Fn(f64) -> bool| last.iter().all(|time| beyond(*time as f64));
        last.len() == LAST && (all(&|time| time > high) || all(&|time| time < low))
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
}
