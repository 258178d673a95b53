//! A schedule in the engine's form: flat lists, with each send linked to its receive.

use super::{Place, SimulateError};
use qtdec_mpi_schedule::MAX_RAILS;
use qtdec_mpi_schedule::{
    Algorithm, Budget, Builder, Request, Schedule, ScheduleError, Step, Symmetry, Verb, accept,
};

/// The absence of an operation.
pub(super) const NONE: u32 = u32::MAX;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Send,
    Receive,
    Reduce,
    Copy,
}

/// An operation of some rank.
#[derive(Clone, Copy, Debug)]
pub(super) struct Op {
    pub(super) kind: Kind,
    pub(super) rail: u8,
    pub(super) rank: u32,
    /// The rank on the other side of a message.
    pub(super) peer: u32,
    /// The index of its size in [`Program::sizes`].
    pub(super) size: u32,
    /// The number of operations that must be complete, or posted if on the same channel, before this one is posted.
    pub(super) waits: u32,
    /// The next operation of the same rank, peer, rail and direction.
    pub(super) next: u32,
    pub(super) other: u32,
    /// The number of a message's pair of ranks and rail.
    pub(super) channel: u32,
    /// The index in [`Program::dependents`] where the operations that wait for this one begin. They end where the next list begins.
    pub(super) dependents: u32,
}

impl Op {
    /// An operation that is not filled in yet.
    const NOTHING: Self = Self {
        kind: Kind::Copy,
        rail: 0,
        rank: 0,
        peer: NONE,
        size: 0,
        waits: 0,
        next: NONE,
        other: NONE,
        channel: NONE,
        dependents: 0,
    };
}

/// A schedule that is ready to be simulated on any network. It has all ranks, or those of the first block of a symmetry.
#[derive(Clone, Debug, Default)]
pub struct Program {
    pub(super) ops: Vec<Op>,
    pub(super) dependents: Vec<u32>,
    /// The distinct sizes in bytes.
    pub(super) sizes: Vec<u64>,
    /// The index of each rank's first operation, and the end of the last rank.
    pub(super) ranks: Vec<u32>,
    pub(super) channels: usize,
    scratch: Scratch,
}

#[derive(Clone, Debug, Default)]
struct Scratch {
    comm_size: usize,
    symmetry: Option<Symmetry>,
    /// The current rank's last operation for each rail, direction and peer.
    last: Vec<u32>,
    /// The entries of `last` that must be cleared.
    used: Vec<usize>,
    senders: Vec<Head>,
    receivers: Vec<Head>,
    cursors: Vec<u32>,
    builder: Builder,
}

/// The first operation of a channel on one side: sender, receiver, rail, operation.
type Head = (u32, u32, u8, u32);

impl Program {
    /// Creates a program from a schedule.
    ///
    /// # Errors
    ///
    /// Fails for a message without a counterpart, with one of another size, or on a rail beyond 64.
    pub fn new(schedule: &Schedule) -> Result<Self, SimulateError> {
        let mut program = Self::default();
        program.clear(schedule.ranks.len(), None);
        for (rank, operations) in (0..).zip(&schedule.ranks) {
            program.add(rank, operations.operations.iter().map(Step::from))?;
        }
        program.pair()?;
        Ok(program)
    }

