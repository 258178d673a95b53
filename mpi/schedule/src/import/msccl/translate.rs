//! The operations of an algorithm's steps.

use std::collections::{BTreeSet, HashMap};

use qtdec_core::{Place, Problem, Problems};

use super::super::{Imported, Origin};
use super::elements::{Algorithm, Block, Gpu, Kind, Step, find};
use crate::Collective;
use crate::{Action, Buffer, MAX_OPERATIONS, MAX_RAILS, Operation, Part, RankSchedule, Request, Schedule};

/// The chunks that a connection holds at least, whatever their size: half of the buffer's eight slots a chunk with the
/// protocol `Simple`, and one slot a chunk with the others.
const HELD_SIMPLE: u64 = 2;
const HELD_LOW_LATENCY: u64 = 8;

/// The maximum number of steps, each of which has up to four operations: with the proof, they fit into a gigabyte.
const MAX_STEPS: usize = MAX_OPERATIONS / 32;

/// Returns the schedules of an algorithm.
pub(super) fn translate(
    algorithm: Algorithm,
    mut warnings: Vec<Problem>,
    msg_size: Option<u64>,
    root: Option<u32>,
) -> Result<Imported, Problems> {
    let line = algorithm.line;
    let at_top = |message: String| Problem::new(Place::Line(line), message);
    let steps: usize = algorithm.gpus.iter().flat_map(|gpu| &gpu.blocks).map(|block| block.steps.len()).sum();
    if steps > MAX_STEPS {
        let fault = at_top(format!("the file has {steps} steps; a proof takes at most {MAX_STEPS}"));
        return Err(fault.help("use fewer ranks, or fewer chunks (nchunksperloop)").into());
    }
    let ranks = algorithm.gpus.len() as u32;
    let collective = collective(&algorithm.collective);
    let mut unchecked = vec![
        "the steps are followed through one pass of the loop; other passes use other bytes of the same chunks".to_owned(),
    ];
    match (&*algorithm.collective, collective) {
        ("", _) => unchecked.push("contents: the file names no collective".to_owned()),
        (name, Collective::Custom) => unchecked.push(format!(
            "contents: no standard states the result of coll=\"{name}\"; progress, matching, races and reads of undefined \
             chunks are checked"
        )),
        (name, known) => {
            if name != runtime_name(known) {
                let message = format!("the runtime does not know coll=\"{name}\"");
                let help = format!("it is `{}` there", runtime_name(known));
                warnings.push(at_top(message).help(help));
            }
        }
    }
    // Of a gather or a scatter, the runtime divides the block of one rank into chunks.
    let parts = if matches!(
        collective,
        Collective::Allgather | Collective::Alltoall | Collective::ReduceScatterBlock
    ) {
        u64::from(ranks)
    } else {
        1
    };
    if !algorithm.chunks.is_multiple_of(parts) {
        let message = format!(
            "nchunksperloop=\"{}\" does not divide among the {ranks} ranks of {collective}",
            algorithm.chunks
        );
        return Err(at_top(message).into());
    }
    let count = match collective {
        Collective::Custom => {
            algorithm.gpus.iter().map(|gpu| gpu.chunks[0]).max().unwrap_or(0).max(algorithm.chunks)
        }
        _ => algorithm.chunks / parts,
    };
    let chunk = match msg_size {
        None => 1,
        Some(bytes) if bytes > 0 && bytes.is_multiple_of(count) => bytes / count,
        Some(bytes) => {
            let message = format!("a message of {bytes} bytes does not divide into {count} chunks");
            return Err(at_top(message).help(format!("use a multiple of {count}")).into());
        }
    };
    let named = root.or(algorithm.root);
    if named.is_none() && collective.is_rooted() {
        unchecked.push(format!(
            "the root, which the file does not name: rank {} is taken",
            guess_root(&algorithm, collective)
        ));
    }
    let root = named.unwrap_or_else(|| guess_root(&algorithm, collective));
    let request = Request::new(ranks, count)
        .and_then(|request| request.element_size(chunk))
        .and_then(|request| request.root(if collective.is_rooted() { root } else { 0 }))
        .map_err(|error| at_top(error.to_string()))?;
    let held =
        if ["LL", "LL128"].contains(&algorithm.protocol.as_str()) { HELD_LOW_LATENCY } else { HELD_SIMPLE };
    let rails = rails(&algorithm)?;
    let uses: &[bool] = match (algorithm.in_place, algorithm.out_of_place) {
        (true, true) if collective != Collective::Custom => &[true, false],
        (true, _) => &[true],
        _ => &[false],
    };
    let place = match uses {
        [_, _] => "in place and not",
        [true] => "in place",
        _ => "not in place",
    };
    let blocks: usize = algorithm.gpus.iter().map(|gpu| gpu.blocks.len()).sum();
    let holds = format!(
        "{} among {ranks} ranks, {place}: {} chunks of {chunk} {}, {blocks} thread blocks, {steps} steps",
        if collective == Collective::Custom { "an exchange".to_owned() } else { collective.to_string() },
        algorithm.chunks,
        if chunk == 1 { "byte" } else { "bytes" },
    );
    let program = Program { algorithm, collective, request, chunk, held, rails };
    let (schedule, origins) = program.schedule(uses[0], Connections::Least)?;
    Ok(Imported {
        format: "MSCCL XML",
        schedule,
        holds,
        unchecked,
        warnings,
        origins,
        other_uses: uses[1..].to_vec(),
        program: Some(program),
    })
}

