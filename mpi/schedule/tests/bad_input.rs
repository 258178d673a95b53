//! Requests that cannot be served, and the limits of those that can.

use qtdec_mpi_schedule::Collective;
use qtdec_mpi_schedule::{
    Algorithm, Clusters, Limits, MAX_COMM_SIZE, Request, RequestError, Schedule, ScheduleError, Variant, all,
    find,
};

fn refused(request: Result<Request, RequestError>) -> String {
    request.expect_err("a bad request").to_string()
}

#[test]
fn requests() {
    let request = || Request::new(4, 100).expect("a request");
    let variant = |variant: Variant| refused(request().variant(variant));
    let none = Variant::default();
    let clusters = Clusters::new([(2, 3)]).ok();
    let cases = [
        (refused(Request::new(0, 1)), "the communicator has no ranks; it must have at least 1"),
        (
            refused(Request::new(MAX_COMM_SIZE + 1, 1)),
            "16777217 ranks exceed the maximum of 16777216; use fewer ranks",
        ),
        (refused(request().root(4)), "root 4 is not a rank; with 4 ranks, it must be in 0..=3"),
        (refused(request().element_size(0)), "the element size is 0 bytes; it must be at least 1"),
        (
            refused(Request::new(2, u64::MAX)),
            "18446744073709551615 bytes for each of 2 ranks exceed 2^60 bytes in total; use a smaller message",
        ),
        (
            refused(request().segment(Some(0))),
            "the segment size is 0 bytes; omit it to send messages in one piece",
        ),
        (
            refused(request().element_size(8).and_then(|request| request.segment(Some(7)))),
            "a segment of 7 bytes would split an element; use at least 8 bytes",
        ),
        (
            refused(Request::new(2, 1 << 40).and_then(|request| request.segment(Some(1)))),
            "segments of 1 bytes split the message into more than 1048576 pieces; use at least 1048576 bytes",
        ),
        (variant(Variant { radix: Some(1), ..none.clone() }), "the radix is 1; it must be at least 2"),
        (
            variant(Variant { chains: Some(0), ..none.clone() }),
            "the number of chains is 0; it must be at least 1",
        ),
        (
            variant(Variant { clusters, ..none.clone() }),
            "the clusters 2x3 have 6 ranks, but the communicator has 4; the numbers must be equal",
        ),
        (
            "2by16".parse::<Clusters>().expect_err("no clusters").to_string(),
            "`2by16` does not describe clusters; write their number and size, as in 2x16, or their sizes, as in 8+16+4, followed by :cyclic \
             if they take the ranks in turn, or by :nodes=4 if they consist of nodes of four ranks",
        ),
    ];
    for (found, expected) in cases {
        assert_eq!(found, expected);
    }
    assert_eq!("2x16".parse(), Clusters::new([(2, 16)]));
}

#[test]
fn names() {
    let error = |collective, name| find(collective, name).expect_err("no algorithm").to_string();
    let text = error(Collective::Bcast, "binomal");
    assert!(
        text.starts_with(
            "bcast has no algorithm `binomal`; did you mean `binomial`? (the algorithms are linear, "
        ),
        "{text}"
    );
    let text = error(Collective::Barrier, "quantum");
    assert_eq!(
        text,
        "barrier has no algorithm `quantum` (the algorithms are linear, dissemination, recursive_doubling, tree)"
    );
}

#[test]
fn algorithms_that_do_not_serve_a_request() {
    let request = Request::new(4, 8).expect("a request");
    let binomial = find(Collective::Reduce, "binomial").expect("an algorithm");
    let error = binomial.rank(&request.clone().commutative(false), 1).expect_err("one rank").to_string();
    assert_eq!(
        error,
        "a single rank of algorithm `binomial` does not show whether operands are combined in rank order, which an \
         operation that does not commute requires; build and verify the schedule of all ranks"
    );
    let in_order = Schedule::build(binomial, &request.clone().commutative(false)).expect("a small schedule");
    assert_eq!(in_order.verify().err(), None);
    let other_root = request.clone().commutative(false).root(1).expect("a root");
    let schedule = Schedule::build(binomial, &other_root).expect("a small schedule");
    let refusal = schedule.refusal(&schedule.verify().expect_err("out of order")).expect("a refusal");
    assert_eq!(
        refusal.to_string(),
        "algorithm `binomial` combines operands out of rank order with 4 ranks and root 1, which an operation that does \
         not commute forbids; use linear, in_order_binary"
    );
    let radix = request.clone().variant(Variant { radix: Some(3), ..Variant::default() }).expect("a request");
    let error = Schedule::build(binomial, &radix).expect_err("no radix").to_string();
    assert_eq!(error, "algorithm `binomial` has no radix; omit it, or use knomial");
    let outside = binomial.rank(&request, 4).expect_err("no rank").to_string();
    assert_eq!(outside, "4 is not a rank; with 4 ranks, it must be in 0..=3");
}

