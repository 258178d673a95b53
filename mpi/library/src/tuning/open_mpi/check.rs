//! Checks of what Open MPI would silently do with a rules file.

use std::collections::HashMap;

use crate::catalogue::open_mpi::{REQUESTS_SINCE, collective_by_number};
use crate::catalogue::{Algorithm, Release, SizeUnit, TunedCollective};
use qtdec_core::{Message, Place, Requirement};

use super::numbers::{Number, Numbers};
use super::read::{Block, CommunicatorRule, MessageRule, Rules, read};
use super::words::misread_numbers;
use crate::tuning::Finding;
use crate::tuning::Severity::{self, Dropped, Fails, Note, Wrong};
use crate::tuning::finding::{Findings, MAX, OTHER_RELEASE, line_at};

/// Returns all findings in a file for a release, in file order. `None` stands for a release that has every algorithm.
pub fn check(bytes: &[u8], release: Option<Release>) -> Vec<Finding> {
    let mut checker = Checker { release, ..Checker::default() };
    let (begin, end) = match read(bytes) {
        Ok(rules) => {
            checker.rules(&rules, bytes);
            (rules.count.place.start, rules.end)
        }
        Err(rejected) => {
            checker.findings.push(Dropped, rejected.problem);
            (0, rejected.end)
        }
    };
    for problem in misread_numbers(bytes, begin, end).take(MAX) {
        checker.findings.push(Wrong, problem);
    }
    checker.findings.sorted()
}

/// Returns the effect of a rule without a fan-out for an algorithm that has one.
pub(in crate::tuning) fn no_fan_out(algorithm: &Algorithm) -> String {
    format!("without a fan-out, `{}` has a single chain, like `pipeline`", algorithm.name)
}

/// Returns what to write instead of no fan-out.
pub(in crate::tuning) fn fan_out_help(default: u64) -> String {
    format!("write {default}, the default if the algorithm is forced by a parameter, or 1 for a single chain")
}

/// Returns the effect of a number of requests on an algorithm that ignores it.
pub(in crate::tuning) fn no_requests(algorithm: &Algorithm) -> String {
    let when = if algorithm.limits_requests(true) { " without segments" } else { "" };
    format!("`{}` ignores the number of requests{when}", algorithm.name)
}

/// Returns an algorithm's number as stored in C's int, or `None` if it becomes negative.
fn kept(number: &Number) -> Option<u64> {
    u64::try_from(number.value as i32).ok()
}

#[derive(Default)]
struct Checker {
    release: Option<Release>,
    findings: Findings,
}

impl Checker {
    fn add(&mut self, severity: Severity, number: &Number, message: impl Into<Message>, help: &str) {
        self.findings.at(severity, number.place.start, message, help);
    }

    fn rules(&mut self, rules: &Rules, bytes: &[u8]) {
        if let Some(version) = rules.version {
            let message = format!(
                "a header of version {version}: releases before {REQUESTS_SINCE} drop the whole file"
            );
            let help = "remove the header and the numbers of requests for earlier releases";
            // Of a release by two numbers alone, some version may read it.
            let is_before = |release| release < REQUESTS_SINCE && release != REQUESTS_SINCE.series();
            let severity = if self.release.is_some_and(is_before) { Dropped } else { Note };
            self.findings.at(severity, 0, message, help);
        }
        let mut last: HashMap<i64, &Number> = HashMap::new();
        for block in rules.blocks.iter().rev() {
            if let Some(later) = last.get(&block.id.value) {
                let line = line_at(later.place.start, bytes);
                let message = format!(
                    "collective {} is repeated on line {line}: only the last one counts",
                    block.id.value
                );
                self.add(Wrong, &block.id, message, "keep one of them");
            }
            last.entry(block.id.value).or_insert(&block.id);
        }
        for block in &rules.blocks {
            self.block(block);
        }
        if let Some(rest) = Numbers::new(bytes, rules.end).next() {
            let message = format!("everything from `{}` on is ignored: the counts end before it", rest.value);
            self.add(Wrong, &rest, message, "correct an earlier count, or remove it");
        }
    }

    fn block(&mut self, block: &Block) {
        let known = collective_by_number(block.id.value as u8);
        if known.is_none() {
            let message = format!("collective {}: Open MPI never uses rules for it", block.id.value);
            self.add(Wrong, &block.id, message, "coll/tuned uses rules for 0 to 4, 6 to 9 and 11 to 15");
        }
        let sizes: Vec<&Number> = block.communicators.iter().map(|rule| &rule.size).collect();
        self.order(&sizes, "communicator size");
        for size in &sizes {
            self.fits(size, "communicator size");
        }
        if let Some(first) = sizes.first().filter(|first| first.value > 2) {
            let message =
                format!("communicators of fewer than {} ranks also get the rule for {0}", first.value);
            let help = "insert a rule `2 1 0 0 0 0` before it to leave them to Open MPI";
            self.add(Note, first, message, help);
        }
        if block.communicators.len() > 1 {
            let message = "6.0 and later read the rules of this format shifted by one communicator size";
            let help = "write a file for them with `qtdec-mpi emit --target open-mpi-json`";
            self.add(Note, &block.id, message, help);
        }
        for (index, rule) in block.communicators.iter().enumerate() {
            let next = block.communicators.get(index + 1).map(|rule| rule.size.value);
            self.communicator(rule, next, known);
        }
    }

