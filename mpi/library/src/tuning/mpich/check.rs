//! Checks of what MPICH would do with a selection file. MPICH is not silent: it aborts, citing a line of its own source.

mod leaf;

use std::collections::BTreeSet;

use crate::catalogue::mpich::functions;
use crate::catalogue::{Library, Release, SizeUnit, mpich};
use qtdec_core::similar::{did_you_mean, suggestion};
use qtdec_core::{Path, Place, Problem};
use serde_json::{Map, Value};

use super::calls::Calls;
use super::conditions::{self, Condition, covers, is_exhaustive, is_leaf};
use super::layer::Device;
use crate::tuning::Finding;
use crate::tuning::Severity::{Dropped, Fails, Note, Wrong};
use crate::tuning::finding::{Findings, OTHER_RELEASE};
use crate::tuning::json::{duplicate_keys, parse};

/// The first release known to have the conditions that 4.0 lacks.
const NEWER: Release = Release::new(4, 2);

/// The algorithms that a file may name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Names {
    /// Those of a release of MPICH; `None` stands for a release that has every algorithm.
    Of(Option<Release>),
    /// Those that MPICH or any derivative may have.
    Any,
}

/// The maximum nesting of objects: MPICH's JSON reader accepts no more.
const DEPTH: usize = 32;

pub(super) fn check(bytes: &[u8], names: Names) -> Vec<Finding> {
    let mut checker =
        Checker { names, layer: None, open_to_groups: BTreeSet::new(), findings: Findings::default() };
    match parse(bytes) {
        Ok(value) if is_deeper(&value, DEPTH) => {
            let message = format!("objects are nested more than {DEPTH} deep: MPICH rejects the file");
            checker.findings.add(Dropped, Place::File, message, "");
        }
        Ok(Value::Object(members)) => {
            let problem = missing(&members);
            let file = Value::Object(members);
            checker.layer = Device::of_file(&file);
            if let Some(layer) = checker.layer {
                let message = format!(
                    "the file is for the device: MPICH reads it from {}, and leaves what it lacks to the file of MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE",
                    layer.variable()
                );
                checker.findings.add(Note, Place::File, message, "");
            } else if let Some(problem) = problem {
                checker.findings.push(Fails, problem);
            }
            let calls = Calls::all(if let Names::Of(release) = names { release } else { None });
            checker.branches(&file, &Path::root(), &State { calls: Some(calls), ..State::default() });
            if let Some(message) = fault_at_the_top(&file) {
                let help = "put `collective=` first, or below conditions that cover all communicators";
                checker.dropped(Place::At(Path::root()), message, help);
            }
            for problem in duplicate_keys(bytes) {
                checker.findings.push(Wrong, problem);
            }
        }
        Ok(_) => {
            checker.findings.add(Dropped, Place::File, "the file is not an object: MPICH aborts", "");
        }
        Err(problem) => {
            let problem = Problem { message: problem.message.text(": MPICH aborts"), ..problem };
            checker.findings.push(Dropped, problem);
        }
    }
    if !bytes.is_empty() && bytes.len().is_multiple_of(4096) {
        let message = "the size of the file is a multiple of 4096 bytes: MPICH 4.0 reads beyond its end";
        checker.findings.add(Wrong, Place::File, message, "add a line break");
    }
    checker.findings.found()
}

/// Returns the fault of missing collectives in a file with these members.
pub(super) fn missing(members: &Map<String, Value>) -> Option<Problem> {
    let missing = missing_names(members)?;
    let message = format!("MPICH aborts in the first call of a collective that the file lacks: {missing}");
    let help = "insert the rules into a complete file: qtdec-mpi emit --target mpich --into libmpich.so";
    Some(Problem::new(Place::File, message).help(help))
}

/// Lists the collectives that a file with these members lacks, if it lacks any and its members are collectives.
pub(super) fn missing_names(members: &Map<String, Value>) -> Option<String> {
    let missing: Vec<&str> =
        functions::blocking().filter(|name| !members.contains_key(&format!("collective={name}"))).collect();
    let lacks = !missing.is_empty() && members.keys().all(|key| key.starts_with("collective="));
    lacks.then(|| missing.join(", "))
}

