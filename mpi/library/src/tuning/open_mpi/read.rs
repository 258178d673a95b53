//! Reading of a rules file as Open MPI does it: every number in its place, or the whole file rejected.

use std::collections::HashSet;

use crate::catalogue::{Library, SizeUnit, open_mpi};
use qtdec_core::{Place, Problem};

use super::numbers::{Number, Numbers};
use crate::tuning::selection::{Decision, Selection};

/// The rules of an accepted file.
#[derive(Clone, Debug)]
pub struct Rules {
    /// The version in the header of a later version, if there is one.
    pub version: Option<i64>,
    /// The number of collectives.
    pub count: Number,
    /// The collectives in the order of the file.
    pub blocks: Vec<Block>,
    /// The end of the last number that is read.
    pub end: usize,
}

/// The rules for one collective.
#[derive(Clone, Debug)]
pub struct Block {
    /// The collective's number.
    pub id: Number,
    /// The number of communicator rules that follow.
    pub count: Number,
    /// The communicator rules.
    pub communicators: Vec<CommunicatorRule>,
    /// The maximum size up to each rule, as stored in C's int.
    largest: Vec<u64>,
}

/// The rules for communicators of at least a given size.
#[derive(Clone, Debug)]
pub struct CommunicatorRule {
    /// The communicator size.
    pub size: Number,
    /// The number of message rules that follow.
    pub count: Number,
    /// The message rules.
    pub messages: Vec<MessageRule>,
    /// The maximum size up to each rule.
    largest: Vec<u64>,
}

/// The rule for messages of at least a given size.
#[derive(Clone, Debug)]
pub struct MessageRule {
    /// The message size, in the collective's unit.
    pub size: Number,
    /// The algorithm's number, or 0 to leave the choice to the fixed rules.
    pub algorithm: Number,
    /// The fan-in or fan-out.
    pub fan_out: Number,
    /// The segment size.
    pub segment: Number,
    /// The most requests that a rank has open at once, 0 for no limit, if a file of version 2 says so.
    pub requests: Option<Number>,
}

/// The reason why the whole file is rejected.
#[derive(Clone, Debug)]
pub struct Rejected {
    /// The fault, its consequences, and a suggestion.
    pub problem: Problem,
    /// The position at which the reader gives up.
    pub(super) end: usize,
    /// Whether the reader writes outside of its memory.
    pub is_unsafe: bool,
}

impl Rejected {
    fn at(number: &Number, fault: &str, help: &str) -> Self {
        let place = Place::Offset(number.place.start);
        let problem = Problem::new(place, format!("{fault}: {DROPPED}")).help(help.to_owned());
        Self { problem, end: number.place.end, is_unsafe: false }
    }
}

const DROPPED: &str = "Open MPI silently ignores the whole file";

/// The header of version 2 and later, which must be at the very beginning of a file.
pub(super) const HEADER: &str = "rule-file-version-";

/// Reads a file like release 4.1.4. A file that begins with a header is read like 5.0.7.
///
/// # Errors
///
/// Returns the reason why Open MPI rejects the file.
pub fn read(bytes: &[u8]) -> Result<Rules, Rejected> {
    let mut numbers = Numbers::new(bytes, 0);
    let mut version = None;
    if bytes.starts_with(HEADER.as_bytes()) && bytes.get(HEADER.len()).is_some_and(u8::is_ascii_digit) {
        let mut rest = Numbers::new(bytes, HEADER.len());
        version = rest.next().map(|number| number.value);
        numbers = rest;
    }
    let count = next(&mut numbers, "the number of collectives")?;
    if count.value > open_mpi::COLLECTIVE_COUNT {
        let fault =
            format!("the file announces rules for {} collectives, and there are only 22", count.value);
        let help = "the first number of the file is the number of collectives that follow";
        return Err(Rejected::at(&count, &fault, help));
    }
    let mut blocks = Vec::new();
    for _ in 0..count.value {
        blocks.push(block(&mut numbers, version)?);
    }
    Ok(Rules { version, count, blocks, end: numbers.offset() })
}

