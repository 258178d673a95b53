//! `qtdec-mpi plan`: a job script that measures an MPI library.

mod duration;
mod launches;

use std::path::Path;

use clap::Args;
use qtdec_core::{Document, SourceFile};
use qtdec_study::readers::open_regular;

use crate::commands::campaigns::options::CampaignArguments;
use crate::commands::predictions::predicting::open;
use qtdec_mpi::campaign::plan::{
    DEFAULT, Deployment, Unit, by_turns_commands, by_turns_script, map_command, one_a_job, script,
    tune_command,
};
use qtdec_terminal::{Failure, Outputs, Progress, counted, folder, output, times};

/// The number of runs of each benchmark in a script that measures every algorithm.
const REPEATS: u64 = 3;

/// The words before the command that tunes the library.
pub(crate) const ALL_AT_ONCE: &str = "or tune the library at once with";

/// Write a job script that measures every algorithm of a library
///
/// The script forces each algorithm and segment size in turn and runs a benchmark at every communicator size. It stores the
/// output under paths from which `qtdec map` reads the method and the sizes; the matching commands are printed and also written
/// into the script. The library's own choice is measured too, as the method `default`, with the settings that a deployment has: it is
/// the library as it will be, not as it is untouched. `qtdec-mpi race` measures in a fraction of the time. With --verify, the script measures only the library's own choice, by turns without and with a deployment, and the printed
/// commands compare the two within pairs.
///
/// With --benchmark qtdec-bench and several ranks on each node (--ppn), a further launch measures a few of our own compositions of two levels,
/// which the interposer carries out, with every number of ranks on several nodes: those that suit small and large messages, or with
/// --network those that are the best for a few of the sizes.
///
/// Each launch is a job of its own, because what the nodes of a job do to a method lasts as long as the job; the order of the methods differs
/// between launches, and the times name the job. A script for Slurm is an array of jobs; elsewhere, each start measures the next launch.
/// With QTDEC_LAUNCHES=all in the environment of the script, one job measures all launches, and their times speak for that job alone.
///
/// The command also prints how long the script takes, as far as that is known, and how many launches show a gain of 5 % in nine of ten
/// campaigns. It assumes standard deviations of ln t of
/// 0.1 for a time and 0.05 for a start of the benchmark, or takes them from the times of an earlier campaign.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  qtdec-mpi plan --library open-mpi --collective bcast,allreduce --np 2..64 --launcher srun -o measure.sh\n  \
                  qtdec-mpi plan --library open-mpi --collective bcast --np 2..64 --launcher srun --verify tuned -o verify.sh"
)]
pub(crate) struct Arguments {
    #[command(flatten)]
    campaign: CampaignArguments,

    /// Choose the compositions of two levels by simulations on this network: a file of qtdec-network/1, logp_mpi or Netgauge, or the name of a
    /// shipped network
    #[arg(long, value_name = "NETWORK", conflicts_with = "verify")]
    network: Option<String>,

    /// Measure the library's own choice by turns, without and with the deployment in this folder, which qtdec-mpi tune wrote
    #[arg(long, value_name = "FOLDER", value_parser = folder::name())]
    verify: Option<String>,

    /// Run each benchmark this many times; each run is one launch, and with --verify one pair [default: 3, or with --verify as many as
    /// show a change of 5 %]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=launches::MOST))]
    repeats: Option<u64>,

    /// Take the noise, which determines how many launches are needed, and the duration from these canonical times of an earlier campaign
    #[arg(long, value_name = "TIMES")]
    noise: Option<String>,

    /// Write the script to this file, or - for standard output
    #[arg(short, long, value_name = "FILE", default_value = "-")]
    output: String,
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let options = &arguments.campaign;
    let mut campaign = options.campaign(arguments.repeats.unwrap_or(REPEATS))?;
    let network = arguments.network.as_deref();
    if let Some(name) = network {
        let progress = Progress::late("the compositions");
        campaign.predict_compositions(&open(name)?).map_err(Failure::Usage)?;
        drop(progress);
    }
    let noise = arguments.noise.as_deref();
    let earlier = noise.map(|file| times::each(&[file.to_owned()])).transpose()?;
    let earlier = noise.zip(earlier.as_deref());
    let by_turns = arguments.verify.is_some();
    let planned = launches::launches(&campaign, by_turns, earlier)?;
    let (script, then, commands) = match &arguments.verify {
        Some(deployed) => {
            check(deployed)?;
            let own = |collective: &str| own_choice(deployed, collective);
            let deployment = Deployment { folder: deployed, own: &own };
            campaign.repeats = arguments.repeats.unwrap_or(planned.most());
            let pairs = counted(campaign.repeats, "pair", "pairs");
            let then = format!(" in {pairs}; afterwards, compare with");
            (by_turns_script(&campaign, &deployment), then, by_turns_commands(&campaign, &deployment))
        }
        None => {
            let maps = campaign.collectives.iter().map(|collective| map_command(&campaign, collective));
            let at_once = [ALL_AT_ONCE.to_owned(), tune_command(&campaign)];
            (script(&campaign), "; afterwards, make the map with".to_owned(), maps.chain(at_once).collect())
        }
    };
    let switches = arguments.verify.as_ref().map(|deployed| format!("{deployed}/switches.sh"));
    let inputs = noise.into_iter().chain(network).chain(switches.as_deref());
    Outputs::new(inputs).add(&arguments.output)?.write(&script)?;
    let unit = if by_turns { Unit::Pair } else { Unit::Launch };
    let starts = counted(campaign.starts(by_turns), "run", "runs");
    output::eprint(&format!("{starts} of the benchmark {}{then}", options.benchmark));
    output::eprint(&commands.join("\n"));
    output::eprint(&one_a_job(&campaign, unit).replace('\n', " "));
    output::eprint(&duration::sentence(&campaign, by_turns, earlier));
    output::eprint(&planned.described());
    Ok(())
}

/// Returns the label of the library's own choice in the tree of a collective in a folder, or the usual one while there is no tree: a script
/// may be written before the deployment.
fn own_choice(folder: &str, collective: &str) -> String {
    let tree = Path::new(folder).join(format!("{collective}.tree.json"));
    let tree = open_regular(&tree).and_then(|file| SourceFile::read("", file));
    let tree = tree.ok().and_then(|file| file.document().ok());
    let label = match tree {
        Some(Document::Tree(tree)) => {
            tree.domain().baseline().map(|method| tree.domain().method(method).label())
        }
        _ => None,
    };
    label.unwrap_or_else(|| DEFAULT.to_owned())
}

/// Checks the name of a folder that commands in the script read.
fn check(deployed: &str) -> Result<(), Failure> {
    if deployed.contains(char::is_control) {
        return Err(Failure::usage(format!("{deployed:?} cannot be the name of a folder")));
    }
    if deployed.starts_with('-') {
        return Err(Failure::usage(format!(
            "the commands in the script would read the folder `{deployed}` as an option: write --verify ./{deployed}"
        )));
    }
    Ok(())
}
