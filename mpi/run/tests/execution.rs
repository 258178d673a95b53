//! Schedules that are run in memory, in many orders of their messages, leave the bytes that MPI's standard asks for.

mod memory;
mod oracle;

use memory::{Buffers, run};
use oracle::{Call, compose, sum};

// The transport in memory, which unit tests use too, names these as the library does.
use qtdec_mpi_run::{execution, transport};
use qtdec_mpi_schedule::Collective;
use qtdec_mpi_schedule::{
    Action, Algorithm, Buffer, Entry, Level, Library, Operation, Part, RankSchedule, Request, TwoLevel,
    Variant, algorithms, all, find,
};
use rand_pcg::Pcg64Mcg;
use rand_pcg::rand_core::{Rng, SeedableRng};

/// Returns a function that chooses at random.
fn random(seed: u64) -> impl FnMut(usize) -> usize {
    let mut random = Pcg64Mcg::seed_from_u64(seed);
    move |moves| (random.next_u64() % moves as u64) as usize
}

/// Runs what each rank builds for itself, and compares all buffers with the standard's.
#[track_caller]
fn check(algorithm: &dyn Algorithm, request: &Request, seeds: std::ops::Range<u64>) {
    let call = Call {
        collective: algorithm.collective(),
        ranks: request.comm_size() as usize,
        root: request.root_rank() as usize,
        bytes: request.bytes() as usize,
    };
    let schedules: Vec<RankSchedule> = (0..request.comm_size())
        .map(|rank| algorithm.rank(request, rank).expect("the algorithm serves the request"))
        .collect();
    let operator = if request.is_commutative() { sum } else { compose };
    let expected = call.after(operator);
    for seed in seeds {
        let found = run(&schedules, call.before(), &operator, random(seed));
        assert!(
            found.as_ref() == Ok(&expected),
            "{} {} with seed {seed}, {request:?}: {found:?} instead of {expected:?}",
            algorithm.collective(),
            algorithm.name()
        );
    }
}

/// Covers every algorithm with small numbers of ranks, all kinds of roots, counts and segments, and both kinds of operations.
#[test]
fn every_algorithm_leaves_the_right_bytes() {
    for entry in all() {
        let rooted = matches!(
            entry.collective(),
            Collective::Bcast | Collective::Reduce | Collective::Scatter | Collective::Gather
        );
        for ranks in [1, 2, 3, 4, 5, 7, 8, 13] {
            for root in if rooted { vec![0, ranks / 2, ranks - 1] } else { vec![0] } {
                for (turn, count) in
                    [0, 1, u64::from(ranks) - 1, u64::from(ranks), 23].into_iter().enumerate()
                {
                    let cut = entry.is_segmented() && ranks <= 8;
                    for segment in if cut { vec![None, Some(2), Some(6)] } else { vec![None] } {
                        let request = Request::new(ranks, count)
                            .and_then(|request| request.root(root))
                            .and_then(|request| request.element_size(2))
                            .and_then(|request| request.segment(segment))
                            .expect("a request");
                        let first = 2 * turn as u64;
                        check(entry, &request, first..first + 2);
                        if entry.keeps_order() {
                            check(entry, &request.commutative(false), first..first + 2);
                        }
                    }
                }
            }
        }
    }
}

/// Covers the forms of libraries and the parameters that only some algorithms have.
#[test]
fn every_variant_leaves_the_right_bytes() {
    let mut variants: Vec<Variant> = Vec::new();
    variants.extend(Library::ALL.map(|library| Variant { library: Some(library), ..Variant::default() }));
    variants.extend([2, 3, 5].map(|radix| Variant { radix: Some(radix), ..Variant::default() }));
    variants.extend([1, 2, 3].map(|chains| Variant { chains: Some(chains), ..Variant::default() }));
    for clusters in ["2x5", "3+1+4", "4+6"] {
        variants.push(Variant { clusters: clusters.parse().ok(), ..Variant::default() });
    }
    for entry in all() {
        for variant in &variants {
            for ranks in [2, 5, 7, 8, 10] {
                let request = Request::new(ranks, 11)
                    .and_then(|request| request.root(ranks - 1))
                    .and_then(|request| request.segment(Some(3)))
                    .and_then(|request| request.variant(variant.clone()));
                let Ok(request) = request else { continue };
                if entry.accept(&request).is_ok() {
                    check(entry, &request, 0..3);
                }
            }
        }
    }
}

