//! The records of NCCL's inspector, a profiler plugin: <https://github.com/NVIDIA/nccl>, `plugins/profiler/inspector` of 2.30.7,
//! `ext-profiler/inspector` from 2.28.3 on. RCCL has none.
//!
//! Each line is one call on one rank, in JSON of version 4.0. Every process writes a file of its own; the calls are read from the
//! records of rank 0 of their communicator, so that each counts once. A record does not name the algorithm, so the
//! method comes from the path or the user. Sizes are those of a rank's argument: blocks of an allgather or reduce-scatter.

use std::collections::HashMap;
use std::io::BufRead;

use qtdec_core::{Basis, Place, Problem};
use serde_json::Value;

use super::Format;
use super::benchmarks::valid;
use super::counted::Counted;
use super::lines::each;
use super::nccl::function;
use super::sink::{FileRow, FileSink, Measured, Rows, Section};
use crate::measurements::TimeUnit;

pub(super) const FORMAT: Format = Format::new("nccl-inspector", is_inspector, read);

/// A call, as a record of the inspector describes it.
pub(crate) struct InspectorCall {
    /// MPI's name of the collective.
    pub(crate) collective: &'static str,
    /// What the size counts.
    pub(crate) basis: Basis,
    /// The rank that wrote the record.
    pub(crate) rank: u64,
    pub(crate) comm_size: u64,
    pub(crate) msg_size: u64,
    /// The time in microseconds, if it is that of the collective on the device.
    pub(crate) time: Option<f64>,
}

/// Returns the call of a line, or `None` if it is one of another kind, such as a message between two ranks.
pub(crate) fn inspector_call(line: u64, text: &str) -> Result<Option<InspectorCall>, Problem> {
    let broken = |what: &str| {
        let message = format!("the line is not a record of NCCL's inspector: {what}");
        Problem::new(Place::Line(line), message).help("was the file cut off? Remove the line")
    };
    let record: Value = serde_json::from_str(text).map_err(|error| broken(&error.to_string()))?;
    if record["p2p_perf"].is_object() {
        return Ok(None);
    }
    let (header, of_call) = (&record["header"], &record["coll_perf"]);
    let whole =
        |of: &Value, name: &str| of[name].as_u64().ok_or_else(|| broken(&format!("`{name}` is missing")));
    let name = of_call["coll"].as_str().ok_or_else(|| broken("`coll` is missing"))?;
    let Some((collective, basis)) = function(name) else {
        return Ok(None);
    };
    // Where the device recorded no time, that between two calls of the processor is given.
    let is_of_device = of_call["coll_timing_source"] != "collective_cpu";
    Ok(Some(InspectorCall {
        collective,
        basis,
        rank: whole(header, "rank")?,
        comm_size: whole(header, "n_ranks")?,
        msg_size: whole(of_call, "coll_msg_size_bytes")?,
        time: of_call["coll_exec_time_us"].as_f64().filter(|_| is_of_device).and_then(valid),
    }))
}

/// Returns whether a file begins with a record of the inspector.
pub(crate) fn is_inspector(head: &str) -> bool {
    let start = head.trim_start();
    start.starts_with("{\"header\"") && start.contains("\"inspector_output_format_version\"")
}

fn read(input: &mut dyn BufRead, sink: &mut FileSink<'_, '_>) -> Result<(), Problem> {
    let mut begun: HashMap<&str, Option<Rows>> = HashMap::new();
    each(input, |line, text| {
        if text.is_empty() {
            return Ok(());
        }
        let call = match inspector_call(line, text) {
            Ok(Some(call)) => call,
            Ok(None) => {
                sink.note("a record of the inspector that is not of a collective was skipped");
                return Ok(());
            }
            Err(problem) => {
                sink.faults.add(problem);
                return Ok(());
            }
        };
        if call.rank != 0 {
            sink.note(
                "the inspector's records of other ranks than 0 repeat the same calls, and were skipped",
            );
            return Ok(());
        }
        let Some(part) = sink.part(Some(call.collective)) else { return Ok(()) };
        let section = Section {
            axes: &["comm_size", "msg_size"],
            counted: Some(Counted::Of(call.basis)),
            unit: Some(TimeUnit::Microseconds),
            ..Section::default()
        };
        let rows = begun.entry(call.collective).or_insert_with(|| sink.begin(part, section));
        let Some(rows) = rows else { return Ok(()) };
        match call.time {
            Some(time) => {
                let sizes = [call.comm_size, call.msg_size];
                sink.row(rows, &FileRow::new(line, &sizes, Measured::Repeat(time)));
            }
            None => sink.note("a call whose time on the device the inspector does not know was skipped"),
        }
        Ok(())
    })
}
