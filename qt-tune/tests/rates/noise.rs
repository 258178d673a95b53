//! Simulated launches: times whose logarithms have a launch effect (standard deviation `tau`) and a cell effect (`sigma`).

use std::f64::consts::TAU;

use qtdec_tune::measure::measurements::{MeasuredAxis, MeasuredMethod, Measurements, Repeat};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

/// What a launch effect is common to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Common {
    /// All methods of a launch.
    Launch,
    /// All cells of one method in a launch.
    Method,
}

/// The noise and the size of a campaign.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Campaign {
    pub(crate) sigma: f64,
    pub(crate) tau: f64,
    pub(crate) common: Common,
    pub(crate) launches: u16,
    pub(crate) cells: u64,
    /// The number of methods, with the default as the first.
    pub(crate) methods: usize,
}

/// Normal random numbers.
pub(crate) struct Noise(Pcg64);

impl Noise {
    pub(crate) fn of_seed(seed: u64) -> Self {
        Self(Pcg64::seed_from_u64(seed))
    }

    /// Returns a normal number, by the transform of Box and Muller.
    pub(crate) fn normal(&mut self, deviation: f64) -> f64 {
        let (radius, angle): (f64, f64) =
            (self.0.random_range(f64::MIN_POSITIVE..1.0), self.0.random_range(0.0..TAU));
        deviation * (-2.0 * radius.ln()).sqrt() * angle.cos()
    }
}

/// Returns the sizes of cells: six message sizes for each number of ranks.
pub(crate) fn sizes(cells: u64) -> impl Iterator<Item = [u64; 2]> {
    (0..cells).map(|cell| [2 << (cell / 6), 8 << (2 * (cell % 6))])
}

impl Campaign {
    /// Returns the times of a campaign; `factor` is the true time of a method in a cell.
    pub(crate) fn measure(&self, noise: &mut Noise, factor: impl Fn(u64, usize) -> f64) -> Measurements {
        let mut measurements = Measurements::new(["comm_size", "msg_size"].map(MeasuredAxis::named).to_vec());
        measurements.collective = Some("bcast".to_owned());
        let methods: Vec<usize> = (0..self.methods)
            .map(|number| {
                let name = if number == 0 { "default".to_owned() } else { format!("method{number}") };
                measurements.method(MeasuredMethod { name, segment_size: None })
            })
            .collect();
        for launch in 0..self.launches {
            let run = measurements.run(&launch.to_string());
            let common = noise.normal(self.tau);
            for (number, &method) in methods.iter().enumerate() {
                let of_launch = if self.common == Common::Launch { common } else { noise.normal(self.tau) };
                for (cell, sizes) in (0..).zip(sizes(self.cells)) {
                    let log = of_launch + noise.normal(self.sigma);
                    let time = 10.0 * factor(cell, number) * log.exp();
                    measurements.record(&sizes, method, Repeat { time, run, file: 0 });
                }
            }
        }
        measurements
    }
}
