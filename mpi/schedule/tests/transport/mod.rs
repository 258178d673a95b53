//! Schedules run in memory in every interleaving: an independent check of `verify` for few operations.
//!
//! A state is the set of operations that are posted and of those that are complete. A send is buffered in one branch,
//! and waits for its receive in another; a reduction or a copy takes time like a message. Every reachable state is
//! visited.

use std::collections::{BTreeMap, HashMap, HashSet};

use qtdec_mpi_schedule::Collective;
use qtdec_mpi_schedule::{Action, Buffer, Part, Schedule};

/// The reason why a schedule is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Wrong {
    /// No operation can proceed, and not all are complete.
    Stuck,
    /// Two operations in progress touch the same bytes.
    Conflict,
    /// Bytes are read that were never written, or messages differ in length.
    Nonsense,
    /// Operands are combined twice, out of order, or of different elements.
    Operands,
    /// A rank ends with another result than the standard requires.
    Result,
}

/// The origin of an element of the result: whose inputs, in which order, from which byte.
type Value = (Vec<u32>, u64);

/// The bytes of one rank that have a known value.
type Memory = BTreeMap<(Buffer, u64), Value>;

/// Runs a schedule of at most 64 operations in every interleaving.
pub(crate) fn explore(schedule: &Schedule) -> Result<(), Wrong> {
    let system = System::new(schedule);
    // Deadlocks are only checked without buffered sends: every other run gets at least as far.
    if !system.ends_with_rendezvous() {
        return Err(Wrong::Stuck);
    }
    system.look_for_conflicts()?;
    system.run_once()
}

struct System<'s> {
    schedule: &'s Schedule,
    /// The rank and the place of each operation.
    places: Vec<(usize, usize)>,
    /// The operations that must be complete, and the one that must be posted, before each is posted.
    after: Vec<u64>,
    previous: Vec<Option<usize>>,
    partner: Vec<Option<usize>>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct State {
    posted: u64,
    complete: u64,
}

impl<'s> System<'s> {
    fn new(schedule: &'s Schedule) -> Self {
        let mut places = Vec::new();
        let mut after = Vec::new();
        let mut previous = Vec::new();
        let mut queues: HashMap<(u32, u32, u32, bool), Vec<usize>> = HashMap::new();
        for (rank, list) in schedule.ranks.iter().enumerate() {
            let first = places.len();
            for (index, operation) in list.operations.iter().enumerate() {
                let number = places.len();
                assert!(number < 64, "too many operations to try every interleaving");
                places.push((rank, index));
                after.push(operation.after.iter().fold(0, |set, &after| set | 1 << (first + after as usize)));
                let queue = match operation.action {
                    Action::Send { peer, rail, .. } => Some((list.rank, peer, rail, true)),
                    Action::Receive { peer, rail, .. } => Some((peer, list.rank, rail, false)),
                    _ => None,
                };
                let queue = queue.map(|queue| queues.entry(queue).or_default());
                previous.push(queue.as_ref().and_then(|queue| queue.last().copied()));
                if let Some(queue) = queue {
                    queue.push(number);
                }
            }
        }
        let mut partner = vec![None; places.len()];
        for (&(from, to, rail, is_send), queue) in &queues {
            let other = queues.get(&(from, to, rail, !is_send)).map_or(&[][..], Vec::as_slice);
            for (&one, &two) in queue.iter().zip(other) {
                partner[one] = Some(two);
            }
        }
        Self { schedule, places, after, previous, partner }
    }

