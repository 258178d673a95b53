//! Options for reading files.

use std::collections::BTreeMap;

use qtdec_core::Basis;

use super::columns::Columns;
use super::counted::Counted;
use super::path::PathPattern;
use crate::measurements::{RankStatistic, TimeUnit};

/// The user's options for reading files, which complete what files say themselves.
#[derive(Clone, Debug, Default)]
pub struct ReadOptions {
    /// The meaning of columns, for files with columns.
    pub columns: Columns,
    /// Columns with their required values.
    pub filters: Vec<(String, String)>,
    /// Columns whose rows are repeats of each other.
    pub repeats: Vec<String>,
    /// The collective to read, from files and rows that name theirs.
    pub collective: Option<String>,
    /// Values that are the same for all rows, by name: `comm_size`, `method`, `segment_size` or an axis.
    pub fixed: BTreeMap<String, String>,
    /// The pattern of paths from which values are read.
    pub path: Option<PathPattern>,
    /// The size of an element in bytes, for files that count elements.
    pub element_size: Option<u64>,
    /// The bytes that the files' message sizes count, if the format does not determine it.
    pub basis_in: Option<Counted>,
    /// The basis to which message sizes are converted, or `None` for that of the collective.
    pub basis: Option<Basis>,
    /// The unit of times, for files that do not name one.
    pub time_unit: Option<TimeUnit>,
    /// The statistic over the ranks of a repeat, for files with times or several statistics of the ranks.
    pub ranks: RankStatistic,
    /// Patterns of methods that are not needed. Benchmarks need not have the same arguments as these.
    pub exclude: Vec<String>,
    /// The format of the files, or `None` to recognise it from their content.
    pub format: Option<String>,
    /// The machine, if the user names it; else a column may.
    pub machine: Option<String>,
}

/// Returns whether a text matches a pattern in which `*` stands for any characters.
pub fn is_of(pattern: &str, text: &str) -> bool {
    let mut parts = pattern.split('*');
    let Some(mut rest) = text.strip_prefix(parts.next().unwrap_or_default()) else { return false };
    let parts: Vec<&str> = parts.collect();
    let Some((last, inner)) = parts.split_last() else { return rest.is_empty() };
    for part in inner {
        let Some(at) = rest.find(part) else { return false };
        rest = &rest[at + part.len()..];
    }
    rest.ends_with(last)
}

#[cfg(test)]
mod tests {
    use super::is_of;

    #[test]
    fn stars_stand_for_any_characters() {
        for (pattern, fitting, others) in [
            ("ring", &["ring"][..], &["rings", "rin", ""][..]),
            ("ring*", &["ring", "ring/1024"], &["tring"]),
            ("*ring", &["ring", "tring", "ringring"], &["rings"]),
            ("a*b*c", &["abc", "a1b2c", "abbcc"], &["ab", "acb", "xabc"]),
            ("*", &["", "a"], &[]),
            ("ab*ba", &["abba", "ab/ba"], &["aba"]),
        ] {
            for text in fitting {
                assert!(is_of(pattern, text), "{pattern} {text}");
            }
            for text in others {
                assert!(!is_of(pattern, text), "{pattern} {text}");
            }
        }
    }
}
