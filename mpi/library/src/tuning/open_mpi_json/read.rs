//! Reading of the JSON as Open MPI does it, with findings.

use crate::catalogue::open_mpi::NAMES;
use crate::catalogue::{Algorithm, Library, Release, TunedCollective};
use qtdec_core::{Path, Place, Problem, Requirement};
use serde_json::{Map, Value};

use super::distribution::Distribution;
use super::rules::{CommunicatorRule, MessageRule};
use crate::tuning::Severity::{Dropped, Fails, Note, Wrong};
use crate::tuning::finding::{Findings, OTHER_RELEASE, shown};
use crate::tuning::json::{duplicate_keys, parse};
use crate::tuning::open_mpi::{fan_out_help, no_fan_out, no_requests};
use crate::tuning::{Finding, MAX_INT};
use qtdec_core::similar::suggestion;

const DROPPED: &str = "Open MPI ignores the whole file";

/// Reads a file and returns its rules and findings for a release; `None` stands for a release that has every algorithm. The
/// rules are meaningful only if no finding is [`Dropped`].
pub(super) fn read(bytes: &[u8], release: Option<Release>) -> (Vec<RulesOfCollective>, Vec<Finding>) {
    let mut reader = Reader { release, ..Reader::default() };
    match parse(bytes) {
        Ok(value) => {
            reader.file(&value);
            for problem in duplicate_keys(bytes) {
                reader.findings.push(Wrong, problem);
            }
        }
        Err(problem) => {
            let problem = Problem { message: problem.message.text(format!(": {DROPPED}")), ..problem };
            reader.findings.push(Dropped, problem);
        }
    }
    (reader.collectives, reader.findings.found())
}

