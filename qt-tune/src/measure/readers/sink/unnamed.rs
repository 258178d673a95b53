//! Columns that nobody named and whose values change among the times of one method at one point.
//!
//! Such a column may be a condition of the measurement, so that its rows are not repeats of each other.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::LazyLock;

use indexmap::IndexMap;
use qtdec_core::naming::is_identifier;
use qtdec_core::{Place, Problem};
use regex::Regex;

use crate::measure::readers::{COLLECTIVES, collective_name};

/// The maximum length of a value in a message.
const LONGEST_VALUE: usize = 40;

/// The unnamed columns of all files.
#[derive(Default)]
pub(super) struct Unnamed {
    columns: IndexMap<String, Known>,
    /// The hash of the first value in each column, by point and method.
    first: HashMap<(Vec<u64>, usize), HashMap<usize, u64>>,
}

/// The state of a column.
enum Known {
    Alike,
    /// It changes, and was reported or recognised.
    Told,
}

/// A value in an unnamed column.
pub(in crate::measure::readers) struct Cell<'r> {
    /// The number returned by [`FileSink::unnamed_column`](super::FileSink::unnamed_column).
    pub(in crate::measure::readers) column: usize,
    pub(in crate::measure::readers) value: &'r [u8],
}

/// A column that changes.
pub(super) enum Change {
    /// Its rows count as repeats.
    Repeats(&'static str),
    /// It may be a condition.
    Condition,
}

impl Unnamed {
    /// Returns the number of a column, adding it if it is new.
    pub(super) fn column(&mut self, name: &str) -> usize {
        let known = self.columns.get_index_of(name);
        known.unwrap_or_else(|| self.columns.insert_full(name.to_owned(), Known::Alike).0)
    }

    /// Returns the memory use of the values.
    pub(super) fn bytes(&self) -> usize {
        self.first.len() * (256 + 48 * self.columns.len())
    }

    pub(super) fn name(&self, column: usize) -> &str {
        self.columns.get_index(column).map_or("", |(name, _)| name)
    }

    /// Returns the kind of change if this row is the first in which the column changes.
    pub(super) fn change(&mut self, sizes: &[u64], method: usize, cell: &Cell<'_>) -> Option<Change> {
        let (name, known) = self.columns.get_index_mut(cell.column)?;
        if matches!(known, Known::Told) {
            return None;
        }
        let mut hasher = DefaultHasher::new();
        cell.value.hash(&mut hasher);
        let hash = hasher.finish();
        let first = self.first.entry((sizes.to_vec(), method)).or_default();
        if *first.entry(cell.column).or_insert(hash) == hash {
            return None;
        }
        *known = Known::Told;
        let value = String::from_utf8_lossy(cell.value);
        Some(recognised(name, &value).map_or(Change::Condition, Change::Repeats))
    }
}

/// Returns the fault of a column that may be a condition. `axes` are the keys of `--columns` that make the axes.
pub(super) fn condition(line: u64, name: &str, value: &[u8], at: &str, axes: &str) -> Problem {
    let value = String::from_utf8_lossy(value);
    let shown: String = value.chars().take(LONGEST_VALUE).collect();
    let message = format!(
        "`{name}` changes among the times of one method at one point, and is neither an axis, part of the method nor a \
         repeat: it is `{shown}` here, and was another at {at}"
    );
    let collective = collective_name(&value);
    let what_it_is = if COLLECTIVES.contains(&&*collective) {
        format!("say that it is the collective with --columns collective={name}")
    } else if value.parse::<u64>().is_ok() {
        let key = if is_identifier(name) { name } else { "NAME" };
        format!("make it an axis with --columns {axes}{key}={name}")
    } else {
        format!("make it part of the method with --columns method=…+{name}")
    };
    Problem::new(Place::Line(line), message).help(format!(
        "choose rows with --where '{name}={shown}', {what_it_is}, or pool its rows with --repeat '{name}'"
    ))
}

/// Returns the content of a column that is not a condition of the measurement; empty for the number of the repeat.
fn recognised(name: &str, value: &str) -> Option<&'static str> {
    const REPEATS: [&str; 13] = [
        "rep",
        "reps",
        "repeat",
        "repetition",
        "iter",
        "iteration",
        "iterations",
        "trial",
        "sample",
        "round",
        "run",
        "index",
        "nrep",
    ];
    const STAMPS: [&str; 14] = [
        "timestamp",
        "stamp",
        "date",
        "datetime",
        "epoch",
        "start",
        "started",
        "end",
        "ended",
        "finished",
        "begin",
        "began",
        "submitted",
        "when",
    ];
    const HOSTS: [&str; 8] =
        ["host", "hosts", "hostname", "hostnames", "nodelist", "hostlist", "job", "jobid"];
    const NOTES: [&str; 9] =
        ["note", "notes", "comment", "comments", "remark", "remarks", "message", "pid", "user"];
    const MEASURED: [&str; 30] = [
        "time",
        "latency",
        "bandwidth",
        "bw",
        "throughput",
        "us",
        "ms",
        "ns",
        "sec",
        "seconds",
        "usec",
        "msec",
        "nsec",
        "mean",
        "avg",
        "average",
        "median",
        "std",
        "stddev",
        "dev",
        "deviation",
        "var",
        "variance",
        "min",
        "max",
        "error",
        "err",
        "gflops",
        "mbps",
        "gbps",
    ];
    static MOMENT: LazyLock<Option<Regex>> =
        LazyLock::new(|| Regex::new(r"^(\d{4}[-/_.]\d{1,2}[-/_.]\d{1,2}|\d{1,2}:\d{2}(:\d{2})?)").ok());
    let lower = name.to_lowercase();
    let words: Vec<&str> =
        lower.split(|character: char| !character.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let is = |known: &[&str]| words.iter().any(|word| known.contains(word));
    let last_is = |known: &[&str]| words.last().is_some_and(|word| known.contains(word));
    let whole = value.parse::<i64>().is_ok();
    let fraction = !whole && value.parse::<f64>().is_ok();
    if last_is(&REPEATS) && (whole || words.last() == Some(&"run")) {
        Some("")
    } else if MOMENT.as_ref().is_some_and(|moment| moment.is_match(value)) || last_is(&STAMPS) {
        Some("holds time stamps")
    } else if is(&HOSTS) || last_is(&["node", "nodes"]) && !whole {
        Some("names hosts or jobs")
    } else if last_is(&NOTES) {
        Some("holds notes")
    } else if fraction && is(&MEASURED) {
        Some("holds other measured values")
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_condition_is_recognised() {
        for (name, value) in [
            ("iteration", "3"),
            ("rep", "0"),
            ("Run", "evening"),
            ("test_run", "2"),
            ("timestamp", "2025_03_26___19_49_06"),
            ("measured", "2024-03-05T12:00:00"),
            ("clock", "12:05:59"),
            ("started", "17"),
            ("hostname", "n001"),
            ("node", "cn-17"),
            ("slurm job id", "4711"),
            ("notes", "cold"),
            ("stddev", "0.25"),
            ("Avg Bandwidth (GB/s)", "1.5"),
        ] {
            assert!(recognised(name, value).is_some(), "{name}");
        }
        for (name, value) in [
            ("ppn", "2"),
            ("node", "4"),
            ("nodes", "4"),
            ("radix", "8"),
            ("placement", "cyclic"),
            ("max_segment", "1024"),
            ("frequency", "2.4"),
            ("version", "5.0.1"),
            ("repeats_of_warm_up", "3"),
            ("iteration", "warm"),
        ] {
            assert!(recognised(name, value).is_none(), "{name}");
        }
    }
}
