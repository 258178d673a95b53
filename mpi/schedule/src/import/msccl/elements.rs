//! The elements of a file and their attributes, checked one by one.

use std::collections::{BTreeMap, HashMap};

use qtdec_core::{Place, Problem, Problems};
use roxmltree::{Document, Node, ParsingOptions};

/// The maximum number of elements and texts of a file.
const MAX_NODES: u32 = 1 << 20;

/// The maximum number of chunks of a buffer or a step.
const MAX_CHUNKS: i64 = 1 << 24;

/// The maximum number of a channel or a thread block.
const MAX_NUMBER: i64 = 1 << 20;

/// The limits of the runtime: the steps of a thread block in RCCL, and the chunks of a step.
const STEPS: usize = 64;
const COUNT: u64 = 72;

#[derive(Clone, Debug)]
pub(super) struct Algorithm {
    pub(super) line: u64,
    pub(super) name: String,
    pub(super) collective: String,
    pub(super) chunks: u64,
    pub(super) protocol: String,
    pub(super) in_place: bool,
    pub(super) out_of_place: bool,
    pub(super) root: Option<u32>,
    pub(super) gpus: Vec<Gpu>,
}

impl Algorithm {
    pub(super) fn fault(&self, message: String) -> Problem {
        Problem::new(Place::Line(self.line), message)
    }
}

/// The side of one rank.
#[derive(Clone, Debug)]
pub(super) struct Gpu {
    /// The chunks of its buffers: input, output, scratch.
    pub(super) chunks: [u64; 3],
    /// The thread blocks, by number.
    pub(super) blocks: Vec<Block>,
}

#[derive(Clone, Debug)]
pub(super) struct Block {
    pub(super) line: u64,
    pub(super) id: u32,
    pub(super) send: Option<u32>,
    pub(super) receive: Option<u32>,
    pub(super) channel: u32,
    pub(super) steps: Vec<Step>,
    /// For each step, the first one from there on that ends a wait for it.
    signals: Vec<Option<usize>>,
}

impl Block {
    /// Returns the step that ends a wait for step `at`.
    pub(super) fn signal(&self, at: u32) -> Option<usize> {
        self.signals.get(at as usize).copied().flatten()
    }

    fn find_signals(&mut self) {
        let mut next = None;
        self.signals = vec![None; self.steps.len()];
        for (place, step) in self.steps.iter().enumerate().rev() {
            // The runtime leaves out a `nop`, so it tells nobody.
            if step.signals && step.kind != Kind::Nop {
                next = Some(place);
            }
            self.signals[place] = next;
        }
    }
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    pub(super) line: u64,
    pub(super) kind: Kind,
    pub(super) source: Chunks,
    pub(super) target: Chunks,
    pub(super) count: u64,
    /// The thread block and the step that this one waits for.
    pub(super) waits: Option<(u32, u32)>,
    /// Whether others can wait for it.
    pub(super) signals: bool,
}

/// The first chunk of a step.
#[derive(Clone, Copy, Debug)]
pub(super) struct Chunks {
    /// Input, output, or scratch.
    pub(super) buffer: usize,
    pub(super) offset: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Send,
    Receive,
    ReceiveCopySend,
    ReceiveReduceSend,
    ReceiveReduceCopy,
    ReceiveReduceCopySend,
    Copy,
    Reduce,
    Nop,
}

const KINDS: [(&str, Kind); 9] = [
    ("s", Kind::Send),
    ("r", Kind::Receive),
    ("rcs", Kind::ReceiveCopySend),
    ("rrs", Kind::ReceiveReduceSend),
    ("rrc", Kind::ReceiveReduceCopy),
    ("rrcs", Kind::ReceiveReduceCopySend),
    ("cpy", Kind::Copy),
    ("re", Kind::Reduce),
    ("nop", Kind::Nop),
];

impl Kind {
    pub(super) fn sends(self) -> bool {
        matches!(
            self,
            Self::Send | Self::ReceiveCopySend | Self::ReceiveReduceSend | Self::ReceiveReduceCopySend
        )
    }

    pub(super) fn receives(self) -> bool {
        matches!(
            self,
            Self::Receive
                | Self::ReceiveCopySend
                | Self::ReceiveReduceSend
                | Self::ReceiveReduceCopy
                | Self::ReceiveReduceCopySend
        )
    }

    pub(super) fn reads_source(self) -> bool {
        !matches!(self, Self::Receive | Self::ReceiveCopySend | Self::Nop)
    }