/// How much connections hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::import) enum Connections {
    /// What fits whatever the size of the chunks.
    Least,
    /// Every message.
    Everything,
}

/// An algorithm with the call that it serves.
#[derive(Clone, Debug)]
pub(in crate::import) struct Program {
    algorithm: Algorithm,
    collective: Collective,
    request: Request,
    /// The bytes of a chunk.
    chunk: u64,
    /// The chunks that a connection holds at least.
    held: u64,
    rails: Rails,
}

impl Program {
    /// Returns the operations of all steps, with their places.
    pub(in crate::import) fn schedule(
        &self,
        in_place: bool,
        connections: Connections,
    ) -> Result<(Schedule, Vec<Vec<Origin>>), Problem> {
        let held = match connections {
            Connections::Least => self.held,
            Connections::Everything => u64::MAX,
        };
        let request = self.request.clone().in_place(in_place || self.collective == Collective::Custom);
        let name = self.algorithm.name.clone();
        let mut schedule =
            Schedule { collective: self.collective, algorithm: name, request, ranks: Vec::new() };
        let mut origins = Vec::new();
        for (rank, gpu) in (0..).zip(&self.algorithm.gpus) {
            let mut side = Side::new(&schedule, rank, gpu, self.chunk, held, &self.rails);
            side.run()?;
            if side.scratch.checked_mul(self.chunk).is_none_or(|bytes| bytes > 1 << 62) {
                let message = "the chunks of all steps together have more than 2^62 bytes";
                return Err(Problem::new(Place::Line(self.algorithm.line), message));
            }
            origins.push(side.origins);
            let operations = side.operations;
            schedule.ranks.push(RankSchedule { rank, operations });
        }
        Ok((schedule, origins))
    }
}

/// Returns the collective that a file names.
fn collective(name: &str) -> Collective {
    match name.to_ascii_lowercase().replace(['_', '-'], "").as_str() {
        "allreduce" => Collective::Allreduce,
        "allgather" => Collective::Allgather,
        "reducescatter" => Collective::ReduceScatterBlock,
        "alltoall" => Collective::Alltoall,
        "broadcast" | "bcast" => Collective::Bcast,
        "reduce" => Collective::Reduce,
        "gather" => Collective::Gather,
        "scatter" => Collective::Scatter,
        _ => Collective::Custom,
    }
}

