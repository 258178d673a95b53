//! Which method is measured next, and which are no longer.

use qtdec_core::median;
use qtdec_core::racing::drop_slow;

#[derive(Clone, Debug)]
pub(crate) struct Race {
    times: Vec<Vec<f64>>,
    runs: Vec<bool>,
    repeats: usize,
    drops: bool,
    turn: usize,
}

impl Race {
    /// Creates a race of `methods` without times, of which those run that `runs` names; slow ones are dropped if `drops`.
    pub(crate) fn new(runs: Vec<bool>, repeats: usize, drops: bool) -> Self {
        Self { times: vec![Vec::new(); runs.len()], runs, repeats, drops, turn: 0 }
    }

    /// Returns the method to measure next and the number of its repeat from 0, or `None` at the end. Methods take turns, and
    /// each round begins with another one.
    pub(crate) fn next(&self) -> Option<(usize, usize)> {
        let round = self.round()?;
        let methods = self.times.len();
        let order = (0..methods).map(|place| (place + round) % methods);
        let mut waiting = order.filter(|&method| self.runs[method] && self.times[method].len() == round);
        waiting.next().filter(|_| round < self.repeats).map(|method| (method, round))
    }

    /// Returns the least number of repeats of a method that runs.
    pub(crate) fn round(&self) -> Option<usize> {
        let running = self.times.iter().zip(&self.runs).filter(|(_, runs)| **runs);
        running.map(|(times, _)| times.len()).min()
    }

    /// Adds a time, and drops slow methods at the end of a round.
    pub(crate) fn add(&mut self, method: usize, time: f64) {
        self.times[method].push(time);
        let round = self.round().unwrap_or(0);
        if round == self.turn {
            return;
        }
        self.turn = round;
        if self.drops {
            drop_slow(&self.times, &mut self.runs, round);
        }
    }

    /// Returns the fastest method by its median, and this.
    pub(crate) fn best(&self) -> Option<(usize, f64)> {
        let medians = self.times.iter().enumerate();
        let medians = medians.filter_map(|(method, times)| Some((method, median(times.as_slice())?)));
        medians.min_by(|left, right| left.1.total_cmp(&right.1))
    }

    pub(crate) fn len(&self) -> usize {
        self.times.iter().map(Vec::len).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::Race;

    fn order(race: &mut Race, time: impl Fn(usize) -> f64) -> Vec<usize> {
        let mut seen = Vec::new();
        while let Some((method, _)) = race.next() {
            seen.push(method);
            race.add(method, time(method));
        }
        seen
    }

    #[test]
    fn methods_take_turns_that_rotate() {
        let mut race = Race::new(vec![true, false, true], 3, false);
        assert_eq!(order(&mut race, |method| method as f64 * 9.0 + 1.0), [0, 2, 2, 0, 2, 0]);
        assert_eq!((race.best(), race.len()), (Some((0, 1.0)), 6));
    }

    #[test]
    fn slow_methods_are_dropped_at_their_step() {
        let mut race = Race::new(vec![true; 5], 10, true);
        let times = [1.0, 4.1, 1.3, 1.2, 1.01];
        let seen = order(&mut race, |method| times[method]);
        let repeats = |method| seen.iter().filter(|seen| **seen == method).count();
        assert_eq!([0, 1, 2, 3, 4].map(repeats), [10, 3, 3, 4, 7]);
    }
}
