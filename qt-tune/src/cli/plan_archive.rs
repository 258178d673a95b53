//! The arguments that say how `qtdec plan --replay` reads an archive of measurements.

use clap::Args;
use qtdec_core::Basis;

use super::measure::basis;
use crate::measure::readers::{Columns, PathPattern, ReadOptions};

/// Options for reading the archive.
#[derive(Debug, Args)]
#[command(next_help_heading = "Race")]
pub(super) struct ArchiveArguments {
    /// Map the columns of the archive to their meanings, as in qtdec map
    #[arg(long, value_name = "KEY=COLUMN,…", value_parser = Columns::parse, requires = "replay")]
    columns: Option<Columns>,

    /// Read method and sizes from the paths of the archive, as in qtdec map
    #[arg(long, value_name = "PATTERN", value_parser = PathPattern::parse, requires = "replay")]
    path: Option<PathPattern>,

    /// Set the size in bytes of an element of the archive
    #[arg(long, value_name = "BYTES", value_parser = clap::value_parser!(u64).range(1..), requires = "replay")]
    element_size: Option<u64>,

    /// Choose which bytes message sizes count
    #[arg(long, value_name = "BASIS", value_parser = basis, requires = "replay")]
    basis: Option<Basis>,

    /// Name the method of the archive that is the library's own choice; known names are recognised
    #[arg(long, value_name = "METHOD", requires = "replay")]
    pub(super) baseline: Option<String>,

    /// Ignore this many repeats at the beginning of each run (or file) as warm-up
    #[arg(long, value_name = "N", default_value_t = 1, requires = "replay")]
    pub(super) warm_up: usize,

    /// Hold out a random half of the repeats this many times, instead of the later runs or the second half
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..), requires = "replay")]
    pub(super) splits: Option<u64>,
}

impl ArchiveArguments {
    /// Returns how to read the times of a collective of the archive.
    pub(super) fn read_options(&self, collective: Option<String>) -> ReadOptions {
        ReadOptions {
            columns: self.columns.clone().unwrap_or_default(),
            path: self.path.clone(),
            element_size: self.element_size,
            basis: self.basis,
            collective,
            ..ReadOptions::default()
        }
    }
}
