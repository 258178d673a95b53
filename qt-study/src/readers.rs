//! Readers that convert the output of benchmarks to measurements.
//!
//! A format is one file of this folder and one line in the list below.

mod advice;
mod argument;
mod benchmarks;
pub mod campaign;
mod canonical;
mod chiara;
mod columns;
mod consoles;
mod content;
pub(crate) mod counted;
mod criterion;
mod criterion_folder;
mod csv;
mod divan;
mod files;
mod google_benchmark;
mod hyperfine;
mod imb;
mod jmh;
mod libtest;
mod limits;
mod lines;
mod markdown;
mod missing_runs;
mod nccl;
mod nccl_tests;
mod ompi_tuning;
mod options;
mod osu;
mod over_ranks;
mod own_output;
mod path;
mod pico;
mod pico_iterations;
mod plain;
mod prefixes;
mod profile;
mod pytest_benchmark;
mod regular;
mod reprompi;
mod selectors;
mod simulated;
mod sink;
mod skampi;
mod table;
mod unpack;
mod zstd;

use std::io::BufRead;

use qtdec_core::Problem;

pub use columns::{Columns, axis_name};
pub use counted::Counted;
pub use files::{Failed, Watch, is_known, is_read_in_folders, read, read_each, read_one, some_of, times};
pub(crate) use limits::RowReader;
pub(crate) use lines::{each as each_line, unreadable};
pub use options::{ReadOptions, is_of};
pub use over_ranks::different_ranks;
pub use path::PathPattern;

pub use own_output::KEPT as KEPT_COLUMNS;
pub use regular::{open_entry, open_regular};
pub use unpack::unpacked;

use sink::FileSink;

/// A format of files with times.
struct Format {
    /// The name for `--format`.
    name: &'static str,
    /// Returns whether a file that begins so has this format.
    recognises: fn(&str) -> bool,
    /// Reads a file. Faults of single rows go to the sink; an error ends the file.
    read: fn(&mut dyn BufRead, &mut FileSink<'_, '_>) -> Result<(), Problem>,
    /// Returns whether the file at this path, found in a folder, repeats the times of another one there.
    is_copy: fn(&str) -> bool,
    /// Returns whether the file at this path, found in a folder, is written next to the times of another one and has none of its own.
    is_companion: fn(&str) -> bool,
    /// Whether a file consists of lines, so that one without a newline at its end may be cut off. Other formats notice that by
    /// themselves.
    has_lines: bool,
    /// Whether a file has rows and named columns.
    has_columns: bool,
    /// Whether `--columns` means something for files without named columns: arguments of benchmarks, or one of several times.
    uses_columns: bool,
}

impl Format {
    /// Returns a format of lines without named columns.
    const fn new(
        name: &'static str,
        recognises: fn(&str) -> bool,
        read: fn(&mut dyn BufRead, &mut FileSink<'_, '_>) -> Result<(), Problem>,
    ) -> Self {
        Self {
            name,
            recognises,
            read,
            is_copy: |_| false,
            is_companion: |_| false,
            has_lines: true,
            has_columns: false,
            uses_columns: false,
        }
    }
}

/// Every format; the first that recognises a file is used.
const FORMATS: &[Format] = &[
    canonical::FORMAT,
    chiara::FORMAT,
    pico::FORMAT,
    pico_iterations::FORMAT,
    criterion::FORMAT,
    criterion_folder::FORMAT,
    divan::FORMAT,
    google_benchmark::FORMAT,
    hyperfine::FORMAT,
    jmh::FORMAT,
    libtest::FORMAT,
    pytest_benchmark::FORMAT,
    ompi_tuning::FORMAT,
    osu::FORMAT,
    imb::FORMAT,
    nccl_tests::FORMAT,
    skampi::FORMAT,
    reprompi::FORMAT,
    simulated::FORMAT,
    profile::FORMAT,
    csv::FORMAT,
];

/// Returns the possible values of `--format`.
pub fn format_names() -> Vec<&'static str> {
    FORMATS.iter().map(|format| format.name).collect()
}

/// Returns MPI's name of a collective in lower case, given one of the names that benchmarks use.
pub fn collective_name(text: &str) -> String {
    let name = text.trim().to_lowercase();
    let name = name.strip_prefix("mpi_").unwrap_or(&name);
    let (name, calls) = match name.strip_prefix("non-blocking ") {
        Some(name) => (name, "i"),
        None => (name, ""),
    };
    let name = name.replace(" personalized exchange", "").replace("all-to-all", "alltoall");
    let name = name.replace("broadcast", "bcast").replace([' ', '-'], "_");
    calls.to_owned() + &name
}

/// Returns whether a word is one of a list, in which blanks separate words.
pub(crate) fn has(list: &str, word: &str) -> bool {
    list.split_whitespace().any(|known| known == word)
}
