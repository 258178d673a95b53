//! Simulated launches: times whose logarithms have a launch effect (standard deviation τ) and a cell effect (σ).

use std::f64::consts::TAU;
use std::fmt;

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

/// What a launch effect is common to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Common {
    /// All methods of a launch.
    Launch,
    /// All cells of one method in a launch.
    Method,
    /// All cells of this method in a launch, while no other method varies from launch to launch.
    Only(usize),
}

impl fmt::Display for Common {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Launch => f.write_str("launch"),
            Self::Method => f.write_str("method"),
            Self::Only(0) => f.write_str("the default"),
            Self::Only(_) => f.write_str("one method"),
        }
    }
}

/// The noise and the size of a campaign.
#[derive(Clone, Copy, Debug)]
pub(super) struct Campaign {
    pub(super) sigma: f64,
    pub(super) tau: f64,
    pub(super) common: Common,
    pub(super) launches: u16,
    pub(super) cells: usize,
    /// The number of methods, with the default as the first.
    pub(super) methods: usize,
}

/// The times of a campaign.
pub(super) struct Times {
    pub(super) campaign: Campaign,
    /// By launch, then method, then cell.
    values: Vec<f64>,
    /// For each method, then cell, the launches by their times.
    fastest: Vec<u16>,
}

/// Normal random numbers.
pub(super) struct Noise(Pcg64);

impl Noise {
    pub(super) fn from_seed(seed: u64) -> Self {
        Self(Pcg64::seed_from_u64(seed))
    }

    /// Returns a normal number, by the transform of Box and Muller. Its functions are those of `libm`, the same on every machine.
    pub(super) fn normal(&mut self, deviation: f64) -> f64 {
        let (radius, angle): (f64, f64) =
            (self.0.random_range(f64::MIN_POSITIVE..1.0), self.0.random_range(0.0..TAU));
        deviation * libm::sqrt(-2.0 * libm::log(radius)) * libm::cos(angle)
    }

    /// Returns `true` with this probability.
    pub(super) fn is_true(&mut self, probability: f64) -> bool {
        self.0.random_range(0.0..1.0) < probability
    }

    /// Returns a number below this one, each as often as the others.
    pub(super) fn below(&mut self, end: usize) -> usize {
        self.0.random_range(0..end)
    }
}

impl Campaign {
    /// Returns the sizes of the cells: six message sizes for each number of ranks.
    pub(super) fn sizes(&self) -> impl Iterator<Item = [u64; 2]> + use<> {
        (0..self.cells).map(|cell| [2 << (cell / 6), 8 << (2 * (cell % 6))])
    }

    /// Returns the times of a campaign; `factor` is the true time of a method in a cell.
    pub(super) fn measure(&self, noise: &mut Noise, factor: impl Fn(usize, usize) -> f64) -> Times {
        self.measure_as(noise, factor, |noise, _, _| noise.normal(self.sigma))
    }

    /// Returns the times of a campaign in which the logarithm of a time has this noise in a launch, for a method.
    pub(super) fn measure_as(
        &self,
        noise: &mut Noise,
        factor: impl Fn(usize, usize) -> f64,
        mut log: impl FnMut(&mut Noise, u16, usize) -> f64,
    ) -> Times {
        let mut times = Vec::with_capacity(usize::from(self.launches) * self.methods * self.cells);
        for launch in 0..self.launches {
            let common = noise.normal(self.tau);
            for method in 0..self.methods {
                let of_launch = match self.common {
                    Common::Launch => common,
                    Common::Method => noise.normal(self.tau),
                    Common::Only(only) => {
                        if method == only {
                            common
                        } else {
                            0.0
                        }
                    }
                };
                for cell in 0..self.cells {
                    let log = of_launch + log(noise, launch, method);
                    times.push(10.0 * factor(cell, method) * libm::exp(log));
                }
            }
        }
        Times::new(*self, times)
    }
}

impl Times {
    fn new(campaign: Campaign, values: Vec<f64>) -> Self {
        let mut sorted = Self { campaign, values, fastest: Vec::new() };
        let mut launches: Vec<u16> = sorted.launches().collect();
        for method in 0..campaign.methods {
            for cell in 0..campaign.cells {
                let time = |launch: &u16| sorted.get(*launch, method, cell);
                launches.sort_unstable_by(|one, other| time(one).total_cmp(&time(other)));
                sorted.fastest.extend(&launches);
            }
        }
        sorted
    }

    /// Returns the times of a method in a cell in increasing order, each with its launch.
    pub(super) fn sorted(&self, method: usize, cell: usize) -> impl Iterator<Item = (u16, f64)> {
        let launches = usize::from(self.campaign.launches);
        let first = (method * self.campaign.cells + cell) * launches;
        self.fastest[first..first + launches]
            .iter()
            .map(move |&launch| (launch, self.get(launch, method, cell)))
    }

    /// Returns the time of a method in a cell in one launch.
    pub(super) fn get(&self, launch: u16, method: usize, cell: usize) -> f64 {
        let campaign = &self.campaign;
        self.values[(usize::from(launch) * campaign.methods + method) * campaign.cells + cell]
    }

    /// Returns the numbers of the launches.
    pub(super) fn launches(&self) -> impl Iterator<Item = u16> + use<> {
        0..self.campaign.launches
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of 4000 cells, a standard deviation is known to about 1 %; of 2000 launches, to 1.6 %.
    #[test]
    fn the_noise_has_the_stated_deviations() {
        let deviation = |values: &[f64]| {
            let mean = values.iter().sum::<f64>() / values.len() as f64;
            (values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / values.len() as f64).sqrt()
        };
        let of = |sigma, tau, launches, cells| {
            let campaign = Campaign { sigma, tau, common: Common::Launch, launches, cells, methods: 1 };
            let times = campaign.measure(&mut Noise::from_seed(1), |_, _| 1.0);
            deviation(&times.values.iter().map(|time| (time / 10.0).ln()).collect::<Vec<_>>())
        };
        let (cells, launches) = (of(0.3, 0.0, 1, 4000), of(0.0, 0.1, 2000, 1));
        assert!(
            (cells / 0.3 - 1.0).abs() < 0.04 && (launches / 0.1 - 1.0).abs() < 0.06,
            "{cells} {launches}"
        );
    }
}
