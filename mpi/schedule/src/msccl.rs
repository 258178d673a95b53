//! Schedules as XML of MSCCL, which the runtimes of MSCCL and RCCL read.
//!
//! Each peer, rail and direction of a rank gets a thread block of its own, whose steps are in the order in which the schedule posts
//! them; one more thread block combines and copies. A chunk is the greatest size that divides every offset and length.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use super::import::import;
use super::symmetry::gcd;
use super::{Action, Buffer, Part, RequestError, Schedule, Verified};
use crate::Collective;

/// The largest number of chunks of a step: the runtime takes fewer than 72.
const COUNT: u64 = 71;

/// The maximum number of steps of a file, far beyond those that the runtime takes.
const MAX_STEPS: usize = 1 << 18;

impl Verified<'_> {
    /// Returns the schedule as XML, which is read again and proved.
    ///
    /// # Errors
    ///
    /// Fails for a collective that MSCCL does not have, for messages without bytes, for too many steps, and if steps that run one by
    /// one wait for each other.
    pub fn msccl(&self) -> Result<String, RequestError> {
        let schedule = self.schedule();
        let (name, slots) = match schedule.collective {
            Collective::Bcast => ("broadcast", 1),
            Collective::Reduce => ("reduce", 1),
            Collective::Allreduce => ("allreduce", 1),
            Collective::Custom => ("custom", 1),
            Collective::Gather => ("gather", 1),
            Collective::Scatter => ("scatter", 1),
            Collective::Allgather => ("allgather", u64::from(schedule.request.comm_size())),
            Collective::Alltoall => ("alltoall", u64::from(schedule.request.comm_size())),
            Collective::ReduceScatterBlock => ("reducescatter", u64::from(schedule.request.comm_size())),
            collective => {
                return Err(RequestError::new(format!(
                    "MSCCL has no {collective}; it has bcast, reduce, allreduce, gather, scatter, allgather, alltoall and \
                     reduce_scatter_block"
                )));
            }
        };
        let chunk = chunk(schedule);
        if chunk == 0 {
            let message = "MSCCL sends chunks, and this schedule sends no bytes; use a larger message";
            return Err(RequestError::new(message));
        }
        let mut writer = Writer { verified: self, chunk, steps: 0 };
        let mut gpus = String::new();
        for rank in 0..schedule.request.comm_size() {
            writer.gpu(rank, &mut gpus)?;
        }
        let in_place = u8::from(schedule.request.is_in_place(schedule.collective));
        let text = format!(
            "<algo name=\"{}\" proto=\"Simple\" nchannels=\"{}\" nchunksperloop=\"{}\" ngpus=\"{}\" coll=\"{name}\" \
             inplace=\"{in_place}\" outofplace=\"{}\" minBytes=\"0\" maxBytes=\"0\">\n{gpus}</algo>\n",
            escaped(&schedule.algorithm),
            schedule.rails(),
            slots * schedule.request.bytes() / chunk,
            schedule.request.comm_size(),
            1 - in_place,
        );
        let root = Some(schedule.request.root_rank());
        let proved = import(text.as_bytes(), None, root).and_then(super::Imported::verify);
        proved.map_err(|problems| {
            let fault = problems.iter().next().map(ToString::to_string).unwrap_or_default();
            RequestError::new(format!("as thread blocks, the schedule is wrong: {fault}"))
        })?;
        Ok(text)
    }
}

fn escaped(name: &str) -> String {
    name.replace(|c: char| c.is_control() || "<>&\"'".contains(c), "_")
}

/// Returns the greatest size that divides every offset and length, or 0 if there are no bytes.
fn chunk(schedule: &Schedule) -> u64 {
    let parts = schedule
        .ranks
        .iter()
        .flat_map(|rank| &rank.operations)
        .flat_map(|operation| operation.action.parts().iter().copied().chain(operation.action.target()));
    let sizes = parts.flat_map(|part| [part.offset, part.bytes]);
    sizes.chain([schedule.request.bytes()]).fold(0, gcd)
}

/// A thread block: its peers, -1 for none, and its channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Key {
    send: i64,
    receive: i64,
    channel: u32,
}

