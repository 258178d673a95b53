//! Numbers of messages, bytes and rounds, compared with the papers.

use std::collections::HashSet;

use qtdec_mpi_schedule::Collective;
use qtdec_mpi_schedule::{
    Action, Algorithm, Bounds, Clusters, Counts, Library, Request, Schedule, Variant, all, find,
};

fn build(collective: Collective, name: &str, request: &Request) -> Schedule {
    let entry = find(collective, name).expect("an algorithm");
    Schedule::build(entry, request).expect("a small schedule")
}

fn counts(collective: Collective, name: &str, request: &Request) -> Counts {
    build(collective, name, request).verify().expect("a right schedule").counts()
}

/// Returns a request of `segments` segments of one byte.
fn cut(comm_size: u32, segments: u64) -> Request {
    Request::new(comm_size, segments).and_then(|request| request.segment(Some(1))).expect("a request")
}

fn log2(ranks: u32) -> u64 {
    u64::from(ranks.next_power_of_two().trailing_zeros())
}

/// R(p, k) = R(p, 1) + 2 (k − 1) for k segments in each half.
#[test]
fn rounds_of_two_trees() {
    let known: [(u32, u64, u64); 13] = [
        (2, 2, 2),
        (3, 4, 4),
        (5, 5, 5),
        (6, 5, 6),
        (7, 6, 6),
        (8, 6, 6),
        (15, 8, 8),
        (16, 8, 8),
        (17, 8, 9),
        (31, 10, 10),
        (32, 10, 10),
        (64, 12, 12),
        (100, 13, 14),
    ];
    for (ranks, heap, in_order) in known {
        for (name, first) in [("multirail", heap), ("two_tree", in_order)] {
            for collective in [Collective::Bcast, Collective::Reduce] {
                for segments in [1, 2, 5] {
                    let rounds = counts(collective, name, &cut(ranks, 2 * segments)).rounds;
                    let expected = first + 2 * (segments - 1);
                    assert_eq!(
                        rounds, expected,
                        "{collective} {name} of {ranks} ranks, {segments} segments a half"
                    );
                }
            }
        }
    }
    for name in ["multirail", "two_tree"] {
        assert_eq!(counts(Collective::Bcast, name, &cut(1024, 2)).rounds, 20);
    }
}

/// Every rank has at most two incoming and two outgoing streams, and each rail carries half of the bytes.
#[test]
fn streams_of_two_trees() {
    for name in ["multirail", "two_tree"] {
        for ranks in [2, 3, 7, 8, 15, 20, 33, 64] {
            let schedule = build(Collective::Bcast, name, &cut(ranks, 12));
            let halves = schedule.verify().expect("a right schedule").counts().by_rail;
            assert_eq!(halves.len(), 2);
            if ranks > 2 {
                assert!(
                    halves.iter().max() <= halves.iter().min().map(|least| least + 6).as_ref(),
                    "{halves:?}"
                );
            }
            for rank in &schedule.ranks {
                let mut streams = [HashSet::new(), HashSet::new()];
                for operation in &rank.operations {
                    match operation.action {
                        Action::Send { peer, rail, .. } => streams[0].insert((peer, rail)),
                        Action::Receive { peer, rail, .. } => streams[1].insert((peer, rail)),
                        _ => false,
                    };
                }
                for streams in streams {
                    assert!(streams.len() <= 2, "{name} of {ranks}: rank {} has {streams:?}", rank.rank);
                    let rails: HashSet<u32> = streams.iter().map(|&(_, rail)| rail).collect();
                    assert_eq!(rails.len(), streams.len(), "two streams share a rail");
                }
            }
        }
    }
}

/// Each half enters every cluster except the root's once, wherever the root is.
#[test]
fn clusters_are_entered_once() {
    let equal = ["2x16", "3x5", "4x1", "1x7", "2x2", "5x4"];
    let unequal = ["8+16+4", "1+7+2", "16+1", "1+16", "3+1+1+9", "2x5+3+1"];
    for text in equal.into_iter().chain(unequal) {
        let clusters: Clusters = text.parse().expect("clusters");
        let comm_size = clusters.ranks() as u32;
        let of_rank =
            |rank: u32| clusters.members().position(|ranks| ranks.contains(&rank)).expect("a cluster");
        for root in [0, comm_size / 2, comm_size - 1] {
            let variant = Variant { clusters: Some(clusters.clone()), ..Variant::default() };
            let request = cut(comm_size, 8).root(root).and_then(|request| request.variant(variant));
            let schedule = build(Collective::Bcast, "multirail", &request.expect("a request"));
            assert_eq!(schedule.verify().err().map(|fault| fault.to_string()), None);
            let mut entered = vec![0; clusters.count() as usize];
            for rank in &schedule.ranks {
                for operation in &rank.operations {
                    if let Action::Receive { peer, .. } = operation.action
                        && of_rank(peer) != of_rank(rank.rank)
                    {
                        entered[of_rank(rank.rank)] += operation.action.bytes();
                    }
                }
            }
            let expected: Vec<u64> =
                (0..entered.len()).map(|cluster| if cluster == of_rank(root) { 0 } else { 8 }).collect();
            assert_eq!(entered, expected, "{text}, root {root}");
        }
    }
}