/// Returns the runtime's name of a collective.
pub(crate) fn runtime_name(collective: Collective) -> &'static str {
    match collective {
        Collective::Bcast => "broadcast",
        Collective::ReduceScatterBlock => "reducescatter",
        other => other.name(),
    }
}

/// Returns the only rank that receives nothing in a broadcast or a scatter, or sends nothing in a reduction or a gather, or rank 0.
fn guess_root(algorithm: &Algorithm, collective: Collective) -> u32 {
    let is_root = |gpu: &Gpu| {
        gpu.blocks.iter().flat_map(|block| &block.steps).all(|step| match collective {
            Collective::Reduce | Collective::Gather => !step.kind.sends(),
            _ => !step.kind.receives(),
        })
    };
    let mut roots = (0..).zip(&algorithm.gpus).filter(|(_, gpu)| is_root(gpu)).map(|(rank, _)| rank);
    match (roots.next(), roots.next()) {
        (Some(root), None) => root,
        _ => 0,
    }
}

/// The rails of the connections that the file calls by numbers beyond the last rail.
type Rails = HashMap<(u32, u32, u32), u32>;

/// Returns the rails of channels, where the numbers of the channels are none.
fn rails(algorithm: &Algorithm) -> Result<Rails, Problem> {
    let blocks = || {
        (0..).zip(&algorithm.gpus).flat_map(|(rank, gpu)| gpu.blocks.iter().map(move |block| (rank, block)))
    };
    if blocks().all(|(_, block)| block.channel < MAX_RAILS) {
        return Ok(Rails::new());
    }
    let mut connections = BTreeSet::new();
    for (rank, block) in blocks() {
        connections.extend(block.send.map(|peer| (rank, peer, block.channel)));
        connections.extend(block.receive.map(|peer| (peer, rank, block.channel)));
    }
    let mut rails = Rails::new();
    let mut last = None;
    for (from, to, channel) in connections {
        let rail = match last {
            Some((pair, rail)) if pair == (from, to) => rail + 1,
            _ => 0,
        };
        if rail >= MAX_RAILS {
            let message = format!("ranks {from} and {to} are connected by more than {MAX_RAILS} channels");
            return Err(Problem::new(Place::Line(algorithm.line), message));
        }
        last = Some(((from, to), rail));
        rails.insert((from, to, channel), rail);
    }
    Ok(rails)
}

/// A message of a connection that may still be in its buffer.
#[derive(Clone, Copy)]
struct Held {
    send: u32,
    chunks: u64,
}

/// One rank while its steps become operations.
struct Side<'a> {
    schedule: &'a Schedule,
    rank: u32,
    gpu: &'a Gpu,
    chunk: u64,
    held: u64,
    rails: &'a Rails,
    operations: Vec<Operation>,
    origins: Vec<Origin>,
    /// The chunks of scratch memory that are used.
    scratch: u64,
    /// For each thread block, the operations whose completion ends each of its steps so far.
    ends: Vec<Vec<Vec<u32>>>,
    /// For each thread block, the last messages that it sent.
    sent: Vec<Vec<Held>>,
}

impl<'a> Side<'a> {
    fn new(schedule: &'a Schedule, rank: u32, gpu: &'a Gpu, chunk: u64, held: u64, rails: &'a Rails) -> Self {
        Self {
            schedule,
            rank,
            gpu,
            chunk,
            held,
            rails,
            operations: Vec::new(),
            origins: Vec::new(),
            scratch: gpu.chunks[2],
            ends: vec![Vec::new(); gpu.blocks.len()],
            sent: vec![Vec::new(); gpu.blocks.len()],
        }
    }

