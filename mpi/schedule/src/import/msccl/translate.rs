//! The operations of an algorithm's steps.

use std::collections::{BTreeSet, HashMap};

use qtdec_core::{Place, Problem, Problems};

use super::super::{Imported, Origin, Rails};
use super::elements::{Algorithm, Block, Gpu, Kind, Step, find};
use crate::Collective;
use crate::{Action, Buffer, MAX_OPERATIONS, MAX_RAILS, Operation, Part, RankSchedule, Request, Schedule};

/// The chunks that a connection holds at least, whatever their size: half of the buffer's eight slots a chunk with the
/// protocol `Simple`, and one slot a chunk with the others.
const HELD_SIMPLE: u64 = 2;
const HELD_LOW_LATENCY: u64 = 8;

/// The maximum number of steps, each of which has up to four operations: with the proof, they fit into a gigabyte.
const MAX_STEPS: usize = MAX_OPERATIONS / 32;

pub(super) fn translate(
    algorithm: Algorithm,
    mut warnings: Vec<Problem>,
    msg_size: Option<u64>,
    root: Option<u32>,
) -> Result<Imported, Problems> {
    let steps: usize = algorithm.gpus.iter().flat_map(|gpu| &gpu.blocks).map(|block| block.steps.len()).sum();
    if steps > MAX_STEPS {
        let fault = algorithm.fault(format!("the file has {steps} steps; a proof takes at most {MAX_STEPS}"));
        return Err(fault.help("use fewer ranks, or fewer chunks (nchunksperloop)").into());
    }
    let collective = collective(&algorithm.collective);
    let mut unchecked = unchecked(&algorithm, collective);
    warnings.extend(unknown_name(&algorithm, collective));
    let count = count(&algorithm, collective)?;
    let chunk = chunk(&algorithm, count, msg_size)?;
    let named = root.or(algorithm.root);
    let root = named.unwrap_or_else(|| guess_root(&algorithm, collective));
    if named.is_none() && collective.is_rooted() {
        unchecked.push(format!("the root, which the file does not name: rank {root} is taken"));
    }
    let request = Request::new(algorithm.gpus.len() as u32, count)
        .and_then(|request| request.element_size(chunk))
        .and_then(|request| request.root(if collective.is_rooted() { root } else { 0 }))
        .map_err(|error| algorithm.fault(error.to_string()))?;
    let low_latency = ["LL", "LL128"].contains(&algorithm.protocol.as_str());
    let held = if low_latency { HELD_LOW_LATENCY } else { HELD_SIMPLE };
    let uses: &[bool] = match (algorithm.in_place, algorithm.out_of_place) {
        (true, true) if collective != Collective::Custom => &[true, false],
        (true, _) => &[true],
        _ => &[false],
    };
    let holds = holds(&algorithm, collective, uses, (chunk, steps));
    let rails = rails(&algorithm)?;
    let program = Program { algorithm, collective, request, chunk, held, rails };
    let (schedule, origins) = program.schedule(uses[0], Connections::Least)?;
    let (other_uses, program) = (uses[1..].to_vec(), Some(program));
    let file = Imported::new("MSCCL XML", schedule, holds);
    Ok(Imported { unchecked, warnings, origins, other_uses, program, ..file })
}

fn unchecked(algorithm: &Algorithm, collective: Collective) -> Vec<String> {
    let mut unchecked = vec![
        "the steps are followed through one pass of the loop; other passes use other bytes of the same chunks".to_owned(),
    ];
    match &*algorithm.collective {
        "" => unchecked.push("contents: the file names no collective".to_owned()),
        name if collective == Collective::Custom => unchecked.push(format!(
            "contents: no standard states the result of coll=\"{name}\"; progress, matching, races and reads of undefined \
             chunks are checked"
        )),
        _ => {}
    }
    unchecked
}

/// Returns a warning of a collective that the runtime calls otherwise.
fn unknown_name(algorithm: &Algorithm, collective: Collective) -> Option<Problem> {
    let (name, known) = (&*algorithm.collective, runtime_name(collective));
    (collective != Collective::Custom && name != known).then(|| {
        let fault = algorithm.fault(format!("the runtime does not know coll=\"{name}\""));
        fault.help(format!("it is `{known}` there"))
    })
}

/// Returns the chunks that a request of the collective counts.
fn count(algorithm: &Algorithm, collective: Collective) -> Result<u64, Problem> {
    let (chunks, ranks) = (algorithm.chunks, algorithm.gpus.len() as u64);
    let parts = match collective {
        Collective::Custom => {
            let inputs = algorithm.gpus.iter().map(|gpu| gpu.chunks[0]);
            return Ok(inputs.max().unwrap_or(0).max(chunks));
        }
        Collective::Allgather | Collective::Alltoall | Collective::ReduceScatterBlock => ranks,
        // Of a gather or a scatter, the runtime divides the block of one rank into chunks.
        _ => 1,
    };
    if chunks.is_multiple_of(parts) {
        return Ok(chunks / parts);
    }
    let message =
        format!("nchunksperloop=\"{chunks}\" does not divide among the {ranks} ranks of {collective}");
    Err(algorithm.fault(message))
}

