//! `qtdec-mpi measure`: a job script that measures an MPI library.

mod duration;
mod launches;

use std::path::Path;

use clap::Args;
use qtdec_core::{Document, SourceFile};
use qtdec_study::readers::open_regular;

use crate::commands::campaigns::options::CampaignArguments;
use crate::commands::predictions::predicting::open;
use qtdec_mpi::campaign::measure::{Campaign, DEFAULT, Deployment, by_turns_script, script, tune_command};
use qtdec_mpi_library::tuning::switches::quoted;
use qtdec_terminal::{Answer, Failure, Notes, Outputs, Progress, counted, output, times};

/// The number of runs of each benchmark in a script that measures every algorithm.
const REPEATS: u64 = 3;

/// Write a job script that measures every algorithm of a library
///
/// The script forces each algorithm and segment size in turn and runs a benchmark at every communicator size. It describes its results
/// beside them, so that `qtdec-mpi tune`, `qtdec map` and `qtdec read` take their folder without options. The library's own choice is
/// measured too, as the method `default`, with the settings that a deployment has: it is the library as it will be, not as it is untouched.
/// Scripts for qtdec-bench drop slow methods while they measure, and those for OSU and IMB measure everything. With --verify, the script
/// measures only the library's own choice, by turns without and with a deployment, and the script compares the two within pairs when it is started with the word `compare`.
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
/// campaigns; comments in the script say how both are known. It assumes standard deviations of ln t of
/// 0.1 for a time and 0.05 for a start of the benchmark, or takes them from the times of an earlier campaign.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  qtdec-mpi measure --library open-mpi --collective bcast,allreduce --np 2..64 --launcher srun -o measure.sh\n  \
                  qtdec-mpi measure --library open-mpi --collective bcast --np 2..64 --launcher srun --verify tuned -o verify.sh\n  qtdec-mpi measure --verify tuned -o final.sh"
)]
pub(crate) struct Arguments {
    #[command(flatten)]
    campaign: CampaignArguments,

    /// Choose the compositions of two levels by simulations on this network: a file of qtdec-network/1, logp_mpi or Netgauge, or the name of a
    /// shipped network
    #[arg(long, value_name = "NETWORK", conflicts_with = "verify")]
    network: Option<String>,

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
    let options = &arguments.campaign.completed()?;
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
    let by_turns = options.verify.is_some();
    let planned = launches::launches(&campaign, by_turns, earlier)?;
    let file = if arguments.output == "-" { "script.sh" } else { &arguments.output };
    let (script, next, purpose) = match &options.verify {
        Some(deployed) => {
            check(deployed)?;
            let own = |collective: &str| own_choice(deployed, collective);
            let deployment = Deployment { folder: deployed, own: &own };
            campaign.repeats = arguments.repeats.unwrap_or(planned.most());
            let next = format!("bash {} compare", quoted(file));
            (by_turns_script(&campaign, &deployment), next, "compares the two")
        }
        None => (script(&campaign), tune_command(&campaign), "decides"),
    };
    let (takes, how_long) = duration::described(&campaign, by_turns, earlier);
    let mut notes = Notes::default();
    notes.add(None, planned.described());
    notes.add(None, how_long);
    let text = script.replacen("\nset -u\n", &format!("#\n{}\nset -u\n", commented(&notes)), 1);
    let switches = options.verify.as_ref().map(|deployed| format!("{deployed}/switches.sh"));
    let inputs = noise.into_iter().chain(network).chain(switches.as_deref());
    Outputs::new(inputs).add(&arguments.output)?.write(&text)?;
    let starts = counted(campaign.starts(by_turns), "run", "runs");
    let units = if by_turns { ["pair", "pairs"] } else { ["launch", "launches"] };
    let jobs = counted(campaign.repeats, units[0], units[1]);
    let mut answer = Answer::default();
    let measures = format!("{starts} of {} in {jobs}, a job each", campaign.benchmark.name);
    answer.row([file.to_owned(), measures, takes, planned.short()]);
    let (command, does) = start(&campaign, file);
    answer.next(command, does);
    answer.next(next, purpose);
    answer.notes(&notes, file);
    output::eprint(answer.to_string().trim_end());
    Ok(())
}

/// Returns the command that starts the script, and what it does: a scheduler starts all jobs at once.
fn start(campaign: &Campaign, file: &str) -> (String, &'static str) {
    let file = quoted(file);
    if campaign.launcher.is_scheduled(&campaign.job) {
        (format!("sbatch {file}"), "measures")
    } else {
        (format!("bash {file}"), "measures the next of them, each time it is started")
    }
}

fn commented(notes: &Notes) -> String {
    let lines: Vec<String> = notes.lines().map(|line| line.replace('\n', "\n# ")).collect();
    format!("# {}\n", lines.join("\n# "))
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
