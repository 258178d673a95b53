//! One interleaving of a schedule, with every send a rendezvous.

use std::collections::HashSet;
use std::rc::Rc;

use super::content::Content;
use super::memory::Memory;
use super::order::Order;
use crate::budget::{LIMIT, runs};
use crate::fault::{Fault, FaultKind};
use crate::graph::{Graph, Node};
use crate::standard::input;
use crate::{Action, Part, Schedule};

/// The lengths and contents of a message's runs.
type Message = Vec<(u64, Content)>;

/// Runs the schedule to its end and returns the final contents of every rank.
pub(super) fn run(schedule: &Schedule, graph: &Graph) -> Result<Vec<Memory>, Fault> {
    let parts = schedule.ranks.iter().flat_map(|rank| &rank.operations);
    let parts = parts.map(|operation| operation.action.parts().len()).sum();
    let mut run = Run {
        runs_left: runs(schedule.ranks.len(), graph.len(), parts),
        schedule,
        graph,
        order: Order::new(schedule, graph),
        memories: (0..schedule.request.comm_size())
            .map(|rank| {
                Memory::with(input(schedule.collective, &schedule.request, rank), Content::input(rank, 0))
            })
            .collect(),
        waits: graph.waits(),
        posted: vec![false; graph.len()],
        complete: vec![false; graph.len()],
        messages: vec![Vec::new(); graph.len()],
        ready: Vec::new(),
        sets: HashSet::new(),
    };
    run.ready = (0..graph.len()).rev().filter(|&node| run.waits[node] == 0).collect();
    while let Some(node) = run.ready.pop() {
        run.post(node)?;
    }
    match run.complete.iter().position(|complete| !complete) {
        Some(stuck) => Err(run.deadlock(stuck)),
        None => Ok(run.memories),
    }
}

struct Run<'s> {
    schedule: &'s Schedule,
    graph: &'s Graph,
    order: Order<'s>,
    memories: Vec<Memory>,
    waits: Vec<u32>,
    posted: Vec<bool>,
    complete: Vec<bool>,
    messages: Vec<Message>,
    ready: Vec<Node>,
    /// The sets of ranks of contents that consist of many ranges: groups of ranks combine the same ones.
    sets: HashSet<Rc<[(u32, u32)]>>,
    /// The number of runs of bytes that the memories may still be cut into.
    runs_left: u64,
}

/// The number of ranges above which equal sets of ranks are stored once.
const SMALL_SET: usize = 4;

impl<'s> Run<'s> {
    fn post(&mut self, node: Node) -> Result<(), Fault> {
        let (rank, operation) = self.graph.place(node);
        let schedule: &'s Schedule = self.schedule;
        let action = &schedule.ranks[rank as usize].operations[operation].action;
        let before = self.memories[rank as usize].len();
        let read = self.read(node, rank, action.reads())?;
        self.claim(node, rank, action.writes())?;
        self.charge(self.memories[rank as usize].len() - before)?;
        self.posted[node] = true;
        if let Some(next) = self.graph.next(node) {
            self.release(next);
        }
        match action {
            Action::Send { .. } | Action::Receive { .. } => {
                if matches!(action, Action::Send { .. }) {
                    self.messages[node] = read.into_iter().flatten().collect();
                }
                if let Some(partner) = self.graph.partner(node).filter(|&partner| self.posted[partner]) {
                    let (from, to) =
                        if matches!(action, Action::Send { .. }) { (node, partner) } else { (partner, node) };
                    let message = std::mem::take(&mut self.messages[from]);
                    let (receiver, _) = self.graph.place(to);
                    let parts = self.graph.action(schedule, to).writes();
                    self.store(receiver, parts, &message);
                    self.end(from);
                    self.end(to);
                }
            }
            Action::Copy { into, .. } => {
                let copied: Message = read.into_iter().flatten().collect();
                self.store(rank, &[*into], &copied);
                self.end(node);
            }
            Action::Reduce { parts, into } => {
                let combined =
                    self.combine(parts, read).map_err(|kind| Fault::at(schedule, rank, operation, kind))?;
                self.store(rank, &[*into], &combined);
                self.end(node);
            }
        }
        Ok(())
    }

    /// Reads each part, after checking that its writers are complete.
    fn read(&mut self, node: Node, rank: u32, parts: &[Part]) -> Result<Vec<Message>, Fault> {
        let (schedule, order) = (self.schedule, &mut self.order);
        let (_, operation) = self.graph.place(node);
        let mut messages = Vec::with_capacity(parts.len());
        for &part in parts {
            let mut message = Message::new();
            for (part, run) in self.memories[rank as usize].over(part) {
                if let Some(writer) = run.writer {
                    order.check(writer, node, part)?;
                }
                let Some(content) = &run.content else {
                    return Err(Fault::at(schedule, rank, operation, FaultKind::Undefined(part)));
                };
                match message.last_mut() {
                    // Runs that differ only in their users: a message of many blocks of one input stays short.
                    Some((bytes, last)) if last.is_continued_by(*bytes, content) => *bytes += part.bytes,
                    _ => message.push((part.bytes, content.clone())),
                }
                run.readers.push(node);
            }
            messages.push(message);
        }
        Ok(messages)
    }