/// Returns the bytes of a chunk in a message of a size.
fn chunk(algorithm: &Algorithm, count: u64, msg_size: Option<u64>) -> Result<u64, Problem> {
    match msg_size {
        None => Ok(1),
        Some(bytes) if bytes > 0 && bytes.is_multiple_of(count) => Ok(bytes / count),
        Some(bytes) => {
            let fault =
                algorithm.fault(format!("a message of {bytes} bytes does not divide into {count} chunks"));
            Err(fault.help(format!("use a multiple of {count}")))
        }
    }
}

/// Describes an algorithm in words of its format.
fn holds(
    algorithm: &Algorithm,
    collective: Collective,
    uses: &[bool],
    (chunk, steps): (u64, usize),
) -> String {
    let what =
        if collective == Collective::Custom { "an exchange".to_owned() } else { collective.to_string() };
    let place = match uses {
        [_, _] => "in place and not",
        [true] => "in place",
        _ => "not in place",
    };
    let unit = if chunk == 1 { "byte" } else { "bytes" };
    let Algorithm { gpus, chunks, .. } = algorithm;
    let blocks: usize = gpus.iter().map(|gpu| gpu.blocks.len()).sum();
    format!(
        "{what} among {} ranks, {place}: {chunks} chunks of {chunk} {unit}, {blocks} thread blocks, {steps} steps",
        gpus.len()
    )
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
            let mut side = Side {
                program: self,
                schedule: &schedule,
                rank,
                gpu,
                held,
                operations: Vec::new(),
                origins: Vec::new(),
                scratch: gpu.chunks[2],
                ends: vec![Vec::new(); gpu.blocks.len()],
                sent: vec![Vec::new(); gpu.blocks.len()],
            };
            side.run()?;
            if side.scratch.checked_mul(self.chunk).is_none_or(|bytes| bytes > 1 << 62) {
                let message = "the chunks of all steps together have more than 2^62 bytes";
                return Err(self.algorithm.fault(message.to_owned()));
            }
            origins.push(side.origins);
            let operations = side.operations;
            schedule.ranks.push(RankSchedule { rank, operations });
        }
        Ok((schedule, origins))
    }
}

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
    let passes_on = match collective {
        Collective::Reduce | Collective::Gather => Kind::sends,
        _ => Kind::receives,
    };
    let mut roots = (0..).zip(&algorithm.gpus).filter_map(|(rank, gpu)| {
        let mut steps = gpu.blocks.iter().flat_map(|block| &block.steps);
        (!steps.any(|step| passes_on(step.kind))).then_some(rank)
    });
    match (roots.next(), roots.next()) {
        (Some(root), None) => root,
        _ => 0,
    }
}

fn rails(algorithm: &Algorithm) -> Result<Rails, Problem> {
    let mut connections = BTreeSet::new();
    for (rank, gpu) in (0..).zip(&algorithm.gpus) {
        for block in &gpu.blocks {
            connections.extend(block.send.map(|peer| ((rank, peer, block.channel), ())));
            connections.extend(block.receive.map(|peer| ((peer, rank, block.channel), ())));
        }
    }
    Rails::new(connections.iter().copied()).map_err(|((from, to, _), ())| {
        algorithm.fault(format!("ranks {from} and {to} are connected by more than {MAX_RAILS} channels"))
    })
}

/// One rank while its steps become operations.
struct Side<'a> {
    program: &'a Program,
    schedule: &'a Schedule,
    rank: u32,
    gpu: &'a Gpu,
    held: u64,
    operations: Vec<Operation>,
    origins: Vec<Origin>,
    /// The chunks of scratch memory that are used.
    scratch: u64,
    /// For each thread block, the operations whose completion ends each of its steps so far.
    ends: Vec<Vec<Vec<u32>>>,
    /// For each thread block, the last messages that it sent, which may still be in the buffer of the connection, with their chunks.
    sent: Vec<Vec<(u32, u64)>>,
}

