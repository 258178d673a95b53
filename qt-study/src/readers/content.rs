//! The content of a column that is not a condition of the measurement, recognised from its name and a value.

use std::sync::LazyLock;

use regex::Regex;

/// The content of a column whose rows are repeats of each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Content {
    /// The number of the repeat.
    NumberOfRepeat,
    TimeStamps,
    /// Names of hosts or jobs.
    Hosts,
    Notes,
    /// Measured values that are not the times.
    OtherValues,
}

impl Content {
    /// Returns the content of a column, or `None` if it may be a condition.
    pub(super) fn from_column(name: &str, value: &str) -> Option<Self> {
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
        let words: Vec<&str> = lower
            .split(|character: char| !character.is_alphanumeric())
            .filter(|word| !word.is_empty())
            .collect();
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
            Some(Self::NumberOfRepeat)
        } else if MOMENT.as_ref().is_some_and(|moment| moment.is_match(value)) || last_is(&STAMPS) {
            Some(Self::TimeStamps)
        } else if is(&HOSTS) || last_is(&["node", "nodes"]) && !whole {
            Some(Self::Hosts)
        } else if last_is(&NOTES) {
            Some(Self::Notes)
        } else if fraction && is(&MEASURED) {
            Some(Self::OtherValues)
        } else {
            None
        }
    }

    /// Returns what a note says of the column, or `None` if its rows are repeats without doubt.
    pub(super) fn note(self) -> Option<&'static str> {
        match self {
            Self::NumberOfRepeat => None,
            Self::TimeStamps => Some("holds time stamps"),
            Self::Hosts => Some("names hosts or jobs"),
            Self::Notes => Some("holds notes"),
            Self::OtherValues => Some("holds other measured values"),
        }
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
            assert!(Content::from_column(name, value).is_some(), "{name}");
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
            assert!(Content::from_column(name, value).is_none(), "{name}");
        }
    }

    #[test]
    fn only_the_number_of_a_repeat_needs_no_note() {
        assert_eq!(Content::from_column("rep", "3"), Some(Content::NumberOfRepeat));
        assert_eq!(Content::NumberOfRepeat.note(), None);
        assert_eq!(Content::from_column("host", "n1").and_then(Content::note), Some("names hosts or jobs"));
    }
}
