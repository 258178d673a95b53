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

/// The maximum number of compositions of a campaign.
const MOST: usize = 4;

/// Returns the names of the compositions of a collective for messages of these sizes, at most four, which are evenly spaced among those of
/// all sizes. Each serves all of these numbers of ranks, of which so many are on each node.
pub fn of_sizes(collective: &str, msg_sizes: &[u64], comm_sizes: &[u64], per_node: u64) -> Vec<String> {
    let Some(collective) = Collective::ALL.into_iter().find(|known| known.name() == collective) else {
        return Vec::new();
    };
    let serves = |name: &String| {
        let ends = [msg_sizes.first(), msg_sizes.last()].into_iter().flatten();
        let calls = ends.flat_map(|bytes| comm_sizes.iter().map(move |ranks| (*ranks, *bytes)));
        calls.map(|(ranks, bytes)| request(ranks, per_node, bytes)).all(|request| {
            let found = Named::find(collective, name).ok().zip(request);
            found.is_some_and(|(named, request)| accept(named.algorithm(), &request).is_ok())
        })
    };
    let ranks = comm_sizes.iter().max().and_then(|&most| u32::try_from(most).ok());
    let mut names: Vec<String> = Vec::new();
    for size in msg_sizes.iter().filter_map(|&bytes| Some((ranks?, bytes))) {
        names.extend(of_size(collective, size).find(serves).filter(|name| !names.contains(name)));
    }
    let last = names.len().saturating_sub(1);
    let mut kept: Vec<usize> = (0..MOST).map(|place| place * last / (MOST - 1)).collect();
    kept.dedup();
    names.into_iter().enumerate().filter_map(|(place, name)| kept.contains(&place).then_some(name)).collect()
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

    #[test]
    fn few_compositions_serve_all_ranks_and_sizes() {
        let sizes: Vec<u64> = (0..=30).map(|power| 1 << power).collect();
        for collective in Collective::ALL {
            let names = of_sizes(collective.name(), &sizes, &[4, 6, 10], 2);
            let is_composed = collective != Collective::ReduceScatterBlock;
            assert!((1..=MOST).contains(&names.len()) == is_composed, "{collective}: {names:?}");
            for name in names {
                assert!(Named::find(collective, &name).is_ok(), "{collective} {name}");
            }
        }
        let of = |comm_sizes: &[u64], per_node| of_sizes("allgather", &[1 << 20], comm_sizes, per_node);
        assert_eq!(of(&[4, 8], 2), ["two_level:inter=neighbor_exchange:intra=ring"]);
        assert_eq!(of(&[4, 5], 2), of(&[4, 8], 2), "nodes of different sizes");
        // No nodes, and a collective that has no compositions.
        assert!(of(&[4], 0).is_empty());
        assert!(of_sizes("scan", &[8], &[4], 2).is_empty());
        let bcast = of_sizes("bcast", &[1, 1 << 15, 1 << 20], &[8], 4);
        let expected = [
            "two_level:inter=binomial:intra=binomial",
            "two_level:inter=pipeline/2048:intra=binary/8192",
            "two_level:inter=pipeline/8192:intra=binary/65536",
        ];
        assert_eq!(bcast, expected);
    }
}