    fn action(&self, number: usize) -> &'s Action {
        let (rank, index) = self.places[number];
        &self.schedule.ranks[rank].operations[index].action
    }

    fn may_be_posted(&self, state: State, number: usize) -> bool {
        state.posted >> number & 1 == 0
            && self.after[number] & !state.complete == 0
            && self.previous[number].is_none_or(|previous| state.posted >> previous & 1 == 1)
    }

    fn may_complete(&self, state: State, number: usize, buffered: bool) -> bool {
        let partner_posted = self.partner[number].is_some_and(|partner| state.posted >> partner & 1 == 1);
        state.posted >> number & 1 == 1
            && state.complete >> number & 1 == 0
            && match self.action(number) {
                Action::Send { .. } => buffered || partner_posted,
                Action::Receive { .. } => partner_posted,
                Action::Reduce { .. } | Action::Copy { .. } => true,
            }
    }

    fn ends_with_rendezvous(&self) -> bool {
        let mut state = State { posted: 0, complete: 0 };
        loop {
            let before = state;
            for number in 0..self.places.len() {
                if self.may_be_posted(state, number) {
                    state.posted |= 1 << number;
                }
                if self.may_complete(state, number, false) {
                    state.complete |= 1 << number;
                }
            }
            if state == before {
                return state.complete.count_ones() as usize == self.places.len();
            }
        }
    }

    fn look_for_conflicts(&self) -> Result<(), Wrong> {
        let start = State { posted: 0, complete: 0 };
        let mut seen = HashSet::from([start]);
        let mut open = vec![start];
        while let Some(state) = open.pop() {
            let under_way: Vec<usize> = (0..self.places.len())
                .filter(|&number| (state.posted & !state.complete) >> number & 1 == 1)
                .collect();
            for (index, &one) in under_way.iter().enumerate() {
                if under_way[index + 1..].iter().any(|&other| self.conflict(one, other)) {
                    return Err(Wrong::Conflict);
                }
            }
            for number in 0..self.places.len() {
                let posted = State { posted: state.posted | 1 << number, ..state };
                let complete = State { complete: state.complete | 1 << number, ..state };
                if self.may_be_posted(state, number) && seen.insert(posted) {
                    open.push(posted);
                }
                if self.may_complete(state, number, true) && seen.insert(complete) {
                    open.push(complete);
                }
            }
            assert!(seen.len() < 4_000_000, "too many states to try every interleaving");
        }
        Ok(())
    }

    fn conflict(&self, one: usize, other: usize) -> bool {
        let touch = |written: &[Part], used: &[Part]| {
            written.iter().any(|written| used.iter().any(|&used| written.overlaps(used)))
        };
        let (a, b) = (self.action(one), self.action(other));
        self.places[one].0 == self.places[other].0
            && (touch(a.writes(), b.reads()) || touch(b.writes(), a.reads()) || touch(a.writes(), b.writes()))
    }

    /// Runs the schedule once: without conflicts, all runs compute the same.
    fn run_once(&self) -> Result<(), Wrong> {
        let mut memories: Vec<Memory> =
            (0..self.schedule.ranks.len()).map(|rank| self.inputs(rank as u32)).collect();
        let mut messages: HashMap<usize, Vec<Value>> = HashMap::new();
        let mut state = State { posted: 0, complete: 0 };
        while state.complete.count_ones() as usize != self.places.len() {
            for number in 0..self.places.len() {
                let (rank, _) = self.places[number];
                if self.may_be_posted(state, number) {
                    state.posted |= 1 << number;
                    if let Action::Send { parts, .. } = self.action(number) {
                        messages.insert(number, read(&memories[rank], parts)?);
                    }
                }
                if !self.may_complete(state, number, true) {
                    continue;
                }
                state.complete |= 1 << number;
                match self.action(number) {
                    Action::Send { .. } => {}
                    Action::Receive { parts, .. } => {
                        let message = self.partner[number].and_then(|send| messages.get(&send));
                        write(&mut memories[rank], parts, message.ok_or(Wrong::Nonsense)?)?;
                    }
                    Action::Copy { parts, into } => {
                        let values = read(&memories[rank], parts)?;
                        write(&mut memories[rank], &[*into], &values)?;
                    }
                    Action::Reduce { parts, into } => {
                        let mut result: Option<Vec<Value>> = None;
                        for part in parts {
                            let operand = read(&memories[rank], &[*part])?;
                            result = Some(match result {
                                None => operand,
                                Some(left) => self.combine(&left, &operand)?,
                            });
                        }
                        write(&mut memories[rank], &[*into], &result.unwrap_or_default())?;
                    }
                }
            }
        }
        self.check_results(&memories)
    }

    fn combine(&self, left: &[Value], right: &[Value]) -> Result<Vec<Value>, Wrong> {
        let pairs = left.iter().zip(right);
        let combined = pairs.map(|((left, from), (right, other))| {
            let is_known = right.iter().any(|rank| left.contains(rank));
            let is_next = left.last().zip(right.first()).is_some_and(|(left, right)| left + 1 == *right);
            if from != other || is_known || !(self.schedule.request.is_commutative() || is_next) {
                return Err(Wrong::Operands);
            }
            let mut ranks = [&left[..], right].concat();
            if self.schedule.request.is_commutative() {
                ranks.sort_unstable();
            }
            Ok((ranks, *from))
        });
        combined.collect()
    }

    fn inputs(&self, rank: u32) -> Memory {
        let request = &self.schedule.request;
        let all = request.bytes() * u64::from(request.comm_size());
        let (buffer, bytes) = match self.schedule.collective {
            Collective::Bcast | Collective::Scatter if rank != request.root_rank() => return Memory::new(),
            Collective::Bcast => (Buffer::Data, request.bytes()),
            Collective::Scatter | Collective::Alltoall | Collective::ReduceScatterBlock => {
                (Buffer::Send, all)
            }
            Collective::Barrier => return Memory::new(),
            _ => (Buffer::Send, request.bytes()),
        };
        (0..bytes).map(|byte| ((buffer, byte), (vec![rank], byte))).collect()
    }

    /// Compares every byte with the collectives chapter of the MPI standard.
    fn check_results(&self, memories: &[Memory]) -> Result<(), Wrong> {
        let request = &self.schedule.request;
        let (ranks, one) = (request.comm_size(), request.bytes());
        let everyone: Vec<u32> = (0..ranks).collect();
        for (rank, memory) in (0..).zip(memories) {
            let is_root = rank == request.root_rank();
            let expected: Vec<Value> = match self.schedule.collective {
                Collective::Bcast => (0..one).map(|byte| (vec![request.root_rank()], byte)).collect(),
                Collective::Reduce | Collective::Gather if !is_root => continue,
                Collective::Reduce | Collective::Allreduce => {
                    (0..one).map(|byte| (everyone.clone(), byte)).collect()
                }
                Collective::Scatter => {
                    (0..one).map(|byte| (vec![request.root_rank()], u64::from(rank) * one + byte)).collect()
                }
                Collective::Gather | Collective::Allgather => {
                    everyone.iter().flat_map(|&from| (0..one).map(move |byte| (vec![from], byte))).collect()
                }
                Collective::Alltoall => everyone
                    .iter()
                    .flat_map(|&from| (0..one).map(move |byte| (vec![from], u64::from(rank) * one + byte)))
                    .collect(),
                Collective::ReduceScatterBlock => {
                    (0..one).map(|byte| (everyone.clone(), u64::from(rank) * one + byte)).collect()
                }
                _ => continue,
            };
            let buffer =
                if self.schedule.collective == Collective::Bcast { Buffer::Data } else { Buffer::Receive };
            for (byte, expected) in (0..).zip(&expected) {
                if memory.get(&(buffer, byte)) != Some(expected) {
                    return Err(Wrong::Result);
                }
            }
        }
        Ok(())
    }
}

fn read(memory: &Memory, parts: &[Part]) -> Result<Vec<Value>, Wrong> {
    let bytes = parts.iter().flat_map(|part| (part.offset..part.end()).map(|byte| (part.buffer, byte)));
    bytes.map(|byte| memory.get(&byte).cloned().ok_or(Wrong::Nonsense)).collect()
}

fn write(memory: &mut Memory, parts: &[Part], values: &[Value]) -> Result<(), Wrong> {
    let bytes: Vec<_> =
        parts.iter().flat_map(|part| (part.offset..part.end()).map(|byte| (part.buffer, byte))).collect();
    if bytes.len() != values.len() {
        return Err(Wrong::Nonsense);
    }
    memory.extend(bytes.into_iter().zip(values.iter().cloned()));
    Ok(())
}
