//! MPICH's selection file: JSON whose keys are conditions, tried in order. MVAPICH 4 uses the same format.
//!
//! `src/mpi/coll/src/csel.c` of 4.0.2. The file must contain every collective, or MPICH aborts in the first call of a missing
//! one. Rules are therefore written into a complete file, such as the `generic.json` in MPICH's sources.

mod check;
mod conditions;
mod layer;
mod parts;
mod read;

use qtdec_core::{Place, Problem, Problems};
use qtdec_mpi::catalogue::mpich::device;
use qtdec_mpi::catalogue::mpich::parameters::{self, parameters};
use qtdec_mpi::catalogue::{Library, Release, SizeUnit, mpich};
use serde_json::{Map, Value, json};

use super::finding::accepted;
use super::{
    Bands, Beginning, Finding, Format, Job, LibraryRules, Selection, Setting, Switch, SwitchValue, Switches,
    Written, json as text,
};
use check::Names;
use conditions::Condition;

/// The selection file of MPICH.
pub struct Mpich;

/// The selection file of MVAPICH 4, which has algorithms of its own.
pub struct Mvapich;

impl Format for Mpich {
    fn name(&self) -> &'static str {
        "mpich"
    }

    fn about(&self) -> &'static str {
        "a selection file of MPICH from 4.0 on"
    }

    fn releases(&self) -> &'static [Release] {
        const RELEASES: &[Release] = &[Release::new(4, 0), Release::new(5, 0)];
        RELEASES
    }

    fn library(&self) -> Library {
        Library::Mpich
    }

    fn recognises(&self, beginning: &Beginning<'_>) -> bool {
        beginning.is_json() && beginning.holds("\"collective=") && !beginning.holds_anywhere("_osu_")
    }

    fn least_bytes_of_rule(&self) -> usize {
        24
    }

    fn is_shipped(&self) -> bool {
        true
    }

    fn lacks_whole_file(&self) -> Option<Problem> {
        Some(incomplete())
    }

    fn write(&self, all_rules: &[LibraryRules], into: Option<&[u8]>) -> Result<Written, Problems> {
        write(all_rules, into.ok_or_else(incomplete)?)
    }

    fn read(&self, bytes: &[u8], job: Job) -> Result<Box<dyn Selection>, Problems> {
        Ok(Box::new(read::Rules::new(bytes, job, Names::Of(None))?))
    }

    fn check(&self, bytes: &[u8], release: Option<Release>) -> Vec<Finding> {
        check::check(bytes, Names::Of(release))
    }
}

impl Format for Mvapich {
    fn name(&self) -> &'static str {
        "mvapich"
    }

    fn about(&self) -> &'static str {
        "a selection file of MVAPICH 4"
    }

    fn is_written(&self) -> bool {
        false
    }

    fn library(&self) -> Library {
        Library::Mpich
    }

    fn recognises(&self, beginning: &Beginning<'_>) -> bool {
        beginning.is_json() && beginning.holds("\"collective=") && beginning.holds_anywhere("_osu_")
    }

    fn write(&self, _: &[LibraryRules], _: Option<&[u8]>) -> Result<Written, Problems> {
        let problem = Problem::new(Place::File, "selection files of MVAPICH can be read, but not written");
        Err(problem.help("--target mpich writes the same format, with the algorithms of MPICH").into())
    }

    fn read(&self, bytes: &[u8], job: Job) -> Result<Box<dyn Selection>, Problems> {
        Ok(Box::new(read::Rules::new(bytes, job, Names::Any)?))
    }

    fn check(&self, bytes: &[u8], _: Option<Release>) -> Vec<Finding> {
        check::check(bytes, Names::Any)
    }
}

/// Returns the fault of rules without a complete file.
fn incomplete() -> Problem {
    let message = "MPICH aborts if the file lacks a collective, and this file would contain only one";
    let help = "insert it into a complete file with --into: maint/tuning/coll/mpir/generic.json in the sources of your \
         MPICH";
    Problem::new(Place::File, message).help(help)
}

