//! `qtdec verify`: the effect of a deployment.

use std::borrow::Cow;
use std::fmt::Write as _;

use clap::Args;
use qtdec_core::{Axis, DecisionTree};

use super::folder::deployed_tree;
use super::input::{EncodingArguments, Input};
use super::measure::{MeasureArguments, percent, reading_options, reported};
use super::output::{FormArguments, counted};
use super::{Failure, output};
use crate::measure::readers::different_ranks;
use crate::report::table::{Cell, Form, Table};
use crate::study::compliance::Compliance;
use crate::study::interval::Interval;
use crate::study::verify::{IsControl, Pair, Resampled, SUSPICIOUS_RATIO, TooFewRepeats, Verification, only};

/// The maximum number of suspected points that are listed.
const MAX_SUSPECTED: usize = 10;

/// Compare times before and after a deployment
///
/// The result is the geometric mean of time after / time before over all points that both sides have, with its 95 % interval;
/// if both sides have several launches (runs), these are resampled. Points that became slower are listed if the rank-sum test
/// distinguishes them from noise, with Holm's correction for their number. With few repeats, this test cannot find any point, which
/// is reported. Points that it does not find are listed as suspected if the fastest time after is over 1.5 times the slowest time
/// before. Where the deployed tree keeps the library's default,
/// nothing was changed, so these points measure the drift of the machine. If the times before cover every method, --baseline
/// names the default among them, and the times after show whether the library follows the tuning file: they match those of the
/// deployed methods, or still those of the default.
#[derive(Debug, Args)]
#[command(
    after_help = "Example:\n  qtdec verify before/ after/ --path '{method}_np{comm_size}_run{run}.txt' --deployed tree.json\n\n\
                  The exit code is 3 only with --fail-if-slower. Slower and suspected points, and a library that does not follow \
                  the tuning file, are reported and do not change it."
)]
pub(super) struct Arguments {
    /// Read the times before the deployment
    #[arg(value_name = "BEFORE")]
    before: String,

    /// Read the times after the deployment
    #[arg(value_name = "AFTER")]
    after: String,

    /// Use this deployed map or tree, or that of a folder that qtdec tune wrote completely: the points where it keeps the default
    /// are the control for drift
    #[arg(long, value_name = "MAP|TREE|FOLDER")]
    deployed: Option<String>,

    /// Exit with 3 if the geometric mean became slower by more than this many per cent, after correcting for drift; single points,
    /// slower or suspected, count only as parts of the mean
    #[arg(long, value_name = "PERCENT", value_parser = percent)]
    fail_if_slower: Option<f64>,

    #[command(flatten)]
    measure: MeasureArguments,

    #[command(flatten)]
    form: FormArguments,
}

/// What is known about a deployed tree when its tuning file is written.
pub(super) struct Deployed<'d> {
    /// The times before, if they are one file or folder.
    pub(super) before: Option<&'d str>,
    pub(super) collective: Option<&'d str>,
    /// The library's own choice among the methods.
    pub(super) baseline: Option<String>,
    /// The file of the tree.
    pub(super) tree: Option<String>,
}

/// Returns shell comments that explain how to check whether a library follows a tuning file. The options for reading times are
/// those of the current command.
pub(super) fn verify_hint(all: &[Deployed<'_>]) -> String {
    let options = reading_options();
    let quoted = |text: &str| shlex::try_quote(text).map_or_else(|_| text.to_owned(), Cow::into_owned);
    let command = |deployed: &Deployed<'_>| {
        let Deployed { before, collective, baseline, tree } = deployed;
        let or = |known: Option<&str>, placeholder: &str| known.map_or(placeholder.to_owned(), quoted);
        let collective = collective.map(|name| format!(" --collective {}", quoted(name)));
        format!(
            "\n#   qtdec verify {} AFTER{options}{} --baseline {} --deployed {}",
            or(*before, "BEFORE"),
            collective.unwrap_or_default(),
            or(baseline.as_deref(), "DEFAULT"),
            or(tree.as_deref(), "TREE"),
        )
    };
    let commands: String = all.iter().map(command).collect();
    format!(
        "# To check that the library follows the tuning file, measure again with these settings and run{commands}"
    )
}

