//! Wrong schedules of every kind, rejected by `verify` and by a test of every interleaving, and correct ones that
//! both accept.

#[path = "transport/mod.rs"]
mod transport;

use proptest::prelude::*;
use qtdec_mpi_schedule::Collective;
use qtdec_mpi_schedule::{
    Action, Algorithm, Buffer, FaultKind, Operation, Part, RankSchedule, Request, Schedule, all,
};
use qtdec_testkit::sample::one_in;
use transport::{Wrong, explore};

fn part(buffer: Buffer, offset: u64, bytes: u64) -> Part {
    Part { buffer, offset, bytes }
}

fn data(offset: u64, bytes: u64) -> Part {
    part(Buffer::Data, offset, bytes)
}

fn send(peer: u32, parts: &[Part], after: &[u32]) -> Operation {
    Operation { action: Action::Send { peer, rail: 0, parts: parts.to_vec() }, after: after.to_vec() }
}

fn receive(peer: u32, parts: &[Part], after: &[u32]) -> Operation {
    Operation { action: Action::Receive { peer, rail: 0, parts: parts.to_vec() }, after: after.to_vec() }
}

fn reduce(parts: &[Part], into: Part, after: &[u32]) -> Operation {
    Operation { action: Action::Reduce { parts: parts.to_vec(), into }, after: after.to_vec() }
}

fn copy(parts: &[Part], into: Part, after: &[u32]) -> Operation {
    Operation { action: Action::Copy { parts: parts.to_vec(), into }, after: after.to_vec() }
}

fn schedule(collective: Collective, request: Request, ranks: Vec<Vec<Operation>>) -> Schedule {
    let ranks = (0..).zip(ranks).map(|(rank, operations)| RankSchedule { rank, operations }).collect();
    Schedule { collective, algorithm: "own".to_owned(), request, ranks }
}

fn bcast(count: u64, ranks: Vec<Vec<Operation>>) -> Schedule {
    schedule(Collective::Bcast, Request::new(ranks.len() as u32, count).expect("a request"), ranks)
}

fn fault(schedule: &Schedule) -> FaultKind {
    schedule.verify().expect_err("a wrong schedule").kind
}

#[test]
fn a_message_without_a_receive() {
    let wrong = bcast(4, vec![vec![send(1, &[data(0, 4)], &[])], vec![]]);
    assert_eq!(fault(&wrong), FaultKind::Unmatched);
    assert_eq!(explore(&wrong), Err(Wrong::Stuck));
    let text = wrong.verify().expect_err("a wrong schedule").to_string();
    assert_eq!(
        text,
        "rank 0, operation 0 (send data[0..4] to 1 on rail 0): no operation of the peer matches it"
    );
}

#[test]
fn a_message_of_another_length() {
    let wrong = bcast(4, vec![vec![send(1, &[data(0, 4)], &[])], vec![receive(0, &[data(0, 3)], &[])]]);
    assert!(matches!(fault(&wrong), FaultKind::MessageLength(4, _, 3)));
    assert_eq!(explore(&wrong), Err(Wrong::Nonsense));
}

/// Both ranks send first, and receive when the send is complete: this only works with buffered sends.
#[test]
fn sends_that_wait_for_each_other() {
    let request = Request::new(2, 1).expect("a request");
    let rank = |me: u32| {
        let peer = 1 - me;
        let own = part(Buffer::Send, 0, 1);
        let slot = |rank: u32| part(Buffer::Receive, u64::from(rank), 1);
        vec![send(peer, &[own], &[]), receive(peer, &[slot(peer)], &[0]), copy(&[own], slot(me), &[])]
    };
    let wrong = schedule(Collective::Allgather, request, vec![rank(0), rank(1)]);
    let FaultKind::Deadlock(cycle) = fault(&wrong) else { panic!("{:?}", fault(&wrong)) };
    assert_eq!(cycle.len(), 4, "{cycle:?}");
    assert_eq!(explore(&wrong), Err(Wrong::Stuck));
}

/// A receive is posted only after an earlier one from the same peer.
#[test]
fn posting_order_closes_a_cycle() {
    let wrong = bcast(
        2,
        vec![
            vec![receive(1, &[part(Buffer::Scratch, 0, 1)], &[]), send(1, &[data(0, 2)], &[0])],
            vec![receive(0, &[data(0, 2)], &[]), send(0, &[data(0, 1)], &[0])],
        ],
    );
    assert!(matches!(fault(&wrong), FaultKind::Deadlock(..)));
    assert_eq!(explore(&wrong), Err(Wrong::Stuck));
}

