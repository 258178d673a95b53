//! The JSON of nccl-tests, which `-J` writes: <https://github.com/NVIDIA/nccl-tests>, `src/util.cu` of 2.19.6.
//!
//! The times are those of the text. Where the tests were run with a report of each iteration, its times are the repeats, each the
//! slowest over the processes; those that the report skips are left out. A process lists its first device only. The method
//! comes from the path, the user, or the variables of the environment, which the file contains.

use std::io::BufRead;

use qtdec_core::{Place, Problem};
use serde_json::Value;

use super::Format;
use super::advice;
use super::benchmarks::{json, lacks, valid};
use super::nccl::{Forced, PLACES, Ranks, counted, place, program};
use super::sink::{FileRow, FileSink, Measured, MethodOf, Section};
use crate::measurements::{Statistic, TimeUnit};

pub(super) const FORMAT: Format =
    Format { has_lines: false, uses_columns: true, ..Format::new("nccl-tests-json", recognises, read) };

/// The members that hold the two times, and their repeats.
const MEMBERS: [(&str, &str); 2] =
    [("out_of_place", "out_of_place_per_iter"), ("in_place", "in_place_per_iter")];

fn recognises(head: &str) -> bool {
    let has = |text: &str| head.contains(text);
    head.trim_start().starts_with('{')
        && has("\"version\":")
        && has("\"start_time\":")
        && has("\"args\":[")
        && has("_perf")
}

fn read(input: &mut dyn BufRead, sink: &mut FileSink<'_, '_>) -> Result<(), Problem> {
    let file = json(input)?;
    let place = place(Place::File, sink)?;
    let program = file["args"][0].as_str().and_then(program);
    let named = match program {
        Some((name, None)) => {
            sink.note(format!("`{name}_perf`, which measures something else than a collective, was skipped"));
            return Ok(());
        }
        Some((_, collective)) => *collective,
        None => None,
    };
    let Some(part) = sink.part(named) else { return Ok(()) };
    let collective = named.map(str::to_owned).or_else(|| sink.collective());
    let (config, ranks) = (&file["config"], ranks(&file["config"])?);
    let each = |name: &str| config[name].as_u64().unwrap_or(1);
    let comm_size = ranks.number(each("nthreads").checked_mul(each("ngpus")));
    if comm_size.is_none() && sink.known.size("comm_size").is_none() {
        let problem = Problem::new(Place::File, "the file does not list the ranks");
        return Err(problem.help(advice::NUMBER_OF_RANKS));
    }
    let axes: &[&str] = if comm_size.is_some() { &["comm_size", "msg_size"] } else { &["msg_size"] };
    let (forced, models) = (forced(&file["env"]).method(), ranks.models());
    let section = Section {
        axes,
        counted: collective.as_deref().and_then(counted),
        unit: Some(TimeUnit::Microseconds),
        method: MethodOf::Path(forced.as_deref()),
        machine: models.as_deref(),
        ..Section::default()
    };
    let Some(mut rows) = sink.begin(part, section) else { return Ok(()) };
    for result in file["results"].as_array().ok_or_else(|| lacks("results"))? {
        let (member, repeats) = MEMBERS[place];
        let (of_call, repeats) = (&result[member], &result[repeats]);
        let size = result["size"].as_u64().ok_or_else(|| lacks("sizes"))?;
        if size == 0 {
            sink.note("a message of 0 bytes was skipped");
            continue;
        }
        if of_call["nwrong"].as_f64().is_some_and(|wrong| wrong != 0.0) {
            sink.note("a row with wrong results was dropped");
            continue;
        }
        if !of_call["cpu_time"].is_null() {
            let message = "the times are those of the processor, which does not wait for the collective";
            return Err(Problem::new(Place::File, message).help("measure again without `-C`"));
        }
        let sizes: Vec<u64> = comm_size.into_iter().chain([size]).collect();
        let repeats = times_of_repeats(repeats);
        let mean = of_call["time"].as_f64().and_then(valid).map(|time| [(Statistic::Mean, time)]);
        let measured = match &mean {
            _ if !repeats.is_empty() => Measured::Repeats(&repeats),
            Some(given) => Measured::Statistics(given),
            None => {
                sink.note(format!("a call without a time {} was skipped", PLACES[place]));
                continue;
            }
        };
        sink.row(&mut rows, &FileRow::new(1, &sizes, measured));
    }
    Ok(())
}

fn ranks(config: &Value) -> Result<Ranks, Problem> {
    let mut ranks = Ranks::default();
    for device in config["devices"].as_array().into_iter().flatten() {
        if let Some(rank) = device["rank"].as_u64() {
            let group = device["group"].as_u64().map(|group| group.to_string());
            ranks.add(Place::File, rank, group.as_deref(), device["device_info"].as_str())?;
        }
    }
    Ok(ranks)
}

fn forced(environment: &Value) -> Forced {
    let mut forced = Forced::default();
    let variables = environment.as_array().into_iter().flatten().filter_map(Value::as_str);
    for (name, value) in variables.filter_map(|variable| variable.split_once('=')) {
        forced.set(name, value);
    }
    forced
}

/// Returns the times of the iterations that the report does not skip.
fn times_of_repeats(report: &Value) -> Vec<f64> {
    let skipped = report["skipped_iterations"].as_u64().unwrap_or_default();
    let times = report["times_us"].as_array().into_iter().flatten();
    times
        .skip(usize::try_from(skipped).unwrap_or(usize::MAX))
        .filter_map(Value::as_f64)
        .filter_map(valid)
        .collect()
}
