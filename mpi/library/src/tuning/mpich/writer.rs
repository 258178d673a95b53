//! The sections of a selection file, made from rules.

use crate::catalogue::mpich::ch4;
use crate::catalogue::mpich::parameters::parameters;
use crate::catalogue::{Algorithm, Library, Need, SizeUnit, mpich};
use qtdec_core::{Place, Problem};
use serde_json::{Map, Value, json};

use super::conditions::{Condition, is_leaf};
use crate::tuning::bands::ranges;
use crate::tuning::{Bands, LibraryRules, MAX_INT, Setting};

/// How a file says that rules force an algorithm.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Forced {
    /// It names the algorithm.
    Named,
    /// It names compositions, and leads to nothing for other algorithms, so that the layer below the file's chooses.
    LeadsToNothing,
}

/// Returns whether rules force the algorithm that calls others on the ranks of a node and on one rank of each node.
pub(super) fn runs_smp(rules: &LibraryRules) -> bool {
    let smp = |setting: &Setting| setting.algorithm.is_some_and(|algorithm| algorithm.name == "smp");
    rules.settings().any(|(_, setting)| smp(setting))
}

/// Communicators within one group, the only ones that rules are for.
const INTRA: &str = "comm_type=intra";

/// Inserts rules into a file, and returns notes about them. `forced` is how the file names an algorithm.
pub(super) fn insert(
    file: &mut Value,
    all_rules: &[LibraryRules],
    forced: Forced,
) -> Result<Vec<String>, Problem> {
    let mut notes = Vec::new();
    for rules in all_rules {
        let key = format!("collective={}", rules.collective);
        let section = file.get_mut(&key).and_then(Value::as_object_mut).ok_or_else(|| {
            Problem::new(Place::File, format!("the file has no `{key}` at its top"))
                .help("give a complete file of MPICH with --into")
        })?;
        let whole = Value::Object(section.clone());
        let original = section.get(INTRA).unwrap_or(&whole);
        let ours = Writer { rules, original: exact(original, false), forced }.rules(&mut notes);
        if !section.contains_key(INTRA) {
            // Compositions are for communicators within one group.
            let others = (forced == Forced::Named).then(|| ("comm_type=inter".to_owned(), whole));
            *section = others.into_iter().collect();
        }
        section.insert(INTRA.to_owned(), ours);
    }
    Ok(notes)
}

/// Replaces `comm_size<N`, which MPICH reads as `comm_size<=N` from the first condition on a call on, by a condition that means the same
/// everywhere. `searching` says whether there was such a condition.
fn exact(value: &Value, mut searching: bool) -> Value {
    let Value::Object(members) = value else { return value.clone() };
    let mut exact_members = Map::new();
    for (key, value) in members {
        let condition = Condition::parse(key);
        searching |= condition.as_ref().is_some_and(|condition| !condition.is_of_communicator());
        let key = match condition {
            Some(Condition::CommSizeBelow(size)) if !searching => format!("comm_size<={}", size - 1),
            Some(Condition::CommSizeBelow(size)) => format!("comm_size<={size}"),
            _ => key.clone(),
        };
        exact_members.insert(key, exact(value, searching));
    }
    Value::Object(exact_members)
}

/// The rules of one collective, and what they replace.
struct Writer<'p> {
    rules: &'p LibraryRules,
    /// The previous choice in the file.
    original: Value,
    forced: Forced,
}

