//! Schedules in GOAL's text format, which `LogGOPSim` simulates.
//!
//! Hoefler, Siebert and Lumsdaine, "Group Operation Assembly Language", ICPP 2009; the grammar is that of the compiler
//! `txt2bin` of <https://github.com/spcl/LogGOPSim>.

use std::fmt::{self, Display, Formatter};

use super::{Action, Verified};

/// The text of a schedule, formatted while it is written.
struct Goal<'v>(&'v Verified<'v>);

impl Display for Goal<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.0.write_goal(f)
    }
}

impl Verified<'_> {
    /// Returns the schedule as GOAL text, with a label for each operation of a rank.
    ///
    /// GOAL has neither buffers nor reductions: a reduction or a copy is a `calc` whose time in units is the number of bytes it
    /// writes. A rail is the tag of its messages. Operations with the same peer, rail and direction are ordered by
    /// `irequires` (after the other has begun), all others by `requires` (after the other is complete).
    pub fn goal(&self) -> impl Display + '_ {
        Goal(self)
    }

    fn write_goal(&self, out: &mut Formatter<'_>) -> fmt::Result {
        let (schedule, graph) = (self.schedule(), self.graph());
        writeln!(out, "num_ranks {}", schedule.ranks.len())?;
        for rank in &schedule.ranks {
            writeln!(out, "\nrank {} {{", rank.rank)?;
            for (index, operation) in rank.operations.iter().enumerate() {
                let bytes = operation.action.bytes();
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