    /// Builds the schedule of a request, rank by rank, in the given budget, reusing the memory of the previous one. With a symmetry, it builds
    /// only the ranks of the first block; a message to another block is received by the rank that stands for its receiver.
    pub(super) fn load_within(
        &mut self,
        algorithm: &dyn Algorithm,
        request: &Request,
        symmetry: Option<Symmetry>,
        budget: Budget,
    ) -> Result<(), SimulateError> {
        let refused = |error: ScheduleError| SimulateError::Schedule(error);
        accept(algorithm, request).map_err(|error| refused(error.into()))?;
        let ranks = symmetry.map_or(request.comm_size(), Symmetry::unit);
        let least = algorithm.least_messages(request) / u64::from(request.comm_size() / ranks);
        let steps = algorithm.least_steps(request).saturating_mul(u64::from(ranks));
        let fits = budget.for_ranks(ranks, least).and_then(|budget| budget.for_steps(steps));
        let mut budget = fits.map_err(|error| refused(error.into()))?;
        self.clear(request.comm_size() as usize, symmetry);
        let plan = algorithm.plan(request);
        let mut builder = std::mem::take(&mut self.scratch.builder);
        for rank in 0..ranks {
            builder.clear();
            builder.set_budget(budget);
            plan(rank, &mut builder).map_err(|error| refused(error.into()))?;
            budget = builder.budget();
            budget.drop_parts(builder.parts());
            self.add(rank, builder.steps())?;
        }
        self.scratch.builder = builder;
        self.pair()
    }

    /// Returns the number of ranks that the program has.
    pub fn comm_size(&self) -> usize {
        self.ranks.len() - 1
    }

    /// Returns an operation's place in its schedule.
    pub(super) fn place(&self, op: u32) -> Place {
        let rank = self.ops[op as usize].rank;
        Place { rank, operation: op - self.ranks[rank as usize] }
    }

    /// Returns the operations that wait for this one.
    pub(super) fn dependents(&self, op: u32) -> std::ops::Range<usize> {
        let end =
            self.ops.get(op as usize + 1).map_or(self.dependents.len(), |next| next.dependents as usize);
        self.ops[op as usize].dependents as usize..end
    }

    fn clear(&mut self, comm_size: usize, symmetry: Option<Symmetry>) {
        self.ops.clear();
        self.dependents.clear();
        self.sizes.clear();
        self.ranks.clear();
        self.ranks.push(0);
        self.scratch.senders.clear();
        self.scratch.receivers.clear();
        self.scratch.last.clear();
        (self.scratch.comm_size, self.scratch.symmetry) = (comm_size, symmetry);
    }

