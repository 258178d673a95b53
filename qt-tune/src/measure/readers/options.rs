//! What the user says about the files.

use std::collections::BTreeMap;

use qtdec_core::Basis;

use super::columns::Columns;
use super::path::PathPattern;
use crate::measure::measurements::{RankStatistic, TimeUnit};

/// What the user says about the files, as far as they do not tell themselves.
#[derive(Clone, Debug, Default)]
pub struct ReadOptions {
    /// Which columns hold what, for files with columns.
    pub columns: Columns,
    /// Columns and the value that each must have.
    pub filters: Vec<(String, String)>,
    /// Columns whose rows are repeats of each other.
    pub repeats: Vec<String>,
    /// The collective whose files and rows are read, where they tell theirs.
    pub collective: Option<String>,
    /// What is the same for all rows, by name: `comm_size`, `method`, `segment_size` or an axis.
    pub fixed: BTreeMap<String, String>,
    /// What the paths of files tell.
    pub path: Option<PathPattern>,
    /// How many bytes an element has, where files count elements.
    pub element_size: Option<u64>,
    /// Whose bytes the message sizes of the files count, where that is not known of their format.
    pub basis_in: Option<Basis>,
    /// Whose bytes the message sizes are to count; those of the files if `None`.
    pub basis: Option<Basis>,
    /// The unit of times, where files do not tell.
    pub time_unit: Option<TimeUnit>,
    /// What is made of the ranks of a repeat, where files give each or several statistics of them.
    pub ranks: RankStatistic,
    /// The format of the files; recognised from their content if `None`.
    pub format: Option<String>,
}
