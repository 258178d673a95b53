//! Compositions of two algorithms, proved like any other.

use qtdec_mpi_schedule::Collective;
use qtdec_mpi_schedule::{
    Action, Algorithm, Clusters, Entry, Level, Named, Request, RequestError, Schedule, ScheduleError,
    TwoLevel, Variant, algorithms, find,
};
use qtdec_testkit::sample::one_in;

const COMPOSED: [Collective; 8] = [
    Collective::Bcast,
    Collective::Reduce,
    Collective::Allreduce,
    Collective::Gather,
    Collective::Scatter,
    Collective::Allgather,
    Collective::Alltoall,
    Collective::Barrier,
];

/// Returns a level with a segment size, if the algorithm cuts messages.
fn level(entry: &'static Entry, segment: u64) -> Level {
    Level::new(entry, entry.is_segmented().then_some(segment)).expect("a level")
}

/// Returns the composition of two algorithms with different segment sizes.
fn composed(inter: &'static Entry, intra: &'static Entry) -> TwoLevel {
    TwoLevel::new(level(inter, 4), level(intra, 3)).expect("two of a kind")
}

fn named(collective: Collective, name: &str) -> TwoLevel {
    TwoLevel::named(collective, name).expect("a composition").expect("a name of one")
}

fn request(clusters: &str, count: u64, root: u32) -> Request {
    let clusters: Clusters = clusters.parse().expect("clusters");
    let variant = Variant { clusters: Some(clusters.clone()), ..Variant::default() };
    let request = Request::new(clusters.ranks() as u32, count).and_then(|request| request.root(root));
    request.and_then(|request| request.variant(variant)).expect("a request")
}

fn prove(composed: &TwoLevel, request: &Request) {
    let schedule = Schedule::build(composed, request).expect("a small schedule");
    if let Err(fault) = schedule.verify() {
        panic!("{} {composed} of {request:?}: {fault}", composed.collective());
    }
}

/// Covers every pair of algorithms in nodes of one size, one of them alone and nodes of a single rank.
#[test]
fn every_pair() {
    for collective in COMPOSED {
        for (turn, intra) in algorithms(collective).enumerate() {
            for (shift, inter) in algorithms(collective).enumerate() {
                let all = ["2x3", "1x1", "1x4", "5x1", "3x4:cyclic", "5x2", "3x4", "2x5:cyclic"];
                for clusters in all.into_iter().step_by(one_in(4)) {
                    let ranks = clusters.parse::<Clusters>().expect("clusters").ranks() as u32;
                    prove(&composed(inter, intra), &request(clusters, 13, (turn + shift) as u32 % ranks));
                }
            }
        }
    }
}

/// Covers every pair in nodes of different sizes, consecutive or in turn.
#[test]
fn every_pair_in_unequal_nodes() {
    for collective in COMPOSED {
        for (turn, intra) in algorithms(collective).enumerate() {
            for (shift, inter) in algorithms(collective).enumerate() {
                let all = ["1+4+2", "3+1+1+2", "3+3+1", "3+3+1:cyclic", "1+4+2:cyclic"];
                for (place, clusters) in all.into_iter().enumerate().skip((turn + shift) % 2).step_by(2) {
                    prove(&composed(inter, intra), &request(clusters, 13, (turn + shift + place) as u32 % 7));
                }
            }
        }
    }
}