    /// Runs the thread blocks in turns: each goes on until it waits for a step that has not been reached.
    fn run(&mut self) -> Result<(), Problem> {
        let gpu = self.gpu;
        let mut waiting: HashMap<(usize, usize), Vec<usize>> = HashMap::new();
        let mut ready: Vec<usize> = (0..gpu.blocks.len()).rev().collect();
        while let Some(block) = ready.pop() {
            while let Some(step) = gpu.blocks[block].steps.get(self.ends[block].len()) {
                let target = self.awaited(step);
                if let Some((other, at)) = target.filter(|&(other, at)| self.ends[other].len() <= at) {
                    waiting.entry((other, at)).or_default().push(block);
                    break;
                }
                self.step(block, *step, target);
                if let Some(woken) = waiting.remove(&(block, self.ends[block].len() - 1)) {
                    ready.extend(woken);
                }
            }
        }
        match (0..gpu.blocks.len()).find(|&block| self.ends[block].len() < gpu.blocks[block].steps.len()) {
            None => Ok(()),
            Some(block) => Err(self.circle(block)),
        }
    }

    /// Returns the place of the step that a step waits for.
    fn awaited(&self, step: &Step) -> Option<(usize, usize)> {
        let (block, at) = step.waits?;
        let place = self.gpu.blocks.binary_search_by_key(&block, |known| known.id).ok()?;
        let at = find(&self.gpu.blocks, block)?.signal(at)?;
        Some((place, at))
    }

    /// Follows what a thread block waits for until the circle closes.
    fn circle(&self, first: usize) -> Problem {
        let mut way: Vec<usize> = vec![first];
        loop {
            let block = way[way.len() - 1];
            let step = &self.gpu.blocks[block].steps[self.ends[block].len()];
            let Some((next, _)) = self.awaited(step) else { break };
            if let Some(start) = way.iter().position(|&known| known == next) {
                way.drain(..start);
                break;
            }
            way.push(next);
        }
        let name = |&block: &usize| {
            let Block { id, steps, .. } = &self.gpu.blocks[block];
            let at = self.ends[block].len();
            let (on, step) = steps[at].waits.unwrap_or_default();
            format!(
                "thread block {id}, step {at} (line {}) waits for thread block {on}, step {step}",
                steps[at].line
            )
        };
        let circle = way.iter().take(8).map(name).collect::<Vec<_>>().join("; ");
        let line = self.gpu.blocks[way[0]].steps[self.ends[way[0]].len()].line;
        Problem::new(
            Place::Line(line),
            format!("rank {}: thread blocks wait for each other forever: {circle}", self.rank),
        )
    }

    fn step(&mut self, block: usize, step: Step, target: Option<(usize, usize)>) {
        let gpu = self.gpu;
        let of_block = &gpu.blocks[block];
        let place = self.ends[block].len();
        let mut after: Vec<u32> = self.ends[block].last().cloned().unwrap_or_default();
        if let Some((other, at)) = target {
            after.extend(&self.ends[other][at]);
            after.sort_unstable();
            after.dedup();
        }
        if step.kind == Kind::Nop || step.count == 0 {
            self.ends[block].push(after);
            return;
        }
        let origin = Origin { line: step.line, step: Some((of_block.id, place as u32)) };
        if step.kind.sends() {
            after.extend(self.room(block, step.count));
            after.sort_unstable();
            after.dedup();
        }
        let source = self.part(step.source.buffer, step.source.offset, step.count);
        let into = self.part(step.target.buffer, step.target.offset, step.count);
        let mut end = after;
        let mut result = source;
        if step.kind.receives() {
            // Nothing is written before the message is there: it arrives in memory of its own.
            let arrived = self.fresh(step.count);
            let peer = of_block.receive.unwrap_or_default();
            let rail = self.rail(peer, self.rank, of_block.channel);
            let action = Action::Receive { peer, rail, parts: vec![arrived] };
            end = vec![self.add(action, end, origin)];
            result = if step.kind == Kind::ReceiveReduceSend { self.fresh(step.count) } else { into };
            let action = if matches!(step.kind, Kind::Receive | Kind::ReceiveCopySend) {
                Action::Copy { parts: vec![arrived], into: result }
            } else {
                Action::Reduce { parts: vec![source, arrived], into: result }
            };
            end = vec![self.add(action, end, origin)];
        }
        match step.kind {
            // A step that copies chunks onto themselves changes nothing.
            Kind::Copy if source != into => {
                end = vec![self.add(Action::Copy { parts: vec![source], into }, end, origin)];
            }
            Kind::Reduce => {
                end = vec![self.add(Action::Reduce { parts: vec![into, source], into }, end, origin)];
            }
            _ => {}
        }
        if step.kind.sends() {
            let peer = of_block.send.unwrap_or_default();
            let rail = self.rail(self.rank, peer, of_block.channel);
            let slot = if step.kind == Kind::ReceiveReduceSend {
                result
            } else {
                let slot = self.fresh(step.count);
                end = vec![self.add(Action::Copy { parts: vec![result], into: slot }, end, origin)];
                slot
            };
            let action = Action::Send { peer, rail, parts: vec![slot] };
            let send = self.add(action, end.clone(), origin);
            self.sent[block].push(Held { send, chunks: step.count });
            if step.count > self.held {
                // The sender goes on when the receiver has taken what does not fit.
                end = vec![send];
            }
        }
        self.ends[block].push(end);
    }

