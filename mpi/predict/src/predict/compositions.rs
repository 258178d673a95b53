//! The best composition of two levels for a call.
//!
//! A composition has two algorithms, each with a segment size, so there are too many to try all. The search is a beam: it takes the
//! [`WIDTH`] best methods within nodes below the first algorithm between them that has times; then the [`WIDTH`] best between nodes
//! above any of these; then the best within nodes below any of those. Segments are the powers of 8 from 1 KiB, and a climb refines the
//! sizes of the best pair, first between nodes. With `n` methods a level, `(2 * WIDTH + 1) * n` compositions are simulated, and those of
//! the climbs.
//!
//! It misses pairs whose methods are good with each other alone, such as two pipelines whose segments overlap. Radices are the default.

use super::{Method, Prediction, Predictor, Size};
use crate::models::{self, Found};
use qtdec_mpi_schedule::{Algorithm, Entry, Level, TwoLevel};

/// The number of methods of a level that the search keeps.
const WIDTH: usize = 3;

/// An algorithm with its segment size.
type LevelMethod = (&'static Entry, Option<u64>);

/// The methods of both levels.
#[derive(Clone, Copy, Debug)]
struct Pair {
    inter: LevelMethod,
    intra: LevelMethod,
}

impl Pair {
    fn method(self) -> Option<Method> {
        let level = |(entry, segment)| Level::new(entry, segment);
        let composed = level(self.inter).and_then(|inter| TwoLevel::new(inter, level(self.intra)?));
        composed.ok().map(Method::composed)
    }
}

impl Predictor<'_> {
    /// Returns the best composition that the search finds, or `None` if the collective has none, if all ranks are on one node, or if
    /// each is on one of its own.
    pub(super) fn best_composition(&self, size: Size) -> Option<Prediction> {
        let nodes = self.nodes(size.comm_size).filter(|_| self.composes)?;
        let are_two = (2..size.comm_size).contains(&nodes.count());
        let (pair, seconds) = are_two.then(|| self.beam(size)).flatten()?;
        self.refined(pair, seconds, size)
    }

    fn beam(&self, size: Size) -> Option<(Pair, f64)> {
        let methods = self.level_methods(size);
        let within = |inter: LevelMethod| methods.iter().map(move |&intra| Pair { inter, intra });
        let between = |intra: LevelMethod| methods.iter().map(move |&inter| Pair { inter, intra });
        // The schedules of the first algorithms between nodes may be too large.
        let mut first = methods.iter().map(|&inter| self.best_pairs(within(inter), |pair| pair.intra, size));
        let kept = first.find(|kept| !kept.is_empty())?;
        let kept =
            self.best_pairs(kept.iter().flat_map(|(pair, _)| between(pair.intra)), |pair| pair.inter, size);
        let kept =
            self.best_pairs(kept.iter().flat_map(|(pair, _)| within(pair.inter)), |pair| pair.intra, size);
        kept.first().copied()
    }

    /// Returns the methods of a level: every algorithm without segments and, if it has them, with those of the scan.
    fn level_methods(&self, size: Size) -> Vec<LevelMethod> {
        let element = self.element.get();
        let sizes = (0..18).map(|power| 1024_u64 << (3 * power)).map(|bytes| bytes - bytes % element);
        let sizes: Vec<u64> = sizes.filter(|bytes| (1..size.msg_size).contains(bytes)).collect();
        let of = |entry: &'static Entry| {
            let sizes = if entry.is_segmented() { &sizes[..] } else { &[] };
            [None].into_iter().chain(sizes.iter().copied().map(Some)).map(move |segment| (entry, segment))
        };
        qtdec_mpi_schedule::algorithms(self.collective).flat_map(of).collect()
    }

    /// Returns the best pairs with their times, the fastest first. `varied` is the method in which they must differ.
    fn best_pairs(
        &self,
        pairs: impl Iterator<Item = Pair>,
        varied: fn(&Pair) -> LevelMethod,
        size: Size,
    ) -> Vec<(Pair, f64)> {
        let pairs: Vec<(Pair, Method)> = pairs.filter_map(|pair| Some((pair, pair.method()?))).collect();
        let calls: Vec<(&Method, Size)> = pairs.iter().map(|(_, method)| (method, size)).collect();
        let times = self.times(&calls, || ());
        let mut timed: Vec<(Pair, f64)> =
            pairs.iter().zip(times).filter_map(|((pair, _), time)| Some((*pair, time?))).collect();
        timed.sort_by(|(_, one), (_, other)| one.total_cmp(other));
        let mut best: Vec<(Pair, f64)> = Vec::new();
        let name = |pair: &Pair| (varied(pair).0.name(), varied(pair).1);
        for (pair, time) in timed {
            if best.len() < WIDTH && best.iter().all(|(known, _)| name(known) != name(&pair)) {
                best.push((pair, time));
            }
        }
        best
    }

    /// Climbs to a better segment size at each level that has one.
    fn refined(&self, pair: Pair, seconds: f64, size: Size) -> Option<Prediction> {
        let time =
            |pair: Pair| pair.method().map_or(f64::INFINITY, |method| self.prediction(method, size).seconds);
        let climb = |seconds, segment, with: &dyn Fn(u64) -> Pair| {
            let from = Found { segment, seconds };
            models::climb(from, size.msg_size, self.segment_step(), |segment| time(with(segment)))
        };
        let (mut best, mut seconds) = (pair, seconds);
        let between = |segment| Pair { inter: (pair.inter.0, Some(segment)), ..pair };
        if let Some(segment) = pair.inter.1 {
            let found = climb(seconds, segment, &between);
            (best, seconds) = (between(found.segment), found.seconds);
        }
        let within = |segment| Pair { intra: (pair.intra.0, Some(segment)), ..best };
        if let Some(segment) = pair.intra.1 {
            let found = climb(seconds, segment, &within);
            (best, seconds) = (within(found.segment), found.seconds);
        }
        Some(Prediction { method: best.method()?, seconds })
    }
}

