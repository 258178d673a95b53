//! The content of a column that is not a condition of the measurement, recognised from its name and a value.

use std::sync::LazyLock;

use regex_lite::Regex;

use super::has;

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

const REPEATS: &str =
    "rep reps repeat repetition iter iteration iterations trial sample round run index nrep";

/// Words for numbers, after one for repeats: `rep_id`, `iteration number`.
const NUMBERS: &str = "id no nr num number idx index";

/// Words for moments.
const STAMPS: &str = "timestamp stamp tstamp ts unixtime utc date datetime epoch start started end ended finished begin \
    began submitted when";

const HOSTS: &str = "host hosts hostname hostnames nodelist hostlist job jobid";

/// Words for what people or programs add.
const NOTES: &str = "note notes comment comments remark remarks message pid user";

const MEASURED: &str = "time latency bandwidth bw throughput us ms ns sec seconds usec msec nsec mean avg average median std \
    stddev dev deviation var variance min max error err gflops mbps gbps";

/// The beginning of a value that is a date or a time of day.
static MOMENT: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"^(\d{4}[-/_.]\d{1,2}[-/_.]\d{1,2}|\d{1,2}:\d{2}(:\d{2})?)").ok());

impl Content {
    /// Returns the content of a column, or `None` if it may be a condition.
    pub(super) fn from_column(name: &str, value: &str) -> Option<Self> {
        let lower = name.to_lowercase();
        let words = lower.split(|character: char| !character.is_alphanumeric());
        let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
        let (last, before) = words.split_last().unwrap_or((&"", &[]));
        let whole = value.parse::<i64>().is_ok();
        let fraction = !whole && value.parse::<f64>().is_ok();
        let counts = has(NUMBERS, last) && before.last().is_some_and(|word| has(REPEATS, word));
        if whole && counts || has(REPEATS, last) && (whole || *last == "run") {
            Some(Self::NumberOfRepeat)
        } else if MOMENT.as_ref().is_some_and(|moment| moment.is_match(value)) || has(STAMPS, last) {
            Some(Self::TimeStamps)
        } else if words.iter().any(|word| has(HOSTS, word)) || has("node nodes", last) && !whole {
            Some(Self::Hosts)
        } else if has(NOTES, last) {
            Some(Self::Notes)
        } else if fraction && words.iter().any(|word| has(MEASURED, word)) {
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