    /// Returns the last message that must have left the buffer of the connection before `count` chunks fit, and drops those
    /// that no later one needs.
    fn room(&mut self, block: usize, count: u64) -> Option<u32> {
        let sent = &mut self.sent[block];
        let mut free = self.held.saturating_sub(count);
        let mut kept = sent.len();
        while kept > 0 && sent[kept - 1].chunks <= free {
            kept -= 1;
            free -= sent[kept].chunks;
        }
        let last = kept.checked_sub(1).map(|last| sent[last].send);
        sent.drain(..kept);
        last
    }

    fn add(&mut self, action: Action, after: Vec<u32>, origin: Origin) -> u32 {
        self.operations.push(Operation { action, after });
        self.origins.push(origin);
        self.operations.len() as u32 - 1
    }

    /// Returns memory that nothing else uses.
    fn fresh(&mut self, count: u64) -> Part {
        let part = self.chunks(Buffer::Scratch, self.scratch, count);
        self.scratch = self.scratch.saturating_add(count);
        part
    }

    fn chunks(&self, buffer: Buffer, offset: u64, count: u64) -> Part {
        Part { buffer, offset: offset.saturating_mul(self.chunk), bytes: count.saturating_mul(self.chunk) }
    }

    /// Returns the bytes of chunks; those of input and output are the same where the call is in place.
    fn part(&self, buffer: usize, offset: u64, count: u64) -> Part {
        let Schedule { collective, request, .. } = self.schedule;
        let own = u64::from(self.rank) * request.count();
        let in_place = request.is_in_place(*collective);
        let (buffer, offset) = match (buffer, in_place) {
            (2, _) => (Buffer::Scratch, offset),
            (0, false) => (Buffer::Send, offset),
            (_, false) => (Buffer::Receive, offset),
            // Nothing states where the two are, so they are taken for different ones.
            (1, true) if *collective == Collective::Custom => (Buffer::Data, request.count() + offset),
            (0, true) if matches!(collective, Collective::Allgather | Collective::Gather) => {
                (Buffer::Data, own + offset)
            }
            (1, true) if matches!(collective, Collective::ReduceScatterBlock | Collective::Scatter) => {
                (Buffer::Data, own + offset)
            }
            (_, true) => (Buffer::Data, offset),
        };
        self.chunks(buffer, offset, count)
    }

    fn rail(&self, from: u32, to: u32, channel: u32) -> u32 {
        self.rails.get(&(from, to, channel)).copied().unwrap_or(channel)
    }
}
