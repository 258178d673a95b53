//! Ranks whose messages are copies in memory, in any order that MPI allows.
//!
//! All ranks are in one thread. Whatever may happen next is one of several moves, and a function chooses among them:
//! a rank begins an operation, a message is buffered or delivered, a reduction or a copy is carried out, or a rank learns
//! what is complete. So every interleaving can be had, and had again.

use std::collections::{BTreeMap, VecDeque};

use qtdec_mpi_schedule::{Buffer, Part, RankSchedule};

use crate::execution::Execution;
use crate::transport::{Progress, Transport};

/// The buffers of a rank's call, of which a collective uses some.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Buffers {
    /// The send buffer, which is never written.
    pub(crate) send: Vec<u8>,
    /// The receive buffer.
    pub(crate) receive: Vec<u8>,
    /// The only buffer of a call with a single one.
    pub(crate) data: Vec<u8>,
}

/// An operator, which combines a run of elements with the one to its right, in place.
pub(crate) type Operator<'o> = &'o dyn Fn(&mut [u8], &[u8]);

/// Runs the schedules of all ranks and returns their buffers.
///
/// `choose` returns a number below its argument, the number of possible moves.
///
/// # Errors
///
/// Fails if an operation cannot be carried out, or if nothing can happen any more although not all operations are complete.
///
/// # Panics
///
/// Panics if `choose` returns a number that is not below its argument.
pub(crate) fn run(
    schedules: &[RankSchedule],
    buffers: Vec<Buffers>,
    operator: Operator<'_>,
    mut choose: impl FnMut(usize) -> usize,
) -> Result<Vec<Buffers>, String> {
    let ranks = buffers.into_iter().zip(schedules).map(|(buffers, schedule)| {
        let scratch = usize::try_from(schedule.scratch_bytes())
            .map_err(|_| format!("the scratch memory of rank {} does not fit into memory", schedule.rank))?;
        Ok(Rank { buffers, scratch: vec![UNDEFINED; scratch], ..Rank::default() })
    });
    let mut world =
        World { ranks: ranks.collect::<Result<_, String>>()?, channels: BTreeMap::new(), operator };
    let mut executions: Vec<_> =
        schedules.iter().map(|schedule| Execution::new(&schedule.operations)).collect();
    loop {
        let moves = world.moves(&executions);
        if moves.is_empty() {
            break;
        }
        match moves[choose(moves.len())] {
            Move::Begin(rank) => {
                executions[rank].begin(&mut Endpoint { world: &mut world, rank })?;
            }
            Move::Learn(rank) => {
                executions[rank].wait(&mut Endpoint { world: &mut world, rank })?;
            }
            Move::Compute(rank, index) => world.compute(rank, index)?,
            Move::Buffer(channel, index) => world.buffer(channel, index)?,
            Move::Deliver(channel) => world.deliver(channel)?,
        }
    }
    match executions.iter().position(|execution| !execution.is_done()) {
        Some(rank) => Err(format!(
            "nothing can happen any more, but rank {rank} waits for {}",
            world.waits_for(rank as u32)
        )),
        None => Ok(world.ranks.into_iter().map(|rank| rank.buffers).collect()),
    }
}

/// The value of bytes that are not defined: scratch memory at first, and what is about to be received.
const UNDEFINED: u8 = 0xA5;

/// The sender, the receiver and the rail of messages.
type Channel = (u32, u32, u32);

struct World<'o> {
    ranks: Vec<Rank>,
    channels: BTreeMap<Channel, Messages>,
    operator: Operator<'o>,
}

#[derive(Default)]
struct Rank {
    buffers: Buffers,
    scratch: Vec<u8>,
    /// Reductions and copies that were begun.
    computing: Vec<Computing>,
    /// Operations that are complete, which the rank does not know yet.
    complete: Vec<u32>,
}

struct Computing {
    operation: u32,
    parts: Vec<Part>,
    into: Part,
    reduces: bool,
}