    pub(super) fn writes_target(self) -> bool {
        !matches!(self, Self::Send | Self::ReceiveReduceSend | Self::Nop)
    }
}

const BUFFERS: [&str; 3] = ["i", "o", "s"];

/// Reads the elements. Attributes that only the runtime needs are warnings.
pub(super) fn read(text: &str) -> Result<(Algorithm, Vec<Problem>), Problems> {
    let options = ParsingOptions { nodes_limit: MAX_NODES, ..ParsingOptions::default() };
    let document = Document::parse_with_options(text, options).map_err(|error| {
        let line = u64::from(error.pos().row);
        let message = match error {
            roxmltree::Error::NodesLimitReached => {
                format!("the file has more than {MAX_NODES} elements and texts; use fewer ranks or steps")
            }
            error => format!("the file is not XML: {error}"),
        };
        Problem::new(Place::Line(line), message)
    })?;
    let lines = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(at, _)| at).collect();
    let mut file = File { lines, warnings: Vec::new(), lacking: Vec::new() };
    let algorithm = file.algorithm(document.root_element())?;
    if let Some((line, first)) = file.lacking.first() {
        let names = list(file.lacking.iter().map(|(_, name)| *name));
        let message = format!(
            "the runtime refuses a file without {names}, which {} missing",
            if file.lacking.len() == 1 { "is" } else { "are" }
        );
        let help = match *first {
            "minBytes" | "maxBytes" => "minBytes=\"0\" maxBytes=\"0\" serve messages of every size",
            _ => "msccl-executor-nccl and RCCL read all of them",
        };
        file.warnings.insert(0, Problem::new(Place::Line(*line), message).help(help));
    }
    Ok((algorithm, file.warnings))
}

