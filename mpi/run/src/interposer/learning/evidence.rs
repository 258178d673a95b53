//! The sequential test of a method against another one, in pairs of calls.
//!
//! A coin decides which call of a pair each of the two methods gets. If nothing differs between them, the sign of the logarithm of the
//! ratio of the two times is then fair whatever the times are: late ranks, drift and outliers come to both alike. A capital of 1 is bet on
//! the signs, each time a share of it, and is a martingale with mean 1; it reaches 1/α ever with a probability of at most α (Ville's
//! inequality), so that the test may be looked at after any number of pairs.

/// The shares of the capital that are bet, each by a third of it.
const STAKES: [f64; 3] = [0.25, 0.6, 0.98];

/// The pairs after which a test ends without a decision.
pub(super) const MOST_PAIRS: u32 = 128;

/// The capital bet on the slower side at which a candidate is dropped: wrongly with a probability of at most 1/20, which costs a gain and
/// nothing else.
const DROPPED: f64 = 20.0;

/// The least mean of the logarithms of the ratios with which a candidate takes over: what gains less than 1 % is not worth a change.
const LEAST_GAIN: f64 = 0.01;

/// What pairs say of a candidate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    Open,
    Faster,
    /// It is slower, or cannot be shown to be faster any more.
    Hopeless,
}

/// A test that goes on.
#[derive(Clone, Debug)]
pub(super) struct Evidence {
    faster: [f64; STAKES.len()],
    slower: [f64; STAKES.len()],
    pairs: u32,
    sum: f64,
    /// The capital at which the candidate takes over.
    goal: f64,
}

fn mean(capitals: &[f64; STAKES.len()]) -> f64 {
    capitals.iter().sum::<f64>() / STAKES.len() as f64
}

/// Returns the number of pairs, all of one sign, after which a capital reaches a goal.
fn pairs_to(mut capitals: [f64; STAKES.len()], goal: f64) -> u32 {
    for pairs in 0..MOST_PAIRS {
        if mean(&capitals) >= goal {
            return pairs;
        }
        for (capital, stake) in capitals.iter_mut().zip(STAKES) {
            *capital *= 1.0 + stake;
        }
    }
    MOST_PAIRS
}

impl Evidence {
    /// Begins a test that errs with a probability of at most this if nothing differs.
    pub(super) fn new(error: f64) -> Self {
        let one = [1.0; STAKES.len()];
        Self { faster: one, slower: one, pairs: 0, sum: 0.0, goal: 1.0 / error }
    }

    /// Adds a pair, by the logarithm of the incumbent's time over the candidate's.
    fn add(&mut self, ratio: f64) {
        let sign = if ratio == 0.0 { 0.0 } else { ratio.signum() };
        for (at, stake) in STAKES.into_iter().enumerate() {
            self.faster[at] *= 1.0 + stake * sign;
            self.slower[at] *= 1.0 - stake * sign;
        }
        self.pairs += 1;
        self.sum += ratio;
    }

    pub(super) fn add_all(&mut self, ratios: &[f64]) {
        for ratio in ratios {
            self.add(*ratio);
        }
    }

    pub(super) fn pairs(&self) -> u32 {
        self.pairs
    }

    pub(super) fn verdict(&self) -> Verdict {
        let gain = self.sum / f64::from(self.pairs.max(1));
        let left = MOST_PAIRS.saturating_sub(self.pairs);
        if mean(&self.faster) >= self.goal && gain >= LEAST_GAIN {
            Verdict::Faster
        } else if mean(&self.slower) >= DROPPED || left == 0 || pairs_to(self.faster, self.goal) > left {
            Verdict::Hopeless
        } else {
            Verdict::Open
        }
    }

    /// Returns the number of further pairs before which nothing can be decided.
    pub(super) fn pairs_to_verdict(&self) -> u32 {
        pairs_to(self.faster, self.goal).min(pairs_to(self.slower, DROPPED)).max(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(ratio: f64, error: f64) -> (Verdict, u32) {
        let mut evidence = Evidence::new(error);
        while evidence.verdict() == Verdict::Open {
            evidence.add(ratio);
        }
        (evidence.verdict(), evidence.pairs())
    }

    #[test]
    fn clear_differences_are_decided_soon() {
        assert_eq!(after(0.2, 1e-4), (Verdict::Faster, 16));
        assert_eq!(after(-0.2, 1e-4), (Verdict::Hopeless, 6));
        assert_eq!(Evidence::new(1e-4).pairs_to_verdict(), 6);
    }

    #[test]
    fn what_gains_nothing_is_not_taken() {
        assert_eq!(after(0.001, 1e-4), (Verdict::Hopeless, MOST_PAIRS));
        let (verdict, pairs) = after(0.0, 1e-4);
        assert!(verdict == Verdict::Hopeless && pairs < MOST_PAIRS, "{pairs}");
    }
}
