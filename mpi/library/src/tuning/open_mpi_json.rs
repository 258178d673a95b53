//! Open MPI's rules file since 6.0: JSON.
//!
//! It is interpreted like `coll_tuned_dynamic_file.c` of 2025, which differs from the accompanying schema: the first matching rule
//! of each level applies, ranges include their upper bounds, and the fixed rules apply if none matches. The source was read, but
//! not run: there is no package of 6.0 yet.

mod distribution;
mod read;
mod rules;

use crate::catalogue::{Library, Placement, Release};
use qtdec_core::{Place, Problem, Problems};
use serde_json::{Map, Value, json};

use super::bands::{Bands, ranges};
use super::rule_set::Rules;
use super::{
    Format, Job, LibraryRules, MAX_INT, Selection, Setting, Written, finding, json as text, notes, open_mpi,
};
use distribution::{Distribution, distributed};
use read::RulesOfCollective;

/// The JSON format of 6.0.
pub const JSON: Format = Format {
    ending: "json",
    releases: &[Release::new(6, 0), Release::new(6, 1)],
    placement: Some(Placement::Distribution),
    why_not_by_nodes: open_mpi::WITHOUT_HAN,
    unproven: Some("Open MPI's sources of 2025, before 6.0"),
    recognises: |beginning| {
        beginning.is_json() && beginning.holds("\"collectives\"") && !beginning.holds("\"qtdec-")
    },
    least_bytes_of_rule: 48,
    ..Format::new(
        ("open-mpi-json", "a rules file of Open MPI from 6.0 on"),
        Library::OpenMpi,
        write,
        read,
        |bytes, release| read::read(bytes, release).1,
    )
};

fn write(all_rules: &[LibraryRules], into: Option<&[u8]>) -> Result<Written, Problems> {
    open_mpi::without_han(all_rules)?;
    let mut notes = notes(all_rules);
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
            .filter(|name| !all_rules.iter().any(|rules| rules.collective == **name))
            .map(|name| format!("the rules for {name} are kept as they were")),
    );
    for rules in all_rules {
        open_mpi::number(rules)?;
        let levels = &rules.by_ranks_per_node;
        let section = match levels.get(distribution::measured(levels)) {
            _ if levels.is_empty() => section(&rules.bands, Distribution::Any)?,
            open => {
                notes.extend(open.map(|(from, _)| {
                    format!(
                        "{}: the rules for several nodes also serve {from} ranks on each and more",
                        rules.collective
                    )
                }));
                let sections = distributed(levels)?;
                let sections = sections.iter().map(|(distribution, bands)| section(bands, *distribution));
                sections.collect::<Result<Vec<_>, _>>()?.concat()
            }
        };
        collectives.insert(rules.collective.clone(), Value::Array(section));
    }
    let switches = open_mpi::switches(vec![REMARK.to_owned()]);
    Ok(Written { text: text::lay_out(&file), notes, switches })
}

fn read(bytes: &[u8], job: Job) -> Result<Box<dyn Selection>, Problems> {
    let collectives = accepted(bytes)?;
    text::parse_once(bytes)?;
    let rules = collectives
        .iter()
        .flat_map(|(known, rules)| rules.iter().flat_map(move |rule| rule.rules(known, job)));
    Ok(Box::new(Rules::new(rules, &JSON)))
}

fn accepted(bytes: &[u8]) -> Result<Vec<RulesOfCollective>, Problems> {
    let (rules, findings) = read::read(bytes, None);
    finding::accepted(findings)?;
    Ok(rules)
}

/// A remark on the settings that make Open MPI look at the file.
const REMARK: &str = "export OMPI_MCA_coll_tuned_verbose=1 to see whether Open MPI ignores the file; 4.1 \
     and 5.0 read the format open-mpi instead";

/// Returns one rule for each band of communicator sizes. Calls left to Open MPI have no rule, unless another one would apply to them.
fn section(bands: &Bands<Setting>, distribution: Distribution) -> Result<Vec<Value>, Problem> {
    let reached = ranges(bands.communicators()).take_while(|(from, ..)| *from <= MAX_INT);
    let mut rules = Vec::new();
    for (from, upto, messages) in reached {
        let mut rule = Map::new();
        rule.insert("comm_size_min".to_owned(), json!(from));
        if let Some(upto) = upto {
            rule.insert("comm_size_max".to_owned(), json!(upto.min(MAX_INT)));
        }
        if distribution != Distribution::Any {
            rule.insert(Distribution::KEY.to_owned(), json!(distribution.word()));
        }
        let messages = ranges(messages).filter_map(|message| message_rule(message).transpose());
        let messages: Vec<Value> = messages.collect::<Result<_, _>>()?;
        if !messages.is_empty() || distribution != Distribution::Any {
            rule.insert("rules".to_owned(), Value::Array(messages));
            rules.push(Value::Object(rule));
        }
    }
    Ok(rules)
}

fn message_rule((from, upto, setting): (u64, Option<u64>, &Setting)) -> Result<Option<Value>, Problem> {
    let Some(algorithm) = setting.algorithm.filter(|_| i64::try_from(from).is_ok()) else { return Ok(None) };
    let mut rule = Map::new();
    rule.insert("msg_size_min".to_owned(), json!(from));
    let upto = upto.map_or(json!("inf"), |upto| json!(upto.min(i64::MAX as u64)));
    rule.insert("msg_size_max".to_owned(), upto);
    rule.insert("alg".to_owned(), json!(algorithm.number));
    for (key, what, number) in [
        ("faninout", "fan-out", setting.fan_out),
        ("seg_size", "segment size", setting.segment_size),
        ("reqs", "number of requests", setting.requests),
    ] {
        if number.is_some() {
            rule.insert(key.to_owned(), json!(open_mpi::within_int(what, number, algorithm.name)?));
        }
    }
    Ok(Some(Value::Object(rule)))
}
