//! Compositions of two algorithms, proved like any other.

use qtdec_mpi_schedule::Collective;
use qtdec_mpi_schedule::{Algorithm, Clusters, Request, Schedule, ScheduleError, TwoLevel, algorithms, find};
use qtdec_testkit::sample::one_in;

const COMPOSED: [Collective; 3] = [Collective::Bcast, Collective::Reduce, Collective::Allreduce];

/// Covers every pair of algorithms, with full and incomplete nodes.
#[test]
fn every_pair() {
    for collective in COMPOSED {
        for (turn, intra) in algorithms(collective).enumerate() {
            for (shift, inter) in algorithms(collective).enumerate() {
                for (comm_size, ranks_per_node) in
                    [(7, 3), (1, 3), (4, 4), (6, 2), (10, 4), (5, 1)].into_iter().step_by(one_in(4))
                {
                    let root = (turn + shift) as u32 % comm_size;
                    let request = Request::new(comm_size, 13)
                        .and_then(|request| request.root(root))
                        .and_then(|request| request.segment(Some(4)))
                        .expect("a request");
                    let composed = TwoLevel::new(intra, inter, ranks_per_node).expect("two of a kind");
                    let schedule = Schedule::build(&composed, &request).expect("a small schedule");
                    let verdict = schedule.verify();
                    assert!(verdict.is_ok(), "{} of {request:?}: {}", composed.name(), verdict.unwrap_err());
                }
            }
        }
    }
}

/// Covers every pair in clusters of different sizes.
#[test]
fn every_pair_in_unequal_clusters() {
    for collective in COMPOSED {
        for (turn, intra) in algorithms(collective).enumerate() {
            for (shift, inter) in algorithms(collective).enumerate() {
                let clusters: Clusters = ["1+4+2", "3+1+1+2"][shift % 2].parse().expect("clusters");
                let request = Request::new(7, 13)
                    .and_then(|request| request.root((turn + shift) as u32 % 7))
                    .and_then(|request| request.segment(Some(4)))
                    .expect("a request");
                let composed = TwoLevel::in_clusters(intra, inter, clusters).expect("two of a kind");
                let schedule = Schedule::build(&composed, &request).expect("a small schedule");
                let verdict = schedule.verify();
                assert!(verdict.is_ok(), "{} of {request:?}: {}", composed.name(), verdict.unwrap_err());
            }
        }
    }
}

/// Equal clusters are nodes, and the clusters must hold the ranks exactly.
#[test]
fn clusters_are_nodes() {
    let [linear, binomial] =
        ["linear", "binomial"].map(|name| find(Collective::Bcast, name).expect("an algorithm"));
    let nodes = TwoLevel::new(binomial, linear, 4).expect("two of a kind");
    let clusters =
        TwoLevel::in_clusters(binomial, linear, "2x4+3".parse().expect("clusters")).expect("two of a kind");
    let request = Request::new(11, 100).and_then(|request| request.root(6)).expect("a request");
    assert_eq!(Schedule::build(&clusters, &request), Schedule::build(&nodes, &request));
    let error =
        Schedule::build(&clusters, &Request::new(12, 1).expect("a request")).expect_err("too many ranks");
    let said = "the clusters 2x4+3 have 11 ranks, but the communicator has 12; the numbers must be equal";
    assert_eq!(error.to_string(), said);
}

/// Consecutive nodes keep the order of the ranks if both algorithms do.
#[test]
fn rank_order() {
    for collective in [Collective::Reduce, Collective::Allreduce] {
        let ordered = || algorithms(collective).filter(|entry| entry.keeps_order());
        assert!(ordered().count() >= 2);
        for (intra, inter) in ordered().flat_map(|intra| ordered().map(move |inter| (intra, inter))) {
            for (comm_size, root) in [(7, 0), (8, 3), (11, 10)] {
                let request =
                    Request::new(comm_size, 5).and_then(|request| request.root(root)).expect("a request");
                let composed = TwoLevel::new(intra, inter, 3).expect("two of a kind");
                let schedule =
                    Schedule::build(&composed, &request.commutative(false)).expect("a small schedule");
                assert_eq!(schedule.verify().err(), None, "{}", composed.name());
            }
        }
        // Another one is judged by the order of its operands, and never by a single rank.
        let ring =
            algorithms(collective).filter(|entry| !entry.keeps_order()).last().expect("one that commutes");
        let composed =
            TwoLevel::new(ordered().next().expect("an ordered one"), ring, 3).expect("two of a kind");
        let request =
            Request::new(17, 50).and_then(|request| request.root(8)).expect("a request").commutative(false);
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

/// One message enters each node except the root's.
#[test]
fn one_message_a_node() {
    let binomial = find(Collective::Bcast, "binomial").expect("an algorithm");
    let composed = TwoLevel::new(binomial, binomial, 4).expect("two of a kind");
    let request = Request::new(14, 100).and_then(|request| request.root(6)).expect("a request");
    let schedule = Schedule::build(&composed, &request).expect("a small schedule");
    let mut entering = vec![0; 4];
    for rank in &schedule.ranks {
        for operation in &rank.operations {
            if let qtdec_mpi_schedule::Action::Receive { peer, .. } = operation.action
                && peer / 4 != rank.rank / 4
            {
                entering[rank.rank as usize / 4] += 1;
            }
        }
    }
    assert_eq!(entering, [1, 0, 1, 1]);
}

fn says<T>(result: Result<T, impl std::fmt::Display>, expected: &str) -> bool {
    result.is_err_and(|error| error.to_string().contains(expected))
}

#[test]
fn refusals() {
    let bcast = find(Collective::Bcast, "binomial").expect("an algorithm");
    let reduce = find(Collective::Reduce, "binomial").expect("an algorithm");
    let barrier = find(Collective::Barrier, "tree").expect("an algorithm");
    assert!(says(TwoLevel::new(bcast, reduce, 2), "cannot be composed"));
    assert!(says(TwoLevel::new(barrier, barrier, 2), "cannot be composed"));
    assert!(says(TwoLevel::new(bcast, bcast, 0), "the number of ranks per node is 0"));
}
