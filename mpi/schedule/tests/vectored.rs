//! Proofs of collectives without algorithms of this crate: vectored ones, scans, `reduce_scatter` with any counts, and
//! calls in place. The schedules are written here, from the definitions of MPI alone.

use proptest::prelude::*;
use qtdec_mpi_schedule::Collective;
use qtdec_mpi_schedule::{Action, Buffer, FaultKind, Operation, Part, RankSchedule, Request, Schedule};
use qtdec_testkit::sample::one_in;

/// The size of an element in bytes.
const ELEMENT: u64 = 4;

fn part(buffer: Buffer, first: u64, count: u64) -> Part {
    Part { buffer, offset: first * ELEMENT, bytes: count * ELEMENT }
}

/// The operations of a rank, which run one after the other but for sends.
#[derive(Default)]
struct Rank {
    operations: Vec<Operation>,
}

impl Rank {
    /// Adds an operation that waits for all earlier ones.
    fn add(&mut self, action: Action) {
        if action.parts().is_empty() || action.bytes() == 0 {
            return;
        }
        let after = (0..self.operations.len() as u32).collect();
        self.operations.push(Operation { action, after });
    }

    /// Adds an operation that waits for nothing.
    fn at_once(&mut self, action: Action) {
        if action.bytes() > 0 {
            self.operations.push(Operation { action, after: Vec::new() });
        }
    }

    fn copy(&mut self, from: Part, into: Part) {
        self.add(Action::Copy { parts: vec![from], into });
    }

    fn reduce(&mut self, left: Part, right: Part, into: Part) {
        self.add(Action::Reduce { parts: vec![left, right], into });
    }

    fn receive(&mut self, peer: u32, into: Part) {
        self.add(Action::Receive { peer, rail: 0, parts: vec![into] });
    }

    fn send(&mut self, peer: u32, from: Part) {
        self.add(Action::Send { peer, rail: 0, parts: vec![from] });
    }
}

fn schedule(collective: Collective, request: Request, ranks: Vec<Rank>) -> Schedule {
    let ranks =
        (0..).zip(ranks).map(|(rank, Rank { operations })| RankSchedule { rank, operations }).collect();
    let request = request.element_size(ELEMENT).expect("a request");
    Schedule { collective, algorithm: "own".to_owned(), request, ranks }
}

fn starts(counts: &[u64]) -> Vec<u64> {
    let sums = counts.iter().scan(0, |sum, count| {
        *sum += count;
        Some(*sum - count)
    });
    sums.collect()
}

/// Every rank sends its block to every other.
fn allgatherv(counts: &[u64], in_place: bool) -> Schedule {
    let starts = starts(counts);
    let ranks = counts.len();
    let all = if in_place { Buffer::Data } else { Buffer::Receive };
    let one = |me: usize| {
        let mut rank = Rank::default();
        let own =
            if in_place { part(all, starts[me], counts[me]) } else { part(Buffer::Send, 0, counts[me]) };
        for peer in (0..ranks).filter(|&peer| peer != me) {
            rank.at_once(Action::Send { peer: peer as u32, rail: 0, parts: vec![own] });
            let into = part(all, starts[peer], counts[peer]);
            rank.at_once(Action::Receive { peer: peer as u32, rail: 0, parts: vec![into] });
        }
        if !in_place && counts[me] > 0 {
            let into = part(all, starts[me], counts[me]);
            rank.operations
                .push(Operation { action: Action::Copy { parts: vec![own], into }, after: Vec::new() });
        }
        rank
    };
    let request = Request::vectored(ranks as u32, counts.to_vec()).expect("a request");
    let request = if in_place { request.in_place(true) } else { request };
    schedule(Collective::Allgatherv, request, (0..ranks).map(one).collect())
}

/// The root sends each rank its block.
fn scatterv(counts: &[u64], root: u32) -> Schedule {
    let starts = starts(counts);
    let one = |me: usize| {
        let mut rank = Rank::default();
        if me as u32 == root {
            for peer in (0..counts.len()).filter(|&peer| peer != me) {
                rank.send(peer as u32, part(Buffer::Send, starts[peer], counts[peer]));
            }
            rank.copy(part(Buffer::Send, starts[me], counts[me]), part(Buffer::Receive, 0, counts[me]));
        } else {
            rank.receive(root, part(Buffer::Receive, 0, counts[me]));
        }
        rank
    };
    let request = Request::vectored(counts.len() as u32, counts.to_vec())
        .and_then(|request| request.root(root))
        .expect("a request");
    schedule(Collective::Scatterv, request, (0..counts.len()).map(one).collect())
}