#[cfg(test)]
mod tests {
    use super::super::TimeSource;
    use super::*;
    use crate::network::{Between, Description, Network, Point, Unit};
    use qtdec_mpi_schedule::Collective;

    /// Returns a network whose messages between nodes cost several times those within one.
    fn network(ranks_per_node: u64) -> Network {
        let points = |factor: f64| {
            [(1, 0.2), (1 << 20, 105.0)].map(|(bytes, gap)| {
                let overhead = 0.1 * factor;
                Point { bytes, gap: gap * factor, send: overhead, receive: overhead }
            })
        };
        let description = Description::new(Unit::Microseconds, 0.5, points(1.0).to_vec());
        let between =
            Between { cluster_sizes: vec![ranks_per_node], latency: 20.0, points: points(9.0).to_vec() };
        Network::new(Description {
            ranks_per_node,
            reduce_per_byte: 0.00025,
            between: Some(between),
            ..description
        })
        .unwrap()
    }

    /// The best pair of the search against the best of all pairs.
    #[test]
    fn a_search_is_nearly_as_good_as_all_pairs() {
        for (collective, comm_size, ranks_per_node, msg_sizes) in [
            (Collective::Bcast, 8, 2, &[16, 4096, 65_536][..]),
            (Collective::Bcast, 8, 4, &[16, 4096, 65_536]),
            (Collective::Bcast, 14, 4, &[4096, 32_768]),
            (Collective::Reduce, 8, 4, &[16, 4096, 65_536]),
            (Collective::Reduce, 16, 4, &[4096]),
            (Collective::Allreduce, 8, 2, &[16, 4096, 65_536]),
            (Collective::Allreduce, 16, 4, &[16, 4096, 65_536]),
            (Collective::Alltoall, 16, 4, &[16, 65_536]),
            (Collective::Gather, 16, 4, &[16, 65_536]),
        ] {
            let network = network(ranks_per_node);
            let predictor = Predictor::new(&network, collective, TimeSource::Simulated, &[]).unwrap();
            for &msg_size in msg_sizes {
                let size = Size { comm_size, msg_size };
                let methods = predictor.level_methods(size);
                let all =
                    methods.iter().flat_map(|&inter| methods.iter().map(move |&intra| Pair { inter, intra }));
                let (_, best) = predictor.best_pairs(all, |pair| pair.inter, size)[0];
                let (pair, found) = predictor.beam(size).unwrap();
                assert!(found <= 1.01 * best, "{collective} {size:?}: {pair:?} takes {}", found / best);
                let refined = predictor.best_composition(size).unwrap();
                assert!(refined.seconds <= found);
                assert_eq!(refined.seconds, predictor.prediction(refined.method, size).seconds);
            }
        }
    }

    /// Ranks that are all on one node, or each on its own, have no levels; and named algorithms are the only ones.
    #[test]
    fn compositions_need_two_levels() {
        let compositions = |network: &Network, comm_size, names: &[String]| {
            let predictor = Predictor::new(network, Collective::Bcast, TimeSource::Simulated, names).unwrap();
            let found = predictor.search(Size { comm_size, msg_size: 1000 });
            found.iter().filter(|found| found.method.levels.is_some()).count()
        };
        assert_eq!(compositions(&network(4), 8, &[]), 1);
        assert_eq!(compositions(&network(4), 4, &[]), 0);
        assert_eq!(compositions(&network(1), 4, &[]), 0);
        assert_eq!(compositions(&network(4), 8, &["linear".to_owned()]), 0);
        let name = "two_level:inter=linear:intra=linear".to_owned();
        assert_eq!(compositions(&network(4), 8, &["linear".to_owned(), name]), 1);
    }
}
