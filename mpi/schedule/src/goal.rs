//! Schedules in GOAL's text format, which `LogGOPSim` simulates.
//!
//! Hoefler, Siebert and Lumsdaine, "Group Operation Assembly Language", ICPP 2009; the grammar is that of the compiler
//! `txt2bin` of <https://github.com/spcl/LogGOPSim>.

use std::fmt::{self, Display, Formatter};

use super::json::Written;
use super::{Action, Verified};

impl Verified<'_> {
    /// Returns the schedule as GOAL text, with a label for each operation of a rank.
    ///
    /// GOAL has neither buffers nor reductions: a reduction or a copy is a `calc` whose time in units is the number of bytes it
    /// writes. Comments state them, and the call, so that the text holds the whole schedule. A rail is the tag of its messages. Operations with the same peer, rail and direction are ordered by
    /// `irequires` (after the other has begun), all others by `requires` (after the other is complete).
    pub fn goal(&self) -> impl Display + '_ {
        Written(|out: &mut Formatter<'_>| self.write_goal(out))
    }

    fn write_goal(&self, out: &mut Formatter<'_>) -> fmt::Result {
        let (schedule, graph) = (self.schedule(), &self.graph);
        let request = &schedule.request;
        let name = serde_json::Value::from(schedule.algorithm.as_str());
        write!(
            out,
            "// qtdec-schedule/1 {{\"format\": \"qtdec-schedule/1\", \"collective\": \"{}\", \"algorithm\": {name}, \"comm_size\": {}, \
             \"msg_size\": {}, \"segment_size\": {}, \"root\": {}, \"element_size\": {}, \"in_place\": {}, \"commutative\": {}",
            schedule.collective,
            request.comm_size(),
            request.bytes(),
            request.segment_size().map_or_else(|| "null".to_owned(), |size| size.to_string()),
            request.root_rank(),
            request.bytes_per_element(),
            request.is_in_place(schedule.collective),
            request.is_commutative(),
        )?;
        if let Some(counts) = request.counts() {
            write!(out, ", \"counts\": {counts:?}")?;
        }
        writeln!(out, "}}")?;
        writeln!(out, "num_ranks {}", schedule.ranks.len())?;
        for rank in &schedule.ranks {
            writeln!(out, "\nrank {} {{", rank.rank)?;
            for (index, operation) in rank.operations.iter().enumerate() {
                let bytes = operation.action.bytes();
                write_comment(out, &operation.action)?;
                match operation.action {
                    Action::Send { peer, rail, .. } => {
                        writeln!(out, "l{index}: send {bytes}b to {peer} tag {rail}")?;
                    }
                    Action::Receive { peer, rail, .. } => {
                        writeln!(out, "l{index}: recv {bytes}b from {peer} tag {rail}")?;
                    }
                    Action::Reduce { .. } | Action::Copy { .. } => writeln!(out, "l{index}: calc {bytes}")?,
                }
            }
            for (index, operation) in rank.operations.iter().enumerate() {
                for after in &operation.after {
                    writeln!(out, "l{index} requires l{after}")?;
                }
                if let Some(next) = graph.next(graph.node(rank.rank, index)) {
                    let (_, next) = graph.place(next);
                    writeln!(out, "l{next} irequires l{index}")?;
                }
            }
            writeln!(out, "}}")?;
        }
        Ok(())
    }
}

fn write_comment(out: &mut Formatter<'_>, action: &Action) -> fmt::Result {
    write!(out, "//")?;
    if action.target().is_some() {
        write!(out, " {}", action.name())?;
    } else if action.parts().is_empty() {
        write!(out, " no bytes")?;
    }
    for part in action.parts() {
        write!(out, " {part}")?;
    }
    match action.target() {
        Some(into) => writeln!(out, " into {into}"),
        None => writeln!(out),
    }
}