/// Returns the composition of three algorithms, of which the last two or the first two are composed at one level.
fn nested(algorithms: [&'static Entry; 3], is_outer: bool) -> TwoLevel {
    let [first, second, third] = algorithms;
    let levels = if is_outer {
        (Level::composed(composed(first, second)), level(third, 5))
    } else {
        (level(first, 5), Level::composed(composed(second, third)))
    };
    TwoLevel::new(levels.0, levels.1).expect("three of a kind")
}

/// Covers every pair at two of three levels: sites, their nodes, and the ranks of a node, of one size or of others.
#[test]
fn every_pair_of_three_levels() {
    let equal = ["2x6:nodes=2", "2x6:nodes=3", "3x4:nodes=2", "1x6:nodes=2", "3x2:nodes=2", "4x1:nodes=1"];
    let other = ["6+4+1:nodes=2", "5+3:nodes=2", "3+6:nodes=4", "3x3:nodes=2", "2x2+3:nodes=8"];
    for collective in COMPOSED {
        let all: Vec<&Entry> = algorithms(collective).collect();
        for (turn, one) in all.iter().enumerate() {
            for (shift, two) in all.iter().enumerate() {
                let three = all[(turn + 2 * shift + 1) % all.len()];
                for (place, of_three) in
                    [[one, two, three], [three, one, two], [one, three, two]].into_iter().enumerate()
                {
                    let turn = turn + shift + place;
                    let clusters =
                        [&equal[..], &other][turn % 2].iter().cycle().nth(turn / 2).expect("clusters");
                    let ranks = clusters.parse::<Clusters>().expect("clusters").ranks() as u32;
                    let request = request(clusters, [13, 1, 40][turn % 3], turn as u32 % ranks);
                    prove(&nested(of_three, place == turn % 2), &request);
                }
            }
        }
    }
}

/// Covers every number of ranks in a site and on a node with every root.
#[test]
fn every_root_and_size_of_three_levels() {
    for collective in COMPOSED {
        let all: Vec<&Entry> = algorithms(collective).collect();
        let mut turn = 0;
        for (sites, nodes, ranks) in
            [(1, 1, 1), (2, 2, 2), (2, 3, 2), (3, 2, 2), (2, 2, 3), (4, 1, 2), (1, 3, 3), (3, 3, 1)]
        {
            let clusters = format!("{sites}x{}:nodes={ranks}", nodes * ranks);
            for root in (0..sites * nodes * ranks).step_by(one_in(2)) {
                let entries = [turn, turn + 1, turn / 2].map(|at| all[at % all.len()]);
                prove(&nested(entries, turn % 2 == 0), &request(&clusters, [0, 1, 5, 17][turn % 4], root));
                turn += 1;
            }
        }
    }
}

/// Covers every number of ranks and ranks per node with every root, consecutive or in turn, and counts that blocks and segments do not
/// divide.
#[test]
fn every_root_and_size() {
    for collective in COMPOSED {
        let pairs: Vec<TwoLevel> = algorithms(collective)
            .zip(algorithms(collective).skip(1).chain(algorithms(collective)))
            .map(|(inter, intra)| composed(inter, intra))
            .collect();
        let mut turn = 0;
        for ranks in 1..=13 {
            for ranks_per_node in 1..=ranks {
                let clusters = Clusters::of_ranks(ranks, ranks_per_node).expect("ranks");
                for root in (0..ranks).step_by(one_in(5)) {
                    let count = [0, 1, 5, 17][turn % 4];
                    prove(&pairs[turn % pairs.len()], &request(&clusters.to_string(), count, root));
                    prove(
                        &pairs[turn % pairs.len()],
                        &request(&clusters.clone().cyclic().to_string(), count, root),
                    );
                    turn += 1;
                }
            }
        }
    }
}

/// A name states both algorithms with their parameters, and is read as it is written.
#[test]
fn names() {
    for name in [
        "two_level:inter=binomial/8192:intra=linear",
        "two_level:inter=dary:radix=3/8192:intra=knomial:radix=8",
        "two_level:inter=scatter_allgather:intra=pipeline/1024",
        "two_level:inter=pipeline/8:intra=two_level:inter=dary:radix=3/16:intra=linear",
        "two_level:inter=two_level:inter=linear:intra=binary/8:intra=knomial:radix=8",
    ] {
        assert_eq!(named(Collective::Bcast, name).to_string(), name);
    }
    assert_eq!(TwoLevel::named(Collective::Bcast, "binomial"), Ok(None));
    let form = "write two_level:inter=ALGORITHM:intra=ALGORITHM";
    for (name, expected) in [
        ("two_level", form),
        ("two_level:inter=linear", form),
        ("two_level:intra=linear:inter=linear", form),
        (
            "two_level:inter=binomal:intra=linear",
            "bcast has no algorithm `binomal`; did you mean `binomial`?",
        ),
        ("two_level:inter=binomial/8K:intra=linear", "`8K` is not a number of bytes"),
        ("two_level:inter=scatter_allgather/8:intra=linear", "does not cut messages; omit /8"),
        ("two_level:inter=linear:intra=linear:radix=3", "algorithm `linear` has no radix; omit it"),
        ("two_level:inter=linear:intra=linear:intra=linear", form),
        (
            "two_level:inter=two_level:inter=linear:intra=linear:intra=two_level:inter=linear:intra=linear",
            "has at most three levels",
        ),
        (
            "two_level:inter=linear:intra=two_level:inter=linear:intra=two_level:inter=linear:intra=linear",
            "bcast has no algorithm `two_level:inter=linear`",
        ),
    ] {
        assert!(says(TwoLevel::named(Collective::Bcast, name), expected), "{name}");
        assert!(says(TwoLevel::named(Collective::Bcast, name), &format!("`{name}`")), "{name}");
    }
}

/// Each level is cut into segments of its own size.
#[test]
fn segments_of_levels() {
    let composed = named(Collective::Bcast, "two_level:inter=pipeline/25:intra=pipeline/10");
    let schedule = Schedule::build(&composed, &request("3x2", 100, 0)).expect("a small schedule");
    let mut sent = [0, 0];
    for rank in &schedule.ranks {
        for operation in &rank.operations {
            if let Action::Send { peer, .. } = operation.action {
                sent[usize::from(peer / 2 == rank.rank / 2)] += 1;
            }
        }
    }
    assert_eq!(sent, [2 * 4, 3 * 10]);
}

/// Consecutive nodes keep the order of the ranks if both algorithms do.
#[test]
fn rank_order() {
    for collective in [Collective::Reduce, Collective::Allreduce] {
        let ordered = || algorithms(collective).filter(|entry| entry.keeps_order());
        assert!(ordered().count() >= 2);
        for (intra, inter) in ordered().flat_map(|intra| ordered().map(move |inter| (intra, inter))) {
            for (clusters, root) in [("2x3+1", 0), ("2x3+2", 3), ("3x3+2", 10)] {
                prove(&composed(inter, intra), &request(clusters, 5, root).commutative(false));
                let request = request(&format!("{clusters}:nodes=2"), 5, root).commutative(false);
                for is_outer in [true, false] {
                    prove(&nested([inter, intra, inter], is_outer), &request);
                }
            }
        }
        // Another one is judged by the order of its operands, and never by a single rank.
        let ring =
            algorithms(collective).filter(|entry| !entry.keeps_order()).last().expect("one that commutes");
        let composed = composed(ring, ordered().next().expect("an ordered one"));
        let request = request("5x3+2", 50, 8).commutative(false);
        let schedule = Schedule::build(&composed, &request).expect("a small schedule");
        let fault = schedule.verify().expect_err("out of order");
        let refusal = schedule.refusal(&fault);
        assert!(
            matches!(refusal, Some(ScheduleError::Request(error)) if error.to_string().contains("out of rank order")),
            "{fault}"
        );
        assert!(says(
            composed.rank(&request, 3),
            "does not show whether operands are combined in rank order"
        ));
    }
}

/// Nodes that take the ranks in turn combine operands node by node: out of order, which is said of the request and by the proof.
#[test]
fn rank_order_of_nodes_in_turn() {
    for collective in [Collective::Reduce, Collective::Allreduce] {
        let ordered = algorithms(collective).find(|entry| entry.keeps_order()).expect("an ordered one");
        let found = Named::Composed(composed(ordered, ordered));
        for (clusters, keeps_order) in
            [("3x2", true), ("3x2:cyclic", false), ("2+1:cyclic", false), ("3x1:cyclic", true)]
        {
            let request = request(clusters, 5, 0).commutative(false);
            assert_eq!(found.keeps_order(&request), keeps_order, "{clusters}");
            let schedule = Schedule::build(found.algorithm(), &request).expect("a small schedule");
            assert_eq!(schedule.verify().is_ok(), keeps_order, "{clusters}");
            assert_eq!(found.algorithm().rank(&request, 1).is_ok(), keeps_order, "{clusters}");
        }
    }
}

/// Returns the messages and the bytes that enter each node of four ranks.
fn entering(composed: &TwoLevel, request: &Request) -> Vec<(u64, u64)> {
    let schedule = Schedule::build(composed, request).expect("a small schedule");
    let mut entering = vec![(0, 0); request.comm_size().div_ceil(4) as usize];
    for rank in &schedule.ranks {
        for operation in &rank.operations {
            if let Action::Receive { peer, .. } = operation.action
                && peer / 4 != rank.rank / 4
            {
                let (messages, bytes) = &mut entering[rank.rank as usize / 4];
                *messages += 1;
                *bytes += operation.action.bytes();
            }
        }
    }
    entering
}

/// One message enters each node except the root's, and no block enters a node twice.
#[test]
fn nodes_are_entered_as_seldom_as_possible() {
    let binomial = named(Collective::Bcast, "two_level:inter=binomial:intra=binomial");
    assert_eq!(entering(&binomial, &request("3x4+2", 100, 6)), [(1, 100), (0, 0), (1, 100), (1, 100)]);
    let linear = |collective| named(collective, "two_level:inter=linear:intra=linear");
    let request = request("3x4", 100, 6);
    assert_eq!(entering(&linear(Collective::Scatter), &request), [(1, 400), (0, 0), (1, 400)]);
    assert_eq!(entering(&linear(Collective::Gather), &request), [(0, 0), (2, 800), (0, 0)]);
    assert_eq!(entering(&linear(Collective::Alltoall), &request), [(8, 3200); 3]);
    let ring = named(Collective::Allgather, "two_level:inter=ring:intra=ring");
    assert_eq!(entering(&ring, &request), [(8, 800); 3]);
}

/// Ranks that nodes take in turn send the messages of consecutive ones, from the ranks at their places.
#[test]
fn nodes_in_turn_are_entered_as_seldom() {
    for collective in COMPOSED {
        let first = algorithms(collective).next().expect("an algorithm");
        let composed = composed(first, first);
        let between = |clusters: &str, node: fn(u32) -> u32| {
            let schedule = Schedule::build(&composed, &request(clusters, 100, 0)).expect("a small schedule");
            let sends = schedule.ranks.iter().flat_map(|rank| {
                let other = move |peer: u32| node(peer) != node(rank.rank);
                rank.operations.iter().filter_map(move |operation| match &operation.action {
                    action @ Action::Send { peer, .. } if other(*peer) => Some(action.bytes()),
                    _ => None,
                })
            });
            let mut sends: Vec<u64> = sends.collect();
            sends.sort_unstable();
            sends
        };
        assert_eq!(between("3x4", |rank| rank / 4), between("3x4:cyclic", |rank| rank % 3), "{collective}");
    }
}

/// The root keeps its own blocks where they are: no byte is copied that is not copied without levels.
#[test]
fn copies_of_the_root() {
    for collective in [Collective::Gather, Collective::Scatter] {
        let composed = named(collective, "two_level:inter=binomial:intra=binomial");
        let schedule = Schedule::build(&composed, &request("3x4", 100, 6)).expect("a small schedule");
        let copied = schedule.ranks[6].operations.iter().map(|operation| &operation.action);
        let copied = copied.filter(|action| matches!(action, Action::Copy { .. }));
        assert_eq!(copied.map(Action::bytes).sum::<u64>(), 100, "{collective}");
    }
}

fn says<T>(result: Result<T, impl std::fmt::Display>, expected: &str) -> bool {
    result.is_err_and(|error| error.to_string().contains(expected))
}

#[test]
fn refusals() {
    let find = |collective, name| find(collective, name).expect("an algorithm");
    let two = |one, other| TwoLevel::new(level(one, 4), level(other, 4));
    let [bcast, reduce] = [Collective::Bcast, Collective::Reduce].map(|all| find(all, "binomial"));
    assert!(says(two(bcast, reduce), "use two algorithms of one collective"));
    let scattered = find(Collective::ReduceScatterBlock, "ring");
    assert!(says(two(scattered, scattered), "has no composition of two levels"));

    let accept = |name: &str, request: &Request| named(Collective::Bcast, name).accept(request);
    let name = "two_level:inter=binomial/8:intra=linear";
    let whole = Request::new(8, 100).expect("a request");
    assert!(says(accept(name, &whole), "state the number of ranks per node"));
    let request = request("2x4", 100, 0);
    assert_eq!(accept(name, &request), Ok(()));
    let changed = |change: &dyn Fn(Request) -> Result<Request, RequestError>| {
        change(request.clone()).and_then(|request| accept(name, &request))
    };
    assert!(says(changed(&|request| request.segment(Some(4))), "has segments at its levels"));
    let clusters = request.chosen_variant().clusters.clone();
    let variant = Variant { radix: Some(3), clusters, ..Variant::default() };
    assert!(says(changed(&|request| request.variant(variant.clone())), "has a radix at its levels"));
    assert!(says(changed(&|request| request.element_size(16)), "would split an element"));
    let radix = "two_level:inter=knomial:radix=1:intra=linear";
    assert!(says(accept(radix, &request), "it must be at least 2"));
    let three = "two_level:inter=linear:intra=two_level:inter=linear:intra=linear";
    assert!(says(accept(three, &request), "needs clusters that consist of nodes, as in 2x8:nodes=2"));
    let of_nodes = self::request("2x4:nodes=2", 1, 0);
    assert_eq!(accept(three, &of_nodes), Ok(()));
    assert!(says(accept(name, &of_nodes), "omit :nodes, or nest a composition"));
    let multirail = find(Collective::Bcast, "multirail");
    assert!(says(multirail.accept(&of_nodes), "does not know the nodes in the clusters 2x4:nodes=2"));
    let in_turn = self::request("2x4:cyclic", 1, 0);
    assert!(says(
        multirail.accept(&in_turn),
        "needs clusters of consecutive ranks, but 2x4:cyclic take them in turn"
    ));
}