/// The messages of a channel whose other side was not begun, or that were not delivered yet.
#[derive(Default)]
struct Messages {
    sends: VecDeque<Send>,
    receives: VecDeque<(u32, Vec<Part>)>,
}

struct Send {
    operation: u32,
    parts: Vec<Part>,
    /// The message, if it was buffered. Its operation is then complete.
    buffered: Option<Vec<u8>>,
}

/// Something that may happen next.
#[derive(Clone, Copy)]
enum Move {
    Begin(usize),
    Learn(usize),
    Compute(usize, usize),
    Buffer(Channel, usize),
    Deliver(Channel),
}

impl World<'_> {
    fn moves(&self, executions: &[Execution<'_>]) -> Vec<Move> {
        let mut moves = Vec::new();
        for (index, (rank, execution)) in self.ranks.iter().zip(executions).enumerate() {
            if execution.may_begin() {
                moves.push(Move::Begin(index));
            }
            if !rank.complete.is_empty() {
                moves.push(Move::Learn(index));
            }
            moves.extend((0..rank.computing.len()).map(|place| Move::Compute(index, place)));
        }
        for (&channel, messages) in &self.channels {
            let sends = messages.sends.iter().enumerate();
            let held = sends.filter(|(_, send)| send.buffered.is_none());
            moves.extend(held.map(|(place, _)| Move::Buffer(channel, place)));
            if !messages.sends.is_empty() && !messages.receives.is_empty() {
                moves.push(Move::Deliver(channel));
            }
        }
        moves
    }

    fn compute(&mut self, rank: usize, place: usize) -> Result<(), String> {
        let operator = self.operator;
        let rank = &mut self.ranks[rank];
        let Computing { operation, parts, into, reduces } = rank.computing.swap_remove(place);
        let result = if reduces {
            let mut operands = parts.iter();
            let mut result = operands.next().map_or(Ok(Vec::new()), |first| rank.read(&[*first]))?;
            for operand in operands {
                operator(&mut result, &rank.read(&[*operand])?);
            }
            result
        } else {
            rank.read(&parts)?
        };
        rank.write(&[into], &result)?;
        rank.complete.push(operation);
        Ok(())
    }

    /// Copies a message, so that its send is complete before its receive is begun.
    fn buffer(&mut self, channel: Channel, place: usize) -> Result<(), String> {
        let Some(send) = self.channels.get_mut(&channel).and_then(|messages| messages.sends.get_mut(place))
        else {
            return Ok(());
        };
        let sender = &mut self.ranks[channel.0 as usize];
        send.buffered = Some(sender.read(&send.parts)?);
        sender.complete.push(send.operation);
        Ok(())
    }

    fn deliver(&mut self, channel: Channel) -> Result<(), String> {
        let (from, to, rail) = channel;
        let Some(messages) = self.channels.get_mut(&channel) else { return Ok(()) };
        let (Some(send), Some((receive, parts))) =
            (messages.sends.pop_front(), messages.receives.pop_front())
        else {
            return Ok(());
        };
        let message = if let Some(message) = send.buffered {
            message
        } else {
            let sender = &mut self.ranks[from as usize];
            sender.complete.push(send.operation);
            sender.read(&send.parts)?
        };
        let receiver = &mut self.ranks[to as usize];
        let expected: u64 = parts.iter().map(|part| part.bytes).sum();
        if expected != message.len() as u64 {
            return Err(format!(
                "a message of {} bytes from rank {from} to rank {to} on rail {rail} was expected to have {expected}",
                message.len()
            ));
        }
        receiver.write(&parts, &message)?;
        receiver.complete.push(receive);
        Ok(())
    }

    /// Returns whose messages a rank waits for, to send or to receive, in words.
    fn waits_for(&self, rank: u32) -> String {
        let waits = self.channels.iter().filter_map(|(&(from, to, rail), messages)| {
            if to == rank && !messages.receives.is_empty() {
                Some(format!("rank {from} on rail {rail}"))
            } else if from == rank && !messages.sends.is_empty() {
                Some(format!("rank {to} on rail {rail}"))
            } else {
                None
            }
        });
        let waits: Vec<String> = waits.collect();
        if waits.is_empty() { "operations of its own".to_owned() } else { waits.join(", ") }
    }
}

