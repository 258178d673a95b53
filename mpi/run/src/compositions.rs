//! The compositions of two levels that are worth trying where no times say which are.

use qtdec_mpi_schedule::{Clusters, Collective, Entry, Named, Request, TwoLevel, Variant, accept, find};

use crate::own::MOST_SEGMENTS;

/// The bytes of messages whose time is that of their way, rather than of their bytes.
pub(crate) const SMALL: u64 = 8 << 10;

/// The least bytes of messages, the largest first, and the segments into which these are cut.
type Segments = &'static [(u64, u32)];

/// Segments of some algorithms, and of the others in the last row, for messages from some size on: shorter ones are not cut.
///
/// Among the segments that `qtdec-mpi predict` compares on networks of 20 Mbit/s to 50 GB/s, these cost the best candidate least. The row of
/// the others differs, so that a machine on which every message is dear finds longer ones.
const SEGMENTS: [(&[&str], Segments); 3] = [
    (&["circulant", "pipeline"], &[(8 << 20, 64 << 10), (256 << 10, 8 << 10), (SMALL, 2 << 10)]),
    (&["two_tree"], &[(8 << 20, 64 << 10), (256 << 10, 8 << 10), (SMALL, 1 << 10)]),
    (&[], &[(1 << 20, 64 << 10), (16 << 10, 8 << 10)]),
];

/// Returns the bytes of the segments in which an algorithm sends a message among some ranks, or 0 if it does not cut it. They are longer
/// where many ranks would have too large a schedule, even at two levels.
pub(crate) fn segment(collective: Collective, algorithm: &str, (ranks, bytes): (u32, u64)) -> u32 {
    let row = SEGMENTS.iter().find(|(names, _)| names.is_empty() || names.contains(&algorithm));
    let mut sizes = row.map_or(&[][..], |(_, sizes)| sizes).iter();
    let segment = sizes.find(|(least, _)| bytes >= *least).map_or(0, |(_, segment)| *segment);
    if segment == 0 || !find(collective, algorithm).is_ok_and(Entry::is_segmented) {
        return 0;
    }
    let least = bytes.saturating_mul(2 * u64::from(ranks)) / MOST_SEGMENTS;
    u32::try_from(least.next_power_of_two()).unwrap_or(0).max(segment)
}

/// Returns the algorithms between nodes and within them of compositions for small and for large messages, of which the first that serves the
/// ranks is tried.
fn levels(collective: Collective, is_small: bool) -> &'static [(&'static str, &'static str)] {
    match (collective, is_small) {
        (Collective::Bcast | Collective::Reduce, false) => &[("pipeline", "binary")],
        (Collective::Bcast | Collective::Reduce | Collective::Scatter | Collective::Gather, _) => {
            &[("binomial", "binomial")]
        }
        (Collective::Allreduce, true) => &[("recursive_doubling", "recursive_doubling")],
        (Collective::Allreduce, false) => &[("rabenseifner", "rabenseifner")],
        (Collective::Allgather, true) => &[("bruck", "bruck")],
        (Collective::Allgather, false) => &[("neighbor_exchange", "ring"), ("ring", "ring")],
        (Collective::Alltoall, true) => &[("bruck", "linear")],
        (Collective::Alltoall, false) => &[("pairwise", "pairwise")],
        (Collective::Barrier, _) => &[("dissemination", "tree")],
        _ => &[],
    }
}

/// Returns the names of the compositions for messages of a size among some ranks, of which the first that serves the ranks is tried.
pub(crate) fn of_size(collective: Collective, (ranks, bytes): (u32, u64)) -> impl Iterator<Item = String> {
    let level = move |name: &str| match segment(collective, name, (ranks, bytes)) {
        0 => name.to_owned(),
        segment => format!("{name}/{segment}"),
    };
    let pairs = levels(collective, bytes < SMALL).iter();
    pairs.map(move |(inter, intra)| {
        format!("{}:inter={}:intra={}", TwoLevel::PREFIX, level(inter), level(intra))
    })
}

/// The maximum number of compositions of a collective in a campaign.
pub const MOST: usize = 4;

/// The calls of a collective in a campaign.
#[derive(Clone, Copy, Debug)]
pub struct Calls<'c> {
    /// The collective.
    pub collective: Collective,
    /// The sizes of the messages in bytes, increasing.
    pub msg_sizes: &'c [u64],
    /// The numbers of ranks.
    pub comm_sizes: &'c [u64],
    /// The number of ranks on each node, of which the last may have fewer.
    pub per_node: u64,
}

