//! Evaluation of a selection file as MPICH does it.

use crate::catalogue::mpich::functions::is_of;
use crate::catalogue::mpich::parameters::{self, parameters};
use crate::catalogue::{Library, SizeUnit, mpich};
use qtdec_core::{Path, Place, Problem, Problems};
use serde_json::Value;

use super::check::{Names, check};
use super::conditions::{Condition, is_leaf, written};
use crate::tuning::finding::accepted;
use crate::tuning::json::parse_once;
use crate::tuning::{Decision, Job, MAX_INT, Selection};

/// The tree of a file.
#[derive(Clone, Debug)]
pub(super) struct Rules {
    branches: Vec<Branch>,
    job: Job,
}

/// A key, and the node that applies if its condition holds.
#[derive(Clone, Debug)]
struct Branch {
    path: Path,
    key: String,
    condition: Condition,
    then: Outcome,
}

#[derive(Clone, Debug)]
enum Outcome {
    Branches(Vec<Branch>),
    Leaf(Leaf),
}

/// A function, and the members that set its parameters.
#[derive(Clone, Debug)]
struct Leaf {
    function: String,
    parameters: Vec<String>,
}

/// The properties of a call that this reader considers: within one communicator of consecutive ranks, with a built-in commutative
/// operation on bytes, not in place, blocks of one size, one thread.
struct Call<'c> {
    collective: &'c str,
    comm_size: u64,
    msg_size: u64,
    ranks_per_node: u64,
}

impl Rules {
    /// Reads a file; `names` are the algorithms that it may name.
    pub(super) fn new(bytes: &[u8], job: Job, names: Names) -> Result<Self, Problems> {
        // Missing collectives are reported when they are requested.
        accepted(check(bytes, names))?;
        let file = parse_once(bytes)?;
        let rules = Self { branches: branches(&file, &Path::root())?, job };
        rules.representable()?;
        Ok(rules)
    }

    fn call<'c>(&self, collective: &'c str, comm_size: u64, msg_size: u64) -> Call<'c> {
        let msg_size = if Library::Mpich.unit(collective) == SizeUnit::Nothing { 0 } else { msg_size };
        Call { collective, comm_size, msg_size, ranks_per_node: self.job.ranks_per_node }
    }

    /// Checks that limits use the message sizes of this library's maps, not sizes multiplied or divided by the ranks.
    fn representable(&self) -> Result<(), Problem> {
        for branch in &self.branches {
            let Condition::Collective(collective) = &branch.condition else { continue };
            let mut all = branch.all().into_iter();
            if let Some(branch) = all.find(|branch| is_scaled(&branch.condition, collective)) {
                let message = format!(
                    "`{}` compares the message size of {collective} multiplied or divided by the ranks",
                    branch.key
                );
                let help = format!(
                    "a map needs the same limit for all communicator sizes: write {}",
                    mpich::size_key(Library::Mpich.unit(collective))
                );
                return Err(Problem::new(Place::Key(branch.path.clone()), message).help(help));
            }
        }
        Ok(())
    }

    /// Returns the branches that a call takes, and the function at their end.
    ///
    /// MPICH first follows the conditions on the communicator as far as they lead. If none of them matches, it starts again from the
    /// collective, and from then on reads `comm_size<` as `comm_size<=`.
    fn walk(&self, call: &Call<'_>) -> Option<(Vec<&Branch>, &Leaf)> {
        let of_call = |branch: &&Branch| matches!(&branch.condition, Condition::Collective(name) if name == call.collective);
        let mut root = Vec::new();
        let mut branches = &self.branches;
        let collective = loop {
            let communicator = branches.iter().find(|branch| {
                matches!(branch.condition, Condition::Collective(_)) || holds(&branch.condition, call, false)
            })?;
            if matches!(communicator.condition, Condition::Collective(_)) {
                break branches.iter().rev().find(of_call)?;
            }
            root.push(communicator);
            let Outcome::Branches(inner) = &communicator.then else { return None };
            branches = inner;
        };
        root.push(collective);
        let (pruned, mut then, mut from) = of_communicator(&collective.then, call);
        root.extend(pruned);
        loop {
            let branches = match then {
                Outcome::Leaf(leaf) => return Some((root, leaf)),
                Outcome::Branches(branches) => branches,
            };
            // MPICH aborts at a condition that is not defined for the collective.
            let is_end = |branch: &&Branch| {
                !branch.condition.is_defined_for(call.collective) || holds(&branch.condition, call, true)
            };
            let branch = branches[from..].iter().find(is_end)?;
            if !branch.condition.is_defined_for(call.collective) {
                return None;
            }
            root.push(branch);
            (then, from) = (&branch.then, 0);
        }
    }

    /// Returns the communicator sizes at which the average number of ranks on a node passes a limit: with each rank that begins a node it
    /// falls below, and rises above it before the node is full.
    fn partly_filled(&self, limit: i64) -> Vec<u64> {
        let on_a_node = self.job.ranks_per_node;
        let Some(limit) = u64::try_from(limit).ok().filter(|limit| *limit < on_a_node) else {
            return Vec::new();
        };
        // From this number of nodes on, the average exceeds the limit with the first rank on the last one.
        let nodes = (on_a_node / (on_a_node - limit)).min(MAX_INT / on_a_node);
        let around = |node: u64| [(node - 1).saturating_mul(on_a_node) + 1, limit.saturating_mul(node) + 1];
        (1..=nodes.saturating_add(1)).flat_map(around).collect()
    }
}

