//! What MPICH would do with a selection file. It is not silent: it aborts, with a line of its own source.

use qtdec_core::{Path, Place, Problem};
use qtdec_mpi::catalogue::{Library, Release, Unit, mpich};
use serde_json::Value;

use super::conditions::{self, Condition};
use crate::tuning::finding::{Findings, OTHER_RELEASE};
use crate::tuning::json::{parse, twice};
use crate::tuning::{Finding, Severity};
use qtdec_mpi::similar::{did_you_mean, suggestion};

/// Blocking collectives that MPI programs and MPICH itself call.
const COLLECTIVES: [&str; 17] = [
    "allgather",
    "allgatherv",
    "allreduce",
    "alltoall",
    "alltoallv",
    "alltoallw",
    "barrier",
    "bcast",
    "exscan",
    "gather",
    "gatherv",
    "reduce",
    "reduce_scatter",
    "reduce_scatter_block",
    "scan",
    "scatter",
    "scatterv",
];

/// The algorithms that may stand in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Names {
    /// Those of a release of MPICH; `None` stands for one that has every algorithm.
    Of(Option<Release>),
    /// Whatever MPICH or a descendant of it may have.
    Any,
}

/// All that is the matter with a file.
pub(super) fn check(bytes: &[u8], names: Names) -> Vec<Finding> {
    let mut checker = Checker { names, findings: Findings::default() };
    match parse(bytes) {
        Ok(Value::Object(members)) => {
            let missing: Vec<&str> = (COLLECTIVES.into_iter())
                .filter(|name| !members.contains_key(&format!("collective={name}")))
                .collect();
            if !missing.is_empty() && members.keys().all(|key| key.starts_with("collective=")) {
                let message = format!(
                    "MPICH aborts in the first call of what is not in the file: {}",
                    missing.join(", ")
                );
                let help = "put the rules into a whole file: qtdec emit --target mpich --into generic.json";
                checker.findings.add(Severity::Dropped, Place::File, message, help);
            }
            checker.branches(&Value::Object(members), &Path::root(), &State::default());
            for problem in twice(bytes) {
                checker.findings.push(Severity::Wrong, problem);
            }
        }
        Ok(_) => {
            checker.findings.add(Severity::Dropped, Place::File, "the file is no object: MPICH aborts", "");
        }
        Err(problem) => {
            let problem = Problem { message: problem.message.text(": MPICH aborts"), ..problem };
            checker.findings.push(Severity::Dropped, problem);
        }
    }
    if !bytes.is_empty() && bytes.len().is_multiple_of(4096) {
        let message = "the file has a multiple of 4096 bytes: MPICH 4.0 reads on behind its end";
        checker.findings.add(Severity::Wrong, Place::File, message, "add a line break");
    }
    checker.findings.found()
}

/// What is known on the way down.
#[derive(Clone, Default)]
struct State {
    collective: Option<String>,
    /// Whether a condition was met that only a call settles.
    searching: bool,
}

struct Checker {
    names: Names,
    findings: Findings,
}

impl Checker {
    fn branches(&mut self, value: &Value, path: &Path, state: &State) {
        let Value::Object(members) = value else {
            self.findings.add(
                Severity::Dropped,
                Place::At(path.clone()),
                "only objects stand in such a file: MPICH aborts",
                "",
            );
            return;
        };
        let mut state = state.clone();
        let mut before: Vec<Condition> = Vec::new();
        let mut all_known = true;
        for (key, value) in members {
            let path = path.key(key);
            let place = || Place::Key(path.clone());
            if key.starts_with("algorithm=") || key.starts_with("composition=") {
                self.leaf(key, &path, &state);
                return;
            }
            let Some(condition) = Condition::parse(key) else {
                let message = format!("`{key}` is no condition: MPICH aborts at its start");
                self.findings.add(
                    Severity::Dropped,
                    place(),
                    message,
                    &instead(key, state.collective.as_deref()),
                );
                all_known = false;
                self.branches(value, &path, &state);
                continue;
            };
            if let Condition::Collective(name) = &condition {
                state.collective = Some(name.clone());
            }
            self.condition(&condition, key, &path, &state);
            if before.iter().any(|earlier| covers(earlier, &condition)) {
                let message =
                    format!("`{key}` is never reached: a condition before it takes all of its calls");
                self.findings.add(
                    Severity::Wrong,
                    place(),
                    message,
                    "limits increase, and `any` is the last",
                );
            }
            state.searching |=
                !condition.is_of_communicator() && !matches!(condition, Condition::Collective(_));
            let inner = State { collective: state.collective.clone(), searching: state.searching };
            self.branches(value, &path, &inner);
            before.push(condition);
        }
        let is_root = before.iter().all(|condition| matches!(condition, Condition::Collective(_)));
        if all_known && !is_root && !is_exhaustive(&before) {
            let message = "a call that none of these conditions takes makes MPICH abort";
            self.findings.add(
                Severity::Fails,
                Place::At(path.clone()),
                message,
                "let the last one end in `=any`",
            );
        }
    }

