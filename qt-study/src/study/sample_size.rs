//! How many launches show a difference: what to plan before anything is measured.

use std::f64::consts::{FRAC_1_SQRT_2, TAU};

use super::launch_interval::LEVEL;
use super::moderated::of_exchanges;
use super::student::exceeded_with;

/// The share of campaigns that are to show the difference.
pub const POWER: f64 = 0.9;

/// The greatest number of launches that is proposed.
const MOST: u32 = 1000;

/// The steps of an integral over normal values, from −8 to 8.
const STEPS: i32 = 128;
const STEP: f64 = 1.0 / 16.0;

/// The noise of times, as standard deviations of ln t.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LaunchNoise {
    /// That of a time around the mean of its launch.
    pub cell: f64,
    /// That of a launch, common to all methods.
    pub launch: f64,
    /// That of a launch, of each method by itself.
    pub method: f64,
}

/// What is compared.
///
/// The variants are complete: they are the designs of campaigns that can be planned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Design {
    /// A method with the default in the same launches, each decided by the others.
    HeldOut {
        /// The number of methods that are measured, with the default.
        methods: usize,
    },
    /// Launches before with launches after, of which there are as many.
    BeforeAfter,
    /// Launches without and with a deployment, by turns.
    Pairs,
}

impl LaunchNoise {
    /// Returns the fewest launches (on each side, or pairs) with which [`POWER`] of the campaigns show that a method is faster by a
    /// factor in all of `cells` cells, if a launch starts each method this many times, for as many parts of the cells; `None` if a thousand
    /// are not enough. With one start, `method` is the noise of a launch, otherwise that of a start.
    ///
    /// The interval and the power are those of Student's t: a mean that is t(2.5 %) + t(10 %) standard errors above zero. If decisions are
    /// held out, the medians of the other launches choose the faster method only in a part of the cells, and the gain is that part; all other
    /// methods are as slow as the default.
    pub fn launches_of_starts(
        &self,
        factor: f64,
        (cells, starts): (usize, usize),
        design: Design,
    ) -> Option<u32> {
        (2..=MOST).find(|launches| self.shows(factor, (cells, starts), design, f64::from(*launches)))
    }

    fn shows(&self, factor: f64, (cells, starts): (usize, usize), design: Design, launches: f64) -> bool {
        let of_cells = self.cell.powi(2) / cells as f64;
        let of_method = self.method.powi(2) / starts as f64;
        let of_both = of_cells + of_method;
        let (variance, degrees) = match design {
            Design::HeldOut { methods } => {
                (2.0 * of_both * (1.0 / launches + 1.0 / (launches - 1.0)), of_exchanges(methods, launches))
            }
            Design::BeforeAfter => (2.0 * (of_both + self.launch.powi(2)) / launches, 2.0 * (launches - 1.0)),
            Design::Pairs => (2.0 * of_both / launches, launches - 1.0),
        };
        let needed = exceeded_with(LEVEL / 2.0, degrees) + exceeded_with(1.0 - POWER, degrees);
        let chosen = match design {
            Design::HeldOut { methods } => self.chosen(factor, methods, launches - 1.0),
            Design::BeforeAfter | Design::Pairs => 1.0,
        };
        chosen * factor.ln().abs() >= needed * variance.sqrt()
    }

