//! Faults of schedules.

use std::fmt;

use super::{Action, MAX_RAILS, Part, Schedule};

/// An operation, named in an error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Site {
    /// The rank.
    pub rank: u32,
    /// The position in the rank's list of operations.
    pub operation: usize,
    /// A description of the operation.
    pub text: String,
}

impl Site {
    pub(super) fn new(schedule: &Schedule, rank: u32, operation: usize) -> Self {
        let action = &schedule.ranks[rank as usize].operations[operation].action;
        Self { rank, operation, text: describe(action) }
    }
}

fn describe(action: &Action) -> String {
    let parts = match action.parts() {
        [] => "no bytes".to_owned(),
        [part] => part.to_string(),
        [first, rest @ ..] => format!("{first} and {} more", rest.len()),
    };
    match action {
        Action::Send { peer, rail, .. } => format!("send {parts} to {peer} on rail {rail}"),
        Action::Receive { peer, rail, .. } => format!("recv {parts} from {peer} on rail {rail}"),
        Action::Reduce { into, .. } => format!("reduce {parts} into {into}"),
        Action::Copy { into, .. } => format!("copy {parts} into {into}"),
    }
}

impl fmt::Display for Site {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "rank {}, operation {} ({})", self.rank, self.operation, self.text)
    }
}

/// The reason why a schedule is rejected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The operation, or only the rank if no single operation is at fault.
    pub site: Option<Site>,
    /// The kind of fault.
    pub kind: FaultKind,
}

/// A kind of fault in a schedule.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FaultKind {
    /// The proof takes more than this number of bytes.
    TooLarge(u64),
    /// The order of the operations takes too long to find out.
    TooLong,
    /// The list of ranks is not 0..p: the number of listed ranks, and p.
    Ranks(usize, u32),
    /// The call does not have the counts of its collective, one for each rank or pair of ranks or none: their number, and that of the
    /// call.
    Counts(usize, usize),
    /// The peer is not another rank.
    Peer(u32),
    /// A rail beyond those that are supported.
    Rail(u32),
    /// An operation waits for one at a position that does not stand before it.
    After(u32),
    /// A part without bytes.
    Empty(Part),
    /// A part that ends after its buffer, which has this number of bytes at that rank.
    Outside(Part, u64),
    /// A part that begins or ends inside an element of this number of bytes.
    CutsElement(Part, u64),
    /// A write to the send buffer.
    WritesInput(Part),
    /// A reduction or a copy whose operands do not have the size of the result: the bytes of the operand, or of all parts that are
    /// copied, and those of the result.
    Lengths(u64, u64),
    /// A reduction of no operands, or of parts that overlap the result without being it; a copy of bytes onto
    /// themselves; a receive that writes a byte twice.
    Overlap(Part, Part),
    /// A reduction or a copy without operands.
    NoOperands,
    /// A message without a receive, or a receive without a message.
    Unmatched,
    /// A message whose receive has another length: the bytes that are sent, the receive and its bytes.
    MessageLength(u64, Site, u64),
    /// A cycle of operations that wait for each other, the last one for the first; the first is not repeated at the end.
    Deadlock(Vec<Site>),
    /// Two operations that touch these bytes at the same time: the one that comes first in one interleaving.
    Conflict(Site, Part),
    /// A read of bytes that were not written.
    Undefined(Part),
    /// A combination with an operand that belongs to other elements.
    Misaligned(Part),
    /// A combination with an operand that is already in the result, with a rank whose operand is in both.
    Twice(Part, u32),
    /// A combination with an operand out of rank order, for an operation that does not commute: the last rank on the left, and the
    /// first on the right.
    RankOrder(Part, u32, u32),
    /// A rank that does not end with what the standard requires: the bytes, what was found there, and what is required.
    Result(u32, Part, [String; 2]),
    /// A rank that leaves a barrier without knowing that another one has entered.
    Leaves(u32, u32),
}

impl Fault {
    pub(super) const fn alone(kind: FaultKind) -> Self {
        Self { site: None, kind }
    }

    pub(super) fn at(schedule: &Schedule, rank: u32, operation: usize, kind: FaultKind) -> Self {
        Self { site: Some(Site::new(schedule, rank, operation)), kind }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(site) = &self.site {
            write!(f, "{site}: ")?;
        }
        self.kind.fmt(f)
    }
}

impl fmt::Display for FaultKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooLarge(limit) => write!(
                f,
                "the proof takes more than {} MiB of memory; use fewer ranks or larger segments",
                limit >> 20
            ),
            Self::TooLong => f.write_str(
                "whether it comes after all others that use its bytes takes too long to find out; use fewer operations, or \
                 let it wait for them directly",
            ),
            Self::Ranks(listed, comm_size) => {
                write!(f, "the schedule lists {listed} ranks, which are not 0..{comm_size} in order")
            }
            Self::Counts(needed, found) => {
                write!(f, "the call has {found} counts, but the collective has {needed} among these ranks")
            }
            Self::Peer(peer) => write!(f, "peer {peer} is not another rank"),
            Self::Rail(rail) => {
                write!(f, "rail {rail} does not exist; the last one is {}", MAX_RAILS - 1)
            }
            Self::After(after) => {
                write!(f, "it waits for operation {after}, which does not precede it")
            }
            Self::Empty(part) => write!(f, "part {part} has no bytes; omit it"),
            Self::Outside(part, bytes) => {
                write!(f, "part {part} ends beyond its buffer, which has {bytes} bytes at this rank")
            }
            Self::CutsElement(part, element_size) => {
                write!(f, "part {part} splits an element of {element_size} bytes")
            }
            Self::WritesInput(part) => {
                write!(f, "part {part} would be written, but the send buffer is read-only")
            }
            Self::Lengths(operand, into) => {
                write!(f, "{operand} bytes are stored in {into}; the sizes must be equal")
            }
            Self::Overlap(part, other) => write!(f, "parts {part} and {other} overlap"),
            Self::NoOperands => f.write_str("there is nothing to store"),
            Self::Unmatched => f.write_str("no operation of the peer matches it"),
            Self::MessageLength(sent, receive, received) => {
                write!(f, "{sent} bytes are sent, but {receive} expects {received}")
            }
            Self::Deadlock(cycle) => {
                f.write_str("operations wait for each other: ")?;
                for site in cycle {
                    write!(f, "{site} waits for ")?;
                }
                f.write_str("the first")
            }
            Self::Conflict(with, part) => {
                write!(
                    f,
                    "it uses {part} while {with} may still be in progress; make it wait for that operation"
                )
            }
            Self::Undefined(part) => write!(f, "it reads {part}, which nothing has written"),
            Self::Misaligned(part) => {
                write!(f, "operand {part} holds different elements than the first operand")
            }
            Self::Twice(part, of) => {
                write!(f, "operand {part} contains the input of rank {of}, which is already included")
            }
            Self::RankOrder(part, left, right) => write!(
                f,
                "operand {part} begins with rank {right}'s input, which does not follow rank {left}'s; the operation \
                 does not commute"
            ),
            Self::Result(rank, part, [found, expected]) => {
                write!(f, "rank {rank} ends with {found} in {part}; it should be {expected}")
            }
            Self::Leaves(rank, unknown) => {
                write!(f, "rank {rank} leaves the barrier without knowing that rank {unknown} has entered")
            }
        }
    }
}

impl std::error::Error for Fault {}
