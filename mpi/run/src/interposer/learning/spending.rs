//! The probability of an error that the decisions of a run have together, and the part of each.

/// The probability that a rank ever takes part in a wrong takeover, if nothing differs between methods.
const ERROR: f64 = 0.05;

/// What a communicator spends. Its number is larger than those of all earlier ones of any of its ranks, and its decisions are counted.
///
/// The parts are 6/(π²n²) for n = 1, 2, …, whose sum is 1, over communicators and over the decisions of each. The parts of the
/// communicators of one rank therefore have a sum of at most 1.
#[derive(Clone, Debug)]
pub(super) struct Spending {
    communicator: u64,
    decisions: u64,
}

fn part(number: u64) -> f64 {
    let number = number.max(1) as f64;
    6.0 / (std::f64::consts::PI * number).powi(2)
}

impl Spending {
    pub(super) fn new(communicator: u64) -> Self {
        Self { communicator, decisions: 0 }
    }

    pub(super) fn next(&mut self) -> f64 {
        self.decisions += 1;
        ERROR * part(self.communicator) * part(self.decisions)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_parts_together_are_the_error_of_a_run() {
        let of_one: f64 = {
            let mut spending = Spending::new(1);
            (0..100_000).map(|_| spending.next()).sum()
        };
        let all = of_one * (1..100_000).map(part).sum::<f64>() / part(1);
        assert!(0.049 < all && all <= ERROR, "{all}");
    }
}
