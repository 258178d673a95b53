//! `qtdec verify`: the effect of a deployment.

mod answered;

use std::collections::BTreeSet;
use std::fmt::Write as _;

use clap::Args;
use qtdec_core::DecisionTree;
use serde_json::{Map, Value, json};

use qtdec_report::table::{Cell, Form, Table};
use qtdec_study::measurements::{Measurements, Unit, UnrecordedJobs};
use qtdec_study::readers::different_ranks;
use qtdec_study::study::before_after::{IsKept, Pair, SUSPICIOUS_RATIO, TooFewLaunches, Verification, only};
use qtdec_study::study::change::Change;
use qtdec_study::study::following::{Answer, Following, held_out};
use qtdec_study::study::launch_times::LaunchTimes;
use qtdec_study::study::pairs::Pairs;
use qtdec_study::study::sides::{STATED_DEVIATION, Sides};
use qtdec_terminal::folder::untested;
use qtdec_terminal::gain::place_of;
use qtdec_terminal::{
    Failure, FormArguments, Input, TreeOptions, counted, deployed_tree, one_of, output, percent, reported,
    times,
};

/// The maximum number of suspected points that are listed.
const MAX_SUSPECTED: usize = 10;

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
    if let Some(alone) = pairs.as_ref().map(|pairs| pairs.alone).filter(|alone| *alone > 0) {
        let launches = counted(alone as u64, "launch has", "launches have");
        output::warn(&format!(
            "{launches} no partner on the other side, and were not compared: measure what is missing"
        ));
    }
    warn(&verified, &axes, units);
    if let Some(remark) = arguments.deployed.as_deref().and_then(untested) {
        output::note(&remark);
    }
    let sides = pairs.is_none().then_some(sides);
    let points = table(&verified.pairs.iter().collect::<Vec<_>>(), &axes);
    output::print(&match arguments.form.form() {
        Form::Text => text(&verified, &axes, following.as_ref(), units, sides),
        Form::Json => format!("{:#}\n", json(&verified, following.as_ref(), sides, &points)),
        form => points.write(form),
    })?;
    let mut findings = Vec::new();
    if following.is_some_and(|following| following.answer == Answer::DoesNotFollow) {
        findings.push(
            "the library does not follow the tuning file: the times are still those of the default; are the \
             switches set for all ranks, and is the path of the file absolute and visible on all nodes?"
                .to_owned(),
        );
    }
    findings.extend(arguments.fail_if_slower.and_then(|limit| gate(&verified.time, limit)));
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

/// Returns the finding that the time became longer by more than a limit in per cent, judging by the end of the interval.
fn gate(time: &Change, limit: f64) -> Option<String> {
    let Some([low, _]) = time.ends else {
        output::warn(
            "--fail-if-slower cannot judge one launch: measure at least two before and two after the deployment",
        );
        return None;
    };
    time.is_slower_than(limit).then(|| {
        format!(
            "the calls became {:.2} % slower, at least {:.2} % with a confidence of 97.5 %, and the limit is {limit} %",
            100.0 * (time.ratio - 1.0),
            100.0 * (low - 1.0)
        )
    })
}