    /// Returns the probability that the median of a faster method over some launches is less than those of all others in a cell.
    fn chosen(&self, factor: f64, methods: usize, launches: f64) -> f64 {
        // The median of few values varies little more than their mean, and a tree gives neighbouring cells one method.
        let deviation = ((self.cell.powi(2) + self.method.powi(2)) / launches).sqrt();
        let lead = if deviation > 0.0 { factor.ln().abs() / deviation } else { f64::INFINITY };
        let below = |z: f64| libm::erfc(-z * FRAC_1_SQRT_2) / 2.0;
        // The integral of φ(z) Φ(z + lead)^(methods − 1), by the rule of trapezoids, which is exact to many digits for such functions.
        let density = |z: f64| (-z * z / 2.0).exp() * STEP / TAU.sqrt();
        let others = methods.saturating_sub(1) as f64;
        let steps = (-STEPS..=STEPS).map(|step| f64::from(step) * STEP);
        steps.map(|z| density(z) * below(z + lead).powf(others)).sum()
    }
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};
    use rand_pcg::Pcg64;

    use super::*;

    const NOISE: LaunchNoise = LaunchNoise { cell: 0.1, launch: 0.05, method: 0.0 };

    /// The power of the t test with as many launches, and with one less, computed with the normal approximation for many launches:
    /// (1.96 + 1.28)² · 2 · 0.05² / ln(1.05)² = 22.1, plus what 40 cells and few degrees add.
    #[test]
    fn fewer_launches_do_not_show_the_difference() {
        let launches = NOISE.launches_of_starts(1.05, (40, 1), Design::BeforeAfter).unwrap();
        assert!((24..=27).contains(&launches), "{launches}");
        let quiet = LaunchNoise { launch: 0.0, ..NOISE };
        assert!(quiet.launches_of_starts(1.05, (40, 1), Design::BeforeAfter).unwrap() < launches);
        assert_eq!(NOISE.launches_of_starts(1.0, (40, 1), Design::Pairs), None);
    }

    /// Returns how many of a thousand campaigns of pairs show the difference, if each side has starts that differ.
    fn shown(noise: LaunchNoise, factor: f64, (cells, starts): (usize, usize), pairs: u32) -> usize {
        let mut chance = Pcg64::seed_from_u64(7);
        let mut value = |deviation: f64| deviation * 3.0_f64.sqrt() * chance.random_range(-1.0..1.0);
        let mut side = || {
            let of_starts: f64 = (0..starts).map(|_| value(noise.method)).sum();
            let of_cells: f64 = (0..cells).map(|_| value(noise.cell)).sum();
            of_starts / starts as f64 + of_cells / cells as f64
        };
        let mut is_shown = |_: &u32| {
            let found: Vec<f64> = (0..pairs).map(|_| factor.ln() + side() - side()).collect();
            let mean = found.iter().sum::<f64>() / f64::from(pairs);
            let squares: f64 = found.iter().map(|ratio| (ratio - mean).powi(2)).sum();
            let degrees = f64::from(pairs) - 1.0;
            mean > exceeded_with(LEVEL / 2.0, degrees) * (squares / degrees / f64::from(pairs)).sqrt()
        };
        (0..1000).filter(|campaign| is_shown(campaign)).count()
    }

    #[test]
    fn starts_of_a_method_count_as_a_script_makes_them() {
        let noise = LaunchNoise { cell: 0.1, launch: 0.0, method: 0.05 };
        let planned = |starts| noise.launches_of_starts(1.05, (40, starts), Design::Pairs).unwrap();
        for starts in [1, 2, 10] {
            let shown = shown(noise, 1.05, (40, starts), planned(starts));
            assert!((830..=970).contains(&shown), "{shown} of {} pairs at {starts}", planned(starts));
        }
        assert!(planned(1) > 2 * planned(4));
        let alone = shown(noise, 1.05, (40, 1), planned(10));
        assert!(alone < 500, "{alone}: a plan for ten starts does not serve one");
    }

    /// What pairs and methods of a launch have in common cancels, and what methods have on their own does not.
    #[test]
    fn only_differences_between_methods_remain() {
        let quiet = LaunchNoise { launch: 0.0, ..NOISE };
        let own = LaunchNoise { method: 0.1, ..NOISE };
        for design in [Design::HeldOut { methods: 2 }, Design::Pairs] {
            let needed = NOISE.launches_of_starts(1.1, (6, 1), design).unwrap();
            assert_eq!(quiet.launches_of_starts(1.1, (6, 1), design), Some(needed));
            assert!(own.launches_of_starts(1.1, (6, 1), design).unwrap() > 2 * needed);
            assert!(NOISE.launches_of_starts(1.05, (6, 1), design).unwrap() > needed);
            assert!(NOISE.launches_of_starts(1.1, (40, 1), design).unwrap() < needed);
        }
    }
}
