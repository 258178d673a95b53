//! Few compositions that are good for many calls together, as a campaign measures them.

use super::{Method, Predictor, Size};

impl Predictor<'_> {
    /// Returns at most `most` compositions of two levels for some calls, of those that `serves` accepts. They are chosen among what the beam
    /// of a [search](Self::search) keeps for each call, one after the other, so that the fastest of them has times in the most calls and, of
    /// these, the least geometric mean. There are none for formulas, for named algorithms, or if the ranks of every call are on one node.
    pub fn compositions(&self, calls: &[Size], most: usize, serves: impl Fn(&Method) -> bool) -> Vec<Method> {
        let mut found: Vec<Method> = Vec::new();
        for &call in calls {
            for method in self.kept(call) {
                if !found.contains(&method) && serves(&method) {
                    found.push(method);
                }
            }
        }
        let requests: Vec<(&Method, Size)> =
            found.iter().flat_map(|method| calls.iter().map(move |&call| (method, call))).collect();
        let times = self.times(&requests, || ());
        let times: Vec<&[Option<f64>]> = times.chunks(calls.len().max(1)).collect();
        let mut chosen: Vec<usize> = Vec::new();
        let mut best = cost(&times, &[], calls.len());
        while chosen.len() < most {
            let with = |method: usize| [&*chosen, &[method]].concat();
            let costs = (0..found.len()).map(|method| (method, cost(&times, &with(method), calls.len())));
            let next =
                costs.min_by(|(_, one), (_, other)| one.0.cmp(&other.0).then(one.1.total_cmp(&other.1)));
            let Some((method, next)) = next.filter(|(_, next)| *next < best) else { break };
            chosen.push(method);
            best = next;
        }
        chosen.into_iter().map(|method| found[method].clone()).collect()
    }
}

/// Returns the number of calls in which none of the chosen methods has a time, and the sum of the logarithms of the least times in the
/// others.
fn cost(times: &[&[Option<f64>]], chosen: &[usize], calls: usize) -> (usize, f64) {
    let least = |call: usize| chosen.iter().filter_map(|&method| times[method][call]).min_by(f64::total_cmp);
    let least: Vec<f64> = (0..calls).filter_map(least).collect();
    // Not below a picosecond, the unit of simulations.
    (calls - least.len(), least.iter().map(|time| time.max(1e-12).ln()).sum())
}

#[cfg(test)]
mod tests {
    use qtdec_mpi_schedule::Collective;

    use super::super::TimeSource;
    use super::*;
    use crate::network::{Network, shipped};

    fn calls(comm_size: u32) -> Vec<Size> {
        [16, 4096, 262_144].map(|msg_size| Size { comm_size, msg_size }).to_vec()
    }

    fn network() -> Network {
        shipped("polaris").unwrap().with_ranks_per_node(4).unwrap()
    }

    fn found(network: &Network, collective: Collective, comm_size: u32, most: usize) -> Vec<Method> {
        let predictor = Predictor::new(network, collective, TimeSource::Simulated, &[]).unwrap();
        predictor.compositions(&calls(comm_size), most, |_| true)
    }

    /// Of enough compositions, the best one of every call is among them; and each further one is better somewhere.
    #[test]
    fn a_few_compositions_are_nearly_the_best_of_each_call() {
        let network = network();
        for collective in [Collective::Bcast, Collective::Allreduce, Collective::Allgather] {
            let predictor = Predictor::new(&network, collective, TimeSource::Simulated, &[]).unwrap();
            let all = found(&network, collective, 12, 4);
            assert!((1..=3).contains(&all.len()), "{collective}: {all:?}");
            for (at, call) in calls(12).into_iter().enumerate() {
                let time = |method: &Method| predictor.times(&[(method, call)], || ())[0];
                let least = all.iter().filter_map(time).fold(f64::INFINITY, f64::min);
                let best = time(&predictor.kept(call).next().unwrap()).unwrap();
                assert!(least <= best, "{collective} {at}: {least} {best}");
            }
            assert_eq!(found(&network, collective, 12, 1), all[..1], "{collective}");
        }
    }

    #[test]
    fn what_cannot_be_composed_or_is_refused_is_not_found() {
        let network = network();
        assert!(found(&network, Collective::ReduceScatterBlock, 12, 4).is_empty());
        assert!(found(&network, Collective::Bcast, 4, 4).is_empty(), "all ranks are on one node");
        assert!(found(&network, Collective::Bcast, 12, 0).is_empty());
        let predictor = Predictor::new(&network, Collective::Bcast, TimeSource::Simulated, &[]).unwrap();
        let uncut = |method: &Method| !method.algorithm().contains('/');
        let found = predictor.compositions(&calls(12), 4, uncut);
        assert!(!found.is_empty() && found.iter().all(uncut), "{found:?}");
        assert!(predictor.compositions(&[], 4, |_| true).is_empty());
    }

    #[test]
    fn a_call_without_a_time_costs_more_than_any_time() {
        let times: [&[Option<f64>]; 2] = [&[Some(1.0), None], &[Some(50.0), Some(2.0)]];
        assert_eq!(cost(&times, &[], 2), (2, 0.0));
        assert_eq!(cost(&times, &[0], 2), (1, 0.0));
        assert_eq!(cost(&times, &[0, 1], 2), (0, 2.0_f64.ln()));
        assert!(cost(&times, &[1], 2) < cost(&times, &[0], 2));
    }
}