/// Warns about what limits the comparison.
fn warn(verified: &Verification, axes: &[String], units: [Unit; 2]) {
    for (number, when) in verified.unpaired.iter().zip(["before", "after"]) {
        if *number > 0 {
            let points = counted(*number, "point was", "points were");
            output::warn(&format!("{points} measured only {when}, and not compared"));
        }
    }
    if verified.time.launches.contains(&1) {
        let (unit, several) =
            if units.contains(&Unit::Job) { ("job", "jobs") } else { ("launch", "launches") };
        output::warn(&format!(
            "there is only one {unit} before or after, so there is no interval: repeats of one {unit} do not \
                 show how {several} differ"
        ));
    }
    if let Some(TooFewLaunches { launches: [before, after], points, needed }) = verified.too_few {
        output::warn(&format!(
            "too few launches to test single points: {before} before and {after} after; with {}, at least {needed} of \
                 each are needed",
            counted(points as u64, "point to test", "points to test")
        ));
    }
    if let suspected @ [worst, ..] = &*verified.suspected() {
        output::warn(&format!(
            "{} suspected of being slower, the worst at {}, by a factor of {:.2}: measure again with more launches",
            counted(suspected.len() as u64, "point is", "points are"),
            place_of(axes, &worst.sizes),
            worst.ratio()
        ));
    }
    if let Some(Change { ratio, ends: Some([low, high]), .. }) = verified.kept
        && !(low..=high).contains(&1.0)
    {
        output::warn(&format!(
            "the times changed by {:+.2} % where the default was kept: nothing was to change there, so the machine, \
                 the library, or what the switches set for all calls is not what was measured",
            100.0 * (ratio - 1.0)
        ));
    }
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

/// Returns the result as JSON. Ratios are times after over times before; the ends of an interval are null if there is none.
fn json(
    verified: &Verification,
    following: Option<&Following>,
    sides: Option<Sides>,
    points: &Table,
) -> Value {
    let mut all = Map::new();
    if sides.is_some_and(Sides::has_stated) {
        all.insert("stated_deviation_of_jobs".to_owned(), STATED_DEVIATION.into());
    }
    if let Some(following) = following {
        all.insert("answer".to_owned(), following.answer.name().into());
    }
    all.insert("time".to_owned(), change(&verified.time));
    all.extend(verified.changed.as_ref().map(|changed| ("changed".to_owned(), change(changed))));
    all.extend(verified.kept.as_ref().map(|kept| ("kept".to_owned(), change(kept))));
    all.extend(following.and_then(answered::promise_json).map(|promise| ("promised".to_owned(), promise)));
    all.insert("points".to_owned(), points.objects().collect());
    Value::Object(all)
}

fn change(change: &Change) -> Value {
    let [low, high] = change.ends.map_or([None, None], |ends| ends.map(Some));
    json!({
        "change": change.ratio,
        "low": low,
        "high": high,
        "points": change.points,
        "launches": { "before": change.launches[0], "after": change.launches[1] },
        "paired": change.is_paired,
    })
}

fn launches(change: &Change, units: [Unit; 2]) -> String {
    let [before, after] = change.launches;
    if change.is_paired {
        return counted(before as u64, "pair of launches by turns", "pairs of launches by turns");
    }
    let [of_before, of_after] = units.map(Unit::plain);
    if of_before == of_after {
        return format!("{} before and {after} after", of_before.counted(before));
    }
    format!("{} before and {} after", of_before.counted(before), of_after.counted(after))
}

fn text(
    verified: &Verification,
    axes: &[String],
    following: Option<&Following>,
    units: [Unit; 2],
    sides: Option<Sides>,
) -> String {
    let points = |change: &Change| counted(change.points as u64, "point", "points");
    let mut text = format!(
        "time        {} over {}, {}\n",
        answered::shown(verified.time.ratio, verified.time.ends),
        points(&verified.time),
        launches(&verified.time, units)
    );
    if let Some(changed) = &verified.changed {
        let shown = answered::shown(changed.ratio, changed.ends);
        let _ = writeln!(
            text,
            "changed     {shown} over {} with another method than the default",
            points(changed)
        );
    }
    if let Some(kept) = &verified.kept {
        let shown = answered::shown(kept.ratio, kept.ends);
        let points = counted(kept.points as u64, "point that keeps", "points that keep");
        let _ = writeln!(text, "kept        {shown} over {points} the default");
    }
    let sides = sides.filter(|_| verified.time.ends.is_some());
    text.extend(sides.and_then(answered::of_jobs));
    if let Some(following) = following {
        text.push_str(&answered::text(following, verified.changed.as_ref()));
    }
    let slower = verified.slower();
    let _ = match slower.len() {
        0 if verified.too_few.is_some() => writeln!(text, "slower      unknown: too few launches for a test"),
        0 => writeln!(text, "slower      no point beyond noise"),
        number => {
            let points = counted(number as u64, "point", "points");
            write!(text, "slower      {points} beyond noise\n\n{}", table(&slower, axes).write(Form::Text))
        }
    };
    let suspected = verified.suspected();
    let listed = &suspected[..suspected.len().min(MAX_SUSPECTED)];
    let _ = match suspected.len() {
        0 if verified.too_few.is_some() => writeln!(text, "suspected   no point"),
        0 => Ok(()),
        number => {
            let points = counted(number as u64, "point", "points");
            let gap = if slower.is_empty() { "" } else { "\n" };
            let part = if listed.len() < number { ", the worst ones:" } else { "" };
            write!(
                text,
                "{gap}suspected   {points} where even the fastest time after is over {SUSPICIOUS_RATIO} times the \
                     slowest before{part}\n\n{}",
                table(listed, axes).write(Form::Text)
            )
        }
    };
    text
}

fn table(pairs: &[&Pair], axes: &[String]) -> Table {
    let mut columns: Vec<(&str, &str)> = axes.iter().map(|axis| (&**axis, &**axis)).collect();
    columns.extend([
        ("before", "before"),
        ("after", "after"),
        ("change %", "change"),
        ("p (Holm)", "p"),
        ("kept", "kept"),
    ]);
    let mut table = Table::new(&columns);
    for pair in pairs {
        let mut cells: Vec<Cell> = pair.sizes.iter().map(|size| Cell::Whole(*size)).collect();
        let [before, after] = pair.medians.map(Cell::Time);
        let kept = if pair.is_kept { "yes" } else { "no" };
        let p = pair.p.map_or(Cell::Missing, Cell::Time);
        cells.extend([
            before,
            after,
            Cell::Number(100.0 * (pair.ratio() - 1.0)),
            p,
            Cell::Text(kept.to_owned()),
        ]);
        table.row(cells);
    }
    table
}
