//! `qtdec verify`: the effect of a deployment.

mod verdict;

use std::collections::BTreeSet;

use self::verdict::Verdict;
use clap::Args;
use qtdec_core::DecisionTree;

use qtdec_study::measurements::{Measurements, UnrecordedJobs};
use qtdec_study::readers::different_ranks;
use qtdec_study::study::before_after::{IsKept, Verification, only};
use qtdec_study::study::following::{Following, held_out};
use qtdec_study::study::launch_times::LaunchTimes;
use qtdec_study::study::pairs::Pairs;
use qtdec_study::study::sides::Sides;
use qtdec_terminal::folder::untested;
use qtdec_terminal::{
    Failure, FormArguments, Input, TreeOptions, deployed_tree, one_of, output, percent, reported, times,
};

/// Compare times before and after a deployment
///
/// The result is the geometric mean of time after / time before over all points that both sides have. Its 95 % interval is
/// Student's over launches (runs): the repeats of one launch are not independent, so one launch has no interval. Points that became
/// slower are listed if the rank-sum test of the launches distinguishes them from noise, with Holm's correction for the number of
/// points. With few launches, this test cannot find any point, which is reported. Points that it does not find are listed as
/// suspected if the fastest time after is over 1.5 times the slowest time before. With --deployed, the points where the tree keeps
/// the library's default are shown separately. Launches called pair1, pair2, … on both sides, which were measured by turns, are compared
/// within pairs: what two neighbours have in common cancels. Other launches of different jobs, or of jobs that the times do not record, cannot
/// show whether a file is followed, and their interval has the variance between jobs: that of the times if both sides have several jobs,
/// else a stated one (a standard deviation of 10 % for each side). If the times before cover every method, they also show whether the
/// library follows
/// the tuning file. The answer is `follows` if the times after are those of the deployed methods within 5 %, `does-not-follow` if
/// they are those of the default, and else `cannot-tell`.
#[derive(Debug, Args)]
#[command(
    after_help = "Example:\n  qtdec verify before.csv after.csv --baseline default --deployed tree.json\n\n\
                  The exit code is 3 if the library does not follow the tuning file, and with --fail-if-slower if the time became \
                  longer. Slower and suspected points are reported and do not change it."
)]
pub(crate) struct Arguments {
    /// Read canonical times from before the deployment, or without it
    #[arg(value_name = "BEFORE", required = true)]
    before: Vec<String>,

    /// Read canonical times from after the deployment, or with it
    #[arg(value_name = "AFTER")]
    after: String,

    /// Use this deployed map or tree, or that of a folder that qtdec-mpi tune wrote completely, and answer whether the library follows
    /// it
    #[arg(long, value_name = "MAP|TREE|FOLDER")]
    deployed: Option<String>,

    /// Exit with 3 if even the lower end of the interval of the time is slower by more than this many per cent
    #[arg(long, value_name = "PERCENT", value_parser = percent)]
    fail_if_slower: Option<f64>,

    /// Name the method of the times before that is the library's own choice, if the deployed map or tree does not
    #[arg(long, value_name = "METHOD")]
    baseline: Option<String>,

    /// Say which jobs the launches were, if the times do not record it: `launch` if each launch was a job of its own, `one` if all, before
    /// and after, were of one job
    #[arg(long, value_name = "launch|one", value_parser = one_of(&UnrecordedJobs::ALL))]
    jobs: Option<UnrecordedJobs>,

    /// Compare the times of this collective
    #[arg(long, value_name = "NAME")]
    collective: Option<String>,