#[test]
fn a_segment_that_is_passed_on_too_early() {
    let wrong = bcast(
        1,
        vec![
            vec![send(1, &[data(0, 1)], &[])],
            vec![receive(0, &[data(0, 1)], &[]), send(2, &[data(0, 1)], &[])],
            vec![receive(1, &[data(0, 1)], &[])],
        ],
    );
    assert!(matches!(fault(&wrong), FaultKind::Conflict(..)));
    assert_eq!(explore(&wrong), Err(Wrong::Conflict));
}

#[test]
fn a_receive_over_bytes_that_are_still_sent() {
    let wrong = bcast(
        1,
        vec![
            vec![send(1, &[data(0, 1)], &[]), receive(1, &[data(0, 1)], &[])],
            vec![receive(0, &[data(0, 1)], &[]), send(0, &[data(0, 1)], &[0])],
        ],
    );
    assert!(matches!(fault(&wrong), FaultKind::Conflict(..)));
    assert_eq!(explore(&wrong), Err(Wrong::Conflict));
}

/// If sends are buffered, the completion of a send implies nothing about the receiver.
#[test]
fn order_by_a_send_that_may_be_buffered() {
    let slot = part(Buffer::Scratch, 0, 1);
    let ranks = |after: &[u32]| {
        vec![
            vec![receive(1, &[slot], &[]), send(1, &[data(0, 1)], &[]), receive(2, &[slot], after)],
            vec![receive(0, &[data(0, 1)], &[]), send(0, &[data(0, 1)], &[0]), send(2, &[data(0, 1)], &[0])],
            vec![receive(1, &[data(0, 1)], &[]), send(0, &[data(0, 1)], &[0])],
        ]
    };
    let wrong = bcast(1, ranks(&[1]));
    assert!(matches!(fault(&wrong), FaultKind::Conflict(..)));
    assert_eq!(explore(&wrong), Err(Wrong::Conflict));
    let right = bcast(1, ranks(&[0]));
    assert!(right.verify().is_ok());
    assert_eq!(explore(&right), Ok(()));
}

/// A message also orders the operations of other ranks, by what happened before it at its sender.
#[test]
fn order_by_messages_of_others() {
    let slot = part(Buffer::Scratch, 0, 1);
    // Rank 0 reuses its scratch memory when the last answer of rank 1 shows that the first message has arrived there.
    let right = bcast(
        1,
        vec![
            vec![
                send(1, &[data(0, 1)], &[]),
                receive(1, &[slot], &[]),
                send(1, &[data(0, 1)], &[1]),
                receive(1, &[part(Buffer::Scratch, 1, 1)], &[]),
                receive(2, &[slot], &[3]),
            ],
            vec![
                receive(0, &[data(0, 1)], &[]),
                send(0, &[data(0, 1)], &[0]),
                receive(0, &[part(Buffer::Scratch, 0, 1)], &[]),
                send(0, &[part(Buffer::Scratch, 0, 1)], &[2]),
                send(2, &[data(0, 1)], &[0]),
            ],
            vec![receive(1, &[data(0, 1)], &[]), send(0, &[data(0, 1)], &[0])],
        ],
    );
    assert_eq!(explore(&right), Ok(()));
    assert_eq!(right.verify().err(), None);
}

#[test]
fn arbitrary_bytes_are_rejected() {
    let wrong = bcast(
        1,
        vec![vec![receive(1, &[part(Buffer::Scratch, 0, 1)], &[])], vec![send(0, &[data(0, 1)], &[])]],
    );
    assert!(matches!(fault(&wrong), FaultKind::Undefined(..)));
    assert_eq!(explore(&wrong), Err(Wrong::Nonsense));
}

#[test]
fn a_rank_without_operations() {
    let wrong =
        bcast(1, vec![vec![send(1, &[data(0, 1)], &[])], vec![receive(0, &[data(0, 1)], &[])], vec![]]);
    let text = wrong.verify().expect_err("a wrong schedule").to_string();
    assert_eq!(
        text,
        "rank 2 ends with nothing in data[0..1]; it should be the input of rank 0 from byte 0 on"
    );
    assert_eq!(explore(&wrong), Err(Wrong::Result));
}

#[test]
fn segments_in_the_wrong_places() {
    let wrong = bcast(
        2,
        vec![
            vec![send(1, &[data(0, 1)], &[]), send(1, &[data(1, 1)], &[])],
            vec![receive(0, &[data(1, 1)], &[]), receive(0, &[data(0, 1)], &[])],
        ],
    );
    assert!(matches!(fault(&wrong), FaultKind::Result(..)));
    assert_eq!(explore(&wrong), Err(Wrong::Result));
}