/// The rules of a collective that Open MPI tunes.
pub(super) type RulesOfCollective = (&'static TunedCollective, Vec<CommunicatorRule>);

#[derive(Default)]
struct Reader {
    release: Option<Release>,
    collectives: Vec<RulesOfCollective>,
    findings: Findings,
}

impl Reader {
    fn dropped(&mut self, path: &Path, message: &str, help: &str) {
        self.findings.add(Dropped, path.clone(), format!("{message}: {DROPPED}"), help);
    }

    fn file(&mut self, file: &Value) {
        let path = Path::root().key("collectives");
        let Some(collectives) = file.get("collectives").and_then(Value::as_object) else {
            let message = format!("there is no object `collectives`: {DROPPED}");
            let help = "add it, with an array of rules for each collective";
            return self.findings.add(Dropped, Place::File, message, help);
        };
        for (name, rules) in collectives {
            let path = path.key(name);
            let known = Library::OpenMpi.collective(name);
            if known.is_none() && !NAMES.contains(&&**name) {
                let help = match &**name {
                    "reducescatter" => "write reduce_scatter, contrary to the schema",
                    "reducescatterblock" => "write reduce_scatter_block, contrary to the schema",
                    _ => "write MPI's names in lower case, such as allgather",
                };
                let message = format!("there is no collective `{name}`: {DROPPED}");
                self.findings.add(Dropped, Place::Key(path), message, help);
                continue;
            }
            if known.is_none() {
                let message = format!("Open MPI never uses rules for {name}");
                self.findings.add(Wrong, Place::Key(path.clone()), message, "");
            }
            match rules.as_array() {
                Some(rules) => {
                    let rules = (rules.iter().enumerate())
                        .filter_map(|(index, rule)| self.communicator(rule, &path.index(index), known))
                        .collect();
                    self.collectives.extend(known.map(|known| (known, rules)));
                }
                None => self.dropped(&path, "the rules of a collective must be an array", ""),
            }
        }
    }

    fn communicator(
        &mut self,
        rule: &Value,
        path: &Path,
        known: Option<&TunedCollective>,
    ) -> Option<CommunicatorRule> {
        let Some(members) = rule.as_object() else {
            self.dropped(path, "a rule for communicators must be an object", "");
            return None;
        };
        self.keys(members, path, &["comm_size_min", "comm_size_max", Distribution::KEY, "rules"]);
        let from = self.comm_size(members, path, "comm_size_min", 0);
        let upto = self.comm_size(members, path, "comm_size_max", MAX_INT);
        let Some(messages) = members.get("rules").and_then(Value::as_array) else {
            self.dropped(path, "there is no array `rules` for the message sizes", "");
            return None;
        };
        let messages: Vec<MessageRule> = (messages.iter().enumerate())
            .filter_map(|(index, rule)| self.message(rule, &path.key("rules").index(index), known))
            .collect();
        if (from, upto) != (Some(2), Some(2))
            && let Some(rule) = messages.iter().find(|rule| is_for_two(known, rule.algorithm))
        {
            let message = "the call fails if two_proc is used with other than two ranks (MPI_ERR_UNSUPPORTED_OPERATION)";
            let help = "use it in a rule whose comm_size_min and comm_size_max are 2";
            self.findings.add(Fails, rule.path.key("alg"), message, help);
        }
        self.reached(&messages);
        let distribution = self.distribution(members, path)?;
        Some(CommunicatorRule { path: path.clone(), sizes: (from?, upto?), distribution, messages })
    }

    fn distribution(&mut self, members: &Map<String, Value>, path: &Path) -> Option<Distribution> {
        let Some(word) = members.get(Distribution::KEY) else { return Some(Distribution::Any) };
        let found = Distribution::ALL.into_iter().find(|known| word == known.word());
        if found.is_none() {
            let message =
                format!("there is no distribution {word}: Open MPI's schema does not allow the rule");
            let words = Distribution::ALL.map(Distribution::word).join(", ");
            self.findings.add(Wrong, path.key(Distribution::KEY), message, &format!("write one of {words}"));
        }
        found
    }

    fn message(&mut self, rule: &Value, path: &Path, known: Option<&TunedCollective>) -> Option<MessageRule> {
        let Some(members) = rule.as_object() else {
            self.dropped(path, "a rule for messages must be an object", "");
            return None;
        };
        self.keys(members, path, &["msg_size_min", "msg_size_max", "alg", "faninout", "seg_size", "reqs"]);
        let from = self.size(members, path, "msg_size_min", 0);
        let upto = self.size(members, path, "msg_size_max", u64::MAX);
        let fan_out = self.size(members, path, "faninout", 0);
        let segment = self.size(members, path, "seg_size", 0);
        let requests = self.size(members, path, "reqs", 0);
        for (key, number) in [("faninout", fan_out), ("seg_size", segment), ("reqs", requests)] {
            if number.is_some_and(|number| number > MAX_INT) {
                let message = format!("{} is stored as {}", number.unwrap_or(0), number.unwrap_or(0) as i32);
                self.findings.add(Wrong, path.key(key), message, "the maximum is 2147483647");
            }
        }
        let is_cut = segment.is_some_and(|size| size > 0);
        let algorithm = self.algorithm(members, path, known, is_cut)?;
        let known = known.and_then(|known| known.algorithm(algorithm));
        if let Some(known) = known.filter(|_| fan_out == Some(0))
            && let Some(default) = known.fan_out
        {
            let place = if members.contains_key("faninout") { path.key("faninout") } else { path.clone() };
            let help = format!("`faninout`: {}", fan_out_help(default));
            self.findings.add(Note, place, no_fan_out(known), &help);
        }
        if let Some(known) = known.filter(|known| requests > Some(0) && !known.limits_requests(is_cut)) {
            self.findings.add(Note, path.key("reqs"), no_requests(known), "write 0 or nothing");
        }
        Some(MessageRule {
            path: path.clone(),
            sizes: (from?, upto?),
            algorithm,
            fan_out: fan_out?,
            segment: segment?,
            requests: requests?,
        })
    }

    /// Returns the algorithm's number, or `None` if the rule is disabled.
    fn algorithm(
        &mut self,
        members: &Map<String, Value>,
        path: &Path,
        known: Option<&TunedCollective>,
        has_segments: bool,
    ) -> Option<u64> {
        let Some(value) = members.get("alg") else {
            let message = "a rule without `alg` leaves the choice to Open MPI";
            self.findings.add(Wrong, path.clone(), message, "name the algorithm, by number or name");
            return Some(0);
        };
        let known = known?;
        let id = match value {
            Value::String(name) => known
                .algorithms
                .iter()
                .find(|algorithm| algorithm.name == name)
                .and_then(|found| found.number),
            Value::Number(number) => number.as_u64().filter(|id| *id == 0 || known.algorithm(*id).is_some()),
            _ => None,
        };
        if id.is_none() && !(value == "ignore") {
            let names: Vec<&str> = known.algorithms.iter().map(|algorithm| algorithm.name).collect();
            let message = format!("{} has no algorithm {value}: the rule never applies", known.name);
            let help = match value.as_str() {
                Some(name) => suggestion(name, "algorithms", names),
                None => format!("the algorithms are 1 to {}: {}", names.len(), names.join(", ")),
            };
            self.findings.add(Wrong, path.key("alg"), message, &help);
            return None;
        }
        let id = id.unwrap_or(0);
        if let Some(algorithm) = known.algorithm(id) {
            self.release(&path.key("alg"), known, algorithm, has_segments);
        }
        Some(id)
    }

    fn release(
        &mut self,
        path: &Path,
        known: &TunedCollective,
        algorithm: &'static Algorithm,
        has_segments: bool,
    ) {
        if let (Some(release), Some(lack)) = (self.release, algorithm.lack(self.release)) {
            let message = format!(
                "Open MPI {release} has no `{}` for {} ({lack}): the rule never applies",
                algorithm.name, known.name
            );
            self.findings.add(Wrong, path.clone(), message, OTHER_RELEASE);
        }
        self.findings.caution(path.clone(), known.name, algorithm, has_segments);
    }

    /// Reads a communicator size, which is stored in C's int, without infinity.
    fn comm_size(
        &mut self,
        members: &Map<String, Value>,
        path: &Path,
        key: &str,
        missing: u64,
    ) -> Option<u64> {
        let size = self.size(members, path, key, missing)?;
        let kept = size as i32;
        if u64::try_from(kept) != Ok(size) {
            let help = "the maximum is 2147483647; omit `comm_size_max` if there is no limit";
            self.findings.add(Wrong, path.key(key), format!("`{key}` is stored as {kept}"), help);
        }
        Some(u64::try_from(kept).unwrap_or(0))
    }

    fn size(&mut self, members: &Map<String, Value>, path: &Path, key: &str, missing: u64) -> Option<u64> {
        match members.get(key) {
            None => Some(missing),
            Some(Value::String(text)) if ["inf", "Inf", "INF"].iter().any(|inf| text.starts_with(inf)) => {
                Some(u64::MAX)
            }
            Some(Value::Number(number)) if number.as_i64().is_some() => {
                let number = number.as_i64().unwrap_or(0);
                if number < 0 {
                    let message = format!("`{key}` is negative");
                    self.findings.add(Wrong, path.key(key), message, "write 0, or omit it");
                }
                Some(number as u64)
            }
            Some(other) => {
                let shown = shown(&other.to_string());
                let message = format!("`{key}` must be a whole number or \"inf\", not {shown}");
                self.dropped(&path.key(key), &message, "");
                None
            }
        }
    }

    fn keys(&mut self, members: &Map<String, Value>, path: &Path, known: &[&str]) {
        for key in members.keys().filter(|key| !known.contains(&&***key)) {
            let help = match &**key {
                "segsize" | "segment_size" => "write seg_size".to_owned(),
                _ => format!("the keys here are {}", known.join(", ")),
            };
            self.findings.add(Wrong, Place::Key(path.key(key)), format!("`{key}` is skipped"), &help);
        }
    }

    /// Reports rules for messages that are covered by earlier ones.
    fn reached(&mut self, rules: &[MessageRule]) {
        for (index, MessageRule { path, sizes: (from, upto), .. }) in rules.iter().enumerate() {
            if from > upto {
                let message = format!("there are no message sizes from {from} to {upto}");
                self.findings.add(Wrong, path.clone(), message, "");
            } else if rules[..index].iter().any(|rule| rule.sizes.0 <= *from && *upto <= rule.sizes.1) {
                let message = "an earlier rule applies to all message sizes of this one, which is never used";
                let help = "the first rule that matches applies: put narrow rules first";
                self.findings.add(Wrong, path.clone(), message, help);
            }
        }
    }
}

/// Returns whether an algorithm fails unless there are two ranks.
fn is_for_two(known: Option<&TunedCollective>, id: u64) -> bool {
    let needs = |known: &TunedCollective| known.algorithm(id)?.requires().next();
    known.and_then(needs) == Some(Requirement::CommSize(2))
}