fn next(numbers: &mut Numbers<'_>, what: &'static str) -> Result<Number, Rejected> {
    let number = numbers.next().ok_or_else(|| {
        let end = numbers.offset();
        let message = format!("the file ends where {what} is expected: {DROPPED}");
        let help = "an earlier count is too large, or a number is missing";
        let problem = Problem::new(Place::Offset(end), message).help(help);
        Rejected { problem, end, is_unsafe: false }
    })?;
    if number.value < 0 {
        let fault = format!("{what} is {}, and numbers may not be negative", number.value);
        let help =
            "write 0 to leave a choice to Open MPI; the header `rule-file-version-2` needs 5.0.7 or later";
        return Err(Rejected::at(&number, &fault, help));
    }
    Ok(number)
}

fn block(numbers: &mut Numbers<'_>, version: Option<i64>) -> Result<Block, Rejected> {
    let id = next(numbers, "the number of a collective")?;
    if id.value >= open_mpi::COLLECTIVE_COUNT {
        let fault = format!("collective {} does not exist, the numbers are 0 to 21", id.value);
        let help = "7 is bcast, 2 allreduce, 11 reduce; or an earlier count does not match what follows it";
        return Err(Rejected::at(&id, &fault, help));
    }
    let count = counted(numbers, "the number of communicator sizes")?;
    let mut communicators = Vec::new();
    for _ in 0..count.value {
        let size = next(numbers, "a communicator size")?;
        let count = counted(numbers, "the number of message sizes")?;
        let mut messages = Vec::new();
        for index in 0..count.value {
            let mut rule = MessageRule {
                size: next(numbers, "a message size")?,
                algorithm: next(numbers, "an algorithm")?,
                fan_out: next(numbers, "a fan-out")?,
                segment: next(numbers, "a segment size")?,
                requests: None,
            };
            if version.is_some_and(|version| version > 1) && numbers.digit_follows() {
                rule.requests = Some(next(numbers, "a number of requests")?);
            }
            if index == 0 && rule.size.value != 0 {
                let fault =
                    format!("the first message size of a communicator size is {}, not 0", rule.size.value);
                let help = "begin with `0 0 0 0`, which leaves smaller messages to Open MPI";
                return Err(Rejected::at(&rule.size, &fault, help));
            }
            messages.push(rule);
        }
        let largest = largest_so_far(messages.iter().map(|rule| rule.size.value as u64));
        communicators.push(CommunicatorRule { size, count, messages, largest });
    }
    let kept = communicators.iter().map(|rule| u64::try_from(rule.size.value as i32).unwrap_or(0));
    let largest = largest_so_far(kept);
    Ok(Block { id, count, communicators, largest })
}

/// Reads a count of rules, for which the engine allocates memory at once.
fn counted(numbers: &mut Numbers<'_>, what: &'static str) -> Result<Number, Rejected> {
    let count = next(numbers, what)?;
    if count.value <= i64::from(i32::MAX) {
        return Ok(count);
    }
    let message =
        format!("{} rules are more than Open MPI can count: it writes outside of its memory", count.value);
    let problem = Problem::new(Place::Offset(count.place.start), message).help("correct the count");
    Err(Rejected { problem, end: count.place.end, is_unsafe: true })
}

impl Rules {
    /// Returns the rules that are used: for a repeated collective, the last.
    pub fn effective(&self) -> Vec<&Block> {
        let mut seen = HashSet::new();
        let mut blocks: Vec<&Block> =
            self.blocks.iter().rev().filter(|block| seen.insert(block.id.value)).collect();
        blocks.reverse();
        blocks
    }

    fn find(&self, collective: &str) -> Option<&Block> {
        let is_it = |block: &&Block| {
            open_mpi::collective_by_number(block.id.value as u8).is_some_and(|known| known.name == collective)
        };
        self.blocks.iter().rev().find(is_it)
    }

    /// Returns the rules that apply to a call, like the engine: the last one before the first that is too large.
    pub fn look_up(
        &self,
        collective: &str,
        comm_size: u64,
        msg_size: u64,
    ) -> Option<(&CommunicatorRule, &MessageRule)> {
        let block = self.find(collective)?;
        let communicator = last_before_larger(&block.communicators, &block.largest, comm_size)?;
        let message = last_before_larger(&communicator.messages, &communicator.largest, msg_size)?;
        Some((communicator, message))
    }
}