impl Writer<'_> {
    /// Returns the section for communicators within one group, and adds notes about it.
    fn rules(&self, notes: &mut Vec<String>) -> Value {
        let collective = &*self.rules.collective;
        if ["gather", "scatter"].contains(&collective) && self.rules.all_bands().any(Bands::use_message_sizes)
        {
            notes.push(format!(
                "MPICH ignores the size of the datatype in {collective}: this is exact only for datatypes \
                     of one byte"
            ));
        }
        if runs_smp(self.rules) {
            notes.push(
                "`smp` needs nodes of several ranks: other communicators keep the choice of the file"
                    .to_owned(),
            );
        }
        let ours = match &self.rules.by_ranks_per_node[..] {
            [] => self.communicators(&self.rules.bands),
            levels => {
                notes.push(format!(
                    "{collective}: MPICH compares the average number of ranks on the nodes of a communicator"
                ));
                self.levels(levels)
            }
        };
        // Calls that rules of sizes cannot serve keep the rules of the file.
        let other = &self.original;
        let ours = match collective {
            _ if Library::Mpich.spares_operations_of_programs(collective) => json!({
                "is_commutative=yes": { "is_op_built_in=yes": ours, "is_op_built_in=no": other },
                "is_commutative=no": other,
            }),
            "reduce_scatter" | "reduce_scatter_block" => {
                json!({ "is_commutative=yes": ours, "is_commutative=no": other })
            }
            "alltoall" | "alltoallv" => {
                json!({ "is_sendbuf_inplace=yes": other, "is_sendbuf_inplace=no": ours })
            }
            _ => ours,
        };
        spared(&ours, other)
    }

    /// Returns the rules by ranks per node. 4.0 has no `comm_avg_ppn=any`, so another key that matches every communicator ends them.
    fn levels(&self, levels: &[(u64, Bands<Setting>)]) -> Value {
        let key = |upto: Option<u64>| limit(if upto.is_some() { "comm_avg_ppn" } else { "comm_size" }, upto);
        in_turn(levels, key, |bands| self.communicators(bands))
    }

    fn communicators(&self, bands: &Bands<Setting>) -> Value {
        let communicators = bands.communicators();
        // No rank is in a communicator without ranks.
        let first = usize::from(communicators.get(1).is_some_and(|(next, _)| *next == 1));
        in_turn(&communicators[first..], |upto| limit("comm_size", upto), |messages| self.messages(messages))
    }

    fn messages(&self, messages: &[(u64, Setting)]) -> Value {
        let unit = Library::Mpich.unit(&self.rules.collective);
        if unit == SizeUnit::Nothing || messages.len() == 1 {
            return self.leaf(messages[0].1);
        }
        in_turn(messages, |upto| limit(mpich::size_key(unit), upto), |setting| self.leaf(*setting))
    }

    fn leaf(&self, setting: Setting) -> Value {
        match (setting.algorithm, self.forced) {
            (None, _) => self.original.clone(),
            (Some(algorithm), Forced::LeadsToNothing) => match ch4::letter(algorithm) {
                Some(letter) => self.composition(letter),
                None => nothing(&self.original),
            },
            (Some(algorithm), Forced::Named) => self.named(algorithm, setting),
        }
    }

    fn composition(&self, letter: &str) -> Value {
        let name = ch4::function(&self.rules.collective, letter);
        self.on_nodes(&json!({ format!("composition={name}"): {} }))
    }

    /// Returns a choice for communicators of several nodes with several ranks. Others keep that of the file.
    fn on_nodes(&self, choice: &Value) -> Value {
        json!({ "comm_hierarchy=parent": choice, "comm_hierarchy=any": self.original })
    }

    fn named(&self, algorithm: &Algorithm, setting: Setting) -> Value {
        // Buffers in place keep the choice of the file, and only they have this algorithm.
        if algorithm.needs.contains(&Need::InPlace) {
            return self.original.clone();
        }
        if algorithm.needs.contains(&Need::EqualBlocks) {
            let ours = self.function(algorithm.name, setting);
            return json!({ "is_block_regular=yes": ours, "is_block_regular=no": self.original });
        }
        if algorithm.needs.contains(&Need::Hierarchy) {
            return self.on_nodes(&self.function(algorithm.name, setting));
        }
        // Too few elements to cut among the ranks.
        let few = match (&*self.rules.collective, algorithm.name) {
            ("reduce", "reduce_scatter_gather") => "binomial",
            ("allreduce", "reduce_scatter_allgather") => "recursive_doubling",
            _ => return self.function(algorithm.name, setting),
        };
        json!({ "count<pow2": self.function(few, setting), "count=any": self.function(algorithm.name, setting) })
    }

    fn function(&self, name: &str, setting: Setting) -> Value {
        let collective = &*self.rules.collective;
        let parameters = parameters(collective, name).iter();
        let members = parameters.map(|parameter| parameter.member(setting.fan_out, setting.segment_size));
        let members: Map<String, Value> = members.map(|member| (member, json!({}))).collect();
        json!({ format!("algorithm={}", mpich::function(collective, name)): members })
    }
}

/// Returns conditions that lead a communicator within one group to nothing. What they would lead others to must have a name that MPICH
/// knows: it is the first one of the original.
fn nothing(original: &Value) -> Value {
    json!({ "comm_type=inter": first_leaf(original) })
}

/// Returns the first object that names an algorithm or a composition, or the value itself if none does.
fn first_leaf(value: &Value) -> &Value {
    match value.as_object().and_then(|members| members.iter().next()) {
        Some((key, inner)) if !is_leaf(key) => first_leaf(inner),
        _ => value,
    }
}

/// Returns conditions that are tried in turn, one for each band up to the greatest number that MPICH reads.
fn in_turn<T>(bands: &[(u64, T)], key: impl Fn(Option<u64>) -> String, value: impl Fn(&T) -> Value) -> Value {
    let mut keys = Map::new();
    for (_, upto, held) in ranges(bands) {
        let upto = upto.filter(|upto| *upto <= MAX_INT);
        keys.insert(key(upto), value(held));
        if upto.is_none() {
            break;
        }
    }
    Value::Object(keys)
}

fn limit(key: &str, upto: Option<u64>) -> String {
    upto.map_or_else(|| format!("{key}=any"), |upto| format!("{key}<={upto}"))
}

/// A number of ranks per node that no machine has. MPICH multiplies it by the number of nodes, in 32 bits.
const MOST_RANKS_PER_NODE: &str = "comm_avg_ppn<=4096";

/// Returns rules for the communicators of a program: under them, the parts that MPICH makes of one keep the rules of the file, which are the
/// ranks of one node, and one rank of each.
///
/// The device's own collectives and `smp` call others on such parts. There they would read our rules too, and a collective without rules
/// would change. 4.0 names both kinds of parts by `comm_hierarchy`. From 5.0 on, that key only tells `parent` from all others, but
/// conditions on the ranks per node never hold for a part.
fn spared(ours: &Value, other: &Value) -> Value {
    json!({
        MOST_RANKS_PER_NODE: {
            "comm_hierarchy=parent": ours,
            "comm_hierarchy=flat": ours,
            "comm_hierarchy=any": other,
        },
        "comm_size=any": other,
    })
}