    fn condition(&mut self, condition: &Condition, key: &str, path: &Path, state: &State) {
        let place = || Place::Key(path.clone());
        if matches!(condition, Condition::CommSizeBelow(_)) && state.searching {
            let message =
                format!("`{key}` below a condition on calls is taken for `{}`", key.replace('<', "<="));
            let help = "put communicator sizes above message sizes, and write <= with one rank less";
            self.findings.add(Severity::Wrong, place(), message, help);
        }
        let Some(collective) = &state.collective else { return };
        let looks_at_average = matches!(condition, Condition::MessageUpTo { key: "avg_msg_size", .. });
        let has_average =
            ["bcast", "reduce", "allreduce", "alltoall"].contains(&collective.trim_start_matches('i'));
        if looks_at_average && !has_average && Library::Mpich.unit(collective) != Unit::Nothing {
            let message = format!("avg_msg_size is not defined for {collective}: MPICH aborts in the call");
            self.findings.add(Severity::Fails, place(), message, "write total_msg_size");
        }
    }

    fn leaf(&mut self, key: &str, path: &Path, state: &State) {
        let Some(collective) = state.collective.as_deref() else { return };
        let Some((_, function)) = key.split_once("algorithm=") else { return };
        let known = Library::Mpich.algorithms(collective);
        let Names::Of(release) = self.names else { return };
        if known.is_empty() || function.contains("_inter_") || function.contains("_allcomm_") {
            return;
        }
        if function.starts_with("MPIDI_") {
            let message =
                format!("`{function}` is the device layer's: MPICH knows it in that layer's file alone");
            return self.findings.add(Severity::Note, Place::Key(path.clone()), message, "");
        }
        let algorithm =
            known.iter().find(|algorithm| mpich::function(collective, algorithm.name) == function);
        let place = Place::Key(path.clone());
        match algorithm {
            Some(algorithm) => {
                if let (Some(release), Some(lack)) = (release, algorithm.lack(release)) {
                    let message =
                        format!("MPICH {release} has no `{function}`, and aborts at its start: {lack}");
                    self.findings.add(Severity::Fails, place, message, OTHER_RELEASE);
                }
            }
            None => {
                let names: Vec<String> =
                    known.iter().map(|known| mpich::function(collective, known.name)).collect();
                let message = format!("MPICH has no `{function}` for {collective}, and aborts at its start");
                let help = suggestion(function, names.iter().map(String::as_str));
                self.findings.add(Severity::Dropped, place, message, &help);
            }
        }
    }
}

/// The way out where a key is no condition.
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
            "numbers are whole and below 2^31, without a suffix; sizes are comm_size<=N and avg_msg_size<=N"
                .to_owned()
        }
    }
}

/// Whether all calls that the second takes were taken by the first.
fn covers(first: &Condition, second: &Condition) -> bool {
    use Condition::{Any, CommSizeBelow, CommSizeUpTo, CountUpTo, MessageUpTo};
    match (first, second) {
        (Any(_), _) => true,
        (CommSizeUpTo(a), CommSizeUpTo(b))
        | (CommSizeBelow(a), CommSizeBelow(b))
        | (CountUpTo(a), CountUpTo(b)) => a >= b,
        (CommSizeUpTo(a), CommSizeBelow(b)) => *a >= b - 1,
        (CommSizeBelow(a), CommSizeUpTo(b)) => *a > *b,
        (MessageUpTo { key: one, limit: a }, MessageUpTo { key: other, limit: b }) => one == other && a >= b,
        _ => first == second,
    }
}

/// Whether one of the conditions takes every call that the others leave.
fn is_exhaustive(conditions: &[Condition]) -> bool {
    let opposite = |condition: &Condition| match condition {
        Condition::Property(name, yes) => Some(Condition::Property(name, !yes)),
        Condition::Intra(intra) => Some(Condition::Intra(!intra)),
        Condition::Consecutive(yes) => Some(Condition::Consecutive(!yes)),
        _ => None,
    };
    conditions.iter().any(|condition| {
        matches!(condition, Condition::Any(_))
            || opposite(condition).is_some_and(|opposite| conditions.contains(&opposite))
    })
}
