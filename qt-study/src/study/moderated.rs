//! The variance of held-out gains, moderated by the noise of all methods.
//!
//! A campaign has few launches, so that their variance is known badly, but many methods, which vary from launch to launch too. The gain of
//! the same decisions with the methods exchanged shows how much any such gain varies. As in limma (Smyth, *Statistical Applications in
//! Genetics and Molecular Biology* 3, 2004), the variance of the gain is shrunk towards that of all exchanges.

use std::collections::BTreeMap;

use qtdec_core::{DecisionMap, Method, MethodIndex};

use super::launch_interval::LaunchMean;
use super::spread::mean;

/// The times of all methods in the launches whose gains are held out, with what was decided.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Exchanges {
    launches: Vec<Launch>,
}

#[derive(Clone, Debug, PartialEq)]
struct Launch {
    labels: Vec<String>,
    default: usize,
    /// The cells, by their sizes.
    cells: BTreeMap<Vec<u64>, Decided>,
}

#[derive(Clone, Debug, PartialEq)]
struct Decided {
    /// The position of the method that was decided.
    chosen: usize,
    /// The logarithm of the time of each method.
    logs: Vec<Option<f64>>,
}

/// A cell that all launches have, with the methods that have a time in each of them.
struct Common {
    /// The positions of the default and the decision of each launch, in the list of methods.
    decided: Vec<[usize; 2]>,
    /// The logarithms of the methods in each launch, less the mean of the method over the launches.
    residuals: Vec<Vec<f64>>,
}

impl Exchanges {
    /// Adds a launch with the decisions in the cells of its map.
    pub(super) fn add(&mut self, decisions: &[Option<MethodIndex>], alone: &DecisionMap) {
        let (Some(costs), Some(default)) = (alone.costs(), alone.domain().baseline()) else { return };
        let domain = alone.domain();
        let cells = decisions.iter().enumerate().filter_map(|(cell, chosen)| {
            let log = |method| costs.get(cell, method).map(f64::ln);
            let logs = domain.method_indexes().map(log).collect();
            Some((domain.sizes(cell), Decided { chosen: (*chosen)?.get(), logs }))
        });
        self.launches.push(Launch {
            labels: domain.methods().iter().map(Method::label).collect(),
            default: default.get(),
            cells: cells.collect(),
        });
    }

    /// Returns the mean of the gains of these launches, each of which was held out. The variance is that of the gains, shrunk towards the
    /// mean variance of all exchanges of methods, but never below its own. Two launches have their own variance alone.
    pub(super) fn moderated(&self, gains: &[f64]) -> Option<LaunchMean> {
        let own = LaunchMean::from_held_out(gains)?;
        if gains.len() < 3 || self.launches.len() != gains.len() {
            return Some(own);
        }
        let cells = self.common();
        // The least number has the fewest degrees of freedom.
        let Some(methods) = cells.iter().map(Common::methods).min() else { return Some(own) };
        let exchanged: Vec<f64> = (0..methods).map(|shift| variance(&cells, shift)).collect();
        let pooled = exchanged.iter().sum::<f64>() / methods as f64;
        Some(own.shrunk(pooled, of_exchanges(methods, gains.len() as f64)))
    }

    /// Returns the cells of all launches, each with the methods that have a time in all of them.
    fn common(&self) -> Vec<Common> {
        let Some(first) = self.launches.first() else { return Vec::new() };
        let mut labels: Vec<&String> = first.labels.iter().collect();
        labels.sort_unstable();
        let positions = |label: &String| -> Option<Vec<usize>> {
            self.launches.iter().map(|launch| launch.labels.iter().position(|own| own == label)).collect()
        };
        let methods: Vec<Vec<usize>> = labels.into_iter().filter_map(positions).collect();
        let cells = first.cells.keys().filter_map(|sizes| Common::new(&self.launches, &methods, sizes));
        cells.collect()
    }
}

/// Returns the degrees of freedom of the variance of a gain, with those of all exchanges of methods.
pub(super) fn of_exchanges(methods: usize, launches: f64) -> f64 {
    if launches < 3.0 { launches - 1.0 } else { (launches - 1.0) * (methods as f64 - 1.0).max(1.0) }
}

