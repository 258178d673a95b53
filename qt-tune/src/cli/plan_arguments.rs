//! The arguments of `qtdec plan`, which its script, `--next` and `--replay` share.

use clap::Args;
use clap::builder::PossibleValuesParser;

use super::plan_archive::ArchiveArguments;
use super::sizes::size;
use crate::campaign::plan::{Benchmark, Job, LIBRARIES, Launcher};
use crate::campaign::race::Rule;

/// Write a job script that measures every algorithm of an MPI library
///
/// The script forces each algorithm and segment size in turn and runs a benchmark at every communicator size. It stores the
/// output under paths from which `qtdec map` reads the method and the sizes; the matching commands are printed and also written
/// into the script. The library's own choice is measured too, as the method `default`.
#[derive(Debug, Args)]
#[command(
    after_help = "Example:\n  qtdec plan --mpi open-mpi --collective bcast,allreduce --np 2..64 --launcher srun -o measure.sh"
)]
pub(super) struct Arguments {
    /// Measure the algorithms of this MPI library
    #[arg(long, value_name = "LIBRARY", value_parser = PossibleValuesParser::new(LIBRARIES.iter().map(|library| library.name())), required_unless_present = "replay")]
    pub(super) mpi: Option<String>,

    /// Measure these collectives, such as bcast,allreduce
    #[arg(long, value_name = "NAME,…", value_delimiter = ',', required_unless_present = "replay")]
    pub(super) collective: Vec<String>,

    /// Measure these communicator sizes: a list such as 2,3,24, or 2..48 for 2, 4, 8, 16, 32 and 48
    #[arg(long, value_name = "SIZES", value_parser = counts, required_unless_present = "replay")]
    pub(super) np: Option<Sizes>,

    /// Start the ranks with this program
    #[arg(long, value_name = "LAUNCHER", value_parser = PossibleValuesParser::new(Launcher::ALL.map(|(name, _)| name)), required_unless_present = "replay")]
    pub(super) launcher: Option<String>,

    /// Pass these arguments to the launcher, quoted as for a shell, such as '--mpi=pmix --cpu-bind=cores'
    #[arg(long, value_name = "WORDS", value_parser = words, allow_hyphen_values = true)]
    pub(super) launcher_args: Option<Words>,

    /// Charge this Slurm account
    #[arg(long, value_name = "NAME", value_parser = Job::name, help_heading = "Job")]
    pub(super) account: Option<String>,

    /// Run the job in this Slurm partition
    #[arg(long, value_name = "NAME", value_parser = Job::name, help_heading = "Job")]
    pub(super) partition: Option<String>,

    /// Limit the run time of the job, in Slurm's notation: minutes, H:M:S or D-H:M:S
    #[arg(long, value_name = "TIME", value_parser = Job::time, help_heading = "Job")]
    pub(super) time: Option<String>,

    /// Run this benchmark; its programs must be on the PATH of the job
    #[arg(long, value_name = "BENCHMARK", value_parser = PossibleValuesParser::new(Benchmark::ALL.map(|(name, _)| name)), default_value = "osu")]
    pub(super) benchmark: String,

    /// Measure message sizes in this range of bytes, doubling each time; both ends are powers of two
    #[arg(long, value_name = "FROM..TO", value_parser = range, default_value = "1..1M")]
    pub(super) msg_size: (u64, u64),

    /// Measure these segment sizes in bytes, for algorithms that split messages; 0 means no segmentation [default: 0,8K,64K]
    #[arg(long, value_name = "SIZES", value_parser = sizes)]
    pub(super) segments: Option<Sizes>,