impl Branch {
    /// Returns the branch and all below it.
    fn all(&self) -> Vec<&Self> {
        let inner = if let Outcome::Branches(inner) = &self.then { &inner[..] } else { &[] };
        [self].into_iter().chain(inner.iter().flat_map(Self::all)).collect()
    }
}

/// Follows the conditions on the communicator as far as they lead. Returns the branches taken, where they end, and which branch there is
/// the next; where none matches, the beginning.
fn of_communicator<'r>(first: &'r Outcome, call: &Call<'_>) -> (Vec<&'r Branch>, &'r Outcome, usize) {
    let mut taken = Vec::new();
    let mut then = first;
    while let Outcome::Branches(branches) = then {
        let at = branches.iter().position(|branch| {
            !branch.condition.is_of_communicator() || holds(&branch.condition, call, false)
        });
        let Some(at) = at else { return (Vec::new(), first, 0) };
        if !branches[at].condition.is_of_communicator() {
            return (taken, then, at);
        }
        taken.push(&branches[at]);
        then = &branches[at].then;
    }
    (taken, then, 0)
}

fn holds(condition: &Condition, call: &Call<'_>, searching: bool) -> bool {
    let below = |size: u64, limit: i64| i64::try_from(size).is_ok_and(|size| size <= limit);
    let ranks = call.comm_size;
    match condition {
        Condition::Collective(name) => name == call.collective,
        Condition::Intra(intra) => *intra,
        Condition::CommSizeUpTo(limit) => below(ranks, *limit),
        // Once a message was examined, MPICH confuses this with the other condition.
        Condition::CommSizeBelow(limit) => below(ranks, if searching { *limit } else { limit - 1 }),
        Condition::PowerOfTwo => ranks.is_power_of_two() || ranks == 0,
        // A rank that is alone on its node has no node communicator.
        Condition::OneNode => (2..=call.ranks_per_node).contains(&ranks),
        // The average: the last node of a communicator may be filled in part.
        Condition::RanksPerNodeUpTo(limit) => {
            let nodes = ranks.div_ceil(call.ranks_per_node.max(1));
            below(ranks, limit.saturating_mul(i64::try_from(nodes).unwrap_or(i64::MAX)))
        }
        // MPICH creates communicators of the nodes unless every rank is alone on its node.
        Condition::Hierarchy(kind) if ranks > 1 && call.ranks_per_node > 1 => kind == "parent",
        Condition::Hierarchy(kind) => kind == "flat",
        Condition::MessageUpTo { limit, .. } | Condition::CountUpTo(limit) => below(call.msg_size, *limit),
        Condition::CountBelowPowerOfTwo => {
            let power = ranks.checked_ilog2().map_or(0, |exponent| 1_u64 << exponent);
            call.msg_size < power
        }
        Condition::Property(name, yes) => *yes != ["is_multi_threaded", "is_sendbuf_inplace"].contains(name),
        Condition::Consecutive(yes) => *yes,
        Condition::Any(_) => true,
    }
}

/// Returns whether a condition compares the message size of a collective multiplied or divided by the ranks.
fn is_scaled(condition: &Condition, collective: &str) -> bool {
    match (condition, Library::Mpich.unit(collective)) {
        (Condition::MessageUpTo { key, .. }, SizeUnit::Buffer | SizeUnit::PerRank) => {
            *key == "total_msg_size"
        }
        (Condition::CountUpTo(_) | Condition::CountBelowPowerOfTwo, SizeUnit::TimesRanks) => true,
        (Condition::CountUpTo(_) | Condition::CountBelowPowerOfTwo, SizeUnit::Total) => {
            collective == "reduce_scatter_block"
        }
        _ => false,
    }
}

fn branches(value: &Value, path: &Path) -> Result<Vec<Branch>, Problem> {
    let Value::Object(members) = value else {
        return Err(Problem::new(path.clone(), "only an object of conditions is allowed here"));
    };
    members.iter().map(|(key, value)| branch(key, value, path.key(key))).collect()
}

fn branch(key: &str, value: &Value, path: Path) -> Result<Branch, Problem> {
    let condition = Condition::parse(key).ok_or_else(|| {
        Problem::new(Place::Key(path.clone()), format!("`{key}` is not a condition of MPICH"))
    })?;
    let then = match leaf(value) {
        Some(leaf) => Outcome::Leaf(leaf),
        None => Outcome::Branches(branches(value, &path)?),
    };
    Ok(Branch { path, key: key.to_owned(), condition, then })
}

