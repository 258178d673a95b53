//! Schedules of other projects, recognised by their bytes.
//!
//! ```text
//!  bytes ─► qtdec-schedule/1 ─┐
//!        ─► MSCCL XML ────────┼─► Schedule, with the line of each operation ─► verify ─► Verified
//!        ─► GOAL text ────────┘
//! ```
//!
//! What a file does not state is not checked, and [`Imported::unchecked`] says so.

mod goal;
mod msccl;

use std::collections::HashMap;
use std::sync::Arc;

use msccl::Connections;
use qtdec_core::{MAX_BYTES, Place, Problem, Problems};

use super::fault::{Fault, FaultKind, Site};
use super::graph::Graph;
use super::{MAX_RAILS, Schedule, Verified};

/// A schedule that was read from a file.
#[derive(Clone, Debug)]
pub struct Imported {
    /// The name of the file's format.
    pub format: &'static str,
    /// The schedule; of a file that serves calls in place and others, that of the call in place.
    pub schedule: Schedule,
    /// What the file holds, in words of its format.
    pub holds: String,
    /// What the proof leaves out, and why, in sentences.
    pub unchecked: Vec<String>,
    /// What the program that the file is for would refuse, and what it depends on.
    pub warnings: Vec<Problem>,
    /// The places of the operations of all ranks; none if a fault names the operation as the file does.
    origins: Vec<Vec<Origin>>,
    /// Whether further calls that the file serves are in place.
    other_uses: Vec<bool>,
    /// What makes the schedules of further calls, and of connections that hold more.
    program: Option<msccl::Program>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Origin {
    /// The line, counted from 1.
    line: u64,
    /// The thread block and its step, if the format has any.
    step: Option<(u32, u32)>,
}

/// Reads a schedule of a known format: `qtdec-schedule/1`, MSCCL XML or GOAL text.
///
/// `msg_size` is the size in bytes that [`Request`](super::Request) counts; it divides into the chunks of a file that states no
/// bytes, which have one byte each without it. `root` is the root of a rooted collective in a file that names none.
///
/// # Errors
///
/// Returns what is wrong with the file, with its lines. A file of another format is one that is wrong. The schedule is not
/// proved yet: see [`Imported::verify`].
pub fn import(bytes: &[u8], msg_size: Option<u64>, root: Option<u32>) -> Result<Imported, Problems> {
    if bytes.len() > MAX_BYTES {
        let fault = format!("the file has more than {} MiB", MAX_BYTES >> 20);
        return Err(Problem::new(Place::File, fault).into());
    }
    let text =
        std::str::from_utf8(bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes)).map_err(|error| {
            let line = bytes[..error.valid_up_to()].split(|&byte| byte == b'\n').count() as u64;
            Problem::new(Place::Line(line), "the file is not text in UTF-8")
        })?;
    match text.trim_start().as_bytes().first() {
        Some(b'{') => Ok(Imported::new("qtdec-schedule/1", Schedule::from_json(text)?, String::new())),
        Some(b'<') => msccl::read(text, msg_size, root),
        _ if goal::is(text) => goal::read(text),
        _ => {
            let problem = Problem::new(Place::File, "the file is not a schedule of a known format");
            let known =
                "qtdec reads qtdec-schedule/1 (JSON), MSCCL XML (`<algo …>`) and GOAL text (`num_ranks …`)";
            Err(problem.help(known).into())
        }
    }
}

impl Imported {
    /// Returns a file that serves one call, of which the proof leaves out nothing.
    fn new(format: &'static str, schedule: Schedule, holds: String) -> Self {
        Self {
            format,
            schedule,
            holds,
            unchecked: Vec::new(),
            warnings: Vec::new(),
            origins: Vec::new(),
            other_uses: Vec::new(),
            program: None,
        }
    }

