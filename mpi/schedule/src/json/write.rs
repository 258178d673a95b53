//! Formatting of schedules.

use std::fmt::{self, Display, Formatter};

use super::{FORMAT, Written};
use crate::{Action, Operation, Part, Verified};

/// The simulated times of a schedule on a network, in seconds.
#[derive(Clone, Debug, PartialEq)]
pub struct Times {
    /// The name of the network.
    pub network: String,
    /// The time at which each rank is done.
    pub ranks: Vec<f64>,
}

impl Times {
    /// Returns the time at which the last rank is done.
    pub fn total(&self) -> f64 {
        self.ranks.iter().copied().fold(0.0, f64::max)
    }
}

impl Verified<'_> {
    /// Returns the schedule in the format `qtdec-schedule/1`, one operation per line, with the member `times` if there are any.
    ///
    /// It is formatted while it is written, because the text of a large schedule takes as much memory as the schedule.
    pub fn json<'v>(&'v self, times: Option<&'v Times>) -> impl Display + 'v {
        Written(move |out: &mut Formatter<'_>| self.write_json(out, times))
    }

    /// Returns the text of [`Self::json`] without times.
    pub fn to_json(&self) -> String {
        self.json(None).to_string()
    }

    fn write_json(&self, out: &mut Formatter<'_>, times: Option<&Times>) -> fmt::Result {
        let schedule = self.schedule();
        let request = &schedule.request;
        let counts = self.counts();
        writeln!(out, "{{")?;
        writeln!(out, "  \"format\": \"{FORMAT}\",")?;
        writeln!(out, "  \"collective\": \"{}\",", schedule.collective)?;
        writeln!(out, "  \"algorithm\": {},", serde_json::Value::from(schedule.algorithm.as_str()))?;
        writeln!(out, "  \"comm_size\": {},", request.comm_size())?;
        writeln!(out, "  \"msg_size\": {},", request.bytes())?;
        match request.segment_size() {
            Some(segment) => writeln!(out, "  \"segment_size\": {segment},")?,
            None => writeln!(out, "  \"segment_size\": null,")?,
        }
        writeln!(out, "  \"root\": {},", request.root_rank())?;
        writeln!(out, "  \"element_size\": {},", request.bytes_per_element())?;
        writeln!(out, "  \"in_place\": {},", request.is_in_place(schedule.collective))?;
        if let Some(counts) = request.counts() {
            write!(out, "  \"counts\": ")?;
            inline(out, counts, |out, count| write!(out, "{count}"))?;
            writeln!(out, ",")?;
        }
        if !request.is_commutative() {
            writeln!(out, "  \"commutative\": false,")?;
        }
        writeln!(out, "  \"messages\": {},", counts.messages)?;
        writeln!(out, "  \"rounds\": {},", counts.rounds)?;
        writeln!(out, "  \"verified\": true,")?;
        if let Some(times) = times {
            let network = serde_json::Value::from(times.network.as_str());
            write!(
                out,
                "  \"times\": {{\"network\": {network}, \"total\": {:?}, \"ranks\": ",
                times.total()
            )?;
            inline(out, &times.ranks, |out, seconds| write!(out, "{seconds:?}"))?;
            writeln!(out, "}},")?;
        }
        write!(out, "  \"ranks\": ")?;
        list(out, "  ", &schedule.ranks, |out, rank| {
            write!(out, "{{\"rank\": {}, \"ops\": ", rank.rank)?;
            list(out, "    ", &rank.operations, operation)?;
            write!(out, "}}")
        })?;
        writeln!(out, "\n}}")
    }
}

/// Writes a list with one item per line.
fn list<T>(
    out: &mut Formatter<'_>,
    indent: &str,
    items: &[T],
    item: impl Fn(&mut Formatter<'_>, &T) -> fmt::Result,
) -> fmt::Result {
    if items.is_empty() {
        return write!(out, "[]");
    }
    for (index, one) in items.iter().enumerate() {
        write!(out, "{}\n{indent}  ", if index == 0 { "[" } else { "," })?;
        item(out, one)?;
    }
    write!(out, "\n{indent}]")
}

fn operation(out: &mut Formatter<'_>, Operation { action, after }: &Operation) -> fmt::Result {
    write!(out, "{{\"op\": \"{}\", ", action.name())?;
    if let Action::Send { peer, rail, .. } | Action::Receive { peer, rail, .. } = action {
        write!(out, "\"peer\": {peer}, \"rail\": {rail}, ")?;
    }
    write!(out, "\"parts\": ")?;
    inline(out, action.parts(), part)?;
    if let Some(into) = action.target() {
        write!(out, ", \"into\": ")?;
        part(out, &into)?;
    }
    write!(out, ", \"after\": ")?;
    inline(out, after, |out, after| write!(out, "{after}"))?;
    write!(out, "}}")
}

fn part(out: &mut Formatter<'_>, Part { buffer, offset, bytes }: &Part) -> fmt::Result {
    write!(out, "{{\"buffer\": \"{}\", \"offset\": {offset}, \"bytes\": {bytes}}}", buffer as &dyn Display)
}

/// Writes a list in one line.
fn inline<T>(
    out: &mut Formatter<'_>,
    items: &[T],
    item: impl Fn(&mut Formatter<'_>, &T) -> fmt::Result,
) -> fmt::Result {
    write!(out, "[")?;
    for (index, one) in items.iter().enumerate() {
        if index > 0 {
            write!(out, ", ")?;
        }
        item(out, one)?;
    }
    write!(out, "]")
}