/// Returns a reduction of two ranks in which rank 0 combines `operands`; its scratch memory holds the input of rank
/// 1.
fn reduction(commutative: bool, operands: &[Part]) -> Schedule {
    let request = Request::new(2, 2).expect("a request").commutative(commutative);
    let bytes = operands[0].bytes;
    schedule(
        Collective::Reduce,
        request,
        vec![
            vec![
                receive(1, &[part(Buffer::Scratch, 0, 2)], &[]),
                reduce(operands, part(Buffer::Receive, 0, bytes), &[0]),
            ],
            vec![send(0, &[part(Buffer::Send, 0, 2)], &[])],
        ],
    )
}

#[test]
fn operands_that_do_not_belong_together() {
    let (own, other) = (part(Buffer::Send, 0, 2), part(Buffer::Scratch, 0, 2));
    let cases = [
        (reduction(true, &[own, other, other]), "contains the input of rank 1, which is already included"),
        (reduction(false, &[other, own]), "does not follow rank 1's"),
        (
            reduction(true, &[part(Buffer::Send, 0, 1), part(Buffer::Scratch, 1, 1)]),
            "holds different elements",
        ),
    ];
    for (wrong, reason) in cases {
        let text = wrong.verify().expect_err("a wrong schedule").to_string();
        assert!(text.contains(reason) && text.starts_with("rank 0, operation 1 (reduce "), "{text}");
        assert_eq!(explore(&wrong), Err(Wrong::Operands));
    }
    for right in [reduction(true, &[other, own]), reduction(false, &[own, other])] {
        assert_eq!(right.verify().err(), None);
        assert_eq!(explore(&right), Ok(()));
    }
}

#[test]
fn operations_without_sense() {
    let request = Request::new(2, 8).and_then(|request| request.element_size(4)).expect("a request");
    let scratch = part(Buffer::Scratch, 0, 8);
    let cases: [(Operation, FaultKind); 9] = [
        (send(0, &[scratch], &[]), FaultKind::Peer(0)),
        (receive(2, &[scratch], &[]), FaultKind::Peer(2)),
        (copy(&[scratch], data(0, 8), &[0]), FaultKind::After(0)),
        (copy(&[data(32, 0)], scratch, &[]), FaultKind::Empty(data(32, 0))),
        (copy(&[data(28, 8)], scratch, &[]), FaultKind::Outside(data(28, 8), 32)),
        (copy(&[data(u64::MAX - 3, 8)], scratch, &[]), FaultKind::Outside(data(u64::MAX - 3, 8), 32)),
        (copy(&[data(2, 8)], scratch, &[]), FaultKind::CutsElement(data(2, 8), 4)),
        (copy(&[data(0, 4)], scratch, &[]), FaultKind::Lengths(4, 8)),
        (receive(1, &[data(0, 8), data(4, 8)], &[]), FaultKind::Overlap(data(0, 8), data(4, 8))),
    ];
    for (operation, kind) in cases {
        let wrong = schedule(Collective::Bcast, request.clone(), vec![vec![operation], vec![]]);
        assert_eq!(fault(&wrong), kind);
    }
    let far = Action::Send { peer: 1, rail: u32::MAX, parts: vec![scratch] };
    let far = Operation { action: far, after: Vec::new() };
    let wrong = schedule(Collective::Bcast, request.clone(), vec![vec![far], vec![]]);
    assert_eq!(fault(&wrong), FaultKind::Rail(u32::MAX));
    let input = part(Buffer::Send, 0, 8);
    let wrong =
        schedule(Collective::Allreduce, request.clone(), vec![vec![copy(&[scratch], input, &[])], vec![]]);
    assert_eq!(fault(&wrong), FaultKind::WritesInput(input));
    let wrong = schedule(Collective::Bcast, request, vec![vec![]]);
    assert_eq!(fault(&wrong), FaultKind::Ranks(1, 2));
}

/// Every rank is only informed about its left neighbour.
#[test]
fn a_barrier_that_is_left_too_early() {
    let rank = |rank: u32| vec![send((rank + 1) % 3, &[], &[]), receive((rank + 2) % 3, &[], &[])];
    let request = Request::new(3, 0).expect("a request");
    let wrong = schedule(Collective::Barrier, request, (0..3).map(rank).collect());
    assert_eq!(fault(&wrong), FaultKind::Leaves(0, 1));
}

