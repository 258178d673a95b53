//! A selection file as MPICH follows it.

use qtdec_core::{Path, Place, Problem, Problems};
use qtdec_mpi::catalogue::{Library, Unit};
use serde_json::Value;

use super::check::{Names, check};
use super::conditions::Condition;
use crate::tuning::finding::accepted;
use crate::tuning::json::parse_once;
use crate::tuning::{Decision, Job, Selection};

/// The tree of a file.
#[derive(Clone, Debug)]
pub(super) struct Rules {
    branches: Vec<Branch>,
    job: Job,
}

/// A key, and what holds where its condition does.
#[derive(Clone, Debug)]
struct Branch {
    path: Path,
    key: String,
    condition: Condition,
    then: Then,
}

#[derive(Clone, Debug)]
enum Then {
    Branches(Vec<Branch>),
    /// The name of the function, without library and collective, and its parameters.
    Leaf(String),
}

/// A call, as far as this reading looks at it: within one communicator of consecutive ranks, with a built-in commutative
/// operation on bytes, not in place, blocks of one size, one thread.
struct Call<'c> {
    collective: &'c str,
    comm_size: u64,
    msg_size: u64,
    ranks_per_node: u64,
}

impl Call<'_> {
    /// The ranks on a node that has as many as there can be.
    fn on_a_node(&self) -> u64 {
        self.ranks_per_node.min(self.comm_size)
    }

    /// MPICH builds communicators of the nodes where there are several of them, and several ranks on them.
    fn hierarchy(&self) -> &'static str {
        if self.ranks_per_node > 1 && self.ranks_per_node < self.comm_size { "parent" } else { "flat" }
    }
}

impl Rules {
    /// Reads a file; `names` asks for algorithms that MPICH has.
    pub(super) fn new(bytes: &[u8], job: Job, names: Names) -> Result<Self, Problems> {
        // A file that lacks collectives is told of when they are asked for.
        let findings = check(bytes, names).into_iter().filter(|finding| finding.problem.place != Place::File);
        accepted(findings)?;
        let file = parse_once(bytes)?;
        Ok(Self { branches: branches(&file, &Path::root())?, job })
    }

    fn call<'c>(&self, collective: &'c str, comm_size: u64, msg_size: u64) -> Call<'c> {
        let msg_size = if Library::Mpich.unit(collective) == Unit::Nothing { 0 } else { msg_size };
        Call { collective, comm_size, msg_size, ranks_per_node: self.job.ranks_per_node }
    }

    fn walk(&self, call: &Call<'_>) -> Option<(Vec<&Branch>, &str)> {
        let mut taken = Vec::new();
        let mut branches = &self.branches;
        let mut searching = false;
        loop {
            let branch = branches.iter().find(|branch| {
                let is_root = matches!(branch.condition, Condition::Collective(_));
                searching |= !branch.condition.is_of_communicator() && !is_root;
                holds(&branch.condition, call, searching)
            })?;
            taken.push(branch);
            match &branch.then {
                Then::Branches(inner) => branches = inner,
                Then::Leaf(name) => return Some((taken, name)),
            }
        }
    }

    fn visit<'r>(branches: &'r [Branch], visitor: &mut impl FnMut(&'r Branch)) {
        for branch in branches {
            visitor(branch);
            if let Then::Branches(inner) = &branch.then {
                Self::visit(inner, visitor);
            }
        }
    }
}

fn holds(condition: &Condition, call: &Call<'_>, searching: bool) -> bool {
    let below = |size: u64, limit: i64| i64::try_from(size).is_ok_and(|size| size <= limit);
    let ranks = call.comm_size;
    match condition {
        Condition::Collective(name) => name == call.collective,
        Condition::Intra(intra) => *intra,
        Condition::CommSizeUpTo(limit) => below(ranks, *limit),
        // Once a message was looked at, MPICH takes this for the other.
        Condition::CommSizeBelow(limit) => below(ranks, if searching { *limit } else { limit - 1 }),
        Condition::PowerOfTwo => ranks.is_power_of_two() || ranks == 0,
        Condition::OneNode => call.on_a_node() == ranks,
        Condition::RanksPerNodeUpTo(limit) => below(call.on_a_node(), *limit),
        Condition::Hierarchy(kind) => kind == call.hierarchy(),
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

fn branches(value: &Value, path: &Path) -> Result<Vec<Branch>, Problem> {
    let Value::Object(members) = value else {
        return Err(Problem::new(path.clone(), "an object of conditions stands here, and nothing else"));
    };
    let branch = |(key, value): (&String, &Value)| {
        let path = path.key(key);
        let condition = Condition::parse(key).ok_or_else(|| {
            Problem::new(Place::Key(path.clone()), format!("`{key}` is no condition of MPICH"))
        })?;
        let then = match leaf(value) {
            Some(name) => Then::Leaf(name),
            None => Then::Branches(branches(value, &path)?),
        };
        Ok(Branch { path, key: key.clone(), condition, then })
    };
    members.iter().map(branch).collect()
}

/// The algorithm that an object names, if it is one that does.
fn leaf(value: &Value) -> Option<String> {
    let (key, parameters) = value.as_object()?.iter().next()?;
    let (kind, name) = key.split_once('=')?;
    let name = match kind {
        "algorithm" => name.split_once("_intra_").map_or(name, |(_, name)| name),
        "composition" => name,
        _ => return None,
    };
    let parameters = parameters.as_object().into_iter().flat_map(|members| members.keys());
    Some([name].into_iter().chain(parameters.map(String::as_str)).collect::<Vec<_>>().join(":"))
}

impl Selection for Rules {
    fn collectives(&self) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        Self::visit(&self.branches, &mut |branch| {
            if let Condition::Collective(name) = &branch.condition
                && !Library::Mpich.algorithms(name).is_empty()
                && !names.contains(name)
            {
                names.push(name.clone());
            }
        });
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
        for branch in of_it {
            Self::visit(std::slice::from_ref(branch), &mut |branch| match branch.condition {
                Condition::CommSizeUpTo(limit) | Condition::RanksPerNodeUpTo(limit) => {
                    comm_sizes.push(beyond(limit));
                }
                Condition::CommSizeBelow(limit) => comm_sizes.extend([beyond(limit - 1), beyond(limit)]),
                Condition::MessageUpTo { limit, .. } | Condition::CountUpTo(limit) => {
                    messages.push(beyond(limit));
                }
                Condition::PowerOfTwo => powers = true,
                Condition::CountBelowPowerOfTwo => counts = true,
                _ => {}
            });
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
        // Where nodes become several.
        let on_a_node = self.job.ranks_per_node;
        comm_sizes.push(1);
        comm_sizes.extend((on_a_node > 1).then_some(on_a_node.saturating_add(1)));
        (comm_sizes, messages)
    }

    fn decide(&self, collective: &str, comm_size: u64, msg_size: u64) -> Decision {
        let name = self.walk(&self.call(collective, comm_size, msg_size)).map(|(_, name)| name.to_owned());
        Decision { name, ..Decision::default() }
    }

    fn rule(&self, collective: &str, comm_size: u64, msg_size: u64) -> Vec<(String, Place)> {
        let taken = self.walk(&self.call(collective, comm_size, msg_size)).map(|(taken, _)| taken);
        let rule = |branch: &Branch| (branch.key.clone(), Place::Key(branch.path.clone()));
        taken.unwrap_or_default().into_iter().map(rule).collect()
    }

    fn unit(&self, collective: &str) -> Unit {
        Library::Mpich.unit(collective)
    }
}

/// Powers of two of ranks are told apart up to this one.
const POWERS: u32 = 21;
