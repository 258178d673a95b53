//! Grig's experiments, simulated with other assumptions than those of `mpi/command/maps`.

use std::num::NonZero;
use std::thread;

use qtdec_core::DecisionMap;
use qtdec_mpi_predict::network::{Description, Network, shipped};
use qtdec_mpi_predict::predict::{self, Predictor, TimeSource};
use qtdec_mpi_schedule::Collective;
use qtdec_papers::experiment::{Cluster, DIGITS, SEGMENTS_2007, algorithms};

/// The numbers of ranks between which the papers measured; they omit two of them, and do not say which.
const RANKS: std::ops::RangeInclusive<u64> = 2..=28;

/// An experiment with another assumption.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Simulated {
    /// All numbers of ranks, none of which is omitted.
    AllRanks(Collective),
    /// Reductions that take this long to combine a byte, in nanoseconds, instead of 1.
    ReduceCost(u32),
    /// The network that was fitted with the other fill of the grid.
    Refit(Collective),
}

/// The network that `qtdec-papers fit --fill-last` finds, with the noise of its times.
const REFIT: &str = include_str!("../data/grig-fitted-last.json");
pub(crate) const REFIT_NOISE: f64 = 0.005;

impl Simulated {
    /// Every experiment.
    pub(crate) const ALL: [Self; 7] = [
        Self::AllRanks(Collective::Bcast),
        Self::AllRanks(Collective::Reduce),
        Self::ReduceCost(0),
        Self::ReduceCost(5),
        Self::ReduceCost(20),
        Self::Refit(Collective::Bcast),
        Self::Refit(Collective::Reduce),
    ];

    /// Returns the name of its file.
    pub(crate) fn name(self) -> String {
        match self {
            Self::AllRanks(collective) => format!("grig-{}-all-ranks", collective.name()),
            Self::ReduceCost(nanoseconds) => format!("grig-reduce-{nanoseconds}-ns"),
            Self::Refit(collective) => format!("grig-{}-refit", collective.name()),
        }
    }

    /// Simulates the part of the experiment with at most this many ranks.
    pub(crate) fn map(self, largest: u64) -> Result<DecisionMap, String> {
        let network = shipped(Cluster::Grig.network())?;
        let (collective, network, ranks) = match self {
            Self::AllRanks(collective) => (collective, network, RANKS.collect()),
            Self::ReduceCost(nanoseconds) => {
                let network = with_reduce_cost(&network, f64::from(nanoseconds) / 1000.0)?;
                (Collective::Reduce, network, Cluster::Grig.comm_sizes())
            }
            Self::Refit(collective) => {
                let refit = Network::from_json(REFIT.as_bytes()).map_err(|problems| problems.to_string())?;
                // Combining a byte takes as long as on the shipped network.
                let refit = with_reduce_cost(&refit, network.description().reduce_per_byte)?;
                (collective, refit, Cluster::Grig.comm_sizes())
            }
        };
        let ranks: Vec<u64> = ranks.into_iter().filter(|ranks| *ranks <= largest).collect();
        let names: Vec<String> = algorithms(collective).iter().map(|name| (*name).to_owned()).collect();
        let predictor = Predictor::new(&network, collective, TimeSource::Simulated, &names);
        let mut predictor = predictor.map_err(|error| format!("{error:?}"))?;
        predictor.threads = thread::available_parallelism().unwrap_or(NonZero::<usize>::MIN);
        predictor.every_segment = true;
        predictor.digits = Some(DIGITS);
        let map = predict::map(&predictor, &ranks, &Cluster::Grig.msg_sizes(), &SEGMENTS_2007, || ());
        map.map_err(|error| error.to_string())
    }
}

/// Returns a network on which combining a byte takes this many microseconds.
fn with_reduce_cost(network: &Network, reduce_per_byte: f64) -> Result<Network, String> {
    let description = Description { reduce_per_byte, ..network.description().clone() };
    Network::new(description).map_err(|problems| problems.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data;
    use crate::part::without_ranks;

    fn times(map: &DecisionMap) -> Vec<Option<f64>> {
        let costs = map.costs().unwrap();
        let of = |cell| map.domain().method_indexes().map(move |method| costs.get(cell, method));
        (0..map.cells().len()).flat_map(of).collect()
    }

    /// Few ranks are simulated quickly: their times are those of the files.
    #[test]
    fn the_files_have_the_times_of_the_simulator() {
        for other in Simulated::ALL {
            let again = other.map(4).unwrap();
            let held = data::read_other(other).unwrap();
            let many: Vec<u64> = (5..=28).collect();
            let held = without_ranks(&held, &many);
            assert_eq!(held.domain().shape(), again.domain().shape());
            assert!(times(&held) == times(&again), "{other:?}");
        }
    }

    /// Without 25 and 27 ranks, the times are those of the tables.
    #[test]
    fn the_omitted_ranks_are_the_only_difference() {
        for collective in [Collective::Bcast, Collective::Reduce] {
            let all = data::read_other(Simulated::AllRanks(collective)).unwrap();
            let expected = data::read(Cluster::Grig, collective).unwrap();
            let part = without_ranks(&all, &[25, 27]);
            assert!(part.cells() == expected.cells() && times(&part) == times(&expected));
        }
    }
}