pub(super) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let read = |file: &String| Ok(arguments.measure.read(std::slice::from_ref(file))?.0);
    let (all, after) = (read(&arguments.before)?, read(&arguments.after)?);
    if let (Some(before), Some(now)) = (&all.ranks, &after.ranks)
        && let Some(different) = different_ranks((&arguments.before, before), (&arguments.after, now))
    {
        output::warn(&different);
    }
    let tree = arguments
        .deployed
        .as_deref()
        .map(|named| deployed_tree(named, all.collective.as_deref()))
        .transpose()?
        .map(|file| Input::open(&file)?.tree(&EncodingArguments::default()))
        .transpose()?;
    // With several methods before, the deployment is compared with the default.
    let default = arguments.measure.baseline().filter(|_| all.methods().count() > 1);
    let before = default.map_or_else(|| all.clone(), |default| only(&all, default));
    let axes: Vec<String> = before.axes().iter().map(|axis| axis.name.clone()).collect();
    let order = tree.as_ref().map(|tree| order(tree, &axes)).transpose()?;
    let deployed = |sizes: &[u64]| {
        let (tree, order) = (tree.as_ref()?, order.as_ref()?);
        let requested: Vec<u64> = order.iter().map(|&axis| sizes[axis]).collect();
        let method = tree.domain().method(tree.decide(&requested)?);
        (!method.baseline).then(|| method.label())
    };
    let keeps = |sizes: &[u64]| tree.is_some() && deployed(sizes).is_none();
    let is_control = tree.as_ref().map(|_| &keeps as &IsControl);
    let verified = Verification::of(&before, &after, is_control).map_err(Into::into);
    let verified = reported(&format!("{}, {}", arguments.before, arguments.after), verified)?;
    for (number, when) in verified.unpaired.iter().zip(["before", "after"]) {
        if *number > 0 {
            let points = counted(*number, "point was", "points were");
            output::warn(&format!("{points} measured only {when}, and not compared"));
        }
    }
    if verified.resampled == Resampled::Points {
        output::warn(
            "there is only one launch before or after, so the interval does not include the variation \
                 between launches",
        );
    }
    if let Some(TooFewRepeats { repeats: [before, after], points, needed }) = verified.too_few {
        output::warn(&format!(
            "too few repeats to test single points: {before} before and {after} after; with {}, at least {needed} of \
                 each are needed",
            counted(points as u64, "point to test", "points to test")
        ));
    }
    if let suspected @ [worst, ..] = &*verified.suspected() {
        output::warn(&format!(
            "{} suspected of being slower, the worst at {}, by a factor of {:.2}: measure again with more repeats",
            counted(suspected.len() as u64, "point is", "points are"),
            point(&axes, &worst.sizes),
            worst.ratio()
        ));
    }
    let compliance = default.map(|default| Compliance::of(&all, &after, default, deployed));
    let compliance = compliance.filter(|found| tree.is_some() && found.points() > 0);
    print(arguments, &verified, &axes, compliance.as_ref())?;
    if let Some(found) = compliance.filter(|found| 2 * found.followed < found.points()) {
        output::warn(&format!(
            "the library does not follow the tuning file: at {} the time is still that of the default; are \
                 the switches set for all ranks, and is the path of the file absolute and visible on all \
                 nodes?",
            point(&axes, &found.others[0])
        ));
    }
    let slower = |limit: f64| 100.0 * (without_drift(&verified) - 1.0) > limit;
    match arguments.fail_if_slower.filter(|limit| slower(*limit)) {
        None => Ok(()),
        Some(limit) => Err(Failure::Negative(vec![format!(
            "the calls became {:.2} % slower, and the limit is {limit} %",
            100.0 * (without_drift(&verified) - 1.0)
        )])),
    }
}

