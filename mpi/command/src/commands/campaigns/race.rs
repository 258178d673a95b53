//! `qtdec-mpi race`: a job script that measures in rounds, and the list of a round.

use clap::Args;
use clap::builder::PossibleValuesParser;

use crate::commands::campaigns::campaign::CampaignArguments;
use crate::commands::campaigns::plan::ALL_AT_ONCE;
use crate::commands::campaigns::race_next;
use qtdec_mpi::campaign::plan::{map_command, race_script, tune_command};
use qtdec_mpi::campaign::race::Rule;
use qtdec_terminal::destination::Outputs;
use qtdec_terminal::{Failure, output};

/// Write a job script that measures in rounds and leaves out slow methods
///
/// The script is like that of `qtdec-mpi plan`, and takes a fraction of its time: in every cell it drops the methods that are much slower
/// than the best. Only the existing results determine the next round, so that the script can be stopped and started again. `qtdec
/// replay` shows what a rule would have saved on complete measurements.
#[derive(Debug, Args)]
#[command(
    after_help = "Example:\n  qtdec-mpi race --library open-mpi --collective bcast,allreduce --np 2..64 --launcher srun -o race.sh"
)]
pub(crate) struct Arguments {
    #[command(flatten)]
    campaign: CampaignArguments,

    /// Drop methods by factors over the best of a cell that shrink from 2 to 1.1 (factors), or the slower half after 3, 6, 12 and 24
    /// repeats (halving); the default is never dropped
    #[arg(long, value_name = "RULE", default_value = "factors", value_parser = PossibleValuesParser::new(Rule::ALL.map(|(name, _)| name)))]
    rule: String,

    /// Start no benchmark after this many hours; the most valuable ones run first
    #[arg(long, value_name = "HOURS", value_parser = hours)]
    hours: Option<f64>,

    /// Run the benchmark this many times with a deployed tuning file
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u64).range(1..=1000))]
    repeats: u64,

    /// Write the list of the next round, based on the results in this folder; an empty list ends the race
    #[arg(long, value_name = "RESULTS")]
    next: Option<String>,

    /// Write the script, or the list of the next round, to this file, or - for standard output
    #[arg(short, long, value_name = "FILE", default_value = "-")]
    output: String,
}

fn hours(text: &str) -> Result<f64, String> {
    let hours = text.parse().ok().filter(|hours: &f64| *hours > 0.0 && hours.is_finite());
    hours.ok_or_else(|| "a number of hours above 0".to_owned())
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let campaign = arguments.campaign.campaign(arguments.repeats)?;
    if let Some(results) = &arguments.next {
        let rule = Rule::named(&arguments.rule).unwrap_or(Rule::Race);
        return race_next::run(&campaign, rule, results, &arguments.output);
    }
    if campaign.benchmark.measures_grids() {
        return Err(Failure::Usage(format!(
            "a race leaves out numbers of ranks and sizes, and a launch of {0} measures all of them: write its script with `qtdec-mpi plan`; \
             where a launch measures several algorithms, {0} itself drops slow ones",
            campaign.benchmark.name()
        )));
    }
    if campaign.ranks_per_node.len() > 1 {
        return Err(Failure::Usage(
            "a race has a single number of ranks per node: write one script for each --ppn".to_owned(),
        ));
    }
    let script = race_script(&campaign, &arguments.rule, arguments.hours);
    Outputs::new([]).add(&arguments.output)?.write(&script)?;
    output::eprint(&format!(
        "a race with the benchmark {}; before each round, the script calls qtdec-mpi race --next; afterwards, make the map with",
        arguments.campaign.benchmark
    ));
    for collective in &campaign.collectives {
        output::eprint(&map_command(&campaign, collective));
    }
    output::eprint(&format!("{ALL_AT_ONCE}\n{}", tune_command(&campaign)));
    Ok(())
}