impl Side<'_> {
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
        let circle: Vec<String> = way.iter().take(8).map(|&block| self.wait_of(block)).collect();
        let circle = circle.join("; ");
        let line = self.gpu.blocks[way[0]].steps[self.ends[way[0]].len()].line;
        let message = format!("rank {}: thread blocks wait for each other forever: {circle}", self.rank);
        Problem::new(Place::Line(line), message)
    }

    /// Describes what a thread block waits for.
    fn wait_of(&self, block: usize) -> String {
        let Block { id, steps, .. } = &self.gpu.blocks[block];
        let at = self.ends[block].len();
        let (on, step) = steps[at].waits.unwrap_or_default();
        let line = steps[at].line;
        format!("thread block {id}, step {at} (line {line}) waits for thread block {on}, step {step}")
    }

    fn step(&mut self, block: usize, step: Step, target: Option<(usize, usize)>) {
        let mut after: Vec<u32> = self.ends[block].last().cloned().unwrap_or_default();
        if let Some((other, at)) = target {
            after.extend(&self.ends[other][at]);
        }
        let is_empty = step.kind == Kind::Nop || step.count == 0;
        if step.kind.sends() && !is_empty {
            after.extend(self.room(block, step.count));
        }
        after.sort_unstable();
        after.dedup();
        if is_empty {
            self.ends[block].push(after);
            return;
        }
        let id = self.gpu.blocks[block].id;
        let origin = Origin { line: step.line, step: Some((id, self.ends[block].len() as u32)) };
        let source = self.part(step.source.buffer, step.source.offset, step.count);
        let into = self.part(step.target.buffer, step.target.offset, step.count);
        let (mut end, mut result) = (after, source);
        match step.kind {
            kind if kind.receives() => (end, result) = self.receive(block, step, [source, into], end, origin),
            // A step that copies chunks onto themselves changes nothing.
            Kind::Copy if source != into => {
                end = self.add(Action::Copy { parts: vec![source], into }, end, origin);
            }
            Kind::Reduce => {
                end = self.add(Action::Reduce { parts: vec![into, source], into }, end, origin);
            }
            _ => {}
        }
        if step.kind.sends() {
            end = self.send(block, step, result, end, origin);
        }
        self.ends[block].push(end);
    }

    /// Receives a message and copies or combines it. Returns what ends that, and the place of the result.
    fn receive(
        &mut self,
        block: usize,
        step: Step,
        [source, into]: [Part; 2],
        after: Vec<u32>,
        origin: Origin,
    ) -> (Vec<u32>, Part) {
        let Block { receive, channel, .. } = self.gpu.blocks[block];
        let peer = receive.unwrap_or_default();
        // Nothing is written before the message is there: it arrives in memory of its own.
        let arrived = self.fresh(step.count);
        let rail = self.program.rails.of((peer, self.rank, channel));
        let end = self.add(Action::Receive { peer, rail, parts: vec![arrived] }, after, origin);
        let result = if step.kind == Kind::ReceiveReduceSend { self.fresh(step.count) } else { into };
        let action = match step.kind {
            Kind::Receive | Kind::ReceiveCopySend => Action::Copy { parts: vec![arrived], into: result },
            _ => Action::Reduce { parts: vec![source, arrived], into: result },
        };
        (self.add(action, end, origin), result)
    }

    /// Sends chunks from memory of their own, and returns after what the sender goes on.
    fn send(&mut self, block: usize, step: Step, chunks: Part, after: Vec<u32>, origin: Origin) -> Vec<u32> {
        let Block { send, channel, .. } = self.gpu.blocks[block];
        let peer = send.unwrap_or_default();
        let rail = self.program.rails.of((self.rank, peer, channel));
        let (mut end, mut slot) = (after, chunks);
        if step.kind != Kind::ReceiveReduceSend {
            slot = self.fresh(step.count);
            end = self.add(Action::Copy { parts: vec![chunks], into: slot }, end, origin);
        }
        let sent = self.add(Action::Send { peer, rail, parts: vec![slot] }, end.clone(), origin);
        self.sent[block].push((sent[0], step.count));
        // The sender goes on when the receiver has taken what does not fit.
        if step.count > self.held { sent } else { end }
    }

    /// Returns the last message that must have left the buffer of the connection before `count` chunks fit, and drops those
    /// that no later one needs.
    fn room(&mut self, block: usize, count: u64) -> Option<u32> {
        let sent = &mut self.sent[block];
        let mut free = self.held.saturating_sub(count);
        let mut kept = sent.len();
        while kept > 0 && sent[kept - 1].1 <= free {
            kept -= 1;
            free -= sent[kept].1;
        }
        let last = kept.checked_sub(1).map(|last| sent[last].0);
        sent.drain(..kept);
        last
    }

    /// Adds an operation, and returns what waits for its end wait for.
    fn add(&mut self, action: Action, after: Vec<u32>, origin: Origin) -> Vec<u32> {
        self.operations.push(Operation { action, after });
        self.origins.push(origin);
        vec![self.operations.len() as u32 - 1]
    }

    /// Returns memory that nothing else uses.
    fn fresh(&mut self, count: u64) -> Part {
        let part = self.chunks(Buffer::Scratch, self.scratch, count);
        self.scratch = self.scratch.saturating_add(count);
        part
    }

    fn chunks(&self, buffer: Buffer, offset: u64, count: u64) -> Part {
        let chunk = self.program.chunk;
        Part { buffer, offset: offset.saturating_mul(chunk), bytes: count.saturating_mul(chunk) }
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
}
