//! How often something else than the incumbent is tried.

/// The time after which learning becomes slow, in nanoseconds.
const FAST: u64 = 60_000_000_000;

/// The shares of calls that try something else, unless that saves time, and of the incumbent's time that this may cost in all: in the first
/// minute, which a change begins again, and later.
const SHARES: [(u64, f64); 2] = [(4, 0.25), (100, 0.001)];

#[derive(Clone, Debug, Default)]
pub(super) struct Pace {
    is_slow: bool,
    /// When the phase began, in the time of the class.
    began: u64,
    calls: u64,
    tried: u64,
    /// The calls that pass before any of these, for what an earlier run tried.
    wait: u64,
    /// What trials and agreements cost, in nanoseconds; negative if trials save time.
    excess: f64,
    /// The sum of the incumbent's times, and their number.
    known: (f64, u64),
}

impl Pace {
    pub(super) fn new(is_slow: bool, began: u64) -> Self {
        Self { is_slow, began, ..Self::default() }
    }

    /// Begins the slow phase of a class about which all is decided: what that cost is part of what may be spent from now on.
    pub(super) fn to_watch(&self, now: u64) -> Self {
        Self { excess: self.excess.max(0.0), ..Self::new(true, now) }
    }

    /// Begins the phase of a run after one that left so many calls to wait. Then a pair may begin at once.
    pub(super) fn after(wait: u64) -> Self {
        Self { calls: SHARES[0].0, wait, ..Self::default() }
    }

    /// Returns the number of calls that the next run waits before a pair.
    pub(super) fn wait(&self) -> u64 {
        let (calls, share) = SHARES[0];
        let of_time = self.mean().map_or(0.0, |mean| self.excess / (share * mean.max(1.0)));
        self.wait.saturating_add(self.calls_to_pair(calls).max(of_time as u64).saturating_sub(self.calls))
    }

    /// Returns the mean of the incumbent's times, if one is known.
    pub(super) fn mean(&self) -> Option<f64> {
        let (sum, times) = self.known;
        (times > 0).then(|| sum / times as f64)
    }

    pub(super) fn call(&mut self) {
        if self.wait > 0 {
            self.wait -= 1;
        } else {
            self.calls += 1;
        }
    }

    /// Returns whether one more pair may begin.
    pub(super) fn allows(&self) -> bool {
        let (calls, share) = SHARES[usize::from(self.is_slow)];
        let has_time = self.mean().is_none_or(|mean| self.excess <= share * mean * self.calls as f64);
        self.wait == 0 && self.calls_to_pair(calls) <= self.calls && has_time
    }

    /// Returns the number of calls of the phase at which the next pair may begin, if one of so many may.
    fn calls_to_pair(&self, calls: u64) -> u64 {
        if self.excess < 0.0 { 0 } else { (self.tried + 1) * calls }
    }

    /// Gives up what trials saved: what was tried is the incumbent.
    pub(super) fn take_over(&mut self) {
        self.excess = self.excess.max(0.0);
    }

    pub(super) fn begin_pair(&mut self) {
        self.tried += 1;
    }

    pub(super) fn pair(&mut self, incumbent: u64, candidate: u64) {
        self.excess += candidate as f64 - incumbent as f64;
        self.incumbent(incumbent);
    }

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
    fn the_next_run_waits_for_what_was_spent() {
        let calls_to_pair = |pace: &mut Pace| {
            (1..100).find(|_| {
                pace.call();
                pace.allows()
            })
        };
        let mut pace = Pace::default();
        assert_eq!((pace.wait(), calls_to_pair(&mut pace)), (4, Some(4)));
        pace.begin_pair();
        pace.pair(100, 400);
        // The excess is that of three calls, of which a quarter is allowed.
        assert_eq!(pace.wait(), 8);
        for (wait, expected) in [(8, 8), (1, 1), (0, 1)] {
            assert_eq!(calls_to_pair(&mut Pace::after(wait)), Some(expected));
        }
    }

    #[test]
    fn pairs_that_save_time_follow_each_other() {
        let mut pace = Pace::default();
        let mut pairs = 0;
        for _ in 0..20 {
            pace.call();
            if pace.allows() {
                pace.begin_pair();
                pace.pair(100, 50);
                pairs += 1;
            }
        }
        assert_eq!((pairs, pace.wait()), (17, 0));
        pace.take_over();
        assert!(!pace.allows() && pace.wait() > 0);
    }

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
            16,
            "0.1 % of the time of 15 000 calls is less than 1 % of 10 000 calls"
        );
    }
}