    #[command(flatten)]
    form: FormArguments,
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let read = |files: &[String]| Ok(times::read(files, arguments.collective.as_deref())?.0);
    let (every, after) = (read(&arguments.before)?, read(std::slice::from_ref(&arguments.after))?);
    let before_files = arguments.before.join(", ");
    if let (Some(before), Some(now)) = (&every.ranks, &after.ranks)
        && let Some(different) = different_ranks((&before_files, before), (&arguments.after, now))
    {
        output::warn(&different);
    }
    let pairs = Pairs::new(&every, &after);
    let sides = Sides::new(&every, &after, arguments.jobs);
    let in_units = |times: Measurements| times.in_units(arguments.jobs);
    // Launches by turns are compared within pairs; what was promised is known from the other launches.
    let ([paired, all], after) = match &pairs {
        Some(pairs) => {
            let [paired, others] = pairs.split(&every);
            ([paired, in_units(others)], pairs.only_with(&after))
        }
        None => {
            let all = in_units(every);
            ([all.clone(), all], in_units(after))
        }
    };
    let tree = arguments
        .deployed
        .as_deref()
        .map(|named| deployed_tree(named, all.collective.as_deref()))
        .transpose()?
        .map(|file| Input::open(&file)?.tree(&TreeOptions::default()))
        .transpose()?;
    // With several methods before, the deployment is compared with the default.
    let own = tree.as_ref().and_then(|tree| Some(tree.domain().method(tree.domain().baseline()?).label()));
    let own = own.filter(|label| all.methods().any(|method| method.label() == *label));
    if let (Some(own), Some(given)) = (&own, &arguments.baseline)
        && own != given
    {
        return Err(Failure::usage(format!(
            "the deployed tree replaces `{own}`, and --baseline names `{given}`, over which it promises nothing: remove --baseline"
        )));
    }
    let default = arguments.baseline.clone().or(own).filter(|_| all.methods().count() > 1);
    let before = of_default(&paired, default.as_deref());
    let axes: Vec<String> = before.axes().iter().map(|axis| axis.name.clone()).collect();
    let order = tree.as_ref().map(|tree| order(tree, &axes)).transpose()?;
    let keeps = |sizes: &[u64]| {
        let (Some(tree), Some(order)) = (tree.as_ref(), order.as_ref()) else { return false };
        let requested: Vec<u64> = order.iter().map(|&axis| sizes[axis]).collect();
        tree.decide(&requested).is_none_or(|method| tree.domain().method(method).baseline)
    };
    let is_kept = tree.as_ref().map(|_| &keeps as &IsKept);
    let verified = Verification::new(&before, &after, pairs.as_ref(), sides, is_kept);
    let verified = reported(&format!("{before_files}, {}", arguments.after), verified)?;
    let units = [before.units(), after.units()];
    let following = match &tree {
        None => None,
        Some(tree) => {
            let deployed = match &default {
                Some(default) => reported(&before_files, held_out(&all, default, tree))?,
                None => LaunchTimes::default(),
            };
            let [before, after] = [&before, &after].map(|times| LaunchTimes::new(times, 0));
            Some(match &pairs {
                Some(pairs) => {
                    let default = LaunchTimes::new(&of_default(&all, default.as_deref()), 0);
                    Following::from_pairs(&default, &deployed, &pairs.with(&after).over(&before), keeps)
                }
                None => Following::new(&before, &deployed, &after, sides, keeps),
            })
        }
    };
    let alone = pairs.as_ref().map_or(0, |pairs| pairs.alone);
    let sides = pairs.is_none().then_some(sides);
    let verdict = Verdict { verified, following, axes, units, sides, alone };
    verdict.warnings().iter().for_each(|warning| output::warn(warning));
    if let Some(remark) = arguments.deployed.as_deref().and_then(untested) {
        output::note(&remark);
    }
    output::print(&verdict.write(arguments.form.form()))?;
    if arguments.fail_if_slower.is_some() && verdict.verified.time.ends.is_none() {
        output::warn(
            "--fail-if-slower cannot judge one launch: measure at least two before and two after the deployment",
        );
    }
    let findings = verdict.findings(arguments.fail_if_slower);
    if findings.is_empty() { Ok(()) } else { Err(Failure::Negative(findings)) }
}

fn of_default(times: &Measurements, default: Option<&str>) -> Measurements {
    match (default, &*measured(times)) {
        // Launches by turns are of the library's own choice, whatever their script called it before the tree was made.
        (Some(_), [single]) => only(times, single),
        (Some(own), _) => only(times, own),
        (None, _) => times.clone(),
    }
}

fn measured(times: &Measurements) -> Vec<String> {
    let with_times: BTreeSet<usize> = times.all_series().map(|(_, method, _)| method).collect();
    let methods = times.methods().enumerate().filter(|(method, _)| with_times.contains(method));
    methods.map(|(_, method)| method.label()).collect()
}

/// Returns the position in the measurements of each axis of the tree.
fn order(tree: &DecisionTree, axes: &[String]) -> Result<Vec<usize>, Failure> {
    let places = tree.domain().axes().iter().map(|axis| {
        axes.iter().position(|known| *known == axis.name).ok_or_else(|| {
            Failure::input(format!("the tree has the axis `{}`, which was not measured", axis.name))
        })
    });
    places.collect()
}