/// Returns the ratio at the changed points relative to that at the unchanged ones, if these are known.
fn without_drift(verified: &Verification) -> f64 {
    match (verified.changed, verified.drift) {
        (Some(changed), Some(drift)) => changed.mean / drift.mean,
        (Some(changed), None) => changed.mean,
        _ => verified.ratio.mean,
    }
}

/// Returns the position in the measurements of each axis of the tree.
fn order(tree: &DecisionTree, axes: &[String]) -> Result<Vec<usize>, Failure> {
    let place = |axis: &Axis| {
        axes.iter().position(|known| *known == axis.name).ok_or_else(|| {
            Failure::input(format!("the tree has the axis `{}`, which was not measured", axis.name))
        })
    };
    tree.domain().axes().iter().map(place).collect()
}

/// Returns the sizes of a point with the names of their axes.
fn point(axes: &[String], sizes: &[u64]) -> String {
    let sizes: Vec<String> = axes.iter().zip(sizes).map(|(axis, size)| format!("{axis}={size}")).collect();
    sizes.join(" ")
}

fn print(
    arguments: &Arguments,
    verified: &Verification,
    axes: &[String],
    compliance: Option<&Compliance>,
) -> Result<(), Failure> {
    let form = arguments.form.form();
    let slower = verified.slower();
    if form != Form::Text {
        return output::print(&table(&verified.pairs.iter().collect::<Vec<_>>(), axes).write(form));
    }
    let shown = |interval: &Interval| {
        let change = |ratio: f64| 100.0 * (ratio - 1.0);
        format!(
            "{:+.2} % (95 %: {:+.2} to {:+.2} %)",
            change(interval.mean),
            change(interval.low),
            change(interval.high)
        )
    };
    let controls = verified.pairs.iter().filter(|pair| pair.is_control).count();
    let mut text = format!(
        "time        {} over {}\n",
        shown(&verified.ratio),
        counted(verified.pairs.len() as u64, "point", "points")
    );
    if let Some(drift) = &verified.drift {
        let _ = writeln!(text, "drift       {} over {controls} that keep the default", shown(drift));
    }
    if let (Some(changed), true) = (&verified.changed, arguments.deployed.is_some()) {
        let number = verified.pairs.len() - controls;
        let net = 100.0 * (without_drift(verified) - 1.0);
        let _ = writeln!(text, "changed     {} over {number}; {net:+.2} % without the drift", shown(changed));
    }
    if let Some(found) = compliance {
        let points = counted(found.points(), "point", "points");
        let _ = writeln!(
            text,
            "follows     at {} of {points} where the deployed method and the default differ by 20 % or \
                 more, the time is that of the deployed method",
            found.followed
        );
    }
    let _ = match slower.len() {
        0 if verified.too_few.is_some() => writeln!(text, "slower      unknown: too few repeats for a test"),
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
    output::print(&text)
}

fn table(pairs: &[&Pair], axes: &[String]) -> Table {
    let mut columns: Vec<(&str, &str)> = axes.iter().map(|axis| (&**axis, &**axis)).collect();
    columns.extend([
        ("before", "before"),
        ("after", "after"),
        ("change %", "change"),
        ("p (Holm)", "p"),
        ("control", "control"),
    ]);
    let mut table = Table::new(&columns);
    for pair in pairs {
        let mut cells: Vec<Cell> = pair.sizes.iter().map(|size| Cell::Whole(*size)).collect();
        let [before, after] = pair.medians.map(Cell::Time);
        let control = if pair.is_control { "yes" } else { "no" };
        let p = pair.p.map_or(Cell::Missing, Cell::Time);
        cells.extend([
            before,
            after,
            Cell::Number(100.0 * (pair.ratio() - 1.0)),
            p,
            Cell::Text(control.to_owned()),
        ]);
        table.row(cells);
    }
    table
}