    fn communicator(&mut self, rule: &CommunicatorRule, next: Option<i64>, known: Option<&TunedCollective>) {
        if rule.messages.is_empty() {
            let message =
                format!("no message sizes for {} ranks: the choice is left to Open MPI", rule.size.value);
            self.add(Note, &rule.count, message, "");
        }
        let sizes: Vec<&Number> = rule.messages.iter().map(|rule| &rule.size).collect();
        self.order(&sizes, "message size");
        if let (Some(known), Some(second)) =
            (known.filter(|known| known.unit == SizeUnit::Nothing), sizes.get(1))
        {
            let message = if ["scan", "exscan"].contains(&known.name) {
                format!(
                    "for {}, Open MPI compares the bytes of one element multiplied by the ranks, not those \
                         of the message",
                    known.name
                )
            } else {
                format!("for {}, Open MPI ignores message sizes: only the first rule is used", known.name)
            };
            self.add(Wrong, second, message, "keep one rule, for 0 bytes");
        }
        for message in &rule.messages {
            self.message(message, known);
            let algorithm = known.and_then(|known| known.algorithm(kept(&message.algorithm)?));
            let needs = algorithm.and_then(|algorithm| algorithm.requires().next());
            if needs == Some(Requirement::CommSize(2)) && !(rule.size.value == 2 && next == Some(3)) {
                let text = "the call fails if two_proc is used with other than two ranks \
                     (MPI_ERR_UNSUPPORTED_OPERATION)";
                let help = "use it in a rule for 2 ranks, and begin the next one at 3";
                self.add(Fails, &message.algorithm, text, help);
            }
        }
    }

    fn message(&mut self, rule: &MessageRule, known: Option<&TunedCollective>) {
        self.fits(&rule.fan_out, "fan-out");
        self.fits(&rule.segment, "segment size");
        if let Some(requests) = &rule.requests {
            self.fits(requests, "number of requests");
        }
        let id = rule.algorithm.value;
        let Some(known) = known else { return self.fits(&rule.algorithm, "algorithm") };
        let algorithm = kept(&rule.algorithm).and_then(|id| known.algorithm(id));
        if algorithm.is_some() || kept(&rule.algorithm) == Some(0) {
            self.fits(&rule.algorithm, "algorithm");
        }
        if kept(&rule.algorithm) == Some(0) {
            return;
        }
        match algorithm {
            None => {
                let names: Vec<String> = (known.algorithms.iter().enumerate())
                    .map(|(index, algorithm)| format!("{} {}", index + 1, algorithm.name))
                    .collect();
                let is_cut = id > i64::from(i32::MAX);
                let cut = if is_cut { format!(", which is stored as {}", id as i32) } else { String::new() };
                let message = format!(
                    "{} has no algorithm {id}{cut}: the file is accepted, and the first call that this rule \
                         matches fails with MPI_ERR_ARG",
                    known.name
                );
                self.add(Fails, &rule.algorithm, message, &format!("there are {}", names.join(", ")));
            }
            Some(algorithm) => {
                if let (Some(release), Some(lack)) = (self.release, algorithm.lack(self.release)) {
                    let message = format!(
                        "Open MPI {release} has no {} {} `{}` ({lack}): the file is accepted, and the first \
                             call that this rule matches fails with MPI_ERR_ARG",
                        known.name, id as i32, algorithm.name
                    );
                    self.add(Fails, &rule.algorithm, message, OTHER_RELEASE);
                }
                let place = Place::Offset(rule.algorithm.place.start);
                self.findings.caution(place, known.name, algorithm, rule.segment.value != 0);
                if let Some(default) = algorithm.fan_out.filter(|_| rule.setting().1 < 1) {
                    self.add(Note, &rule.fan_out, no_fan_out(algorithm), &fan_out_help(default));
                }
                if rule.segment.value != 0 && !algorithm.is_segmented() {
                    let message = format!("`{}` ignores the segment size", algorithm.name);
                    self.add(Note, &rule.segment, message, "write 0");
                }
                if let Some(requests) = rule.requests.as_ref().filter(|requests| requests.value != 0)
                    && !algorithm.limits_requests(rule.segment.value != 0)
                {
                    self.add(Note, requests, no_requests(algorithm), "write 0 or nothing");
                }
            }
        }
    }

    /// Checks that sizes increase: the engine stops at the first that is too large, and takes the one before it.
    fn order(&mut self, sizes: &[&Number], what: &str) {
        let mut largest: Option<&Number> = None;
        for size in sizes {
            match largest {
                Some(before) if before.value == size.value => {
                    let message =
                        format!("the {what} {} is repeated: the earlier rule is never used", size.value);
                    self.add(Wrong, size, message, "keep one of them");
                }
                Some(before) if before.value > size.value => {
                    let message = format!(
                        "the {what} {} comes after {}: it applies from {} on, not from {0}",
                        size.value, before.value, before.value
                    );
                    self.add(Wrong, size, message, "sort the sizes");
                }
                _ => largest = Some(size),
            }
        }
    }

    /// Checks that a number fits into C's int.
    fn fits(&mut self, number: &Number, what: &str) {
        if number.value > i64::from(i32::MAX) {
            let kept = number.value as i32;
            let message = format!("the {what} {} is stored as {kept}", number.value);
            self.add(Wrong, number, message, "the maximum is 2147483647");
        }
    }
}