impl Block {
    /// Returns whether some rule has a number of requests.
    pub fn has_requests(&self) -> bool {
        let mut messages = self.communicators.iter().flat_map(|rule| &rule.messages);
        messages.any(|rule| rule.requests.is_some())
    }
}

fn largest_so_far(sizes: impl Iterator<Item = u64>) -> Vec<u64> {
    sizes
        .scan(0, |largest, size| {
            *largest = size.max(*largest);
            Some(*largest)
        })
        .collect()
}

/// Returns the last rule before the first that is too large, or the first if even that one is. Rules after the first that is too
/// large are ignored, so the maximum up to each rule determines its position.
fn last_before_larger<'r, T>(rules: &'r [T], largest: &[u64], size: u64) -> Option<&'r T> {
    let before = largest.partition_point(|largest| *largest <= size);
    rules.get(before.saturating_sub(1))
}

impl MessageRule {
    /// Returns the rule's settings as stored by the engine, in C's int.
    pub fn setting(&self) -> (i32, i32, i32) {
        (self.algorithm.value as i32, self.fan_out.value as i32, self.segment.value as i32)
    }
}

impl Selection for Rules {
    fn collectives(&self) -> Vec<String> {
        let name =
            |block: &&Block| Some(open_mpi::collective_by_number(block.id.value as u8)?.name.to_owned());
        self.effective().iter().filter_map(name).collect()
    }

    fn starts(&self, collective: &str) -> (Vec<u64>, Vec<u64>) {
        let Some(block) = self.find(collective) else { return (Vec::new(), Vec::new()) };
        let comm_sizes = block.communicators.iter().map(|rule| (rule.size.value as i32).max(0) as u64);
        let messages = block.communicators.iter().flat_map(|rule| &rule.messages);
        (comm_sizes.collect(), messages.map(|rule| rule.size.value as u64).collect())
    }

    fn message_starts(&self, collective: &str, comm_size: u64) -> Vec<u64> {
        let rule = self.look_up(collective, comm_size, 0);
        rule.map_or(Vec::new(), |(rule, _)| rule.messages.iter().map(|rule| rule.size.value as u64).collect())
    }

    fn decide(&self, collective: &str, comm_size: u64, msg_size: u64) -> Decision {
        let Some((_, message)) = self.look_up(collective, comm_size, requested(collective, msg_size)) else {
            return Decision::library();
        };
        let (algorithm, fan_out, segment) = message.setting();
        let [algorithm, fan_out, segment_size] = [algorithm, fan_out, segment]
            .map(|number| u64::try_from(number).ok().filter(|number| *number > 0));
        let requests =
            message.requests.as_ref().and_then(|requests| u64::try_from(requests.value as i32).ok());
        let known = Library::OpenMpi.collective(collective).and_then(|known| known.algorithm(algorithm?));
        Decision {
            algorithm,
            name: known.map(|known| known.name.to_owned()),
            segment_size,
            fan_out: open_mpi::fan_out_of_rule(known, fan_out),
            requests: known.and_then(|known| known.open_requests(requests, segment_size)),
        }
    }

    fn rule(&self, collective: &str, comm_size: u64, msg_size: u64) -> Vec<(String, Place)> {
        let Some((communicator, message)) =
            self.look_up(collective, comm_size, requested(collective, msg_size))
        else {
            return Vec::new();
        };
        let from = |size: &Number, what: &str| {
            (format!("from {} {what}", size.value), Place::Offset(size.place.start))
        };
        vec![from(&communicator.size, "ranks"), from(&message.size, "bytes")]
    }
}

/// Returns the message size that the engine looks up: 0 for a collective whose message sizes it ignores.
fn requested(collective: &str, msg_size: u64) -> u64 {
    let looks = Library::OpenMpi.collective(collective).is_none_or(|known| known.unit != SizeUnit::Nothing);
    if looks { msg_size } else { 0 }
}
