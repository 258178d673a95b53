//! `qtdec verify`: did a deployment pay?

use std::fmt::Write as _;

use clap::Args;
use qtdec_core::{Axis, DecisionTree};

use super::input::{EncodingArguments, Input};
use super::measure::{MeasureArguments, reported};
use super::output::{FormArguments, counted};
use super::{Failure, output};
use crate::report::table::{Cell, Form, Table};
use crate::study::interval::Interval;
use crate::study::obedience::Obedience;
use crate::study::verify::{Drawn, IsControl, Pair, Verification, only};

/// Compare times before and after a deployment
///
/// The geometric mean of time after / time before over all points that both hold, with its 95 % interval: drawn from launches
/// (runs) where there are several on both sides. Points that became slower are listed as far as the rank-sum test tells them
/// from noise, corrected for their number by Holm's method. Where the deployed tree keeps the library's default nothing was
/// changed: what became of those points is the drift of the machine. If the times before are of every method, --baseline names
/// the default among them, and the times after show whether the library obeys: they are those of the deployed methods, or still
/// those of the default.
#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// Times before
    #[arg(value_name = "BEFORE")]
    before: String,

    /// Times after
    #[arg(value_name = "AFTER")]
    after: String,

    /// The map or tree that was deployed: where it keeps the default is the control for drift
    #[arg(long, value_name = "MAP|TREE")]
    deployed: Option<String>,

    /// Exit with 3 if the geometric mean became slower by more than so many per cent, drift taken out
    #[arg(long, value_name = "PERCENT", value_parser = percent)]
    fail_if_slower: Option<f64>,

    #[command(flatten)]
    measure: MeasureArguments,

    #[command(flatten)]
    form: FormArguments,
}

/// Returns how to see that a library follows a tuning file once it is in use, as comments that a shell skips; `deployed` is the
/// file of the tree.
pub(super) fn obeys(deployed: &str) -> String {
    format!(
        "# To see whether the library follows the file, measure again under these settings and compare:\n\
         #   qtdec verify BEFORE AFTER --baseline DEFAULT --deployed {deployed}"
    )
}

fn percent(text: &str) -> Result<f64, String> {
    let percent = text.parse().ok().filter(|percent: &f64| *percent >= 0.0 && percent.is_finite());
    percent.ok_or_else(|| "a number of per cent".to_owned())
}

pub(super) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let read = |file: &String| Ok(arguments.measure.read(std::slice::from_ref(file))?.0);
    let (all, after) = (read(&arguments.before)?, read(&arguments.after)?);
    let tree = arguments
        .deployed
        .as_deref()
        .map(|file| Input::open(file)?.tree(&EncodingArguments::default()))
        .transpose()?;
    // Of several methods before, the default is what the deployment is compared with.
    let default = arguments.measure.baseline().filter(|_| all.methods().count() > 1);
    let before = default.map_or_else(|| all.clone(), |default| only(&all, default));
    let axes: Vec<String> = before.axes().iter().map(|axis| axis.name.clone()).collect();
    let order = tree.as_ref().map(|tree| order(tree, &axes)).transpose()?;
    let deployed = |sizes: &[u64]| {
        let (tree, order) = (tree.as_ref()?, order.as_ref()?);
        let asked: Vec<u64> = order.iter().map(|&axis| sizes[axis]).collect();
        let method = tree.domain().method(tree.decide(&asked)?);
        (!method.baseline).then(|| method.label())
    };
    let keeps = |sizes: &[u64]| tree.is_some() && deployed(sizes).is_none();
    let is_control = tree.as_ref().map(|_| &keeps as &IsControl);
    let verified = Verification::of(&before, &after, is_control).map_err(Into::into);
    let verified = reported(&format!("{}, {}", arguments.before, arguments.after), verified)?;
    for (number, when) in verified.unpaired.iter().zip(["before", "after"]) {
        if *number > 0 {
            let points = counted(*number, "point was", "points were");
            output::warn(&format!("{points} measured {when} alone, and not compared"));
        }
    }
    if verified.drawn == Drawn::Points {
        output::warn(
            "there are not several launches before and after: the interval does not hold what another launch may bring",
        );
    }
    let obedience = default.map(|default| Obedience::of(&all, &after, default, deployed));
    let obedience = obedience.filter(|found| tree.is_some() && found.points() > 0);
    print(arguments, &verified, &axes, obedience.as_ref())?;
    if let Some(found) = obedience.filter(|found| 2 * found.obeyed < found.points()) {
        let others: Vec<String> =
            axes.iter().zip(&found.others[0]).map(|(axis, size)| format!("{axis}={size}")).collect();
        output::warn(&format!(
            "the library does not obey: at {} the time is still that of the default; are the switches set for all ranks, and is the \
             path of the tuning file absolute and seen on all nodes?",
            others.join(" ")
        ));
    }
    let slower = |limit: f64| 100.0 * (without_drift(&verified) - 1.0) > limit;
    match arguments.fail_if_slower.filter(|limit| slower(*limit)) {
        None => Ok(()),
        Some(limit) => Err(Failure::Negative(vec![format!(
            "the calls became slower by {:.2} %, which is more than {limit} %",
            100.0 * (without_drift(&verified) - 1.0)
        )])),
    }
}

/// The ratio of the points that were changed to that of those that were not, where that is known.
fn without_drift(verified: &Verification) -> f64 {
    match (verified.changed, verified.drift) {
        (Some(changed), Some(drift)) => changed.mean / drift.mean,
        (Some(changed), None) => changed.mean,
        _ => verified.ratio.mean,
    }
}

/// For each axis of the tree, its place in the measurements.
fn order(tree: &DecisionTree, axes: &[String]) -> Result<Vec<usize>, Failure> {
    let place = |axis: &Axis| {
        axes.iter().position(|known| *known == axis.name).ok_or_else(|| {
            Failure::input(format!("the tree has the axis `{}`, which was not measured", axis.name))
        })
    };
    tree.domain().axes().iter().map(place).collect()
}

fn print(
    arguments: &Arguments,
    verified: &Verification,
    axes: &[String],
    obedience: Option<&Obedience>,
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
    if let Some(found) = obedience {
        let points = counted(found.points(), "point", "points");
        let _ = writeln!(
            text,
            "obeys       at {} of {points} where the deployed method and the default differ by 20 % or more, the time is the former's",
            found.obeyed
        );
    }
    let _ = match slower.len() {
        0 => writeln!(text, "slower      no point, beyond noise"),
        number => {
            let points = counted(number as u64, "point", "points");
            write!(text, "slower      {points}, beyond noise\n\n{}", table(&slower, axes).write(Form::Text))
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
