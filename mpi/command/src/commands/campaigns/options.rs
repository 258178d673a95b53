//! The options of a campaign: what is measured, and how the job starts it.

use std::collections::BTreeMap;
use std::io::Read;
use std::path::Path;

use clap::builder::PossibleValuesParser;
use clap::{Args, Parser};

use crate::commands::tuning_files::tuning_file::ReleaseArgument;
use qtdec_mpi::campaign::measure::{BENCHMARKS, Campaign, Job, LIBRARIES, Launcher};
use qtdec_mpi_library::catalogue::Release;
use qtdec_mpi_library::catalogue::open_mpi::REQUESTS_SINCE;
use qtdec_mpi_library::tuning;
use qtdec_study::readers::open_regular;
use qtdec_terminal::sizes::size;
use qtdec_terminal::{Failure, folder};
use serde_json::Value;

/// The file beside a deployment with the options of its measurement.
pub(crate) const MEASURED: &str = "measured.json";

/// The number of bytes of the file that are read.
const MAX_BYTES: u64 = 1 << 20;

/// The folder of the results, unless an option names another.
const RESULTS: &str = "qtdec-results";

/// What is measured, with which benchmark, and how the job starts it.
#[derive(Clone, Debug, Args)]
pub(crate) struct CampaignArguments {
    /// Measure the algorithms of this MPI library
    #[arg(long, value_name = "LIBRARY", required_unless_present = "verify", value_parser = PossibleValuesParser::new(LIBRARIES.iter().map(|library| library.name)))]
    library: Option<String>,

    /// Measure the algorithms of this release of the library, such as 5.0 [default: the oldest one that is known]
    #[arg(long, value_name = "RELEASE")]
    release: Option<Release>,

    /// Measure these collectives, such as bcast,allreduce
    #[arg(long, value_name = "NAME,…", value_delimiter = ',', required_unless_present = "verify")]
    collective: Vec<String>,

    /// Measure these communicator sizes: a list such as 2,3,24, or 2..48 for 2, 4, 8, 16, 32 and 48
    #[arg(long, value_name = "SIZES", required_unless_present = "verify", value_parser = counts)]
    np: Option<Sizes>,

    /// Start the ranks with this program: srun, mpirun or mpiexec, or one whose name begins so, such as mpirun.mpich or its path
    #[arg(long, value_name = "LAUNCHER", required_unless_present = "verify")]
    launcher: Option<Launcher>,

    /// Pass these arguments to the launcher, quoted as for a shell, such as '--mpi=pmix --cpu-bind=cores'
    #[arg(long, value_name = "WORDS", value_parser = words, allow_hyphen_values = true)]
    launcher_args: Option<Words>,

    /// Charge this Slurm account
    #[arg(long, value_name = "NAME", value_parser = Job::name, help_heading = "Job")]
    account: Option<String>,

    /// Run the job in this Slurm partition
    #[arg(long, value_name = "NAME", value_parser = Job::name, help_heading = "Job")]
    partition: Option<String>,

    /// Limit the run time of the job, in Slurm's notation: minutes, H:M:S or D-H:M:S
    #[arg(long, value_name = "TIME", value_parser = Job::time, help_heading = "Job")]
    time: Option<String>,

    /// Run this benchmark; its programs must be on the PATH of the job [default: osu]
    #[arg(long, value_name = "BENCHMARK", value_parser = PossibleValuesParser::new(BENCHMARKS.iter().map(|benchmark| benchmark.name)))]
    benchmark: Option<String>,

    /// Measure message sizes in this range of bytes, doubling each time; both ends are powers of two [default: 1..1M]
    #[arg(long, value_name = "FROM..TO", value_parser = range)]
    msg_size: Option<(u64, u64)>,

    /// Measure these segment sizes in bytes, for algorithms that split messages; 0 means no segmentation [default: 0,8K,64K]
    #[arg(long, value_name = "SIZES", value_parser = sizes)]
    segments: Option<Sizes>,

    /// Let a rank have at most these numbers of requests open, in algorithms that limit them; 0 means no limit [default: 0,4,16 for releases
    /// whose rules can]
    #[arg(long, value_name = "NUMBERS", value_parser = sizes)]
    requests: Option<Sizes>,

    /// Set the number of ranks per node; several numbers become an axis `ppn`
    #[arg(long, value_name = "SIZES", value_parser = counts)]
    ppn: Option<Sizes>,

    /// Store the results in this folder [default: qtdec-results]
    #[arg(long, value_name = "FOLDER")]
    results: Option<String>,

    /// Measure the library's own choice by turns, without and with the deployment in this folder, which qtdec-mpi tune wrote; without
    /// --library, as that was measured
    #[arg(long, value_name = "FOLDER", value_parser = folder::name())]
    pub(crate) verify: Option<String>,
}

/// The options that a deployment has of its measurement.
#[derive(Debug, Parser)]
#[command(no_binary_name = true)]
struct OfDeployment {
    #[command(flatten)]
    campaign: CampaignArguments,
}

impl CampaignArguments {
    /// Returns the options, completed with those that the deployment has if no library is named.
    pub(crate) fn completed(&self) -> Result<Self, Failure> {
        let (Some(folder), None) = (&self.verify, &self.library) else { return Ok(self.clone()) };
        let known = of_deployment(folder).ok_or_else(|| {
            Failure::usage(format!(
                "`{folder}/{MEASURED}` does not say what was measured: say it with --library, --collective, --np and --launcher"
            ))
        })?;
        let own = self.clone();
        Ok(Self {
            library: known.library,
            release: own.release.or(known.release),
            collective: if own.collective.is_empty() { known.collective } else { own.collective },
            np: own.np.or(known.np),
            launcher: own.launcher.or(known.launcher),
            launcher_args: own.launcher_args.or(known.launcher_args),
            account: own.account.or(known.account),
            partition: own.partition.or(known.partition),
            time: own.time.or(known.time),
            benchmark: own.benchmark.or(known.benchmark),
            msg_size: own.msg_size.or(known.msg_size),
            ppn: own.ppn.or(known.ppn),
            results: own.results.or(known.results),
            ..own
        })
    }