impl Common {
    /// Returns a cell, given the positions of each method in the launches.
    fn new(launches: &[Launch], methods: &[Vec<usize>], sizes: &[u64]) -> Option<Self> {
        let cells: Vec<&Decided> =
            launches.iter().map(|launch| launch.cells.get(sizes)).collect::<Option<_>>()?;
        let logs = |positions: &Vec<usize>| -> Option<Vec<f64>> {
            cells.iter().zip(positions).map(|(cell, &at)| cell.logs[at]).collect()
        };
        let (timed, logs): (Vec<&Vec<usize>>, Vec<Vec<f64>>) =
            methods.iter().filter_map(|positions| Some((positions, logs(positions)?))).unzip();
        let decided = launches.iter().zip(&cells).enumerate().map(|(at, (launch, cell))| {
            let find = |method: usize| timed.iter().position(|positions| positions[at] == method);
            Some([find(launch.default)?, find(cell.chosen)?])
        });
        let decided = decided.collect::<Option<_>>()?;
        let means: Vec<f64> = logs.iter().map(|logs| mean(logs)).collect();
        let of = |launch: usize| logs.iter().zip(&means).map(|(logs, mean)| logs[launch] - mean).collect();
        Some(Self { decided, residuals: (0..launches.len()).map(of).collect() })
    }

    fn methods(&self) -> usize {
        self.residuals[0].len()
    }

    /// Returns the gain in a launch if each method is exchanged for one that many places after it.
    fn exchanged(&self, launch: usize, shift: usize) -> f64 {
        let residuals = &self.residuals[launch];
        let [default, chosen] = self.decided[launch].map(|at| residuals[(at + shift) % residuals.len()]);
        default - chosen
    }
}

/// Returns the variance of the gains of an exchange.
fn variance(cells: &[Common], shift: usize) -> f64 {
    let launches = cells[0].residuals.len();
    let sums =
        (0..launches).map(|launch| cells.iter().map(|cell| cell.exchanged(launch, shift)).sum::<f64>());
    sums.map(|sum| (sum / cells.len() as f64).powi(2)).sum::<f64>() / (launches as f64 - 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::study::launch_interval::LEVEL;

    /// One cell of each launch, with the logarithms of the default and of two other methods, of which the first is chosen.
    fn launches(logs: [[f64; 3]; 3]) -> Exchanges {
        let launch = |logs: [f64; 3]| Launch {
            labels: ["default", "a", "b"].map(str::to_owned).into(),
            default: 0,
            cells: [(vec![8], Decided { chosen: 1, logs: logs.map(Some).into() })].into(),
        };
        Exchanges { launches: logs.map(launch).into() }
    }

    /// Computed by hand: the gains vary by 0.01, those of the exchanges by 0.03 and 0.07, so that half of 0.01 and half of 0.11/3 make the
    /// variance, with 2 · 2 degrees.
    #[test]
    fn the_variance_is_shrunk_towards_that_of_exchanges() {
        let exchanges = launches([[0.1, -0.5, 0.8], [0.0, -0.5, 1.1], [-0.1, -0.5, 1.1]]);
        let mean = exchanges.moderated(&[0.6, 0.5, 0.4]).unwrap();
        let variance = (0.5 * 0.01 + 0.5 * 0.11 / 3.0) * (1.0 / 3.0 + 1.0 / 2.0);
        assert!((mean.mean - 0.5).abs() < 1e-12 && mean.degrees == 4.0, "{mean:?}");
        assert!((mean.error.powi(2) - variance).abs() < 1e-12, "{mean:?}");
    }

    /// The other methods do not vary, so that half of the variance would remain.
    #[test]
    fn the_variance_is_not_below_its_own() {
        let exchanges = launches([[0.3, 0.0, 1.0], [0.0, 0.0, 1.0], [-0.3, 0.0, 1.0]]);
        let gains = [0.3, 0.0, -0.3];
        let (mean, own) = (exchanges.moderated(&gains).unwrap(), LaunchMean::from_held_out(&gains).unwrap());
        assert_eq!((mean.error, mean.degrees), (own.error, 4.0));
        assert!(mean.ends(LEVEL)[1] < own.ends(LEVEL)[1]);
    }

    #[test]
    fn two_launches_and_two_methods_have_their_own_variance() {
        let mut exchanges = launches([[0.1, 0.0, 1.0], [0.0, 0.0, 1.1], [-0.1, 0.0, 1.2]]);
        let of_two = Exchanges { launches: exchanges.launches[..2].to_vec() };
        assert_eq!(of_two.moderated(&[0.1, 0.0]), LaunchMean::from_held_out(&[0.1, 0.0]));
        for cell in exchanges.launches.iter_mut().flat_map(|launch| launch.cells.values_mut()) {
            cell.logs[2] = None;
        }
        let gains = [0.1, 0.0, -0.1];
        let (found, own) = (exchanges.moderated(&gains).unwrap(), LaunchMean::from_held_out(&gains).unwrap());
        assert!((found.error - own.error).abs() < 1e-12 && found.degrees == own.degrees);
    }
}