    /// Proves the schedules of all calls that the file serves.
    ///
    /// A schedule whose connections must hold several messages at once is proved for connections that do, and a warning is added.
    ///
    /// # Errors
    ///
    /// Returns the first fault, with its line.
    pub fn verify(mut self) -> Result<Proved, Problems> {
        let graph = match self.prove(Connections::Least) {
            Ok(graph) => graph,
            Err(found) => {
                let stuck = matches!(found.0.kind, FaultKind::Deadlock(..));
                let Some(program) = self.program.as_ref().filter(|_| stuck) else {
                    return Err(self.placed(*found).into());
                };
                let in_place = self.schedule.request.is_in_place(self.schedule.collective);
                // The operations are the same, and so are their places.
                self.schedule = program.schedule(in_place, Connections::Everything)?.0;
                let graph = self.prove(Connections::Everything).map_err(|found| self.placed(*found))?;
                let message = "thread blocks wait for each other once messages do not fit into the buffers of their \
                               connections; the proof holds for messages that do";
                self.warnings.push(Problem::new(self.placed(*found).place, message));
                graph
            }
        };
        self.program = None;
        Ok(Proved { file: self, graph: Arc::new(graph) })
    }

    fn prove(&self, connections: Connections) -> Result<Graph, Box<Found>> {
        let found = |fault, of_other| Box::new((fault, of_other));
        let graph = self.schedule.prove().map_err(|fault| found(fault, None))?;
        for &in_place in &self.other_uses {
            if let Some(Ok((schedule, origins))) =
                self.program.as_ref().map(|program| program.schedule(in_place, connections))
            {
                schedule.prove().map_err(|fault| found(fault, Some(origins)))?;
            }
        }
        Ok(graph)
    }

    /// Returns a fault at its line, with the words of the file for operations.
    fn placed(&self, (mut fault, of_other): Found) -> Problem {
        let origins = of_other.as_ref().unwrap_or(&self.origins);
        let origin = |site: &Site| origins.get(site.rank as usize)?.get(site.operation).copied();
        let line = match (&fault.site, &fault.kind) {
            (Some(site), _) => origin(site),
            (None, FaultKind::Deadlock(cycle)) => cycle.first().and_then(origin),
            _ => None,
        };
        let mut sites: Vec<&mut Site> = fault.site.iter_mut().collect();
        match &mut fault.kind {
            FaultKind::Deadlock(cycle) => sites.extend(cycle),
            FaultKind::Conflict(with, _) => sites.push(with),
            FaultKind::MessageLength(_, receive, _) => sites.push(receive),
            _ => {}
        }
        for site in sites {
            if let Some(Origin { line, step }) = origin(site) {
                let step = step
                    .map_or_else(String::new, |(block, step)| format!("thread block {block}, step {step}, "));
                site.text = format!("{step}line {line} ({})", site.text);
                site.is_named = true;
            }
        }
        let use_of = if of_other.is_some() { "in a call that is not in place: " } else { "" };
        let place = line.map_or(Place::File, |origin| Place::Line(origin.line));
        Problem::new(place, format!("{use_of}{fault}"))
    }
}

/// A file whose schedules have been proved.
#[derive(Debug)]
pub struct Proved {
    /// What the file holds.
    pub file: Imported,
    graph: Arc<Graph>,
}

impl Proved {
    /// Returns the proved schedule.
    pub fn verified(&self) -> Verified<'_> {
        Verified::of(&self.file.schedule, Arc::clone(&self.graph))
    }
}

/// A fault, with the places of the operations if it is one of another use than the first.
type Found = (Fault, Option<Vec<Vec<Origin>>>);

/// The sender, the receiver, and the number of a connection: a tag, or a channel.
type Connection = (u32, u32, u32);

/// The rails of connections: their numbers, or others if one is beyond the last rail.
#[derive(Clone, Debug, Default)]
struct Rails(HashMap<Connection, u32>);

impl Rails {
    /// Gives connections the rails of their ranks in the order in which they come. Returns the first one for which none is left.
    fn new<T>(connections: impl Iterator<Item = (Connection, T)> + Clone) -> Result<Self, (Connection, T)> {
        let mut rails = HashMap::new();
        if connections.clone().all(|((.., number), _)| number < MAX_RAILS) {
            return Ok(Self(rails));
        }
        let mut used: HashMap<(u32, u32), u32> = HashMap::new();
        for (connection, at) in connections {
            let (from, to, _) = connection;
            if rails.contains_key(&connection) {
                continue;
            }
            let rail = used.entry((from, to)).or_default();
            if *rail == MAX_RAILS {
                return Err((connection, at));
            }
            rails.insert(connection, *rail);
            *rail += 1;
        }
        Ok(Self(rails))
    }

    fn of(&self, connection: Connection) -> u32 {
        self.0.get(&connection).copied().unwrap_or(connection.2)
    }
}
