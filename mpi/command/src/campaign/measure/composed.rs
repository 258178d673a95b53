//! The compositions of two levels that a campaign measures: usual ones, or those that are the best on a network.

use std::num::NonZero;
use std::thread;

use qtdec_mpi_predict::Network;
use qtdec_mpi_predict::predict::{Method, Predictor, Size, TimeSource};
use qtdec_mpi_run::compositions::{Calls, MOST};
use qtdec_mpi_schedule::Collective;

use super::Campaign;

/// The maximum number of ranks of a call that is simulated, unless all have more, and of bytes times ranks: larger ones take minutes.
const MOST_RANKS: u64 = 128;
const MOST_BYTES: u64 = 1 << 27;

/// The maximum number of sizes that are simulated.
const SIZES: usize = 5;

/// Returns the number of ranks on each node but the last, if several ranks share one and all launches have the same number: otherwise it is
/// not known which of a job's ranks share a node.
fn per_node(campaign: &Campaign) -> Option<u64> {
    match campaign.ranks_per_node[..] {
        [per_node] if per_node > 1 && campaign.benchmark.measures_grids() => Some(per_node),
        _ => None,
    }
}

/// Returns the numbers of ranks that are on several nodes.
pub(super) fn comm_sizes(campaign: &Campaign) -> Vec<u64> {
    let Some(per_node) = per_node(campaign) else { return Vec::new() };
    campaign.comm_sizes.iter().copied().filter(|ranks| *ranks > per_node).collect()
}

pub(super) fn names(campaign: &Campaign, collective: &str) -> Vec<String> {
    if let Some(names) = campaign.predicted.get(collective) {
        return names.clone();
    }
    let (msg_sizes, comm_sizes) = (campaign.message_sizes(), comm_sizes(campaign));
    let (Some(per_node), Ok(collective)) = (per_node(campaign), collective.parse()) else {
        return Vec::new();
    };
    Calls { collective, msg_sizes: &msg_sizes, comm_sizes: &comm_sizes, per_node }.usual()
}

impl Campaign {
    /// Chooses the compositions of each collective by simulations on a network, of which the nodes have as many ranks as those of the
    /// campaign.
    ///
    /// # Errors
    ///
    /// Fails if no composition is measured, or if nodes are not what the network has at its upper level.
    pub fn predict_compositions(&mut self, network: &Network) -> Result<(), String> {
        let comm_sizes = comm_sizes(self);
        let (Some(per_node), Some(&most)) = (per_node(self), comm_sizes.last()) else {
            return Err("--network has no effect: compositions are measured with --benchmark qtdec-bench, and where --np is above a --ppn of \
                        at least 2"
                .to_owned());
        };
        let network = network.with_ranks_per_node(per_node).map_err(|problems| problems.to_string())?;
        let clusters = network.clusters(most);
        let are_several = clusters.iter().map(|(count, _)| count).sum::<u64>() > 1;
        if are_several && clusters.iter().any(|(_, ranks)| *ranks > per_node) {
            return Err("the clusters of the network have several nodes, and compositions that are measured know the nodes alone: state a \
                        network without clusters, or with nodes as its clusters"
                .to_owned());
        }
        for name in &self.collectives {
            if let Ok(collective) = name.parse::<Collective>() {
                self.predicted
                    .insert(name.clone(), best(self, &network, collective, (&comm_sizes, per_node))?);
            }
        }
        Ok(())
    }
}

/// Returns the compositions that are the best on a network, for a few of the calls.
fn best(
    campaign: &Campaign,
    network: &Network,
    collective: Collective,
    (comm_sizes, per_node): (&[u64], u64),
) -> Result<Vec<String>, String> {
    if !Collective::ALL.contains(&collective) {
        return Ok(Vec::new());
    }
    let msg_sizes = campaign.message_sizes();
    let calls = Calls { collective, msg_sizes: &msg_sizes, comm_sizes, per_node };
    let mut predictor = Predictor::new(network, collective, TimeSource::Simulated, &[])?;
    predictor.threads = thread::available_parallelism().unwrap_or(NonZero::<usize>::MIN);
    let serves = |method: &Method| calls.can_use(method.algorithm());
    let found = predictor.compositions(&simulated(&msg_sizes, comm_sizes), MOST, serves);
    Ok(found.iter().map(|method| method.algorithm().to_owned()).collect())
}

/// Returns the calls that are simulated: of the fewest and the most ranks, with evenly spaced sizes.
fn simulated(msg_sizes: &[u64], comm_sizes: &[u64]) -> Vec<Size> {
    let few = comm_sizes.iter().copied().filter(|ranks| *ranks <= MOST_RANKS).max();
    let mut ranks: Vec<u64> = comm_sizes.iter().copied().min().into_iter().chain(few).collect();
    ranks.dedup();
    let mut calls = Vec::new();
    for ranks in ranks {
        let small = msg_sizes.iter().filter(|bytes| bytes.saturating_mul(ranks) <= MOST_BYTES).count().max(1);
        let mut places: Vec<usize> = (0..SIZES).map(|place| place * (small - 1) / (SIZES - 1)).collect();
        places.dedup();
        let comm_size = u32::try_from(ranks).unwrap_or(u32::MAX);
        let sizes = places.into_iter().filter_map(|place| msg_sizes.get(place));
        calls.extend(sizes.map(|&msg_size| Size { comm_size, msg_size }));
    }
    calls
}

#[cfg(test)]
mod tests {
    use super::simulated;

    #[test]
    fn a_few_calls_of_the_fewest_and_of_many_ranks_are_simulated() {
        let sizes: Vec<u64> = (0..=30).map(|power| 1 << power).collect();
        let of = |msg_sizes: &[u64], comm_sizes: &[u64]| -> Vec<(u32, u64)> {
            simulated(msg_sizes, comm_sizes).iter().map(|size| (size.comm_size, size.msg_size)).collect()
        };
        let all = of(&sizes[..=20], &[8, 64, 1024]);
        assert_eq!(all[..5], [0, 5, 10, 15, 20].map(|power| (8, 1 << power)));
        assert_eq!(all[5..], [0, 5, 10, 15, 20].map(|power| (64, 1 << power)));
        assert_eq!(of(&sizes[10..12], &[8]), [(8, 1 << 10), (8, 1 << 11)], "no size twice");
        assert_eq!(of(&sizes, &[8]).last(), Some(&(8, 1 << 24)), "not too large");
        assert_eq!(of(&sizes[30..], &[512]), [(512, 1 << 30)], "at least one");
        assert!(of(&sizes, &[]).is_empty());
    }
}