/// Tests every algorithm with few operations in every interleaving.
#[test]
fn every_interleaving_of_the_algorithms() {
    for entry in all() {
        for comm_size in 1..=4 {
            for segment in [None, Some(2)].into_iter().take(if entry.is_segmented() { 2 } else { 1 }) {
                let request = Request::new(comm_size, 4)
                    .and_then(|request| request.root(comm_size - 1))
                    .and_then(|request| request.segment(segment))
                    .expect("a request");
                let schedule = Schedule::build(entry, &request).expect("a small schedule");
                let operations: usize = schedule.ranks.iter().map(|rank| rank.operations.len()).sum();
                if operations <= 10 {
                    assert_eq!(explore(&schedule), Ok(()), "{} {}", entry.collective(), entry.name());
                }
            }
        }
    }
}

/// A change to a correct schedule.
#[derive(Clone, Debug)]
enum Change {
    DropAfter(usize),
    Remove(usize),
    Swap(usize),
    Shift(usize),
}

fn change() -> impl Strategy<Value = Change> {
    (0..64_usize, 0..4_usize).prop_map(|(at, what)| match what {
        0 => Change::DropAfter(at),
        1 => Change::Remove(at),
        2 => Change::Swap(at),
        _ => Change::Shift(at),
    })
}

/// Changes the operation at position `at`.
fn altered(mut schedule: Schedule, change: &Change) -> Schedule {
    let (Change::DropAfter(at) | Change::Remove(at) | Change::Swap(at) | Change::Shift(at)) = change;
    let lengths: Vec<usize> = schedule.ranks.iter().map(|rank| rank.operations.len()).collect();
    let total: usize = lengths.iter().sum();
    if total == 0 {
        return schedule;
    }
    let mut at = at % total;
    let mut rank = 0;
    while at >= lengths[rank] {
        at -= lengths[rank];
        rank += 1;
    }
    let operations = &mut schedule.ranks[rank].operations;
    match change {
        Change::DropAfter(_) => {
            operations[at].after.pop();
        }
        Change::Remove(_) => {
            operations.remove(at);
            for operation in operations.iter_mut() {
                operation.after.retain(|&after| after as usize != at);
                for after in &mut operation.after {
                    *after -= u32::from(*after as usize > at);
                }
            }
        }
        Change::Swap(_) if at + 1 < operations.len() => {
            let after = operations[at + 1].after.clone();
            if !after.contains(&(at as u32)) {
                operations.swap(at, at + 1);
                for operation in &mut operations[at + 2..] {
                    for after in &mut operation.after {
                        *after = match *after as usize {
                            index if index == at => at as u32 + 1,
                            index if index == at + 1 => at as u32,
                            index => index as u32,
                        };
                    }
                }
            }
        }
        Change::Shift(_) => {
            if let Action::Send { parts, .. } | Action::Receive { parts, .. } = &mut operations[at].action
                && let Some(first) = parts.first_mut()
                && first.offset > 0
            {
                first.offset -= 1;
            }
        }
        Change::Swap(_) => {}
    }
    schedule
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300 / one_in::<u32>(8)))]

    /// For every change of a correct schedule, `verify` and the test of all interleavings agree.
    #[test]
    fn both_agree_on_changed_schedules(
        algorithm in 0..1000_usize,
        comm_size in 2..=4_u32,
        cut: bool,
        changes in prop::collection::vec(change(), 1..=2),
    ) {
        let entries: Vec<_> = all().filter(|entry| entry.collective() != Collective::Barrier).collect();
        let entry = entries[algorithm % entries.len()];
        let request = Request::new(comm_size, 4)
            .and_then(|request| request.segment(cut.then_some(2)))
            .expect("a request");
        let schedule = Schedule::build(entry, &request).expect("a small schedule");
        let operations: usize = schedule.ranks.iter().map(|rank| rank.operations.len()).sum();
        prop_assume!(operations <= 9);
        let schedule = changes.iter().fold(schedule, altered);
        let verdict = schedule.verify();
        // A schedule with an invalid operation is not run.
        if let Err(fault) = &verdict {
            let has_form = !matches!(
                fault.kind,
                FaultKind::After(..) | FaultKind::Overlap(..) | FaultKind::WritesInput(..)
            );
            prop_assume!(has_form);
        }
        prop_assert_eq!(verdict.is_ok(), explore(&schedule).is_ok(), "{:?}", verdict.err());
    }
}