impl Calls<'_> {
    /// Returns the names of compositions that suit small and large messages, at most [`MOST`], which are evenly spaced among those of all
    /// sizes. Each serves the calls.
    pub fn usual(self) -> Vec<String> {
        let ranks = self.comm_sizes.iter().max().and_then(|&most| u32::try_from(most).ok());
        let mut names: Vec<String> = Vec::new();
        for size in self.msg_sizes.iter().filter_map(|&bytes| Some((ranks?, bytes))) {
            let mut known = of_size(self.collective, size);
            names.extend(known.find(|name| self.are_served_by(name)).filter(|name| !names.contains(name)));
        }
        let last = names.len().saturating_sub(1);
        let mut kept: Vec<usize> = (0..MOST).map(|place| place * last / (MOST - 1)).collect();
        kept.dedup();
        let names = names.into_iter().enumerate();
        names.filter_map(|(place, name)| kept.contains(&place).then_some(name)).collect()
    }

    /// Returns whether the algorithm with a name serves the calls, with schedules that any rank can build.
    pub fn can_use(self, name: &str) -> bool {
        self.are_served_by(name)
            && self.all(name, |named, request| {
                let ranks = u64::from(request.comm_size());
                named.segments(request).saturating_mul(ranks) <= MOST_SEGMENTS
            })
    }

    fn are_served_by(self, name: &str) -> bool {
        self.all(name, |named, request| accept(named.algorithm(), request).is_ok())
    }

    /// Returns whether something holds of an algorithm and all numbers of ranks, with the least and the greatest size.
    fn all(self, name: &str, holds: impl Fn(&Named, &Request) -> bool) -> bool {
        let Ok(named) = Named::find(self.collective, name) else { return false };
        let ends = [self.msg_sizes.first(), self.msg_sizes.last()].into_iter().flatten();
        let mut calls = ends.flat_map(|bytes| self.comm_sizes.iter().map(move |ranks| (*ranks, *bytes)));
        calls.all(|(ranks, bytes)| {
            request(ranks, self.per_node, bytes).is_some_and(|request| holds(&named, &request))
        })
    }
}

fn request(ranks: u64, per_node: u64, bytes: u64) -> Option<Request> {
    let [ranks, per_node] = [ranks, per_node].map(|count| u32::try_from(count).ok());
    let clusters = Some(Clusters::of_ranks(ranks?, per_node?).ok()?);
    Request::new(ranks?, bytes)
        .and_then(|request| request.variant(Variant { clusters, ..Variant::default() }))
        .ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn calls<'c>(
        collective: Collective,
        msg_sizes: &'c [u64],
        comm_sizes: &'c [u64],
        per_node: u64,
    ) -> Calls<'c> {
        Calls { collective, msg_sizes, comm_sizes, per_node }
    }

    #[test]
    fn few_compositions_serve_all_ranks_and_sizes() {
        let sizes: Vec<u64> = (0..=30).map(|power| 1 << power).collect();
        for collective in Collective::ALL {
            let names = calls(collective, &sizes, &[4, 6, 10, 11], 2).usual();
            let is_composed = collective != Collective::ReduceScatterBlock;
            assert!((1..=MOST).contains(&names.len()) == is_composed, "{collective}: {names:?}");
            for name in names {
                assert!(Named::find(collective, &name).is_ok(), "{collective} {name}");
            }
        }
        let of = |comm_sizes: &[u64], per_node| {
            calls(Collective::Allgather, &[1 << 20], comm_sizes, per_node).usual()
        };
        assert_eq!(of(&[4, 8], 2), ["two_level:inter=neighbor_exchange:intra=ring"]);
        assert_eq!(of(&[4, 5], 2), of(&[4, 8], 2), "a node that is not full");
        assert!(of(&[4], 0).is_empty(), "no nodes");
        let bcast = calls(Collective::Bcast, &[1, 1 << 15, 1 << 20], &[8], 4).usual();
        let expected = [
            "two_level:inter=binomial:intra=binomial",
            "two_level:inter=pipeline/2048:intra=binary/8192",
            "two_level:inter=pipeline/8192:intra=binary/65536",
        ];
        assert_eq!(bcast, expected);
    }

    #[test]
    fn calls_use_schedules_that_any_rank_can_build() {
        let can_use = |inter: &str, most: u64| {
            let name = format!("two_level:inter={inter}:intra=linear");
            calls(Collective::Bcast, &[1, most], &[5, 16], 4).can_use(&name)
        };
        assert!(can_use("pipeline/1024", 1 << 20) && !can_use("pipeline/1024", 1 << 26));
        assert!(can_use("binomial", 1 << 26) && !can_use("no_algorithm", 1));
        assert!(!can_use("two_level:inter=binomial:intra=binomial", 1), "there are no sites");
    }
}
