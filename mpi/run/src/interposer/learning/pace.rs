//! How often something else than the incumbent is tried.

/// The time after which learning becomes slow, in nanoseconds.
const FAST: u64 = 60_000_000_000;

/// The shares of calls that try something else, and of the incumbent's time that this may cost in all: in the first minute, which a change
/// begins again, and later.
const SHARES: [(u64, f64); 2] = [(4, 0.25), (100, 0.004)];

/// What was spent in a phase.
#[derive(Clone, Debug, Default)]
pub(super) struct Pace {
    is_slow: bool,
    /// When the phase began, in the time of the class.
    began: u64,
    calls: u64,
    tried: u64,
    /// What trials and agreements cost, in nanoseconds.
    excess: f64,
    /// The sum of the incumbent's times, and their number.
    known: (f64, u64),
}

impl Pace {
    /// Begins a phase.
    pub(super) fn new(is_slow: bool, began: u64) -> Self {
        Self { is_slow, began, ..Self::default() }
    }

    /// Returns the mean of the incumbent's times, if one is known.
    pub(super) fn mean(&self) -> Option<f64> {
        let (sum, times) = self.known;
        (times > 0).then(|| sum / times as f64)
    }

    pub(super) fn call(&mut self) {
        self.calls += 1;
    }

    /// Returns whether one more pair may begin.
    pub(super) fn allows(&self) -> bool {
        let (calls, share) = SHARES[usize::from(self.is_slow)];
        let has_time = self.mean().is_none_or(|mean| self.excess <= share * mean * self.calls as f64);
        (self.tried + 1) * calls <= self.calls && has_time
    }

    pub(super) fn begin_pair(&mut self) {
        self.tried += 1;
    }

    /// Counts a pair of times.
    pub(super) fn pair(&mut self, incumbent: u64, candidate: u64) {
        self.excess += candidate as f64 - incumbent as f64;
        self.incumbent(incumbent);
    }

    /// Counts a time of the incumbent.
    pub(super) fn incumbent(&mut self, time: u64) {
        self.known.0 += time as f64;
        self.known.1 += 1;
    }

    /// Counts the time of an agreement, and begins the slow phase when its time has come.
    pub(super) fn agreement(&mut self, time: u64, now: u64) {
        self.excess += time as f64;
        if !self.is_slow && now.saturating_sub(self.began) >= FAST {
            *self = Self { known: self.known, ..Self::new(true, now) };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_and_their_excess_bound_what_is_tried() {
        let mut pace = Pace::default();
        let tried = |pace: &mut Pace, calls: u32, candidate: u64| {
            let mut tried = 0;
            for _ in 0..calls {
                pace.call();
                if pace.allows() {
                    pace.begin_pair();
                    pace.pair(100, candidate);
                    tried += 1;
                }
            }
            tried
        };
        assert_eq!(tried(&mut pace, 400, 110), 100);
        assert_eq!(tried(&mut pace, 4, 100_000), 1);
        assert_eq!(
            tried(&mut pace, 3000, 110),
            0,
            "the excess of one call is 999 calls, of which 1/4 is allowed"
        );
        pace.agreement(0, FAST);
        assert_eq!(tried(&mut pace, 5000, 100), 50);
        assert_eq!(
            tried(&mut pace, 10_000, 200),
            61,
            "0.4 % of the time of 15 000 calls is less than 1 % of 10 000 calls"
        );
    }
}