/// Covers compositions within and between nodes.
#[test]
fn compositions_leave_the_right_bytes() {
    for collective in Collective::ALL {
        for (turn, intra) in algorithms(collective).enumerate() {
            for (shift, inter) in algorithms(collective).enumerate() {
                let level = |entry: &'static Entry| Level::new(entry, entry.is_segmented().then_some(4));
                let composed = level(inter).and_then(|inter| TwoLevel::new(inter, level(intra)?));
                let Ok(composed) = composed else { continue };
                let clusters = ["2x3", "2x3:cyclic", "3x2:cyclic"][(turn + shift) % 3].parse().ok();
                let request = Request::new(6, 13)
                    .and_then(|request| request.root((turn + shift) as u32 % 6))
                    .and_then(|request| request.variant(Variant { clusters, ..Variant::default() }))
                    .expect("a request");
                check(&composed, &request, turn as u64..turn as u64 + 1);
                // Three levels: sites, their nodes, and the ranks of a node.
                let nested = if shift % 2 == 0 {
                    TwoLevel::new(Level::composed(composed), level(intra).expect("a level"))
                } else {
                    TwoLevel::new(level(inter).expect("a level"), Level::composed(composed))
                };
                let clusters = "2x4:nodes=2".parse().ok();
                let request = Request::new(8, 13)
                    .and_then(|request| request.root((turn + shift) as u32 % 8))
                    .and_then(|request| request.variant(Variant { clusters, ..Variant::default() }))
                    .expect("a request");
                check(&nested.expect("three levels"), &request, turn as u64..turn as u64 + 1);
            }
        }
    }
}

fn part(buffer: Buffer, offset: u64, bytes: u64) -> Part {
    Part { buffer, offset, bytes }
}

fn send(peer: u32, part: Part, after: &[u32]) -> Operation {
    Operation { action: Action::Send { peer, rail: 0, parts: vec![part] }, after: after.to_vec() }
}

fn receive(peer: u32, part: Part, after: &[u32]) -> Operation {
    Operation { action: Action::Receive { peer, rail: 0, parts: vec![part] }, after: after.to_vec() }
}

fn ranks(operations: impl IntoIterator<Item = Vec<Operation>>) -> Vec<RankSchedule> {
    (0..).zip(operations).map(|(rank, operations)| RankSchedule { rank, operations }).collect()
}

fn buffers(ranks: usize, bytes: usize) -> Vec<Buffers> {
    let one = |rank| Buffers { send: vec![rank as u8 + 1; bytes], receive: vec![0; bytes], data: Vec::new() };
    (0..ranks).map(one).collect()
}

#[test]
fn a_deadlock_is_an_error_in_every_order() {
    let (out, into) = (part(Buffer::Send, 0, 4), part(Buffer::Receive, 0, 4));
    // Each of three ranks receives from the one before, and only then sends to the next.
    let circle =
        ranks((0..3).map(|rank| vec![receive((rank + 2) % 3, into, &[]), send((rank + 1) % 3, out, &[0])]));
    for seed in 0..50 {
        let error = run(&circle, buffers(3, 4), &sum, random(seed)).expect_err("nobody begins");
        assert_eq!(error, "nothing can happen any more, but rank 0 waits for rank 2 on rail 0");
    }
    // If everybody sends at the same time, all is well.
    let at_once =
        ranks((0..3).map(|rank| vec![receive((rank + 2) % 3, into, &[]), send((rank + 1) % 3, out, &[])]));
    for seed in 0..50 {
        let found = run(&at_once, buffers(3, 4), &sum, random(seed)).expect("no deadlock");
        assert_eq!(found.iter().map(|rank| rank.receive[0]).collect::<Vec<_>>(), [3, 1, 2]);
    }
    let missing = ranks([vec![receive(1, into, &[])], vec![]]);
    let error = run(&missing, buffers(2, 4), &sum, random(0)).expect_err("nobody sends");
    assert_eq!(error, "nothing can happen any more, but rank 0 waits for rank 1 on rail 0");
}