/// Every rank sends its block to the root.
fn gatherv(counts: &[u64], root: u32) -> Schedule {
    let starts = starts(counts);
    let one = |me: usize| {
        let mut rank = Rank::default();
        let own = part(Buffer::Send, 0, counts[me]);
        if me as u32 == root {
            for peer in (0..counts.len()).filter(|&peer| peer != me) {
                rank.receive(peer as u32, part(Buffer::Receive, starts[peer], counts[peer]));
            }
            rank.copy(own, part(Buffer::Receive, starts[me], counts[me]));
        } else {
            rank.send(root, own);
        }
        rank
    };
    let request = Request::vectored(counts.len() as u32, counts.to_vec())
        .and_then(|request| request.root(root))
        .expect("a request");
    schedule(Collective::Gatherv, request, (0..counts.len()).map(one).collect())
}

/// Each pair of ranks exchanges two blocks.
fn alltoallv(ranks: usize, counts: &[u64]) -> Schedule {
    let count = |from: usize, to: usize| counts[from * ranks + to];
    let one = |me: usize| {
        let mut rank = Rank::default();
        let sent = |to: usize| part(Buffer::Send, (0..to).map(|other| count(me, other)).sum(), count(me, to));
        let received = |from: usize| {
            part(Buffer::Receive, (0..from).map(|other| count(other, me)).sum(), count(from, me))
        };
        for peer in (0..ranks).filter(|&peer| peer != me) {
            rank.at_once(Action::Send { peer: peer as u32, rail: 0, parts: vec![sent(peer)] });
            rank.at_once(Action::Receive { peer: peer as u32, rail: 0, parts: vec![received(peer)] });
        }
        if count(me, me) > 0 {
            let action = Action::Copy { parts: vec![sent(me)], into: received(me) };
            rank.operations.push(Operation { action, after: Vec::new() });
        }
        rank
    };
    let request = Request::vectored(ranks as u32, counts.to_vec()).expect("a request");
    schedule(Collective::Alltoallv, request, (0..ranks).map(one).collect())
}

/// A ring: each block goes round once, from the rank behind its owner to its owner, and every rank adds its own.
fn reduce_scatter(counts: &[u64]) -> Schedule {
    let starts = starts(counts);
    let ranks = counts.len();
    let one = |me: usize| {
        let mut rank = Rank::default();
        let block = |of: usize| part(Buffer::Send, starts[of], counts[of]);
        if ranks == 1 {
            rank.copy(block(0), part(Buffer::Receive, 0, counts[0]));
            return rank;
        }
        let (left, right) = ((me + ranks - 1) % ranks, (me + 1) % ranks);
        let scratch = |of: usize| part(Buffer::Scratch, starts[of], counts[of]);
        let first = (me + ranks - 1) % ranks;
        rank.at_once(Action::Send { peer: right as u32, rail: 0, parts: vec![block(first)] });
        let mut last_sent = rank.operations.len();
        for step in 1..ranks {
            let of = (me + 2 * ranks - 1 - step) % ranks;
            let into = if of == me { part(Buffer::Receive, 0, counts[of]) } else { scratch(of) };
            if counts[of] == 0 {
                continue;
            }
            let before = rank.operations.len() as u32;
            let receive = Action::Receive { peer: left as u32, rail: 0, parts: vec![scratch(of)] };
            rank.operations.push(Operation { action: receive, after: Vec::new() });
            let add = Action::Reduce { parts: vec![scratch(of), block(of)], into };
            rank.operations.push(Operation { action: add, after: vec![before] });
            if of != me {
                let send = Action::Send { peer: right as u32, rail: 0, parts: vec![scratch(of)] };
                rank.operations.push(Operation { action: send, after: vec![before + 1] });
            }
            last_sent = rank.operations.len();
        }
        assert!(last_sent <= rank.operations.len());
        rank
    };
    let request = Request::vectored(ranks as u32, counts.to_vec()).expect("a request");
    schedule(Collective::ReduceScatter, request, (0..ranks).map(one).collect())
}

/// A chain: each rank adds its input to what the ranks before it have.
fn scan(ranks: u32, count: u64) -> Schedule {
    let one = |me: u32| {
        let mut rank = Rank::default();
        let (own, into) = (part(Buffer::Send, 0, count), part(Buffer::Receive, 0, count));
        if me == 0 {
            rank.copy(own, into);
        } else {
            rank.receive(me - 1, part(Buffer::Scratch, 0, count));
            rank.reduce(part(Buffer::Scratch, 0, count), own, into);
        }
        if me + 1 < ranks {
            rank.send(me + 1, into);
        }
        rank
    };
    let request = Request::new(ranks, count).expect("a request").commutative(false);
    schedule(Collective::Scan, request, (0..ranks).map(one).collect())
}

