//! `qtdec sweep`: what smaller trees cost; the papers' tables.

use clap::Args;
use clap::builder::PossibleValuesParser;
use qtdec_build::ItemOptions;
use qtdec_core::{DecisionMap, DecisionTree, Problems};

use super::hold_out::HoldOutArguments;
use super::input::{EncodingArguments, Input};
use super::leave_out::LeaveOutArguments;
use super::measure::{reported, reports};
use super::output::FormArguments;
use super::subject::{Subject, SubjectArguments};
use super::{Failure, output};
use crate::report::table::{Cell, Form, Table};
use crate::study::assess::{self, Assessment, Priced};
use crate::study::sweep::{Fault, Over, Spread, Sweep, judge};

/// Tell what smaller trees cost: the papers' tables, on your data
///
/// Penalties are in per cent. Beside those at the points the tree was made of stand those at points that were held out:
/// of another map (--against), or of a part of the measurements (--hold-out), then as the mean over --splits with the
/// greatest of any split, and the least with --all-columns.
#[derive(Debug, Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    subject: SubjectArguments,

    /// What is swept over
    #[arg(long, value_name = "WHAT", value_parser = PossibleValuesParser::new(Over::ALL.map(|(name, _)| name)), default_value = "depth")]
    over: String,

    /// The values, instead of every depth, every 5 per cent, or budgets from 50 per cent down to none
    #[arg(long, value_name = "VALUE,…", value_delimiter = ',')]
    values: Option<Vec<String>>,

    /// Judge by this other map as well
    #[arg(long, value_name = "MAP", conflicts_with = "hold_out")]
    against: Option<String>,

    #[command(flatten)]
    hold_out: HoldOutArguments,

    #[command(flatten)]
    leave_out: LeaveOutArguments,

    /// Print every column, as --json and --csv always do
    #[arg(long)]
    all_columns: bool,

    #[command(flatten)]
    form: FormArguments,

    #[command(flatten)]
    encoding: EncodingArguments,
}

pub(super) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let subject = arguments.subject.load()?;
    let name = arguments.subject.name();
    let over = Over::named(&arguments.over).unwrap_or(Over::Depth);
    let sweep = Sweep::new(over, arguments.values.clone(), arguments.encoding.given(), &subject.map);
    let sweep = swept(&name, sweep)?;
    let trees = swept(&name, sweep.trees(&subject.map))?;
    let against = arguments.against.as_ref().map(|other| Input::open(other)?.map()).transpose()?;
    let judges: Vec<&DecisionMap> = [&subject.map].into_iter().chain(&against).collect();
    arguments.leave_out.check(&judges)?;
    let held_out = held_out(arguments, &subject, against.as_ref(), &sweep, &trees)?;

    let mut table = table(over);
    for ((value, tree), held_out) in sweep.values().iter().zip(&trees).zip(&held_out) {
        let assessment = judged(arguments, tree, &subject.map)?;
        let leave_out = arguments.leave_out.of(&subject.map)?;
        let quality = assess::quality(&tree.cells(), &subject.map, &leave_out);
        let priced = Priced::of(&quality, &subject.map);
        table.row(row(value, tree, assessment.as_ref(), priced, held_out)?);
    }
    let form = arguments.form.form();
    if !arguments.all_columns && matches!(form, Form::Text | Form::Markdown) {
        table = table.picked(&[&[over.option()], &MAIN[..]].concat());
    }
    output::print(&table.without_empty_columns().write(form))
}

/// What came of the held-out points, over all splits.
#[derive(Default)]
struct HeldOut {
    means: Vec<f64>,
    time_weighted: Vec<f64>,
    above: Vec<[f64; 4]>,
    unpriced: Vec<f64>,
}

/// For each tree, how trees of the same options do at points that they were not made of.
fn held_out(
    arguments: &Arguments,
    subject: &Subject,
    against: Option<&DecisionMap>,
    sweep: &Sweep,
    trees: &[DecisionTree],
) -> Result<Vec<HeldOut>, Failure> {
    let mut held_out: Vec<HeldOut> = trees.iter().map(|_| HeldOut::default()).collect();
    let mut judge_all = |trees: &[DecisionTree], test: &DecisionMap| -> Result<(), Failure> {
        for (tree, held_out) in trees.iter().zip(&mut held_out) {
            if let Some(assessment) = judged(arguments, tree, test)? {
                held_out.means.push(assessment.penalty.mean);
                held_out.time_weighted.push(assessment.time_weighted);
                held_out.above.push(assessment.above);
                held_out.unpriced.push(assessment.penalty.unpriced as f64);
            }
        }
        Ok(())
    };
    if let Some(other) = against {
        judge_all(trees, other)?;
    }
    arguments.hold_out.each(&arguments.subject, subject, |train, test| {
        judge_all(&swept(&arguments.subject.name(), sweep.trees(train))?, test)
    })?;
    Ok(held_out)
}

fn judged(
    arguments: &Arguments,
    tree: &DecisionTree,
    map: &DecisionMap,
) -> Result<Option<Assessment>, Failure> {
    let leave_out = arguments.leave_out.of(map)?;
    reported(&arguments.subject.name(), judge(tree, map, &leave_out))
}

