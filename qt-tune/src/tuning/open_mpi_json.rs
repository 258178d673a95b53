//! Open MPI's rules file from 6.0 on: JSON.
//!
//! Read as `coll_tuned_dynamic_file.c` of 2025 reads it, which is not as the schema beside it says: the first rule of
//! each level holds, upper bounds belong to it, and where none holds the fixed rules do. It was read, not run: there is
//! no package of 6.0 yet.

mod read;
mod rules;

use qtdec_core::{Place, Problem, Problems};
use qtdec_mpi::catalogue::{Library, Release};
use serde_json::{Map, Value, json};

use super::{Finding, Format, Job, Plan, Selection, Setting, Written, finding, json as text, open_mpi};

/// The JSON of 6.0.
pub struct Json;

impl Format for Json {
    fn name(&self) -> &'static str {
        "open-mpi-json"
    }

    fn about(&self) -> &'static str {
        "a rules file of Open MPI from 6.0 on"
    }

    fn releases(&self) -> &'static [Release] {
        const RELEASES: &[Release] = &[Release::new(6, 0), Release::new(6, 1)];
        RELEASES
    }

    fn library(&self) -> Library {
        Library::OpenMpi
    }

    fn write(&self, plans: &[Plan], into: Option<&[u8]>) -> Result<Written, Problems> {
        let mut notes: Vec<String> = plans.iter().flat_map(|plan| plan.notes.clone()).collect();
        let mut file = match into {
            Some(bytes) => {
                accepted(bytes)?;
                text::parse_once(bytes)?
            }
            None => json!({ "rule_file_version": 3, "module": "tuned", "collectives": {} }),
        };
        let Some(collectives) = file.get_mut("collectives").and_then(Value::as_object_mut) else {
            return Err(Problem::new(Place::File, "there is no object `collectives`").into());
        };
        notes.extend(
            (collectives.keys())
                .filter(|name| !plans.iter().any(|plan| plan.collective == **name))
                .map(|name| format!("the rules for {name} are kept as they were")),
        );
        for plan in plans {
            if Library::OpenMpi.collective(&plan.collective).is_none() {
                let message = format!("Open MPI has no rules for `{}`", plan.collective);
                return Err(Problem::new(Place::File, message).into());
            }
            collectives.insert(plan.collective.clone(), rules(plan));
        }
        let switches = open_mpi::switches(vec![REMARK.to_owned()]);
        Ok(Written { text: text::lay_out(&file), notes, switches })
    }

    fn read(&self, bytes: &[u8], _: Job) -> Result<Box<dyn Selection>, Problems> {
        let rules = accepted(bytes)?;
        text::parse_once(bytes)?;
        Ok(Box::new(rules))
    }

    fn check(&self, bytes: &[u8], release: Option<Release>) -> Vec<Finding> {
        read::read(bytes, release).1
    }
}

fn accepted(bytes: &[u8]) -> Result<rules::Rules, Problems> {
    let (rules, findings) = read::read(bytes, None);
    finding::accepted(findings)?;
    Ok(rules)
}

/// A remark on the settings that make Open MPI look at the file.
const REMARK: &str = "export OMPI_MCA_coll_tuned_verbose=1 to be told if the file is dropped; 4.1 and 5.0 want --target open-mpi";

/// The greatest communicator size that the engine can hold.
const MAX_INT: u64 = i32::MAX as u64;

/// Communicators from a size on, and the message sizes of theirs.
type Band = (u64, Vec<(u64, Setting)>);

/// One rule for each band of communicator sizes. What is left to Open MPI has no rule.
fn rules(plan: &Plan) -> Value {
    let communicators = plan.bands.communicators();
    let rule = |(index, band): (usize, &Band)| {
        let (from, messages) = band;
        let mut rule = Map::new();
        rule.insert("comm_size_min".to_owned(), json!(from));
        if let Some((next, _)) = communicators.get(index + 1) {
            rule.insert("comm_size_max".to_owned(), json!((next - 1).min(MAX_INT)));
        }
        let messages: Vec<Value> = messages
            .iter()
            .enumerate()
            .filter_map(|(index, message)| message_rule(message, messages.get(index + 1)))
            .collect();
        rule.insert("rules".to_owned(), Value::Array(messages));
        Value::Object(rule)
    };
    let in_reach = communicators.iter().enumerate().filter(|(_, (from, _))| *from <= MAX_INT);
    Value::Array(in_reach.map(rule).filter(|rule| rule["rules"] != json!([])).collect())
}

fn message_rule((from, setting): &(u64, Setting), next: Option<&(u64, Setting)>) -> Option<Value> {
    let algorithm = setting.algorithm?;
    if i64::try_from(*from).is_err() {
        return None;
    }
    let mut rule = Map::new();
    rule.insert("msg_size_min".to_owned(), json!(from));
    let upto = next.map_or(json!("inf"), |(next, _)| json!((next - 1).min(i64::MAX as u64)));
    rule.insert("msg_size_max".to_owned(), upto);
    rule.insert("alg".to_owned(), json!(algorithm.number));
    for (key, number) in [("faninout", setting.fan_out), ("seg_size", setting.segment_size)] {
        if let Some(number) = number {
            rule.insert(key.to_owned(), json!(number));
        }
    }
    Some(Value::Object(rule))
}
