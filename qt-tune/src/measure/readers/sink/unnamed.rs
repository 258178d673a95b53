//! Unnamed columns whose values change among the times of one method at one point.
//!
//! Such a column may be a condition of the measurement, so that its rows are not repeats of each other.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::LazyLock;

use indexmap::IndexMap;
use qtdec_core::naming::is_identifier;
use qtdec_core::{Place, Problem};
use regex::Regex;

use crate::measure::readers::axis_name::SIZES;
use crate::measure::readers::columns::{joined, key_of_axis};
use crate::measure::readers::table::{quoted, usual_key};
use crate::measure::readers::{COLLECTIVES, collective_name};
use crate::measure::size::size;

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
    Reported,
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
        if matches!(known, Known::Reported) {
            return None;
        }
        let mut hasher = DefaultHasher::new();
        cell.value.hash(&mut hasher);
        let hash = hasher.finish();
        let first = self.first.entry((sizes.to_vec(), method)).or_default();
        if *first.entry(cell.column).or_insert(hash) == hash {
            return None;
        }
        *known = Known::Reported;
        let value = String::from_utf8_lossy(cell.value);
        Some(recognised(name, &value).map_or(Change::Condition, Change::Repeats))
    }
}

/// The columns of a table that are named, as keys and columns of `--columns`.
pub(in crate::measure::readers) struct NamedColumns {
    /// The axes that are columns.
    pub(in crate::measure::readers) axes: Vec<(String, String)>,
    /// The columns that name the method; none if the path or the user names it.
    pub(in crate::measure::readers) method: Vec<String>,
    /// The columns that the user named.
    pub(in crate::measure::readers) requested: Vec<(String, String)>,
}

impl NamedColumns {
    /// Returns the value of `--columns` that also gives a column the meaning of a key.
    fn with(&self, key: &str, column: &str) -> String {
        let pair = (key.to_owned(), column.to_owned());
        let is_axis = |(name, _): &&(String, String)| self.axes.iter().any(|(axis, _)| axis == name);
        let others = self.requested.iter().filter(|known| !is_axis(known)).cloned();
        joined(&self.axes.iter().cloned().chain([pair]).chain(others).collect::<Vec<_>>())
    }

    /// Returns the value of `--columns` that makes a column part of the method.
    fn with_part_of_method(&self, column: &str) -> String {
        let method = ("method".to_owned(), format!("{}+{column}", self.method.join("+")));
        let others = self.requested.iter().filter(|(key, _)| key != "method").cloned();
        joined(&others.chain([method]).collect::<Vec<_>>())
    }

    /// Returns the key of `--columns` for a column of numbers.
    fn key(&self, column: &str) -> String {
        let usual = usual_key(column).filter(|key| !self.axes.iter().any(|(axis, _)| axis == key));
        // The sizes of another choice keep their names.
        let of_mpi = self.axes.iter().any(|(axis, _)| SIZES.contains(&&**axis));
        match usual {
            Some(key @ ("comm_size" | "msg_size")) if of_mpi => key.to_owned(),
            _ if is_identifier(column) => key_of_axis(column),
            _ => "NAME".to_owned(),
        }
    }
}

/// Returns the fault of a column that may be a condition.
pub(super) fn condition(line: u64, name: &str, value: &[u8], at: &str, offer: &NamedColumns) -> Problem {
    let value = String::from_utf8_lossy(value);
    let shown: String = value.chars().take(LONGEST_VALUE).collect();
    let message = format!(
        "`{name}` changes among the times of one method at one point, and is neither an axis, part of the \
             method nor a repeat: it is `{shown}` here, and was different at {at}"
    );
    let collective = collective_name(&value);
    let what_it_is = if COLLECTIVES.contains(&&*collective) {
        format!(" declare it the collective with --columns {},", quoted(&offer.with("collective", name)))
    } else if size(&value).is_some() {
        format!(" make it an axis with --columns {},", quoted(&offer.with(&offer.key(name), name)))
    } else if offer.method.is_empty() {
        String::new()
    } else {
        format!(" make it part of the method with --columns {},", quoted(&offer.with_part_of_method(name)))
    };
    let (one, every) = (quoted(&format!("{name}={shown}")), quoted(name));
    Problem::new(Place::Line(line), message)
        .help(format!("choose rows with --where {one},{what_it_is} or pool its rows with --repeat {every}"))
}

/// Returns the content of a column that is not a condition of the measurement; empty for the number of the repeat.
pub(in crate::measure::readers) fn recognised(name: &str, value: &str) -> Option<&'static str> {
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
    const STAMPS: [&str; 18] = [
        "timestamp",
        "stamp",
        "tstamp",
        "ts",
        "unixtime",
        "utc",
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
    // `rep_id`, `iteration number`
    let counts = words.split_last().is_some_and(|(last, before)| {
        ["id", "no", "nr", "num", "number", "idx", "index"].contains(last)
            && before.last().is_some_and(|word| REPEATS.contains(word))
    });
    if whole && counts || last_is(&REPEATS) && (whole || words.last() == Some(&"run")) {
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
            ("ts", "1700000001"),
            ("rep_id", "3"),
            ("Iteration Number", "3"),
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
            ("rep_id", "warm"),
            ("node_id", "7"),
            ("segment_number", "2"),
        ] {
            assert!(recognised(name, value).is_none(), "{name}");
        }
    }
}
