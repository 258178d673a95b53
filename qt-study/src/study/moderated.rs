//! The variance of held-out gains, moderated by the noise of all methods.
//!
//! A campaign has few launches, so that their variance is known badly, but many methods, which vary from launch to launch too. The gain of
//! the same decisions with the methods exchanged shows how much any such gain varies. As in limma (Smyth, *Statistical Applications in
//! Genetics and Molecular Biology* 3, 2004), the variance of the gain is shrunk towards that of all exchanges.

use std::collections::BTreeMap;

use qtdec_core::{DecisionMap, MethodIndex};

use super::launch_interval::LaunchMean;

/// The times of all methods in the launches whose gains are held out, with what was decided.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Exchanges {
    /// The cells of each launch, by their sizes.
    launches: Vec<BTreeMap<Vec<u64>, Decided>>,
}

/// A cell of one launch.
#[derive(Clone, Debug, PartialEq)]
struct Decided {
    default: String,
    chosen: String,
    /// The logarithm of the time of each method.
    logs: BTreeMap<String, f64>,
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
        let label = |method: MethodIndex| domain.method(method).label();
        let decided = decisions.iter().enumerate().filter_map(|(cell, chosen)| {
            let time = |method| Some((label(method), costs.get(cell, method)?.ln()));
            let logs = domain.method_indexes().filter_map(time).collect();
            Some((domain.sizes(cell), Decided { default: label(default), chosen: label((*chosen)?), logs }))
        });
        self.launches.push(decided.collect());
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
        let Some((first, others)) = self.launches.split_first() else { return Vec::new() };
        let common = first.iter().filter_map(|(sizes, cell)| {
            let mut cells = vec![cell];
            for launch in others {
                cells.push(launch.get(sizes)?);
            }
            Common::new(&cells)
        });
        common.collect()
    }
}

/// Returns the degrees of freedom of the variance of a gain, with those of all exchanges of methods.
pub(super) fn of_exchanges(methods: usize, launches: f64) -> f64 {
    if launches < 3.0 { launches - 1.0 } else { (launches - 1.0) * (methods as f64 - 1.0).max(1.0) }
}

impl Common {
    fn methods(&self) -> usize {
        self.residuals[0].len()
    }

    fn new(cells: &[&Decided]) -> Option<Self> {
        let has_all = |label: &&String| cells.iter().all(|cell| cell.logs.contains_key(*label));
        let labels: Vec<&String> = cells.first()?.logs.keys().filter(has_all).collect();
        let at = |label: &String| labels.iter().position(|other| *other == label);
        let decided = cells.iter().map(|cell| Some([at(&cell.default)?, at(&cell.chosen)?]));
        let decided = decided.collect::<Option<Vec<_>>>()?;
        let means: Vec<f64> = labels
            .iter()
            .map(|label| cells.iter().map(|cell| cell.logs[*label]).sum::<f64>() / cells.len() as f64)
            .collect();
        let of = |cell: &&Decided| {
            labels.iter().zip(&means).map(|(label, mean)| cell.logs[*label] - mean).collect()
        };
        Some(Self { decided, residuals: cells.iter().map(of).collect() })
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
    let gain =
        |launch| cells.iter().map(|cell| cell.exchanged(launch, shift)).sum::<f64>() / cells.len() as f64;
    (0..launches).map(|launch| f64::powi(gain(launch), 2)).sum::<f64>() / (launches as f64 - 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::study::launch_interval::LEVEL;

    /// One cell of each launch, with the logarithms of the default and of two other methods, of which the first is chosen.
    fn launches(logs: [[f64; 3]; 3]) -> Exchanges {
        let decided = |[default, a, b]: [f64; 3]| Decided {
            default: "default".to_owned(),
            chosen: "a".to_owned(),
            logs: [("default", default), ("a", a), ("b", b)].map(|(name, log)| (name.to_owned(), log)).into(),
        };
        Exchanges { launches: logs.map(|logs| BTreeMap::from([(vec![8], decided(logs))])).into() }
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
        for cell in exchanges.launches.iter_mut().flat_map(BTreeMap::values_mut) {
            cell.logs.remove("b");
        }
        let gains = [0.1, 0.0, -0.1];
        let (found, own) = (exchanges.moderated(&gains).unwrap(), LaunchMean::from_held_out(&gains).unwrap());
        assert!((found.error - own.error).abs() < 1e-12 && found.degrees == own.degrees);
    }
}