impl Rank {
    fn buffer(&mut self, buffer: Buffer) -> &mut Vec<u8> {
        match buffer {
            Buffer::Send => &mut self.buffers.send,
            Buffer::Receive => &mut self.buffers.receive,
            Buffer::Data => &mut self.buffers.data,
            Buffer::Scratch => &mut self.scratch,
        }
    }

    fn slice(&mut self, part: Part) -> Result<&mut [u8], String> {
        let (Ok(start), Ok(end)) = (usize::try_from(part.offset), usize::try_from(part.end())) else {
            return Err(outside(part));
        };
        self.buffer(part.buffer).get_mut(start..end).ok_or_else(|| outside(part))
    }

    fn read(&mut self, parts: &[Part]) -> Result<Vec<u8>, String> {
        let mut bytes = Vec::new();
        for &part in parts {
            bytes.extend_from_slice(self.slice(part)?);
        }
        Ok(bytes)
    }

    fn write(&mut self, parts: &[Part], mut bytes: &[u8]) -> Result<(), String> {
        for &part in parts {
            if part.buffer == Buffer::Send {
                return Err(outside(part));
            }
            let target = self.slice(part)?;
            let Some((first, rest)) = bytes.split_at_checked(target.len()) else {
                return Err(outside(part));
            };
            target.copy_from_slice(first);
            bytes = rest;
        }
        Ok(())
    }
}

/// Returns the error of a part that is outside its buffer, in a buffer that is never written, or too small.
fn outside(part: Part) -> String {
    format!("{part} cannot be used like this: it lies outside its buffer, or is not to be written")
}

/// A rank of the world.
struct Endpoint<'w, 'o> {
    world: &'w mut World<'o>,
    rank: usize,
}

impl Endpoint<'_, '_> {
    fn me(&mut self) -> &mut Rank {
        &mut self.world.ranks[self.rank]
    }

    fn peer(&self, peer: u32) -> Result<u32, String> {
        if (peer as usize) < self.world.ranks.len() { Ok(peer) } else { Err(format!("{peer} is not a rank")) }
    }

    fn compute(&mut self, computing: Computing) -> Progress {
        self.me().computing.push(computing);
        Progress::UnderWay
    }
}

impl Transport for Endpoint<'_, '_> {
    type Error = String;

    fn send(&mut self, operation: u32, peer: u32, rail: u32, parts: &[Part]) -> Result<Progress, String> {
        let channel = (self.rank as u32, self.peer(peer)?, rail);
        let send = Send { operation, parts: parts.to_vec(), buffered: None };
        self.world.channels.entry(channel).or_default().sends.push_back(send);
        Ok(Progress::UnderWay)
    }

    fn receive(&mut self, operation: u32, peer: u32, rail: u32, parts: &[Part]) -> Result<Progress, String> {
        let channel = (self.peer(peer)?, self.rank as u32, rail);
        // The library may write here from now on, so nothing else may count on these bytes.
        for &part in parts {
            self.me().slice(part)?.fill(UNDEFINED);
        }
        self.world.channels.entry(channel).or_default().receives.push_back((operation, parts.to_vec()));
        Ok(Progress::UnderWay)
    }

    fn reduce(&mut self, operation: u32, parts: &[Part], into: Part) -> Result<Progress, String> {
        Ok(self.compute(Computing { operation, parts: parts.to_vec(), into, reduces: true }))
    }

    fn copy(&mut self, operation: u32, parts: &[Part], into: Part) -> Result<Progress, String> {
        Ok(self.compute(Computing { operation, parts: parts.to_vec(), into, reduces: false }))
    }

    fn wait(&mut self, complete: &mut Vec<u32>) -> Result<(), String> {
        complete.append(&mut self.me().complete);
        Ok(())
    }
}