/// Algorithms that keep their order for some roots only are judged by the verifier, root by root.
#[test]
fn rank_order_depends_on_the_root() {
    for entry in all().filter(|entry| entry.collective() == Collective::Reduce && !entry.keeps_order()) {
        let mut kept = Vec::new();
        for comm_size in [2, 3, 5, 8, 13, 16] {
            for root in 0..comm_size {
                let request = Request::new(comm_size, 7)
                    .and_then(|request| request.root(root))
                    .expect("a request")
                    .commutative(false);
                let schedule = Schedule::build(entry, &request).expect("a small schedule");
                match schedule.verify() {
                    Ok(_) => kept.push((comm_size, root)),
                    Err(fault) => assert!(schedule.refusal(&fault).is_some(), "{}: {fault}", entry.name()),
                }
            }
        }
        assert!(kept.len() < 47, "{} keeps the order of all roots", entry.name());
        if entry.name() == "binomial" {
            for comm_size in [2, 3, 5, 8, 13, 16] {
                assert!(kept.contains(&(comm_size, 0)), "{comm_size}");
            }
        }
    }
}

/// No schedule has fewer messages than are charged before it is built.
#[test]
fn the_least_messages_of_a_schedule() {
    for entry in all() {
        for comm_size in [1, 2, 3, 7, 8] {
            for (count, segment) in
                [(0, None), (1, None), (20, None), (20, Some(1)), (20, Some(6)), (20, Some(30))]
            {
                let request = Request::new(comm_size, count).and_then(|request| request.segment(segment));
                let request = request.expect("a request");
                let schedule = Schedule::build(entry, &request).expect("a small schedule");
                let messages = schedule.verify().expect("a right schedule").counts().messages;
                let least = entry.least_messages(&request);
                assert!(least <= messages, "{} {}: {least} of {messages}", entry.collective(), entry.name());
            }
        }
    }
}

/// Operations that do not commute keep their order with every root.
#[test]
fn rank_order_is_kept() {
    for entry in all().filter(|entry| entry.keeps_order()) {
        for comm_size in 1..=17 {
            for root in [0, comm_size / 2, comm_size - 1] {
                let request = Request::new(comm_size, 7)
                    .and_then(|request| request.root(root))
                    .and_then(|request| request.segment(Some(3)))
                    .expect("a request")
                    .commutative(false);
                let schedule = Schedule::build(entry, &request).expect("a small schedule");
                assert_eq!(schedule.verify().err(), None, "{} {}", entry.collective(), entry.name());
            }
        }
    }
}

/// A single rank sends nothing, and a segment larger than the message cuts nothing.
#[test]
fn edges() {
    for entry in all() {
        let request = Request::new(1, 10).expect("a request");
        let schedule = Schedule::build(entry, &request).expect("a small schedule");
        assert_eq!(schedule.verify().map(|verified| verified.counts().messages), Ok(0));
        let whole = Request::new(5, 10).expect("a request");
        let cut = whole.clone().segment(Some(11)).expect("a request");
        let ranks = |request| Schedule::build(entry, request).expect("a small schedule").ranks;
        assert_eq!(ranks(&whole), ranks(&cut), "{} {}", entry.collective(), entry.name());
    }
}

/// Schedules that do not fit into memory are rejected before they are built.
#[test]
fn schedules_too_large() {
    let pipeline = find(Collective::Bcast, "pipeline").expect("an algorithm");
    let request = Request::new(1000, 1 << 10).and_then(|request| request.segment(Some(1)));
    let error =
        Schedule::build_within(pipeline, &request.expect("a request"), Limits::default().operations(10_000))
            .expect_err("too large");
    assert!(matches!(error, ScheduleError::TooLarge(_)));
    assert!(error.to_string().contains("10000 operations; use fewer ranks or larger segments"));
    let whole = Request::new(1 << 20, 1).expect("a request");
    let error = |name| {
        let entry = find(Collective::Bcast, name).expect("an algorithm");
        Schedule::build(entry, &whole).expect_err("too large").to_string()
    };
    let text = error("binomial");
    assert!(text.starts_with("a schedule of so many ranks does not fit into memory; use at most "), "{text}");
    // Blocks without bytes leave no operations, but take time.
    let ring = find(Collective::Allreduce, "ring").expect("an algorithm");
    let request = Request::new(50_000, 1).expect("a request");
    let error = Schedule::build(ring, &request).expect_err("too large").to_string();
    assert_eq!(
        error,
        "the schedule takes more than 134217728 steps to build, empty blocks included; use fewer ranks, or build single ranks"
    );
    // The schedule of a single rank is small.
    let circulant = find(Collective::Bcast, "circulant").expect("an algorithm");
    let request = Request::new(100_000, 32).and_then(|request| request.segment(Some(1))).expect("a request");
    let rank = circulant.rank(&request, 77_777).expect("one rank");
    assert!(rank.operations.len() <= 2 * (32 + 17));
}
