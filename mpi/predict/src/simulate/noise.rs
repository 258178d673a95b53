//! Random variation of times between runs.

use rand_pcg::Pcg64Mcg;
use rand_pcg::rand_core::{Rng, SeedableRng};

/// The scatter of times: each is multiplied by `exp(σ z)` with a standard normal `z`.
///
/// The factor of a message or a run depends only on the seed and its number, not on what happens before it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Noise {
    /// The random seed.
    pub seed: u64,
    /// `σ` of the gap of every message.
    pub messages: f64,
    /// `σ` of the time of the whole collective.
    pub runs: f64,
}

impl Noise {
    /// Returns whether every factor is 1.
    pub fn is_none(&self) -> bool {
        self.messages == 0.0 && self.runs == 0.0
    }

    /// Returns the noise of another run: its factors are independent of those of this one.
    #[must_use]
    pub fn of_run(self, run: u64) -> Self {
        Self { seed: generator(self.seed, run).next_u64(), ..self }
    }

    /// Returns the factor on the gap of an operation's message. Operations are numbered consecutively, rank by rank.
    pub fn message_factor(&self, op: u32) -> f64 {
        libm::exp(self.messages * normal(self.seed, u64::from(op)))
    }

    /// Returns the factor on the time of the whole collective.
    pub fn run_factor(&self) -> f64 {
        libm::exp(self.runs * normal(self.seed, u64::MAX))
    }
}

fn generator(seed: u64, number: u64) -> Pcg64Mcg {
    // The first outputs of adjacent seeds are similar: the odd factor and `seed_from_u64` spread them.
    Pcg64Mcg::seed_from_u64(seed.rotate_left(32) ^ number.wrapping_mul(0x9E37_79B9_7F4A_7C15))
}

/// Returns a standard normal deviate (Box and Muller 1958), the same on every machine.
fn normal(seed: u64, number: u64) -> f64 {
    let mut generator = generator(seed, number);
    let mut uniform = || (generator.next_u64() >> 11) as f64 * f64::EPSILON / 2.0;
    // In (0, 1], so that the logarithm is finite.
    let radius = 1.0 - uniform();
    let angle = std::f64::consts::TAU * uniform();
    libm::sqrt(-2.0 * libm::log(radius)) * libm::cos(angle)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn deviates_are_standard_normal_and_independent() {
        let count = 20_000;
        let deviates: Vec<f64> = (0..count).map(|number| normal(7, number)).collect();
        let mean = |values: &mut dyn Iterator<Item = f64>| values.sum::<f64>() / count as f64;
        // Three standard errors of each statistic.
        let bound = 3.0 / (count as f64).sqrt();
        assert!(mean(&mut deviates.iter().copied()).abs() < bound);
        assert!((mean(&mut deviates.iter().map(|z| z * z)) - 1.0).abs() < bound * 2.0_f64.sqrt());
        assert!(mean(&mut deviates.windows(2).map(|pair| pair[0] * pair[1])).abs() < bound);
        let within = mean(&mut deviates.iter().map(|z| f64::from(u8::from(z.abs() < 1.0))));
        assert!((within - 0.6827).abs() < bound, "{within}");
        assert!(deviates.iter().all(|z| z.is_finite()));
    }

    #[test]
    fn runs_have_noise_of_their_own() {
        let noise = Noise { seed: 1, messages: 0.1, runs: 0.1 };
        assert_ne!(noise.of_run(0).message_factor(0), noise.of_run(1).message_factor(0));
        assert_eq!(noise.of_run(3), noise.of_run(3));
        assert_eq!(Noise { seed: 9, ..Noise::default() }.message_factor(5), 1.0);
    }
}