fn list<'n>(names: impl Iterator<Item = &'n str>) -> String {
    names.map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

/// A rank while its elements are read.
#[derive(Clone, Copy)]
struct Side {
    rank: i64,
    ranks: i64,
    /// The chunks of its buffers.
    chunks: [u64; 3],
}

/// What is known of a file while its elements are read.
struct File {
    /// The offsets of the ends of lines.
    lines: Vec<usize>,
    warnings: Vec<Problem>,
    /// The missing attributes that only the runtime needs.
    lacking: Vec<(u64, &'static str)>,
}

impl File {
    fn line(&self, node: Node<'_, '_>) -> u64 {
        1 + self.lines.partition_point(|&end| end < node.range().start) as u64
    }

    fn refuse<T>(&self, node: Node<'_, '_>, message: impl Into<String>) -> Result<T, Problem> {
        Err(Problem::new(Place::Line(self.line(node)), message.into()))
    }

    fn text<'a>(&self, node: Node<'a, '_>, name: &str) -> Result<&'a str, Problem> {
        match node.attribute(name) {
            Some(value) => Ok(value),
            None => self.refuse(node, format!("`<{}>` has no attribute `{name}`", node.tag_name().name())),
        }
    }

    /// Reads a whole number from `least` to `most`.
    fn number(&self, node: Node<'_, '_>, name: &str, least: i64, most: i64) -> Result<i64, Problem> {
        let text = self.text(node, name)?;
        match text.trim().parse::<i64>() {
            Ok(number) if (least..=most).contains(&number) => Ok(number),
            Ok(number) => self.refuse(node, format!("{name}=\"{number}\" is not between {least} and {most}")),
            Err(_) => self.refuse(node, format!("{name}=\"{text}\" is not a whole number")),
        }
    }

    /// Returns an attribute that only the runtime needs.
    fn runtime_word<'a>(&mut self, node: Node<'a, '_>, name: &'static str) -> Option<&'a str> {
        let value = node.attribute(name);
        if value.is_none() {
            self.lacking.push((self.line(node), name));
        }
        value
    }

    /// Reads a number that only the runtime needs.
    fn optional(
        &mut self,
        node: Node<'_, '_>,
        name: &'static str,
        most: i64,
    ) -> Result<Option<i64>, Problem> {
        match self.runtime_word(node, name) {
            Some(_) => self.number(node, name, 0, most).map(Some),
            None => Ok(None),
        }
    }

    fn algorithm(&mut self, root: Node<'_, '_>) -> Result<Algorithm, Problem> {
        let name = root.tag_name().name();
        if name != "algo" {
            let message = format!("the file is not MSCCL XML: it begins with `<{name}>`, not with `<algo>`");
            return self.refuse(root, message);
        }
        let gpus = self.gpus(root)?;
        if let Some(ranks) = self.optional(root, "ngpus", i64::MAX)?
            && usize::try_from(ranks) != Ok(gpus.len())
        {
            let found = gpus.len();
            return self
                .refuse(root, format!("ngpus=\"{ranks}\", but the file has {found} elements `<gpu>`"));
        }
        let chunks = self.number(root, "nchunksperloop", 1, MAX_CHUNKS)? as u64;
        self.check_channels(root, &gpus)?;
        let [protocol, collective] =
            ["proto", "coll"].map(|name| self.runtime_word(root, name).unwrap_or_default().to_owned());
        for name in ["minBytes", "maxBytes"] {
            self.optional(root, name, i64::MAX)?;
        }
        let uses = [self.optional(root, "inplace", 1)?, self.optional(root, "outofplace", 1)?];
        self.warn_of_use(root, &protocol, uses);
        let root_rank = match root.attribute("root") {
            Some(_) => Some(self.number(root, "root", 0, i64::from(gpus.len() as u32) - 1)? as u32),
            None => None,
        };
        let [in_place, out_of_place] = uses;
        Ok(Algorithm {
            line: self.line(root),
            name: root.attribute("name").unwrap_or("unnamed").to_owned(),
            collective,
            chunks,
            protocol,
            in_place: in_place == Some(1),
            // Files of the older runtime have one of the two.
            out_of_place: out_of_place.map_or(in_place != Some(1), |outside| outside == 1),
            root: root_rank,
            gpus,
        })
    }

    /// Checks that no thread block uses a channel beyond those of the file.
    fn check_channels(&mut self, root: Node<'_, '_>, gpus: &[Gpu]) -> Result<(), Problem> {
        let channels = self.optional(root, "nchannels", i64::MAX)?;
        let used = gpus.iter().flat_map(|gpu| &gpu.blocks).map(|block| i64::from(block.channel)).max();
        match (channels, used) {
            (Some(channels), Some(used)) if used >= channels => {
                self.refuse(root, format!("nchannels=\"{channels}\", but a thread block uses channel {used}"))
            }
            _ => Ok(()),
        }
    }

    /// Adds warnings of a protocol that the runtime does not know, and of a file that it never uses.
    fn warn_of_use(&mut self, root: Node<'_, '_>, protocol: &str, uses: [Option<i64>; 2]) {
        let place = Place::Line(self.line(root));
        if !["", "Simple", "LL", "LL128"].contains(&protocol) {
            let message = format!("the runtime does not know proto=\"{protocol}\"");
            let help = "it is `Simple`, `LL` or `LL128`";
            self.warnings.push(Problem::new(place.clone(), message).help(help));
        }
        if uses == [Some(0); 2] {
            let message = "the runtime never uses a file with inplace=\"0\" and outofplace=\"0\"";
            self.warnings.push(Problem::new(place, message));
        }
    }

    fn gpus(&mut self, root: Node<'_, '_>) -> Result<Vec<Gpu>, Problem> {
        let ranks = i64::from(children(root, "gpu").count() as u32);
        if ranks == 0 {
            return self.refuse(root, "`<algo>` has no element `<gpu>`");
        }
        let mut gpus: BTreeMap<i64, Gpu> = BTreeMap::new();
        for node in children(root, "gpu") {
            let rank = self.number(node, "id", 0, ranks - 1)?;
            if gpus.contains_key(&rank) {
                return self.refuse(node, format!("gpu {rank} stands in the file twice"));
            }
            let mut chunks = [0; 3];
            for (chunks, name) in chunks.iter_mut().zip(["i_chunks", "o_chunks", "s_chunks"]) {
                *chunks = self.number(node, name, 0, MAX_CHUNKS)? as u64;
            }
            let blocks = self.blocks(node, Side { rank, ranks, chunks })?;
            gpus.insert(rank, Gpu { chunks, blocks });
        }
        Ok(gpus.into_values().collect())
    }

    /// Reads the thread blocks of a rank, by number.
    fn blocks(&mut self, node: Node<'_, '_>, side: Side) -> Result<Vec<Block>, Problem> {
        let rank = side.rank;
        let mut blocks: BTreeMap<u32, Block> = BTreeMap::new();
        let mut owners: HashMap<(bool, u32, u32), u32> = HashMap::new();
        for tb in children(node, "tb") {
            let block = self.block(tb, side)?;
            let Block { id, channel, .. } = block;
            for (sends, peer) in [(true, block.send), (false, block.receive)] {
                let Some(peer) = peer else { continue };
                let known = owners.insert((sends, peer, channel), id);
                if let Some(other) = known.filter(|&other| other != id) {
                    let verb = if sends { "send to" } else { "receive from" };
                    let message = format!(
                        "rank {rank}, thread blocks {other} and {id} both {verb} rank {peer} on channel {channel}; a connection \
                         belongs to one thread block"
                    );
                    return self.refuse(tb, message);
                }
            }
            if blocks.insert(id, block).is_some() {
                return self.refuse(tb, format!("rank {rank}: thread block {id} stands in the file twice"));
            }
        }
        let blocks: Vec<Block> = blocks.into_values().collect();
        if let Some((place, block)) = (0..).zip(&blocks).find(|(place, block)| *place != block.id) {
            let message = format!("rank {rank}: thread block {place} is missing, but there is {}", block.id);
            let problem = Problem::new(Place::Line(block.line), message);
            self.warnings.push(problem.help("the runtime wants the numbers from 0 on"));
        }
        check_waits(rank, &blocks)?;
        Ok(blocks)
    }

    fn block(&mut self, node: Node<'_, '_>, side: Side) -> Result<Block, Problem> {
        let rank = side.rank;
        let id = self.number(node, "id", 0, MAX_NUMBER)? as u32;
        let (send, receive) = (self.peer(node, "send", side, id)?, self.peer(node, "recv", side, id)?);
        let channel = self.number(node, "chan", -1, MAX_NUMBER)?;
        if channel < 0 && (send.is_some() || receive.is_some()) {
            return self.refuse(node, format!("rank {rank}, thread block {id} has peers, but chan=\"-1\""));
        }
        let (line, channel) = (self.line(node), channel.max(0) as u32);
        let mut block = Block { line, id, send, receive, channel, steps: Vec::new(), signals: Vec::new() };
        let mut passed_on = false;
        for step in children(node, "step") {
            let step = self.step(step, &block, side)?;
            if step.kind == Kind::Nop {
                passed_on |= step.waits.is_some();
            } else if std::mem::take(&mut passed_on) && step.waits.is_none() {
                let message = format!(
                    "rank {rank}, thread block {id}, step {}: the runtime refuses a step after `nop` that waits for nothing itself",
                    block.steps.len()
                );
                let help = "let the step take over the wait of the last `nop`";
                self.warn_once(Problem::new(Place::Line(step.line), message).help(help), "after `nop`");
            }
            block.steps.push(step);
        }
        block.find_signals();
        if block.steps.len() > STEPS {
            let message = format!(
                "rank {rank}, thread block {id} has {} steps; RCCL's runtime takes at most {STEPS}",
                block.steps.len()
            );
            self.warn_once(Problem::new(Place::Line(line), message), "steps; RCCL");
        }
        Ok(block)
    }

    /// Reads the peer of a thread block, if it has one.
    fn peer(&self, node: Node<'_, '_>, name: &str, side: Side, id: u32) -> Result<Option<u32>, Problem> {
        let Side { rank, ranks, .. } = side;
        let peer = self.number(node, name, -1, i64::from(u32::MAX))?;
        if peer != rank && peer < ranks {
            return Ok(u32::try_from(peer).ok());
        }
        let fault =
            if peer == rank { "which is itself".to_owned() } else { format!("but there are {ranks} ranks") };
        self.refuse(node, format!("rank {rank}, thread block {id}: {name}=\"{peer}\", {fault}"))
    }

    fn step(&mut self, node: Node<'_, '_>, block: &Block, side: Side) -> Result<Step, Problem> {
        let place = block.steps.len();
        // Faults of a step name its place.
        let at = format!("rank {}, thread block {}, step {place}", side.rank, block.id);
        let s = self.number(node, "s", i64::MIN, i64::MAX)?;
        if usize::try_from(s) != Ok(place) {
            let fault = format!("s=\"{s}\", but it is number {place}; steps run in the order of the file");
            return self.refuse(node, format!("{at}: {fault}"));
        }
        let name = self.text(node, "type")?;
        let Some(&(_, kind)) = KINDS.iter().find(|(known, _)| *known == name) else {
            let known = list(KINDS.iter().map(|(known, _)| *known));
            return self.refuse(node, format!("{at}: unknown type=\"{name}\"; it is one of {known}"));
        };
        let count = self.number(node, "cnt", 0, MAX_CHUNKS)? as u64;
        let source = self.chunks(node, ["srcbuf", "srcoff"], (count, kind.reads_source()), side, &at)?;
        let target = self.chunks(node, ["dstbuf", "dstoff"], (count, kind.writes_target()), side, &at)?;
        let on = self.number(node, "depid", -1, MAX_NUMBER)?;
        let step = self.number(node, "deps", -1, MAX_NUMBER)?;
        let signals = self.number(node, "hasdep", 0, 1)? == 1;
        let sides = [(kind.sends(), block.send, "send"), (kind.receives(), block.receive, "recv")];
        if let Some((.., word)) = sides.iter().find(|(uses, peer, _)| *uses && peer.is_none()) {
            let fault = format!("type=\"{name}\", but the thread block has {word}=\"-1\"");
            return self.refuse(node, format!("{at}: {fault}"));
        }
        let waits = match (u32::try_from(on), u32::try_from(step)) {
            (Ok(on), Ok(step)) => Some((on, step)),
            (Ok(on), Err(_)) => {
                return self.refuse(node, format!("{at}: depid=\"{on}\", but deps=\"{step}\""));
            }
            _ => None,
        };
        let line = self.line(node);
        if count >= COUNT && kind != Kind::Nop {
            let message = format!("cnt=\"{count}\"; the runtime takes fewer than {COUNT} chunks a step");
            self.warn_once(Problem::new(Place::Line(line), message), "chunks a step");
        }
        Ok(Step { line, kind, source, target, count, waits, signals })
    }

    /// Reads the place of a step's chunks, which must exist if the step uses them.
    fn chunks(
        &self,
        node: Node<'_, '_>,
        [buffer_name, offset_name]: [&str; 2],
        (count, is_used): (u64, bool),
        side: Side,
        at: &str,
    ) -> Result<Chunks, Problem> {
        let text = self.text(node, buffer_name)?;
        let offset = self.number(node, offset_name, i64::from(i32::MIN), i64::from(i32::MAX))?;
        let Some(buffer) = BUFFERS.iter().position(|known| *known == text) else {
            return self
                .refuse(node, format!("{at}: unknown {buffer_name}=\"{text}\"; it is `i`, `o` or `s`"));
        };
        let known = side.chunks[buffer];
        let from = u64::try_from(offset).ok();
        if is_used && count > 0 && from.is_none_or(|from| from + count > known) {
            let end = i128::from(offset) + i128::from(count);
            let fault =
                format!("chunks {text}[{offset}..{end}] are not all there: {text}_chunks=\"{known}\"");
            return self.refuse(node, format!("{at}: {fault}"));
        }
        Ok(Chunks { buffer, offset: from.unwrap_or(0) })
    }

    /// Adds a warning of which there is one a file.
    fn warn_once(&mut self, problem: Problem, words: &str) {
        if !self.warnings.iter().any(|known| known.to_string().contains(words)) {
            self.warnings.push(problem);
        }
    }
}

