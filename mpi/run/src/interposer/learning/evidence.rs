//! The sequential test of a method against another one, in pairs of calls.
//!
//! A coin decides which call of a pair each of the two methods gets. If nothing differs between them, the sign of the logarithm of the
//! ratio of the two times is then fair whatever the times are: late ranks, drift and outliers come to both alike. A capital of 1 is bet on
//! the signs, each time a share of it, and is a martingale with mean 1; it reaches 1/α ever with a probability of at most α (Ville's
//! inequality), so that the test may be looked at after any number of pairs.

use std::cmp::Ordering;

/// The shares of the capital that are bet, each by a third of it.
const STAKES: [f64; 3] = [0.25, 0.6, 0.98];

/// The pairs after which a test ends without a decision.
pub(super) const MOST_PAIRS: u32 = 128;

/// The capital bet on the slower side at which a candidate is dropped: wrongly with a probability of at most 1/20, which costs a gain and
/// nothing else.
const DROPPED: f64 = 20.0;

/// A candidate that takes more than so many times the incumbent's time in its first pair, and in the mean of the next ones, none of which it
/// wins, is dropped after these.
const SLOW: f64 = 1.2;
const SLOW_PAIRS: u32 = 2;

/// The least mean of the logarithms of the ratios with which a candidate takes over: what gains less than 1 % is not worth a change.
const LEAST_GAIN: f64 = 0.01;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    Open,
    Faster,
    /// It is slower, or cannot be shown to be faster any more.
    Hopeless,
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Tally {
    pub(super) faster: u32,
    pub(super) slower: u32,
    pub(super) equal: u32,
    /// The sum of the logarithms of the incumbent's times over the candidate's.
    pub(super) sum: f64,
}

impl Tally {
    pub(super) fn pairs(&self) -> u32 {
        self.faster.saturating_add(self.slower).saturating_add(self.equal)
    }

    fn add(&mut self, ratio: f64) {
        match ratio.total_cmp(&0.0) {
            Ordering::Greater => self.faster += 1,
            Ordering::Less => self.slower += 1,
            Ordering::Equal => self.equal += 1,
        }
        self.sum += ratio;
    }
}

/// What is known of a candidate that is not decided about.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Shown {
    /// The logarithm of the incumbent's time over its own, in its first pair, which is not part of the test.
    pub(super) first: f64,
    pub(super) tally: Tally,
}

impl Shown {
    /// Returns whether a candidate has been much slower until now.
    fn is_slow(&self) -> bool {
        let Tally { faster, slower, equal, sum } = self.tally;
        faster + equal == 0 && self.first < -SLOW.ln() && sum <= -SLOW.ln() * f64::from(slower)
    }
}

#[derive(Clone, Debug)]
pub(super) struct Evidence {
    pub(super) shown: Shown,
    /// The capital at which the candidate takes over.
    goal: f64,
    /// The number of further pairs before which the ranks need not look. Every call of the class asks for it.
    pub(super) look: u32,
}

/// Returns the capitals after so many bets that were won and lost. Products alone, so that all ranks have the same.
fn capitals(won: u32, lost: u32) -> [f64; STAKES.len()] {
    let product = |factor: f64, times: u32| (0..times).fold(1.0, |product, _| product * factor);
    STAKES.map(|stake| product(1.0 + stake, won) * product(1.0 - stake, lost))
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
    /// Begins a test that errs with a probability of at most this if nothing differs, or goes on with one of an earlier run.
    ///
    /// What a run ends with is a capital of the same martingale, whose mean is 1, as the coins of its runs are fair whatever came before. The
    /// file that the next run reads is chosen by its date alone. If nothing differs, the date follows from times that are the same for all
    /// coins, and a chain of runs that the choice leaves out says nothing of the one that goes on. So the capital reaches the goal of a run
    /// with a probability of at most its error, which that run spends.
    pub(super) fn new(error: f64, shown: Shown) -> Self {
        let mut evidence = Self { shown, goal: 1.0 / error, look: 0 };
        evidence.look = evidence.until_verdict();
        evidence
    }

    pub(super) fn add_all(&mut self, ratios: &[f64]) {
        for ratio in ratios {
            self.shown.tally.add(*ratio);
        }
        self.look = self.until_verdict();
    }

    pub(super) fn pairs(&self) -> u32 {
        self.shown.tally.pairs()
    }

    fn faster(&self) -> [f64; STAKES.len()] {
        capitals(self.shown.tally.faster, self.shown.tally.slower)
    }

    fn slower(&self) -> [f64; STAKES.len()] {
        capitals(self.shown.tally.slower, self.shown.tally.faster)
    }

    pub(super) fn verdict(&self) -> Verdict {
        let gain = self.shown.tally.sum / f64::from(self.pairs().max(1));
        let left = MOST_PAIRS.saturating_sub(self.pairs());
        let is_slower = mean(&self.slower()) >= DROPPED || self.pairs() >= SLOW_PAIRS && self.shown.is_slow();
        if mean(&self.faster()) >= self.goal && gain >= LEAST_GAIN {
            Verdict::Faster
        } else if is_slower || left == 0 || pairs_to(self.faster(), self.goal) > left {
            Verdict::Hopeless
        } else {
            Verdict::Open
        }
    }

    fn until_verdict(&self) -> u32 {
        if self.pairs() < SLOW_PAIRS && self.shown.is_slow() {
            return SLOW_PAIRS - self.pairs();
        }
        pairs_to(self.faster(), self.goal).min(pairs_to(self.slower(), DROPPED)).max(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(ratio: f64, error: f64) -> (Verdict, u32) {
        let mut evidence = Evidence::new(error, Shown::default());
        while evidence.verdict() == Verdict::Open {
            evidence.add_all(&[ratio]);
        }
        (evidence.verdict(), evidence.pairs())
    }

    #[test]
    fn clear_differences_are_decided_soon() {
        assert_eq!(after(0.2, 1e-4), (Verdict::Faster, 16));
        assert_eq!(after(-0.2, 1e-4), (Verdict::Hopeless, 6));
        let mut evidence = Evidence::new(1e-4, Shown { first: -0.3, ..Shown::default() });
        assert_eq!(evidence.look, 2);
        evidence.add_all(&[-0.3; 2]);
        assert_eq!(evidence.verdict(), Verdict::Hopeless);
        assert_eq!(Evidence::new(1e-4, Shown::default()).look, 6);
    }

    #[test]
    fn what_gains_nothing_is_not_taken() {
        assert_eq!(after(0.001, 1e-4), (Verdict::Hopeless, MOST_PAIRS));
        let (verdict, pairs) = after(0.0, 1e-4);
        assert!(verdict == Verdict::Hopeless && pairs < MOST_PAIRS, "{pairs}");
    }
}
