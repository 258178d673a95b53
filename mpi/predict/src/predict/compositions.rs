//! The best composition of two or three levels for a call.
//!
//! A level has an algorithm with a segment size, so there are too many compositions to try all. The search is a beam: it takes the
//! [`WIDTH`] best methods of the innermost level below the first algorithm that has times at all others; then the [`WIDTH`] best of the
//! level above it with any of these, and so on to the outermost level and back. Segments are the powers of 8 from 1 KiB, and a climb
//! refines the sizes of the best composition, the outermost first. With `n` methods a level, `(2 * WIDTH + 1) * n` compositions of two
//! levels are simulated, `(4 * WIDTH + 1) * n` of three for each of both ways to nest them, and those of the climbs.
//!
//! It misses methods that are good with each other alone, such as two pipelines whose segments overlap. Radices are the default.

use super::{Method, Prediction, Predictor, Size};
use crate::models::{self, Found};
use qtdec_mpi_schedule::{Algorithm, Entry, Level, RequestError, TwoLevel};

/// The number of methods of a level that the search keeps.
const WIDTH: usize = 3;

/// An algorithm with its segment size.
type LevelMethod = (&'static Entry, Option<u64>);

/// The methods of all levels, the outermost first.
#[derive(Clone, Debug)]
struct Composition {
    levels: Vec<LevelMethod>,
    /// Whether it is the first two of three levels that are one of two, rather than the last two.
    nests_first: bool,
}

impl Composition {
    /// Returns the composition with another method at a level.
    fn with(&self, place: usize, method: LevelMethod) -> Self {
        let mut other = self.clone();
        other.levels[place] = method;
        other
    }

    fn method(&self) -> Option<Method> {
        let level = |&(entry, segment): &LevelMethod| Level::new(entry, segment);
        let two = |inter, intra| Ok::<_, RequestError>(Level::composed(TwoLevel::new(inter?, intra?)?));
        let composed = match (&self.levels[..], self.nests_first) {
            ([first, second, third], true) => {
                TwoLevel::new(two(level(first), level(second)).ok()?, level(third).ok()?)
            }
            ([first, second, third], false) => {
                TwoLevel::new(level(first).ok()?, two(level(second), level(third)).ok()?)
            }
            ([first, second], _) => TwoLevel::new(level(first).ok()?, level(second).ok()?),
            _ => return None,
        };
        composed.ok().map(Method::composed)
    }
}

impl Predictor<'_> {
    /// Returns the best composition that the search finds, or `None` if the collective has none, if all ranks are on one node, or if
    /// each is on one of its own.
    pub(super) fn best_composition(&self, size: Size) -> Option<Prediction> {
        let has_sites = self.composes && self.has_sites(size);
        let ways = [(2, false, self.has_nodes(size)), (3, false, has_sites), (3, true, has_sites)];
        let found = ways.into_iter().filter(|&(.., exists)| exists);
        let found = found.flat_map(|(count, nests_first, _)| self.beam(count, nests_first, size));
        let (best, seconds) = found.min_by(|(_, one), (_, other)| one.total_cmp(other))?;
        self.refined(best, seconds, size)
    }

    /// Returns whether compositions are searched, and the ranks are on several nodes, some of which have several of them.
    fn has_nodes(&self, size: Size) -> bool {
        let nodes = self.nodes(size.comm_size).filter(|_| self.composes);
        nodes.is_some_and(|nodes| (2..size.comm_size).contains(&nodes.count()))
    }

    /// Returns whether the ranks are in several clusters, some of several nodes, and some nodes have several of them.
    fn has_sites(&self, size: Size) -> bool {
        let Some(clusters) = self.clusters_of_nodes(size.comm_size) else { return false };
        let per_node = clusters.per_node().unwrap_or(1) as usize;
        let nodes: usize = clusters.members().map(|ranks| ranks.len().div_ceil(per_node)).sum();
        (clusters.count() as usize + 1..size.comm_size as usize).contains(&nodes)
    }

    /// Returns the compositions of two levels that the beam keeps for a call, the fastest first, before their segments are refined. There
    /// are none if the collective has none, if all ranks are on one node, or if each is on one of its own.
    pub(super) fn kept(&self, size: Size) -> impl Iterator<Item = Method> {
        let kept = if self.has_nodes(size) { self.beam(2, false, size) } else { Vec::new() };
        kept.into_iter().filter_map(|(composition, _)| composition.method())
    }

    /// Returns the best compositions of so many levels that a beam finds, with their times, the fastest first.
    fn beam(&self, count: usize, nests_first: bool, size: Size) -> Vec<(Composition, f64)> {
        let methods = self.level_methods(size);
        let varied = |kept: &[(Composition, f64)], place: usize| {
            let with = |of| methods.iter().map(move |&method| Composition::with(of, place, method));
            self.best(kept.iter().flat_map(|(of, _)| with(of)), place, size)
        };
        // The schedules of the first algorithms above may be too large.
        let alike = |&method: &LevelMethod| Composition { levels: vec![method; count], nests_first };
        let mut first = methods.iter().map(|method| varied(&[(alike(method), f64::INFINITY)], count - 1));
        let mut kept = first.find(|kept| !kept.is_empty()).unwrap_or_default();
        for place in (0..count - 1).rev().chain(1..count) {
            kept = varied(&kept, place);
        }
        kept
    }

    /// Returns the methods of a level: every algorithm without segments and, if it has them, with those of the scan.
    fn level_methods(&self, size: Size) -> Vec<LevelMethod> {
        let element = self.element_size.get();
        let sizes = (0..18).map(|power| 1024_u64 << (3 * power)).map(|bytes| bytes - bytes % element);
        let sizes: Vec<u64> = sizes.filter(|bytes| (1..size.msg_size).contains(bytes)).collect();
        let of = |entry: &'static Entry| {
            let sizes = if entry.is_segmented() { &sizes[..] } else { &[] };
            [None].into_iter().chain(sizes.iter().copied().map(Some)).map(move |segment| (entry, segment))
        };
        qtdec_mpi_schedule::algorithms(self.collective).flat_map(of).collect()
    }

    /// Returns the best compositions with their times, the fastest first. They differ in the method at a level.
    fn best(
        &self,
        tried: impl Iterator<Item = Composition>,
        place: usize,
        size: Size,
    ) -> Vec<(Composition, f64)> {
        let (tried, methods): (Vec<Composition>, Vec<Method>) =
            tried.filter_map(|composition| composition.method().map(|method| (composition, method))).unzip();
        let calls: Vec<(&Method, Size)> = methods.iter().map(|method| (method, size)).collect();
        let times = self.times(&calls, || ());
        let mut timed: Vec<(Composition, f64)> = tried
            .into_iter()
            .zip(times)
            .filter_map(|(composition, time)| Some((composition, time?)))
            .collect();
        timed.sort_by(|(_, one), (_, other)| one.total_cmp(other));
        let name = |composition: &Composition| {
            let (entry, segment) = composition.levels[place];
            (entry.name(), segment)
        };
        let mut best: Vec<(Composition, f64)> = Vec::new();
        for (composition, time) in timed {
            if best.len() < WIDTH && best.iter().all(|(known, _)| name(known) != name(&composition)) {
                best.push((composition, time));
            }
        }
        best
    }

    /// Climbs to a better segment size at each level that has one.
    fn refined(&self, mut best: Composition, mut seconds: f64, size: Size) -> Option<Prediction> {
        for place in 0..best.levels.len() {
            let (entry, Some(segment)) = best.levels[place] else { continue };
            let with = |segment| best.with(place, (entry, Some(segment)));
            let time = |segment| {
                let method = with(segment).method();
                method.map_or(f64::INFINITY, |method| self.prediction(method, size).seconds)
            };
            let found = models::climb(Found { segment, seconds }, size.msg_size, self.segment_step(), time);
            (best, seconds) = (with(found.segment), found.seconds);
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
        sites(ranks_per_node, ranks_per_node)
    }

    /// Returns all compositions of so many levels.
    fn all(
        predictor: &Predictor<'_>,
        count: usize,
        nests_first: bool,
        size: Size,
    ) -> impl Iterator<Item = Composition> {
        let methods = predictor.level_methods(size);
        (0..methods.len().pow(count as u32)).map(move |mut at| {
            let next = |_| {
                let method = methods[at % methods.len()];
                at /= methods.len();
                method
            };
            Composition { levels: (0..count).map(next).collect(), nests_first }
        })
    }

    /// Returns a network whose messages between sites cost several times those within one. Nodes share their ports.
    fn sites(ranks: u64, ranks_per_node: u64) -> Network {
        let points = |factor: f64| {
            [(1, 0.2), (1 << 20, 105.0)].map(|(bytes, gap)| {
                let overhead = 0.1 * factor;
                Point { bytes, gap: gap * factor, send: overhead, receive: overhead }
            })
        };
        let description = Description::new(Unit::Microseconds, 0.5, points(1.0).to_vec());
        let between = Between { cluster_sizes: vec![ranks], latency: 20.0, points: points(9.0).to_vec() };
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
                let (_, best) = predictor.best(all(&predictor, 2, false, size), 0, size)[0];
                let (pair, found) = predictor.beam(2, false, size).swap_remove(0);
                assert!(found <= 1.01 * best, "{collective} {size:?}: {pair:?} takes {}", found / best);
                let refined = predictor.best_composition(size).unwrap();
                assert!(refined.seconds <= found);
                assert_eq!(refined.seconds, predictor.prediction(refined.method, size).seconds);
            }
        }
    }

    /// The best three methods of the search against the best of all.
    #[test]
    fn a_search_is_nearly_as_good_as_all_of_three_levels() {
        for (collective, (comm_size, site, per_node), msg_sizes) in [
            (Collective::Bcast, (12, 6, 2), &[16][..]),
            (Collective::Reduce, (11, 6, 3), &[16]),
            (Collective::Allreduce, (16, 8, 2), &[16]),
            (Collective::Allreduce, (8, 4, 2), &[16_384]),
            (Collective::Alltoall, (16, 8, 4), &[16, 65_536]),
            (Collective::Gather, (15, 6, 2), &[16, 65_536]),
            (Collective::Allgather, (14, 8, 2), &[16, 65_536]),
            (Collective::Barrier, (24, 8, 4), &[0]),
        ] {
            let network = sites(site, per_node);
            let predictor = Predictor::new(&network, collective, TimeSource::Simulated, &[]).unwrap();
            for &msg_size in msg_sizes {
                let size = Size { comm_size, msg_size };
                assert!(predictor.has_sites(size));
                let of_both = |seconds: &dyn Fn(bool) -> f64| seconds(false).min(seconds(true));
                let best = of_both(&|first| predictor.best(all(&predictor, 3, first, size), 0, size)[0].1);
                let found = of_both(&|first| predictor.beam(3, first, size)[0].1);
                assert!(found <= 1.05 * best, "{collective} {size:?} takes {}", found / best);
                assert!(predictor.best_composition(size).unwrap().seconds <= found);
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
