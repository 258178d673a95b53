//! `qtdec plan`: a job script that measures an MPI library.

use clap::Args;

use super::campaign::CampaignArguments;
use super::destination::Outputs;
use super::output::counted;
use super::{Failure, output};
use crate::campaign::plan::{map_command, script};

/// Write a job script that measures every algorithm of an MPI library
///
/// The script forces each algorithm and segment size in turn and runs a benchmark at every communicator size. It stores the
/// output under paths from which `qtdec map` reads the method and the sizes; the matching commands are printed and also written
/// into the script. The library's own choice is measured too, as the method `default`. `qtdec race` measures in a fraction of the
/// time.
#[derive(Debug, Args)]
#[command(
    after_help = "Example:\n  qtdec plan --library open-mpi --collective bcast,allreduce --np 2..64 --launcher srun -o measure.sh"
)]
pub(super) struct Arguments {
    #[command(flatten)]
    campaign: CampaignArguments,

    /// Run each benchmark this many times; each run is one repeat
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u64).range(1..=1000))]
    repeats: u64,

    /// Write the script to this file, or - for standard output
    #[arg(short, long, value_name = "FILE", default_value = "-")]
    output: String,
}

pub(super) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let campaign = arguments.campaign.campaign(arguments.repeats)?;
    Outputs::new([]).add(&arguments.output)?.write(&script(&campaign))?;
    let starts = counted(campaign.starts(), "run", "runs");
    output::eprint(&format!(
        "{starts} of the benchmark {}; afterwards, make the map with",
        arguments.campaign.benchmark
    ));
    for collective in &campaign.collectives {
        output::eprint(&map_command(&campaign, collective));
    }
    Ok(())
}