    /// Run each benchmark this many times; each run is one repeat
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u64).range(1..=1000))]
    pub(super) repeats: u64,

    /// Set the number of ranks per node; several numbers become an axis `ppn`
    #[arg(long, value_name = "SIZES", value_parser = counts)]
    pub(super) ppn: Option<Sizes>,

    /// Store the results in this folder
    #[arg(long, value_name = "FOLDER", default_value = "qtdec-results")]
    pub(super) results: String,

    /// Measure in rounds, and drop methods that are much slower than the best of a cell: by factors that shrink from 2 to 1.1
    /// (factors), or the slower half after 3, 6, 12 and 24 repeats (halving); the default is never dropped
    #[arg(long, value_name = "RULE", num_args = 0..=1, default_missing_value = "factors", value_parser = PossibleValuesParser::new(Rule::ALL.map(|(name, _)| name)), help_heading = "Race")]
    pub(super) race: Option<String>,

    /// Start no benchmark after this many hours; the most valuable ones run first
    #[arg(long, value_name = "HOURS", value_parser = hours, requires = "race", help_heading = "Race")]
    pub(super) hours: Option<f64>,

    /// Write the list of the next round, based on the results in this folder; an empty list ends the race
    #[arg(long, value_name = "RESULTS", requires = "race", conflicts_with = "replay", help_heading = "Race")]
    pub(super) next: Option<String>,

    /// Replay the plan against an archive of complete measurements, and report the time it saves and the points it loses on
    /// held-out times
    #[arg(long, value_name = "ARCHIVE", help_heading = "Race")]
    pub(super) replay: Vec<String>,

    #[command(flatten)]
    pub(super) archive: ArchiveArguments,

    /// Write the script, or the result of --next or --replay, to this file, or - for standard output
    #[arg(short, long, value_name = "FILE", default_value = "-")]
    pub(super) output: String,
}

impl Arguments {
    /// Returns the rule that selects what is measured: that of a race, or a fixed number of repeats for each method.
    pub(super) fn rule(&self) -> Rule {
        self.race.as_deref().and_then(Rule::named).unwrap_or(Rule::Fixed(self.repeats as usize))
    }
}

fn hours(text: &str) -> Result<f64, String> {
    let hours = text.parse().ok().filter(|hours: &f64| *hours > 0.0 && hours.is_finite());
    hours.ok_or_else(|| "a number of hours above 0".to_owned())
}

/// Words of a command line.
#[derive(Clone, Debug)]
pub(super) struct Words(pub(super) Vec<String>);

fn words(text: &str) -> Result<Words, String> {
    let words = shlex::split(text).filter(|_| !text.contains(char::is_control));
    words.map(Words).ok_or_else(|| "words on one line with matching quotes".to_owned())
}

/// Sizes in increasing order.
#[derive(Clone, Debug)]
pub(super) struct Sizes(pub(super) Vec<u64>);

/// Parses sizes: `2..24,3` means 2, 3, 4, 8, 16 and 24. A range doubles, and ends with its last size.
fn sizes(text: &str) -> Result<Sizes, String> {
    let mut sizes = Vec::new();
    for part in text.split(',') {
        match part.split_once("..") {
            Some((from, to)) => {
                let (mut next, to) = (size(from)?, size(to)?);
                if next == 0 || next > to {
                    return Err(format!("`{part}` is not a range such as 2..1024"));
                }
                while next <= to {
                    sizes.push(next);
                    let Some(double) = next.checked_mul(2) else { break };
                    next = double;
                }
                sizes.push(to);
            }
            None => sizes.push(size(part)?),
        }
    }
    sizes.sort_unstable();
    sizes.dedup();
    Ok(Sizes(sizes))
}

/// Parses numbers of ranks.
fn counts(text: &str) -> Result<Sizes, String> {
    match sizes(text)? {
        Sizes(counts) if counts.contains(&0) => Err("the number of ranks must be at least 1".to_owned()),
        counts => Ok(counts),
    }
}

fn range(text: &str) -> Result<(u64, u64), String> {
    let (from, to) = text.split_once("..").ok_or("write FROM..TO, such as 1..1M")?;
    match (size(from)?, size(to)?) {
        (from, to) if from <= to && from.is_power_of_two() && to.is_power_of_two() => Ok((from, to)),
        _ => Err("write two powers of two, the smaller one first, such as 1..1M".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_end_where_numbers_do() {
        let Sizes(all) = sizes("1..18446744073709551615").unwrap();
        assert_eq!((all.len(), all[63], all[64]), (65, 1 << 63, u64::MAX));
        assert_eq!(sizes("2..16,24").unwrap().0, [2, 4, 8, 16, 24]);
        assert_eq!(sizes("2..48").unwrap().0, [2, 4, 8, 16, 32, 48]);
    }
}