fn is_deeper(value: &Value, than: usize) -> bool {
    match value {
        Value::Object(members) => than == 0 || members.values().any(|value| is_deeper(value, than - 1)),
        Value::Array(elements) => than == 0 || elements.iter().any(|value| is_deeper(value, than - 1)),
        _ => false,
    }
}

/// Returns a fault unless a communicator within one group always reaches a list that contains only collectives.
fn fault_at_the_top(value: &Value) -> Option<&'static str> {
    const NONE: &str = "conditions on the communicator alone lead to no `collective=`: MPICH aborts at its \
         start";
    let members = value.as_object()?;
    let mut rest = members.iter().map(|(key, value)| (Condition::parse(key), value));
    while let Some((condition, value)) = rest.next() {
        match condition {
            Some(Condition::Collective(_)) => {
                let is_list = rest.all(|(condition, _)| matches!(condition, Some(Condition::Collective(_))));
                return (!is_list).then_some(BEYOND);
            }
            // No communicator within one group takes this branch.
            Some(Condition::Intra(false)) => {}
            Some(
                Condition::Intra(true)
                | Condition::Any("comm_size" | "comm_hierarchy" | "comm_avg_ppn" | "any"),
            ) => return fault_at_the_top(value),
            Some(condition) if condition.is_of_communicator() => match fault_at_the_top(value) {
                None => {}
                fault => return fault,
            },
            _ => return Some(NONE),
        }
    }
    (!members.is_empty()).then_some(NONE)
}

/// The consequence is undefined and differs from run to run.
const BEYOND: &str = "a condition follows `collective=` in the same object: MPICH reads it as a collective, and writes \
         outside of its memory";

/// The state while descending into the file.
#[derive(Clone, Default)]
struct State {
    collective: Option<String>,
    /// Whether a condition was found that depends on the call.
    searching: bool,
    /// Whether one of them compares sizes.
    sized: bool,
    /// The conditions above.
    above: Vec<String>,
    /// The calls that come here, if there are any.
    calls: Option<Calls>,
}

struct Checker {
    names: Names,
    /// The layer of the device that reads the file, if it is one.
    layer: Option<Device>,
    /// The collectives of which it was said that their intercommunicators are not told apart.
    open_to_groups: BTreeSet<String>,
    findings: Findings,
}

impl Checker {
    fn dropped(&mut self, place: impl Into<Place>, message: impl Into<qtdec_core::Message>, help: &str) {
        self.findings.add(Dropped, place, message, help);
    }

    fn branches(&mut self, value: &Value, path: &Path, state: &State) {
        let Value::Object(members) = value else {
            let message = "the file may contain only objects: MPICH aborts";
            return self.dropped(Place::At(path.clone()), message, "");
        };
        if members.keys().next().is_some_and(|key| is_leaf(key)) {
            return self.leaf(members, path, state);
        }
        let mut state = state.clone();
        let mut before: Vec<Condition> = Vec::new();
        let mut all_known = true;
        for (key, value) in members {
            let path = path.key(key);
            let place = || Place::Key(path.clone());
            let is_late =
                matches!(self.names, Names::Of(Some(release)) if release < NEWER) && Condition::is_new(key);
            let Some(condition) = Condition::parse(key).filter(|_| !is_late) else {
                let message = if is_leaf(key) {
                    format!(
                        "`{key}` follows a condition, where only conditions are allowed: MPICH aborts at \
                             its start"
                    )
                } else {
                    format!("`{key}` is not a condition: MPICH aborts at its start")
                };
                let help = match (is_leaf(key), is_late) {
                    (true, _) => "put it into a separate object, below `comm_size=any`".to_owned(),
                    (_, true) => format!("MPICH knows it from 4.2 on; {OTHER_RELEASE}"),
                    _ => instead(key, state.collective.as_deref()),
                };
                self.dropped(place(), message, &help);
                all_known = false;
                if !is_leaf(key) {
                    self.branches(value, &path, &state);
                }
                continue;
            };
            if let Condition::Collective(name) = &condition {
                if !functions::is_collective(name) {
                    let message = format!("MPICH has no collective `{name}`, and aborts at its start");
                    self.dropped(place(), message, &suggestion(name, "collectives", functions::blocking()));
                }
                state.collective = Some(name.clone());
            }
            if before
                .iter()
                .any(|earlier| matches!(earlier, Condition::Any(name) if *name != "comm_hierarchy"))
            {
                let message =
                    format!("`{key}` follows a condition that matches every call: MPICH aborts at its start");
                self.dropped(place(), message, "put `any` last");
            } else if before.iter().any(|earlier| covers(earlier, &condition)) {
                let message =
                    format!("`{key}` is never reached: an earlier condition matches all of its calls");
                let help = "order limits from small to large, and put `any` last";
                self.findings.add(Wrong, place(), message, help);
            }
            self.condition(&condition, key, &path, &state);
            let searching = state.searching;
            state.searching |=
                !condition.is_of_communicator() && !matches!(condition, Condition::Collective(_));
            state.sized |= condition.is_of_size();
            let narrowed = |holds: bool| {
                state.calls.as_ref().and_then(|calls| calls.narrowed(&condition, holds, searching))
            };
            let mut inner = State { calls: narrowed(true), ..state.clone() };
            inner.above.push(conditions::written(key));
            self.branches(value, &path, &inner);
            state.calls = narrowed(false);
            before.push(condition);
        }
        if all_known {
            self.end(&before, path);
        }
    }