    fn add<'a>(
        &mut self,
        rank: u32,
        operations: impl ExactSizeIterator<Item = Step<'a>> + Clone,
    ) -> Result<(), SimulateError> {
        let (base, count) = (self.ops.len(), operations.len());
        // Writing fields one by one and then moving the whole at once would stall the processor.
        self.ops.resize(base + count, Op::NOTHING);
        let cursors = &mut self.scratch.cursors;
        cursors.clear();
        cursors.resize(count + 1, 0);
        let mut place = Place { rank, operation: 0 };
        for operation in operations.clone() {
            for &before in operation.after {
                if before >= place.operation {
                    return Err(SimulateError::WaitsForLater(place));
                }
                self.scratch.cursors[before as usize + 1] += 1;
            }
            self.fill(place, base as u32 + place.operation, &operation)?;
            place.operation += 1;
        }
        for &slot in &self.scratch.used {
            self.scratch.last[slot] = NONE;
        }
        self.scratch.used.clear();
        self.add_dependents(base, operations);
        self.ranks.push(self.ops.len() as u32);
        Ok(())
    }

    fn fill(&mut self, place: Place, index: u32, operation: &Step<'_>) -> Result<(), SimulateError> {
        let size = self.size(operation.bytes());
        let op = &mut self.ops[index as usize];
        op.rank = place.rank;
        op.size = size;
        op.waits = operation.after.len() as u32;
        let (sends, peer, rail) = match operation.verb {
            Verb::Send { peer, rail, .. } => (true, peer, rail),
            Verb::Receive { peer, rail, .. } => (false, peer, rail),
            Verb::Reduce { .. } => {
                op.kind = Kind::Reduce;
                return Ok(());
            }
            Verb::Copy { .. } => return Ok(()),
        };
        let Scratch { comm_size, symmetry, last, used, senders, receivers, .. } = &mut self.scratch;
        if peer as usize >= *comm_size || peer == place.rank || rail >= MAX_RAILS {
            return Err(SimulateError::Unmatched(place));
        }
        op.kind = if sends { Kind::Send } else { Kind::Receive };
        (op.peer, op.rail) = (peer, rail as u8);
        let slot = (2 * rail as usize + usize::from(sends)) * *comm_size + peer as usize;
        if slot >= last.len() {
            last.resize((2 * rail as usize + 2) * *comm_size, NONE);
        }
        match last[slot] {
            NONE if sends => senders.push((place.rank, peer, rail as u8, index)),
            NONE => {
                let pair = (peer, place.rank);
                let brought = symmetry.map_or(pair, |symmetry| symmetry.bring(pair, *comm_size as u32));
                receivers.push((brought.0, brought.1, rail as u8, index));
            }
            before => {
                op.waits += 1;
                self.ops[before as usize].next = index;
            }
        }
        last[slot] = index;
        used.push(slot);
        Ok(())
    }

    /// Returns the index of a size among the distinct ones. Schedules have few, and equal ones follow each other.
    fn size(&mut self, bytes: u64) -> u32 {
        let place = self.sizes.iter().rposition(|&known| known == bytes).unwrap_or_else(|| {
            self.sizes.push(bytes);
            self.sizes.len() - 1
        });
        place as u32
    }

    /// Lists, for each operation of the last rank, those that wait for it; their numbers are already known.
    fn add_dependents<'a>(
        &mut self,
        base: usize,
        operations: impl ExactSizeIterator<Item = Step<'a>> + Clone,
    ) {
        let cursors = &mut self.scratch.cursors;
        cursors[0] = self.dependents.len() as u32;
        for (index, op) in self.ops[base..].iter_mut().enumerate() {
            op.dependents = cursors[index];
            cursors[index + 1] += cursors[index];
        }
        self.dependents.resize(cursors[operations.len()] as usize, NONE);
        for (index, operation) in (base as u32..).zip(operations) {
            for &before in operation.after {
                let cursor = &mut cursors[before as usize];
                self.dependents[*cursor as usize] = index;
                *cursor += 1;
            }
        }
    }

    /// Pairs the sides of every message: the n-th send of a channel meets its n-th receive.
    fn pair(&mut self) -> Result<(), SimulateError> {
        let Scratch { senders, receivers, .. } = &mut self.scratch;
        senders.sort_unstable();
        receivers.sort_unstable();
        self.channels = senders.len();
        let (senders, receivers) = (std::mem::take(senders), std::mem::take(receivers));
        let paired = self.pair_channels(&senders, &receivers);
        (self.scratch.senders, self.scratch.receivers) = (senders, receivers);
        paired
    }

    fn pair_channels(&mut self, senders: &[Head], receivers: &[Head]) -> Result<(), SimulateError> {
        for channel in 0..senders.len().max(receivers.len()) {
            let (mut send, mut receive) = match (senders.get(channel), receivers.get(channel)) {
                (Some(sender), Some(receiver))
                    if (sender.0, sender.1, sender.2) == (receiver.0, receiver.1, receiver.2) =>
                {
                    (sender.3, receiver.3)
                }
                (Some(sender), Some(receiver)) => {
                    let first = if sender < receiver { sender } else { receiver };
                    return Err(SimulateError::Unmatched(self.place(first.3)));
                }
                (Some(head), None) | (None, Some(head)) => {
                    return Err(SimulateError::Unmatched(self.place(head.3)));
                }
                (None, None) => return Ok(()),
            };
            while send != NONE && receive != NONE {
                if self.ops[send as usize].size != self.ops[receive as usize].size {
                    return Err(SimulateError::SizesDiffer(self.place(send), self.place(receive)));
                }
                for (op, other) in [(send, receive), (receive, send)] {
                    self.ops[op as usize].other = other;
                    self.ops[op as usize].channel = channel as u32;
                }
                (send, receive) = (self.ops[send as usize].next, self.ops[receive as usize].next);
            }
            if send != NONE || receive != NONE {
                return Err(SimulateError::Unmatched(self.place(if send == NONE { receive } else { send })));
            }
        }
        Ok(())
    }
}