/// Checks that what a step waits for comes.
fn check_waits(rank: i64, blocks: &[Block]) -> Result<(), Problem> {
    for block in blocks {
        for (place, step) in block.steps.iter().enumerate() {
            let Some((on, at)) = step.waits else { continue };
            let fault = match find(blocks, on) {
                None => format!("thread block {on} does not exist"),
                Some(other) if at as usize >= other.steps.len() => {
                    format!("thread block {on} has {} steps", other.steps.len())
                }
                Some(other) if other.signal(at).is_none() => {
                    format!("neither that step nor a later one of thread block {on} has hasdep=\"1\"")
                }
                Some(_) => continue,
            };
            let message = format!(
                "rank {rank}, thread block {}, step {place} waits for thread block {on}, step {at}, forever: {fault}",
                block.id
            );
            return Err(Problem::new(Place::Line(step.line), message));
        }
    }
    Ok(())
}

pub(super) fn find(blocks: &[Block], id: u32) -> Option<&Block> {
    blocks.binary_search_by_key(&id, |block| block.id).ok().map(|place| &blocks[place])
}

fn children<'a, 'i>(node: Node<'a, 'i>, name: &'static str) -> impl Iterator<Item = Node<'a, 'i>> {
    node.children().filter(move |child| child.is_element() && child.tag_name().name() == name)
}