    /// Checks the end of a chain of conditions.
    fn end(&mut self, conditions: &[Condition], path: &Path) {
        let place = Place::At(path.clone());
        let Some(last) = conditions.last() else {
            // At the top, this only means that the collective is missing.
            if path != &Path::root() {
                let message =
                    "this object contains neither a condition nor an algorithm: MPICH aborts at its start";
                let help = "name an algorithm, such as `algorithm=MPIR_Bcast_intra_binomial`: {}";
                self.dropped(place, message, help);
            }
            return;
        };
        let help = "end the last one in `=any`";
        if !last.may_be_last() {
            let message = "MPICH aborts at its start if none of these conditions matches";
            return self.dropped(place, message, help);
        }
        let is_root = conditions.iter().all(|condition| matches!(condition, Condition::Collective(_)));
        if !is_root && self.layer.is_none() && !is_exhaustive(conditions) {
            let message = "MPICH aborts in a call that matches none of these conditions";
            self.findings.add(Fails, place, message, help);
        }
    }

    fn condition(&mut self, condition: &Condition, key: &str, path: &Path, state: &State) {
        let place = || Place::Key(path.clone());
        if let Some(number) = Condition::misread(key) {
            let message = format!("the limit of `{key}` is read as {number}");
            let help = "write whole numbers below 2^31, without a suffix";
            self.findings.add(Wrong, place(), message, help);
        }
        if matches!(condition, Condition::CommSizeBelow(_)) && state.searching {
            let message =
                format!("below a condition on calls, `{key}` is read as `{}`", key.replace('<', "<="));
            let help = "put communicator sizes above message sizes, or write <= with one rank less";
            // MPICH's own files say so below properties of the call, which its authors accept.
            let severity = if state.sized { Wrong } else { Note };
            self.findings.add(severity, place(), message, help);
        }
        let Some(collective) = &state.collective else { return };
        if condition.is_defined_for(collective) {
            return;
        }
        let name = key.split(['<', '=']).next().unwrap_or_default().trim();
        let message = format!("{name} is not defined for {collective}: MPICH aborts in the call");
        let help = match condition {
            Condition::MessageUpTo { key: "avg_msg_size", .. }
                if Library::Mpich.unit(collective) != SizeUnit::Nothing =>
            {
                "write total_msg_size"
            }
            _ => "remove the condition",
        };
        self.findings.add(Fails, place(), message, help);
    }
}

/// Returns the suggestion for a key that is not a condition.
fn instead(key: &str, collective: Option<&str>) -> String {
    let name = key.split(['<', '=']).next().unwrap_or_default().trim();
    let unit = collective.map(|collective| mpich::size_key(Library::Mpich.unit(collective)));
    let known = conditions::names();
    let like = match unit {
        Some(unit) if name != unit && name.contains("msg") && !known.contains(&name) => Some(unit),
        _ => did_you_mean(name, known.iter().copied()).filter(|like| *like != name),
    };
    match like {
        Some(like) => format!("did you mean `{}`?", key.replacen(name, like, 1)),
        None => {
            "write whole numbers below 2^31, without a suffix; sizes are comm_size<=N and avg_msg_size<=N"
                .to_owned()
        }
    }
}