pub(super) fn swept<T>(name: &str, result: Result<T, Fault>) -> Result<T, Failure> {
    result.map_err(|fault| failure(fault, |problems| reports(name, problems)))
}

/// Options are at fault by the names of flags, and a map as `reports` tells it.
pub(super) fn failure(fault: Fault, reports: impl FnOnce(&Problems) -> Vec<String>) -> Failure {
    match fault {
        Fault::Options(faults) => Failure::options(&faults),
        Fault::Map(problems) => Failure::Input(reports(&problems)),
    }
}

/// The cells in which the decision has no cost, where there are such.
pub(super) fn unpriced(priced: Option<Priced>) -> Cell {
    let some = priced.filter(|priced| priced.unpriced() > 0);
    some.map_or(Cell::Missing, |priced| Cell::Of(priced.unpriced(), priced.cells))
}

/// The columns that people see unless they ask for all, behind that of what is swept over.
const MAIN: [&str; 14] = [
    "penalty_mean",
    "penalty_median",
    "penalty_max",
    "unpriced",
    "above_5",
    "above_10",
    "gain_mean",
    "held_out_mean",
    "held_out_max",
    "held_out_unpriced",
    "leaves",
    "regions",
    "conditions",
    "lines",
];

fn table(over: Over) -> Table {
    Table::new(&[
        (over.title(), over.option()),
        ("depth", "depth_max"),
        ("min", "depth_min"),
        ("mean", "depth_mean"),
        ("penalty: min", "penalty_min"),
        ("penalty: max", "penalty_max"),
        ("penalty: mean", "penalty_mean"),
        ("penalty: median", "penalty_median"),
        ("unpriced", "unpriced"),
        ("time-weighted", "time_weighted"),
        ("cells > 5 %", "above_5"),
        ("> 10 %", "above_10"),
        ("> 25 %", "above_25"),
        ("> 50 %", "above_50"),
        ("gain: mean", "gain_mean"),
        ("gain: median", "gain_median"),
        ("held out: mean", "held_out_mean"),
        ("held out: min", "held_out_min"),
        ("held out: max", "held_out_max"),
        ("held out: unpriced", "held_out_unpriced"),
        ("held out: time-weighted", "held_out_time_weighted"),
        ("held out: cells > 5 %", "held_out_above_5"),
        ("held out: > 25 %", "held_out_above_25"),
        ("leaves", "leaves"),
        ("nodes", "nodes"),
        ("regions", "regions"),
        ("conditions", "conditions"),
        ("lines", "lines"),
    ])
}

fn row(
    value: &str,
    tree: &DecisionTree,
    assessment: Option<&Assessment>,
    priced: Option<Priced>,
    held_out: &HeldOut,
) -> Result<Vec<Cell>, Failure> {
    let statistics = tree.statistics();
    let depth = statistics.encoding.depth;
    let of = |number: fn(&Assessment) -> f64| Cell::number(assessment.map(number));
    let gain = |number: fn((f64, f64)) -> f64| {
        Cell::number(assessment.and_then(|assessment| assessment.gain).map(number))
    };
    let means = Spread::of(&held_out.means);
    let several = means.filter(|_| held_out.means.len() > 1);
    let mean_of = |numbers: &[f64]| Cell::number(Spread::of(numbers).map(|spread| spread.mean));
    let band = |band: usize| mean_of(&held_out.above.iter().map(|above| above[band]).collect::<Vec<_>>());
    let style = ItemOptions { optional: !tree.is_total(), ..ItemOptions::named("select") };
    let lines = reported("the tree", style.function(tree, "map.json"))?.lines().count();
    Ok(vec![
        value.parse().map_or_else(|_| Cell::Text(value.to_owned()), Cell::Whole),
        Cell::Whole(depth.max),
        Cell::Whole(depth.min),
        Cell::Number(depth.mean),
        of(|assessment| assessment.penalty.min),
        of(|assessment| assessment.penalty.max),
        of(|assessment| assessment.penalty.mean),
        of(|assessment| assessment.penalty.median),
        unpriced(priced),
        of(|assessment| assessment.time_weighted),
        of(|assessment| assessment.above[0]),
        of(|assessment| assessment.above[1]),
        of(|assessment| assessment.above[2]),
        of(|assessment| assessment.above[3]),
        gain(|(mean, _)| mean),
        gain(|(_, median)| median),
        Cell::number(means.map(|spread| spread.mean)),
        Cell::number(several.map(|spread| spread.min)),
        Cell::number(several.map(|spread| spread.max)),
        Cell::number(Spread::of(&held_out.unpriced).map(|spread| spread.mean).filter(|mean| *mean > 0.0)),
        mean_of(&held_out.time_weighted),
        band(0),
        band(2),
        Cell::Whole(statistics.encoding.leaves),
        Cell::Whole(statistics.encoding.nodes),
        Cell::Whole(statistics.regions),
        Cell::Whole(statistics.conditions),
        Cell::Whole(lines as u64),
    ])
}
