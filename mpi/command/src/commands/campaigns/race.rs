//! `qtdec-mpi race`: a job script that measures in rounds, and the list of a round.

use clap::Args;

use super::options::CampaignArguments;
use super::plan::ALL_AT_ONCE;
use qtdec_terminal::{Failure, Outputs, output};

use super::race_next;
use qtdec_mpi::campaign::plan::{Unit, map_command, one_a_job, race_script, tune_command};
use qtdec_mpi::campaign::race::MOST;

/// Write a job script that leaves out slow methods round by round
///
/// The script is like that of `qtdec-mpi plan`, and takes a fraction of its time: in every cell it drops the methods that are much slower
/// than the best, by factors that shrink from 2 to 1.1; the default is never dropped. Only the existing results determine the next round,
/// so that the script can be stopped and started again. A job measures one round: a script for Slurm is an array of jobs, and elsewhere
/// each start measures the next round. With QTDEC_LAUNCHES=all in the environment of the script, one job measures all rounds.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  qtdec-mpi race --library open-mpi --collective bcast,allreduce --np 2..64 --launcher srun -o race.sh"
)]
pub(crate) struct Arguments {
    #[command(flatten)]
    campaign: CampaignArguments,

    /// Start no benchmark after this many hours of a job; the most valuable ones run first
    #[arg(long, value_name = "HOURS", value_parser = hours)]
    hours: Option<f64>,

    /// Write the list of the next round, based on the results in this folder; an empty list ends the race
    #[arg(long, value_name = "RESULTS")]
    next: Option<String>,

    /// Write the script or the list of the next round to this file, or - for standard output
    #[arg(short, long, value_name = "FILE", default_value = "-")]
    output: String,
}

fn hours(text: &str) -> Result<f64, String> {
    let hours = text.parse().ok().filter(|hours: &f64| *hours > 0.0 && hours.is_finite());
    hours.ok_or_else(|| "a number of hours above 0".to_owned())
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let options = &arguments.campaign;
    let campaign = options.campaign(MOST as u64)?;
    if let Some(results) = &arguments.next {
        return race_next::run(&campaign, results, &arguments.output);
    }
    if campaign.benchmark.measures_grids() {
        return Err(Failure::usage(format!(
            "a race leaves out numbers of ranks and sizes, and a launch of {0} measures all of them: write its script with `qtdec-mpi plan`; \
             where a launch measures several algorithms, {0} itself drops slow ones",
            campaign.benchmark.name
        )));
    }
    if campaign.ranks_per_node.len() > 1 {
        return Err(Failure::usage(
            "a race has a single number of ranks per node: write one script for each --ppn",
        ));
    }
    let script = race_script(&campaign, arguments.hours);
    Outputs::new([]).add(&arguments.output)?.write(&script)?;
    output::eprint(&format!(
        "a race with the benchmark {}; before each round, the script calls qtdec-mpi race --next; afterwards, make the map with",
        options.benchmark
    ));
    for collective in &campaign.collectives {
        output::eprint(&map_command(&campaign, collective));
    }
    output::eprint(&format!("{ALL_AT_ONCE}\n{}", tune_command(&campaign)));
    output::eprint(&one_a_job(&campaign, Unit::Round).replace('\n', " "));
    Ok(())
}