/// Returns the settings that make MPICH read the file, and keep its device from serving the collectives that have rules in it.
fn switches(all_rules: &[LibraryRules]) -> Switches {
    let (name, value) = device::BY_COLLECTIVE;
    let mut settings = vec![
        Switch::variable("MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE", SwitchValue::File),
        Switch::variable(name, SwitchValue::Text(value)),
    ];
    let of_collectives = all_rules.iter().filter_map(|rules| device::variable(&rules.collective));
    settings.extend(of_collectives.map(|name| Switch::variable(name, SwitchValue::Text("0"))));
    let remark = "a call that MPICH's device serves reads no file: other collectives keep theirs";
    Switches { is_script: false, settings, remarks: vec![remark.to_owned()] }
}

/// The greatest number in a condition.
const MAX_INT: u64 = i32::MAX as u64;

fn write(all_rules: &[LibraryRules], bytes: &[u8]) -> Result<Written, Problems> {
    accepted(check::check(bytes, Names::Any))?;
    let mut file = text::parse_once(bytes)?;
    if let Some(problem) = file.as_object().and_then(check::missing) {
        return Err(problem.into());
    }
    for rules in all_rules {
        numbers_in_reach(rules)?;
    }
    let mut notes: Vec<String> = all_rules.iter().flat_map(|rules| rules.notes.clone()).collect();
    let then = "larger messages get the algorithm for this size";
    notes.extend(all_rules.iter().filter_map(|rules| rules.beyond(MAX_INT, then)));
    for rules in all_rules {
        let key = format!("collective={}", rules.collective);
        let section = file.get_mut(&key).and_then(Value::as_object_mut).ok_or_else(|| {
            Problem::new(Place::File, format!("the file has no `{key}` at its top"))
                .help("give a complete file of MPICH with --into")
        })?;
        let original =
            section.get("comm_type=intra").cloned().unwrap_or_else(|| Value::Object(section.clone()));
        let writer = Writer { rules, original: without_strict(&original) };
        let ours = writer.rules(&mut notes);
        if section.contains_key("comm_type=intra") {
            section.insert("comm_type=intra".to_owned(), ours);
        } else {
            *section = match ours {
                Value::Object(ours) => ours,
                _ => Map::new(),
            };
        }
    }
    notes.push(format!(
        "the other {} collectives of the file are kept as they were",
        file.as_object().map_or(0, Map::len).saturating_sub(all_rules.len())
    ));
    let mut text = text::lay_out(&file);
    // MPICH maps the file into memory and looks for the terminator after its end.
    if text.len().is_multiple_of(4096) {
        text.push('\n');
    }
    Ok(Written { text, notes, switches: switches(all_rules) })
}

/// Checks that MPICH can use the fan-outs and segment sizes of rules.
///
/// # Errors
///
/// Fails if a number is too small for an algorithm, or MPICH would read another one.
fn numbers_in_reach(rules: &LibraryRules) -> Result<(), Problem> {
    for (_, Setting { algorithm, segment_size, fan_out, .. }) in rules.settings() {
        let Some(name) = algorithm.map(|algorithm| algorithm.name) else { continue };
        for parameter in parameters(&rules.collective, name) {
            let (what, number, least) = match parameter.value {
                parameters::Value::FanOut { least } => ("fan-out", fan_out, least),
                parameters::Value::SegmentSize(_) => ("segment size", segment_size, 1),
                parameters::Value::Fixed(_) => continue,
            };
            if let Some(number) = number.filter(|number| !(least..=MAX_INT).contains(number)) {
                let message = format!("the {what} {number} of `{name}` is not from {least} to {MAX_INT}");
                let help = "MPICH would fail, or read another number";
                return Err(Problem::new(Place::File, message).help(help));
            }
        }
    }
    Ok(())
}

/// Replaces `comm_size<N`, which MPICH reads as `comm_size<=N` below a condition on messages, by `comm_size<=N-1`.
fn without_strict(value: &Value) -> Value {
    let Value::Object(members) = value else { return value.clone() };
    let member = |(key, value): (&String, &Value)| {
        let key = match Condition::parse(key) {
            Some(Condition::CommSizeBelow(size)) => format!("comm_size<={}", size - 1),
            _ => key.clone(),
        };
        (key, without_strict(value))
    };
    Value::Object(members.iter().map(member).collect())
}

struct Writer<'p> {
    rules: &'p LibraryRules,
    /// The previous choice in the file.
    original: Value,
}

