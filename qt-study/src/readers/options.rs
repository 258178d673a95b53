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
    /// The format of the files, or `None` to recognise it from their content.
    pub format: Option<String>,
    /// The machine, if the user names it; else a column may.
    pub machine: Option<String>,
}