/// The number of rounds is optimal for every number of ranks and segments; counting includes the proof of the
/// schedule.
#[test]
fn rounds_on_the_circulant_graph() {
    for ranks in 2..=130 {
        for segments in [1, 2, 3, 8, 33] {
            let rounds = segments - 1 + log2(ranks);
            assert_eq!(counts(Collective::Bcast, "circulant", &cut(ranks, segments)).rounds, rounds);
            if ranks <= 20 {
                assert_eq!(counts(Collective::Reduce, "circulant", &cut(ranks, segments)).rounds, rounds);
            }
        }
    }
}

/// No schedule is below the bounds, and those that are known to reach them do.
#[test]
fn distance_to_the_bounds() {
    for entry in all() {
        for ranks in [2, 3, 8, 13, 16] {
            let request = cut(ranks, u64::from(ranks) * 2);
            let found = counts(entry.collective(), entry.name(), &request);
            let bounds = Bounds::new(entry.collective(), &request, found.longest);
            let name = format!("{} {} of {ranks}: {found:?}, {bounds:?}", entry.collective(), entry.name());
            assert!(found.rounds >= bounds.rounds, "{name}");
            assert!(found.most_sent >= bounds.most_sent, "{name}");
            assert!(found.most_received >= bounds.most_received, "{name}");
            assert!(found.depth <= found.rounds, "{name}");
        }
    }
    let whole = |ranks: u32| Request::new(ranks, u64::from(ranks) * 4).expect("a request");
    for ranks in [2, 3, 8, 13, 16] {
        let reached = [
            (Collective::Bcast, "binomial"),
            (Collective::Scatter, "binomial"),
            (Collective::Gather, "binomial"),
            (Collective::Allgather, "bruck"),
            (Collective::Alltoall, "bruck"),
            (Collective::Barrier, "dissemination"),
        ];
        for (collective, name) in reached {
            assert_eq!(
                counts(collective, name, &whole(ranks)).rounds,
                log2(ranks),
                "{collective} {name} of {ranks}"
            );
        }
        for name in ["ring", "circulant", "segmented_ring"] {
            let found = counts(Collective::Allreduce, name, &whole(ranks));
            let bounds = Bounds::new(Collective::Allreduce, &whole(ranks), found.longest);
            assert_eq!(
                (found.most_sent, found.most_received),
                (bounds.most_sent, bounds.most_received),
                "{name}"
            );
        }
        let found = counts(Collective::Allreduce, "circulant", &whole(ranks));
        assert_eq!(found.rounds, 2 * log2(ranks));
    }
}

/// Compares textbook schedules with numbers of rounds that were computed by hand.
#[test]
fn rounds_of_textbook_schedules() {
    let of = |collective, name, ranks, segments| counts(collective, name, &cut(ranks, segments)).rounds;
    for ranks in [2, 5, 8, 12] {
        let others = u64::from(ranks) - 1;
        assert_eq!(of(Collective::Bcast, "linear", ranks, 3), 3 * others);
        assert_eq!(of(Collective::Bcast, "pipeline", ranks, 5), others + 4);
        assert_eq!(of(Collective::Alltoall, "rotated", ranks, 1), others);
        assert_eq!(of(Collective::Allgather, "ring", ranks, 1), others);
        assert_eq!(of(Collective::Allreduce, "ring", ranks, u64::from(ranks)), 2 * others);
    }
    // All ranks serve the same rank first.
    assert_eq!(of(Collective::Alltoall, "linear", 8, 1), 13);
    assert_eq!(of(Collective::Allgather, "neighbor_exchange", 8, 1), 4);
    assert_eq!(of(Collective::Allgather, "recursive_doubling", 16, 1), 4);
}

/// Open MPI's binomial broadcast serves the nearest child first, MPICH's the farthest.
#[test]
fn binomial_trees_of_libraries() {
    let served = |library| {
        let request =
            Request::new(8, 1).and_then(|request| request.variant(Variant { library, ..Variant::default() }));
        let schedule = build(Collective::Bcast, "binomial", &request.expect("a request"));
        let root = schedule.ranks[0].operations.iter();
        root.filter_map(|operation| match operation.action {
            Action::Send { peer, .. } => Some(peer),
            _ => None,
        })
        .collect::<Vec<_>>()
    };
    assert_eq!(served(None), [4, 2, 1]);
    assert_eq!(served(Some(Library::Mpich)), [4, 2, 1]);
    assert_eq!(served(Some(Library::OpenMpi)), [1, 2, 4]);
}

/// Covers a thousand ranks, with hundreds of segments.
#[test]
fn a_large_schedule() {
    let request =
        Request::new(1024, 1 << 20).and_then(|request| request.segment(Some(8 << 10))).expect("a request");
    let schedule = build(Collective::Bcast, "binary", &request);
    assert_eq!(schedule.verify().expect("a right schedule").counts().messages, 1023 * 128);
}