impl Writer<'_> {
    fn rules(&self, notes: &mut Vec<String>) -> Value {
        let collective = &*self.rules.collective;
        if ["gather", "scatter"].contains(&collective) && self.rules.all_bands().any(Bands::use_message_sizes)
        {
            notes.push(format!(
                "MPICH ignores the size of the datatype in {collective}: this is exact only for datatypes \
                     of one byte"
            ));
        }
        let smp = |setting: &Setting| setting.algorithm.is_some_and(|algorithm| algorithm.name == "smp");
        if self.rules.settings().any(|(_, setting)| smp(setting)) {
            notes.push("`smp` fails in MPICH 4.0 on a communicator without a hierarchy of nodes".to_owned());
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
            "reduce" | "allreduce" => json!({
                "is_commutative=yes": { "is_op_built_in=yes": ours, "is_op_built_in=no": other },
                "is_commutative=no": other,
            }),
            "reduce_scatter" | "reduce_scatter_block" => {
                json!({ "is_commutative=yes": ours, "is_commutative=no": other })
            }
            "alltoall" => json!({ "is_sendbuf_inplace=yes": other, "is_sendbuf_inplace=no": ours }),
            _ => ours,
        };
        parts::spared(&ours, other)
    }

    /// Returns the rules by ranks per node. 4.0 has no `comm_avg_ppn=any`, so another key that matches every communicator ends them.
    fn levels(&self, levels: &[(u64, Bands<Setting>)]) -> Value {
        let mut keys = Map::new();
        for (index, (_, bands)) in levels.iter().enumerate() {
            let upto = levels.get(index + 1).map(|(next, _)| next - 1).filter(|upto| *upto <= MAX_INT);
            let key = upto.map_or_else(|| limit("comm_size", None), |upto| format!("comm_avg_ppn<={upto}"));
            keys.insert(key, self.communicators(bands));
            if upto.is_none() {
                break;
            }
        }
        Value::Object(keys)
    }

    fn communicators(&self, bands: &Bands<Setting>) -> Value {
        let mut keys = Map::new();
        let communicators = bands.communicators();
        for (index, (_, messages)) in communicators.iter().enumerate() {
            let upto = communicators.get(index + 1).map(|(next, _)| next - 1).filter(|upto| *upto <= MAX_INT);
            // No rank is in a communicator without ranks.
            if upto == Some(0) {
                continue;
            }
            keys.insert(limit("comm_size", upto), self.messages(messages));
            if upto.is_none() {
                break;
            }
        }
        Value::Object(keys)
    }

    fn messages(&self, messages: &[(u64, Setting)]) -> Value {
        let unit = Library::Mpich.unit(&self.rules.collective);
        let key = mpich::size_key(unit);
        if unit == SizeUnit::Nothing || messages.len() == 1 {
            return self.leaf(messages[0].1);
        }
        let mut keys = Map::new();
        for (index, (_, setting)) in messages.iter().enumerate() {
            let upto = messages.get(index + 1).map(|(next, _)| next - 1).filter(|upto| *upto <= MAX_INT);
            keys.insert(limit(key, upto), self.leaf(*setting));
            if upto.is_none() {
                break;
            }
        }
        Value::Object(keys)
    }

    fn leaf(&self, setting: Setting) -> Value {
        let Some(algorithm) = setting.algorithm else { return self.original.clone() };
        let named = |name: &str| {
            let collective = &*self.rules.collective;
            let key = format!("algorithm={}", mpich::function(collective, name));
            let parameters = parameters(collective, name).iter();
            let members = parameters.map(|parameter| parameter.member(setting.fan_out, setting.segment_size));
            let members: Map<String, Value> = members.map(|member| (member, json!({}))).collect();
            Value::Object(Map::from_iter([(key, Value::Object(members))]))
        };
        // Too few elements to cut among the ranks.
        let few = match (&*self.rules.collective, algorithm.name) {
            ("reduce", "reduce_scatter_gather") => "binomial",
            ("allreduce", "reduce_scatter_allgather") => "recursive_doubling",
            _ => return named(algorithm.name),
        };
        json!({ "count<pow2": named(few), "count=any": named(algorithm.name) })
    }
}

fn limit(key: &str, upto: Option<u64>) -> String {
    upto.map_or_else(|| format!("{key}=any"), |upto| format!("{key}<={upto}"))
}