fn leaf(value: &Value) -> Option<Leaf> {
    let members = value.as_object()?;
    members.keys().next().filter(|key| is_leaf(key))?;
    // If there are several, MPICH takes the last.
    let (key, parameters) = members.iter().next_back()?;
    let key = written(key);
    let (_, function) = key.split_once('=')?;
    let parameters = parameters.as_object().into_iter().flat_map(|members| members.keys());
    let parameters = parameters.map(|key| written(key)).collect();
    Some(Leaf { function: function.to_owned(), parameters })
}

/// Returns the decision for a function of a collective. Parameters that a method does not have remain in the name.
fn decision(leaf: &Leaf, collective: &str) -> Decision {
    let mut name = short(&leaf.function, collective).to_owned();
    let (mut fan_out, mut segment_size) = (None, None);
    let known = parameters(collective, &name);
    for member in &leaf.parameters {
        let (key, text) = member.split_once('=').unwrap_or((member, ""));
        let number = text.parse().ok();
        let value = known.iter().find(|parameter| parameter.key == key).map(|parameter| parameter.value);
        match (value, number) {
            (Some(parameters::Value::FanOut { .. }), Some(number)) => fan_out = Some(number),
            (Some(parameters::Value::SegmentSize(_)), Some(number)) => {
                segment_size = Some(number).filter(|size| *size > 0);
            }
            (Some(parameters::Value::Fixed(usual)), _) if usual == text => {}
            _ => name = format!("{name}:{member}"),
        }
    }
    Decision { name: Some(name), fan_out, segment_size, ..Decision::default() }
}

/// Returns the name of a collective's algorithm without the common prefix.
fn short<'f>(function: &'f str, collective: &str) -> &'f str {
    let algorithm = function.split_once("_intra_").filter(|_| is_of(function, collective));
    algorithm.map_or(function, |(_, algorithm)| algorithm)
}

impl Selection for Rules {
    fn collectives(&self) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        for branch in self.branches.iter().flat_map(Branch::all) {
            if let Condition::Collective(name) = &branch.condition
                && !Library::Mpich.algorithms(name).is_empty()
                && !names.contains(name)
            {
                names.push(name.clone());
            }
        }
        names
    }

    fn starts(&self, collective: &str) -> (Vec<u64>, Vec<u64>) {
        let (mut comm_sizes, mut messages) = (Vec::new(), Vec::new());
        let mut powers = false;
        let mut counts = false;
        let beyond = |limit: i64| u64::try_from(limit.saturating_add(1)).unwrap_or(0);
        let of_it = self.branches.iter().filter(|branch| match &branch.condition {
            Condition::Collective(name) => name == collective,
            _ => true,
        });
        for branch in of_it.flat_map(Branch::all) {
            match branch.condition {
                Condition::CommSizeUpTo(limit) => comm_sizes.push(beyond(limit)),
                Condition::RanksPerNodeUpTo(limit) => comm_sizes.extend(self.partly_filled(limit)),
                Condition::CommSizeBelow(limit) => comm_sizes.extend([beyond(limit - 1), beyond(limit)]),
                Condition::MessageUpTo { limit, .. } | Condition::CountUpTo(limit) => {
                    messages.push(beyond(limit));
                }
                Condition::PowerOfTwo => powers = true,
                Condition::CountBelowPowerOfTwo => counts = true,
                // A single rank does not share a node.
                Condition::OneNode | Condition::Hierarchy(_) => comm_sizes.push(2),
                _ => {}
            }
        }
        let exponents = 0..POWERS;
        if powers || counts {
            comm_sizes.extend(exponents.clone().map(|exponent| 1 << exponent));
        }
        if powers {
            comm_sizes.extend(exponents.clone().map(|exponent| (1 << exponent) + 1));
        }
        if counts {
            messages.extend(exponents.map(|exponent| 1 << exponent));
        }
        // The number of ranks at which a second node begins.
        let on_a_node = self.job.ranks_per_node;
        comm_sizes.push(1);
        comm_sizes.extend((on_a_node > 1).then_some(on_a_node.saturating_add(1)));
        (comm_sizes, messages)
    }

    fn decide(&self, collective: &str, comm_size: u64, msg_size: u64) -> Decision {
        let taken = self.walk(&self.call(collective, comm_size, msg_size));
        taken.map_or_else(Decision::library, |(_, leaf)| decision(leaf, collective))
    }

    fn rule(&self, collective: &str, comm_size: u64, msg_size: u64) -> Vec<(String, Place)> {
        let taken = self.walk(&self.call(collective, comm_size, msg_size)).map(|(taken, _)| taken);
        let rule = |branch: &Branch| (branch.key.clone(), Place::Key(branch.path.clone()));
        taken.unwrap_or_default().into_iter().map(rule).collect()
    }

    fn unit(&self, collective: &str) -> SizeUnit {
        Library::Mpich.unit(collective)
    }
}

/// The maximum power of two of ranks that is distinguished.
const POWERS: u32 = 21;