    /// Makes the operation the last writer of the parts, after checking that their users are complete.
    fn claim(&mut self, node: Node, rank: u32, parts: &[Part]) -> Result<(), Fault> {
        let order = &mut self.order;
        for &part in parts {
            for (part, run) in self.memories[rank as usize].over(part) {
                let users = run.writer.into_iter().chain(run.readers.drain(..)).filter(|&user| user != node);
                for user in users {
                    order.check(user, node, part)?;
                }
                run.writer = Some(node);
                run.content = None;
            }
        }
        Ok(())
    }

    fn combine(&mut self, parts: &[Part], operands: Vec<Message>) -> Result<Message, FaultKind> {
        let commutative = self.schedule.request.is_commutative();
        let mut operands = operands.into_iter();
        let mut result = operands.next().unwrap_or_default();
        for (operand, &part) in operands.zip(&parts[1..]) {
            let mut combined = Message::new();
            let mut at = 0;
            for (bytes, left, right) in zipped(&result, &operand) {
                let content = left.combine(&right, part.slice(at, bytes), commutative)?;
                combined.push((bytes, self.shared(content)));
                at += bytes;
            }
            result = combined;
        }
        Ok(result)
    }

    /// Charges runs of bytes, or as much memory.
    fn charge(&mut self, runs: usize) -> Result<(), Fault> {
        let left = self.runs_left.checked_sub(runs as u64);
        self.runs_left = left.ok_or_else(|| Fault::alone(FaultKind::TooLarge(LIMIT)))?;
        Ok(())
    }

    /// Returns a content whose set of ranks is shared with equal ones.
    fn shared(&mut self, content: Content) -> Content {
        if content.ranks.len() <= SMALL_SET {
            return content;
        }
        if let Some(known) = self.sets.get(&content.ranks) {
            return Content { ranks: Rc::clone(known), ..content };
        }
        self.sets.insert(Rc::clone(&content.ranks));
        content
    }

    /// Stores a message in the parts that were claimed for it.
    fn store(&mut self, rank: u32, parts: &[Part], message: &Message) {
        let memory = &mut self.memories[rank as usize];
        let mut runs = message.iter().cloned();
        let mut run = runs.next();
        for &part in parts {
            let mut at = 0;
            while let Some((bytes, content)) = run.take().filter(|_| at < part.bytes) {
                let stored = bytes.min(part.bytes - at);
                let target = part.slice(at, stored);
                for (part, run) in memory.over(target) {
                    run.content = Some(content.advanced(part.offset - target.offset));
                }
                at += stored;
                run = if stored < bytes {
                    Some((bytes - stored, content.advanced(stored)))
                } else {
                    runs.next()
                };
                if at == part.bytes {
                    break;
                }
            }
        }
    }

    fn end(&mut self, node: Node) {
        self.complete[node] = true;
        for &dependent in self.graph.dependents(node) {
            self.release(dependent);
        }
    }

    fn release(&mut self, node: Node) {
        self.waits[node] -= 1;
        if self.waits[node] == 0 {
            self.ready.push(node);
        }
    }

    /// Follows what a stuck operation waits for until the cycle closes.
    fn deadlock(&self, stuck: Node) -> Fault {
        let mut way = vec![stuck];
        let mut place = vec![usize::MAX; self.graph.len()];
        loop {
            let node = way[way.len() - 1];
            if place[node] != usize::MAX {
                let cycle = way[place[node]..way.len() - 1].iter().map(|&node| self.order.site(node));
                return Fault::alone(FaultKind::Deadlock(cycle.collect()));
            }
            place[node] = way.len() - 1;
            way.push(self.waits_for(node));
        }
    }

    /// Returns one operation that keeps `node` from being posted or from being complete.
    fn waits_for(&self, node: Node) -> Node {
        if self.posted[node] {
            return self.graph.partner(node).unwrap_or(node);
        }
        let (rank, operation) = self.graph.place(node);
        let after = &self.schedule.ranks[rank as usize].operations[operation].after;
        let incomplete = after.iter().map(|&after| self.graph.node(rank, after as usize));
        let unposted = self.graph.nodes(rank).filter(|&before| self.graph.next(before) == Some(node));
        incomplete
            .filter(|&before| !self.complete[before])
            .chain(unposted.filter(|&before| !self.posted[before]))
            .next()
            .unwrap_or(node)
    }
}

/// Returns the runs of two messages of the same length, cut at the borders of both.
fn zipped(left: &Message, right: &Message) -> Vec<(u64, Content, Content)> {
    let mut zipped = Vec::new();
    let (mut i, mut j, mut from_left, mut from_right) = (0, 0, 0, 0);
    while let (Some((left_bytes, left)), Some((right_bytes, right))) = (left.get(i), right.get(j)) {
        let bytes = (left_bytes - from_left).min(right_bytes - from_right);
        zipped.push((bytes, left.advanced(from_left), right.advanced(from_right)));
        from_left += bytes;
        from_right += bytes;
        if from_left == *left_bytes {
            (i, from_left) = (i + 1, 0);
        }
        if from_right == *right_bytes {
            (j, from_right) = (j + 1, 0);
        }
    }
    zipped
}