impl Key {
    fn of(action: &Action) -> Self {
        match *action {
            Action::Send { peer, rail, .. } => Self { send: peer.into(), receive: -1, channel: rail },
            Action::Receive { peer, rail, .. } => Self { send: -1, receive: peer.into(), channel: rail },
            _ => Self { send: -1, receive: -1, channel: 0 },
        }
    }
}

struct Step {
    kind: &'static str,
    source: Part,
    target: Part,
    /// The thread block and the step that this one waits for.
    waits: Option<(usize, usize)>,
    signals: bool,
}

impl Step {
    fn new(kind: &'static str, source: Part, target: Part) -> Self {
        Self { kind, source, target, waits: None, signals: false }
    }
}

struct Writer<'v> {
    verified: &'v Verified<'v>,
    chunk: u64,
    steps: usize,
}

impl Writer<'_> {
    fn gpu(&mut self, rank: u32, out: &mut String) -> Result<(), RequestError> {
        let (schedule, graph) = (self.verified.schedule(), &self.verified.graph);
        let operations = &schedule.ranks[rank as usize].operations;
        let keys: BTreeSet<Key> = operations.iter().map(|operation| Key::of(&operation.action)).collect();
        let keys = Vec::from_iter(keys);
        let mut blocks: Vec<Vec<Step>> = keys.iter().map(|_| Vec::new()).collect();
        // The place of each operation's last step.
        let mut ends: Vec<(usize, usize)> = Vec::with_capacity(operations.len());
        for (index, operation) in operations.iter().enumerate() {
            let block = keys.binary_search(&Key::of(&operation.action)).unwrap_or_default();
            let mut waits: BTreeMap<usize, usize> = BTreeMap::new();
            for &after in &operation.after {
                let (other, step) = ends[after as usize];
                if other != block && !blocks[other].is_empty() {
                    let latest = waits.entry(other).or_default();
                    *latest = (*latest).max(step);
                }
            }
            for (&other, &step) in &waits {
                blocks[other][step].signals = true;
            }
            let waits: Vec<(usize, usize)> = waits.into_iter().collect();
            let partner = graph.partner(graph.node(rank, index));
            let at_partner = partner.map_or(&[][..], |node| graph.action(schedule, node).parts());
            let mut steps = match &operation.action {
                Action::Send { parts, .. } => self.pieces("s", parts, at_partner),
                Action::Receive { parts, .. } => self.pieces("r", at_partner, parts),
                Action::Copy { parts, into } => self.pieces("cpy", parts, &[*into]),
                Action::Reduce { parts, into } => {
                    let own = parts.iter().position(|part| part == into);
                    let mut steps = Vec::new();
                    if own.is_none() {
                        steps = self.pieces("cpy", &parts[..1], &[*into]);
                    }
                    for (place, part) in parts.iter().enumerate() {
                        if place != own.unwrap_or(0) {
                            steps.extend(self.pieces("re", &[*part], &[*into]));
                        }
                    }
                    steps
                }
            };
            if let Some((last, before)) = waits.split_last() {
                let nothing = Part { buffer: Buffer::Scratch, offset: 0, bytes: 0 };
                let nop = |&waits| Step { waits: Some(waits), ..Step::new("nop", nothing, nothing) };
                blocks[block].extend(before.iter().map(nop));
                match steps.first_mut() {
                    Some(first) => first.waits = Some(*last),
                    None => blocks[block].push(nop(last)),
                }
            }
            self.steps += steps.len() + waits.len();
            if self.steps > MAX_STEPS {
                return Err(RequestError::new(format!(
                    "all cuts of the schedule fall only on chunks of {} bytes, which makes more than {MAX_STEPS} steps; use a \
                     message that divides among the ranks, or an element size",
                    self.chunk
                )));
            }
            blocks[block].extend(steps);
            ends.push((block, blocks[block].len().saturating_sub(1)));
        }
        self.write(rank, &keys, &blocks, out);
        Ok(())
    }

    /// Returns steps that move the same bytes, cut wherever one of the two sides is cut.
    fn pieces(&self, kind: &'static str, from: &[Part], into: &[Part]) -> Vec<Step> {
        let mut steps = Vec::new();
        let (mut sources, mut targets) = (from.iter().copied(), into.iter().copied());
        let (mut source, mut target) = (sources.next(), targets.next());
        while let (Some(left), Some(right)) = (source, target) {
            let bytes = left.bytes.min(right.bytes).min(COUNT * self.chunk);
            steps.push(Step::new(kind, left.slice(0, bytes), right.slice(0, bytes)));
            let rest = |part: Part| (part.bytes > bytes).then(|| part.slice(bytes, part.bytes - bytes));
            source = rest(left).or_else(|| sources.next());
            target = rest(right).or_else(|| targets.next());
            if steps.len() > MAX_STEPS {
                break;
            }
        }
        steps
    }

    fn write(&self, rank: u32, keys: &[Key], blocks: &[Vec<Step>], out: &mut String) {
        let schedule = self.verified.schedule();
        let request = &schedule.request;
        let all = u64::from(request.comm_size()) * request.bytes() / self.chunk;
        let one = request.bytes() / self.chunk;
        let most = |buffer| schedule.ranks[rank as usize].bytes_of(buffer) / self.chunk;
        let of_root = if rank == request.root_rank() { all } else { 0 };
        let (input, output) = match (schedule.collective, request.is_in_place(schedule.collective)) {
            (Collective::Allgather | Collective::Alltoall | Collective::Gather, true) => (0, all),
            (Collective::Allgather, false) => (one, all),
            (Collective::ReduceScatterBlock | Collective::Scatter, true) => (all, 0),
            (Collective::ReduceScatterBlock, false) => (all, one),
            (Collective::Alltoall, false) => (all, all),
            (Collective::Gather, false) => (one, of_root),
            (Collective::Scatter, false) => (of_root, one),
            (Collective::Custom, _) => (one, most(Buffer::Data).saturating_sub(one).max(one)),
            (_, true) => (one, 0),
            (_, false) => (one, one),
        };
        // Writing to a string never fails.
        let _ = writeln!(
            out,
            "  <gpu id=\"{rank}\" i_chunks=\"{input}\" o_chunks=\"{output}\" s_chunks=\"{}\">",
            most(Buffer::Scratch)
        );
        for (id, (key, steps)) in keys.iter().zip(blocks).enumerate() {
            let Key { send, receive, channel } = key;
            let _ =
                writeln!(out, "    <tb id=\"{id}\" send=\"{send}\" recv=\"{receive}\" chan=\"{channel}\">");
            for (place, step) in steps.iter().enumerate() {
                let (source, source_at) = self.place(step.source);
                let (target, target_at) = self.place(step.target);
                let count = step.source.bytes / self.chunk;
                let (on, at) = match step.waits {
                    Some((block, step)) => (block.to_string(), step.to_string()),
                    None => ("-1".to_owned(), "-1".to_owned()),
                };
                let _ = writeln!(
                    out,
                    "      <step s=\"{place}\" type=\"{}\" srcbuf=\"{source}\" srcoff=\"{source_at}\" dstbuf=\"{target}\" \
                     dstoff=\"{target_at}\" cnt=\"{count}\" depid=\"{on}\" deps=\"{at}\" hasdep=\"{}\"/>",
                    step.kind,
                    u8::from(step.signals)
                );
            }
            let _ = writeln!(out, "    </tb>");
        }
        let _ = writeln!(out, "  </gpu>");
    }

    /// Returns the name of the buffer of a part and its first chunk.
    fn place(&self, part: Part) -> (&'static str, u64) {
        let at = part.offset / self.chunk;
        let schedule = self.verified.schedule();
        let input = schedule.request.bytes() / self.chunk;
        match (part.buffer, schedule.collective) {
            (Buffer::Scratch, _) => ("s", at),
            (Buffer::Receive, _)
            | (Buffer::Data, Collective::Allgather | Collective::Alltoall | Collective::Gather) => ("o", at),
            (Buffer::Data, Collective::Custom) if at >= input => ("o", at - input),
            (Buffer::Send | Buffer::Data, _) => ("i", at),
        }
    }
}