    /// Returns the campaign with this many runs of each benchmark, or the error of options that do not fit together.
    pub(crate) fn campaign(&self, repeats: u64) -> Result<Campaign, Failure> {
        let usage = |message: String| Err(Failure::Usage(message));
        let (Some(named), Some(np), Some(launcher)) = (&self.library, &self.np, &self.launcher) else {
            return usage(
                "name what is measured with --library, --collective, --np and --launcher".to_owned(),
            );
        };
        let Some(&library) = LIBRARIES.iter().find(|library| library.name == named) else {
            return usage(format!("there is no library `{named}`"));
        };
        let named = self.benchmark.as_deref().unwrap_or(BENCHMARKS[0].name);
        let Some(&benchmark) = BENCHMARKS.iter().find(|benchmark| benchmark.name == named) else {
            return usage(format!("there is no benchmark `{named}`"));
        };
        let results = self.results.as_deref().unwrap_or(RESULTS);
        if benchmark.measures_grids() && self.ppn.as_ref().is_some_and(|ppn| ppn.len() > 1) {
            return usage(format!(
                "the times of {} do not say how many ranks share a node: write one script for each --ppn, with a folder of its own (--results)",
                benchmark.name
            ));
        }
        let release = match tuning::find_format(library.name) {
            Some(format) if self.release.is_some() => {
                ReleaseArgument { release: self.release }.resolve(format)?
            }
            _ => None,
        };
        let (least, greatest) = self.msg_size.unwrap_or((1, 1 << 20));
        let mut campaign = Campaign {
            library,
            release,
            collectives: Vec::new(),
            comm_sizes: np.clone(),
            least,
            greatest,
            segments: self.segments.clone().unwrap_or_else(|| vec![0, 8 << 10, 64 << 10]),
            requests: self.requests.clone().unwrap_or_else(|| vec![0, 4, 16]),
            repeats,
            ranks_per_node: self.ppn.clone().unwrap_or_default(),
            launcher: launcher.clone(),
            launcher_arguments: self.launcher_args.clone().unwrap_or_default(),
            job: Job {
                account: self.account.clone(),
                partition: self.partition.clone(),
                time: self.time.clone(),
            },
            benchmark,
            results: results.to_owned(),
            predicted: BTreeMap::new(),
        };
        let title = campaign.title();
        for name in self.collective.iter().map(|name| name.to_lowercase()) {
            if campaign.algorithms(&name).is_empty() {
                let known = library.collectives(release.unwrap_or(library.release)).join(", ");
                return usage(format!(
                    "no algorithms of {title} for `{name}` are known: the known collectives are {known}"
                ));
            }
            let known = (benchmark.collectives)();
            if !known.contains(&&*name) {
                return usage(format!(
                    "{} does not measure `{name}`, but {}: measure it with another --benchmark",
                    benchmark.name,
                    known.join(", ")
                ));
            }
            if !campaign.collectives.contains(&name) {
                campaign.collectives.push(name);
            }
        }
        if self.segments.is_some() && !campaign.has_segments() {
            return usage(format!(
                "--segments has no effect: no algorithm of {title} for {} cuts messages",
                campaign.collectives.join(", ")
            ));
        }
        if self.requests.is_some() && !campaign.has_requests() {
            return usage(format!(
                "--requests has no effect: no rule of {title} for {} limits requests; those of Open MPI can for alltoall, with --release \
                 {REQUESTS_SINCE} or later",
                campaign.collectives.join(", ")
            ));
        }
        if results.is_empty() || results.contains(char::is_control) {
            return usage(format!("{results:?} cannot be the name of a folder"));
        }
        if results.starts_with('-') {
            return usage(format!(
                "the commands in the script would read the folder `{results}` as an option: write --results ./{results}"
            ));
        }
        Ok(campaign)
    }
}

/// Returns the options that a deployment has of its measurement.
fn of_deployment(folder: &str) -> Option<CampaignArguments> {
    let file = open_regular(&Path::new(folder).join(MEASURED)).ok()?;
    let measured: Value = serde_json::from_reader(file.take(MAX_BYTES)).ok()?;
    let words = measured.get("options")?.as_array()?;
    let words: Option<Vec<&str>> = words.iter().map(Value::as_str).collect();
    // A file that somebody changed is as good as none.
    OfDeployment::try_parse_from(words?.into_iter().chain(["--verify", folder]))
        .ok()
        .map(|parsed| parsed.campaign)
}

/// Words of a command line. An option of this type is given once.
type Words = Vec<String>;

fn words(text: &str) -> Result<Words, String> {
    let words = shlex::split(text).filter(|_| !text.contains(char::is_control));
    words.ok_or_else(|| "words on one line with matching quotes".to_owned())
}

/// Sizes in increasing order.
type Sizes = Vec<u64>;

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
    Ok(sizes)
}

fn counts(text: &str) -> Result<Sizes, String> {
    match sizes(text)? {
        counts if counts.contains(&0) => Err("the number of ranks must be at least 1".to_owned()),
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
        let all = sizes("1..18446744073709551615").unwrap();
        assert_eq!((all.len(), all[63], all[64]), (65, 1 << 63, u64::MAX));
        assert_eq!(sizes("2..16,24").unwrap(), [2, 4, 8, 16, 24]);
        assert_eq!(sizes("2..48").unwrap(), [2, 4, 8, 16, 32, 48]);
    }
}