/// Doubling distances: after step k, a rank has the inputs of the 2^k ranks up to its own, and those before its own apart.
fn exscan(ranks: u32, count: u64) -> Schedule {
    let one = |me: u32| {
        let mut rank = Rank::default();
        let result = part(Buffer::Receive, 0, count);
        // The sum with the own input, in a new place each step.
        let mut sum = part(Buffer::Send, 0, count);
        let mut has_result = false;
        for step in 0..ranks.next_power_of_two().trailing_zeros() {
            let distance = 1 << step;
            let place = u64::from(step) * 2 * count;
            let (arrived, next) =
                (part(Buffer::Scratch, place, count), part(Buffer::Scratch, place + count, count));
            let ready = rank.operations.len() as u32;
            if me + distance < ranks {
                let action = Action::Send { peer: me + distance, rail: 0, parts: vec![sum] };
                let after: Vec<u32> = (0..ready).collect();
                rank.operations.push(Operation { action, after });
            }
            if me >= distance {
                let action = Action::Receive { peer: me - distance, rail: 0, parts: vec![arrived] };
                rank.operations.push(Operation { action, after: (0..ready).collect() });
                if has_result {
                    rank.reduce(arrived, result, result);
                } else {
                    rank.copy(arrived, result);
                }
                rank.reduce(arrived, sum, next);
                (sum, has_result) = (next, true);
            }
        }
        rank
    };
    let request = Request::new(ranks, count).expect("a request").commutative(false);
    schedule(Collective::Exscan, request, (0..ranks).map(one).collect())
}

fn right(schedule: &Schedule) {
    let verified = schedule.verify().unwrap_or_else(|fault| panic!("{}: {fault}", schedule.collective));
    let text = verified.to_json();
    assert_eq!(&Schedule::from_json(&text).expect("what was written"), schedule);
}

/// All schedules of these sizes.
fn of_all_kinds(counts: &[u64]) -> Vec<Schedule> {
    let ranks = counts.len();
    let pairs: Vec<u64> = (0..ranks * ranks).map(|pair| counts[pair % ranks] * (pair as u64 % 3)).collect();
    let root = ranks as u32 / 2;
    vec![
        allgatherv(counts, false),
        allgatherv(counts, true),
        scatterv(counts, root),
        gatherv(counts, root),
        alltoallv(ranks, &pairs),
        reduce_scatter(counts),
        scan(ranks as u32, counts[0] + 1),
        exscan(ranks as u32, counts[0] + 1),
    ]
}

#[test]
fn right_schedules_of_every_number_of_ranks() {
    for ranks in (1..=24).chain([31, 32, 33]).step_by(one_in(5)) {
        let counts: Vec<u64> = (0..ranks).map(|rank| rank * 7 % 5).collect();
        of_all_kinds(&counts).iter().for_each(right);
    }
}

proptest! {
    #[test]
    fn right_schedules_of_any_counts(counts in prop::collection::vec(0_u64..6, 1..9)) {
        of_all_kinds(&counts).iter().for_each(right);
    }

    /// A schedule whose result is due to an operation is wrong without it, and with other operands.
    #[test]
    fn one_change_is_found(counts in prop::collection::vec(1_u64..4, 2..7), kind in 0_usize..8, at: prop::sample::Index) {
        let mut schedule = of_all_kinds(&counts).swap_remove(kind);
        let local: Vec<(usize, usize)> = schedule.ranks.iter().enumerate().flat_map(|(rank, list)| {
            list.operations.iter().enumerate().map(move |(index, _)| (rank, index))
        }).collect();
        let (rank, index) = local[at.index(local.len())];
        match &mut schedule.ranks[rank].operations[index].action {
            Action::Copy { parts, into } | Action::Reduce { parts, into } => {
                // Another buffer's bytes, or none.
                parts[0] = Part { buffer: Buffer::Scratch, offset: 1 << 20, bytes: into.bytes };
            }
            Action::Send { parts, .. } | Action::Receive { parts, .. } => parts.clear(),
        }
        prop_assert!(schedule.verify().is_err());
    }
}

#[test]
fn what_is_wrong() {
    // A scan that adds in the other order, for an operation that does not commute.
    let mut wrong = scan(3, 2);
    if let Action::Reduce { parts, .. } = &mut wrong.ranks[2].operations[1].action {
        parts.swap(0, 1);
    }
    assert!(matches!(wrong.verify().expect_err("a wrong one").kind, FaultKind::RankOrder(..)));
    // A scan is no exscan.
    let wrong = Schedule { collective: Collective::Exscan, ..scan(3, 2) };
    let fault = wrong.verify().expect_err("a wrong one").to_string();
    assert_eq!(
        fault,
        "rank 1 ends with the input of ranks 0..=1 from byte 0 on in receive[0..8]; it should be the input of rank 0 from byte 0 on"
    );
    // Blocks of other sizes.
    let mut wrong = allgatherv(&[1, 2, 3], false);
    wrong.request =
        Request::vectored(3, vec![1, 3, 2]).and_then(|call| call.element_size(ELEMENT)).expect("a request");
    assert!(wrong.verify().is_err());
    // Counts that are missing, or too many.
    wrong.request = Request::new(3, 6).and_then(|call| call.element_size(ELEMENT)).expect("a request");
    assert_eq!(wrong.verify().expect_err("no counts").kind, FaultKind::Counts(3, 0));
    let mut wrong = scan(2, 1);
    wrong.request =
        Request::vectored(2, vec![1, 0]).and_then(|call| call.element_size(ELEMENT)).expect("a request");
    assert_eq!(wrong.verify().expect_err("counts").kind, FaultKind::Counts(0, 2));
}