/// Without what their operations wait for, schedules leave wrong bytes in some order: the comparison sees it.
#[test]
fn schedules_without_their_dependencies_fail() {
    let names =
        [(Collective::Bcast, "binomial"), (Collective::Reduce, "pipeline"), (Collective::Allreduce, "ring")];
    for (collective, name) in names {
        let algorithm = find(collective, name).expect("an algorithm");
        let request = Request::new(4, 12).and_then(|request| request.segment(Some(4))).expect("a request");
        let call = Call { collective, ranks: 4, root: 0, bytes: 12 };
        let mut schedules: Vec<_> =
            (0..4).map(|rank| algorithm.rank(&request, rank).expect("a rank")).collect();
        for operation in schedules.iter_mut().flat_map(|rank| &mut rank.operations) {
            operation.after.clear();
        }
        let expected = Ok(call.after(sum));
        let wrong = (0..50).filter(|&seed| run(&schedules, call.before(), &sum, random(seed)) != expected);
        assert!(wrong.count() > 0, "{name}");
    }
}

/// An operation that does not wait for what it needs is seen in some order, so the orders do differ.
#[test]
fn races_show_in_some_order() {
    let (first, second) = (part(Buffer::Receive, 0, 4), part(Buffer::Receive, 4, 4));
    let copy = Operation { action: Action::Copy { parts: vec![first], into: second }, after: Vec::new() };
    let racing = ranks([vec![receive(1, first, &[]), copy], vec![send(0, part(Buffer::Send, 0, 4), &[])]]);
    let found: Vec<u8> = (0..100)
        .map(|seed| run(&racing, buffers(2, 8), &sum, random(seed)).expect("an end")[0].receive[4])
        .collect();
    assert!(found.contains(&2) && found.iter().any(|&byte| byte != 2), "{found:?}");
}

#[test]
fn operations_that_cannot_be_carried_out_are_errors() {
    let (out, into) = (part(Buffer::Send, 0, 4), part(Buffer::Receive, 0, 4));
    let one = |operation: Operation| {
        run(&ranks([vec![operation]]), buffers(1, 4), &sum, random(1)).expect_err("an error")
    };
    let not_usable = |part: Part| {
        format!("{part} cannot be used like this: it lies outside its buffer, or is not to be written")
    };
    assert_eq!(one(send(1, out, &[])), "1 is not a rank");
    let outside = part(Buffer::Receive, 2, 4);
    assert_eq!(one(receive(0, outside, &[])), not_usable(outside));
    let copy = Operation { action: Action::Copy { parts: vec![into], into: out }, after: Vec::new() };
    assert_eq!(one(copy), not_usable(out));
    let huge = part(Buffer::Data, u64::MAX, u64::MAX);
    let copy = Operation { action: Action::Copy { parts: vec![huge], into }, after: Vec::new() };
    assert_eq!(one(copy), not_usable(huge));
    let unequal = ranks([vec![send(1, out, &[])], vec![receive(0, part(Buffer::Receive, 0, 3), &[])]]);
    let error = run(&unequal, buffers(2, 4), &sum, random(1)).expect_err("an error");
    let expected = "a message of 4 bytes from rank 0 to rank 1 on rail 0 was expected to have 3";
    assert_eq!(error, expected);
}
