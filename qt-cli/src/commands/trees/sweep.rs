//! `qtdec sweep`: the cost of smaller trees and of other encodings, as in the tables of the papers.

use clap::Args;
use indexmap::IndexMap;
use qtdec_build::ItemOptions;
use qtdec_core::encode::Report;
use qtdec_core::{DecisionMap, DecisionTree, Problems, Statistics, Syntax};

use super::c45;
use super::hold_out::HoldOutArguments;
use super::leave_out::LeaveOutArguments;
use qtdec_report::picture;
use qtdec_report::table::{Cell, Form, Table};
use qtdec_study::study::assess::{self, Assessment, Coverage, LeaveOut};
use qtdec_study::study::gain::Gain;
use qtdec_study::study::held_out::{HeldOut, Split};
use qtdec_study::study::interval::Interval;
use qtdec_study::study::left_out::LeftOut;
use qtdec_study::study::over_default::OverDefault;
use qtdec_study::study::simple_rules::SimpleRules;
use qtdec_study::study::spread::Spread;
use qtdec_study::study::sweep::{Over, Sweep};
use qtdec_study::study::tree_on_map::decisions;
use qtdec_terminal::unmeasured::{self, Figure};
use qtdec_terminal::{
    EncodingArguments, Failure, FormArguments, Input, Progress, Subject, SubjectArguments, one_of, output,
    picture_file, reported, write_picture,
};

/// Show the cost of smaller trees and of other encodings
///
/// These are the tables of the original papers, for your data.
///
/// --over encoding compares all encodings with their defaults, and --over trade-off adds smaller trees of them: shallower quadtrees,
/// C4.5 with larger weights, and the smallest trees within mean budgets. --over weight and --over confidence show what C4.5 prints: the
/// size and the errors before and after pruning, and the predicted errors; for a single value, also the tree, each leaf with the
/// number of its cells and of those with another method.
///
/// Penalties are in per cent; each row states the number of cells of its mean. With --against or --hold-out, further columns
/// show the penalties at points that the tree was not built from. With --hold-out, a row describes the trees of the training
/// part: their leaves and penalties there, their cost at the held-out points, and the paired difference from the exact tree of
/// the same part in points of 100 ln t, with its 95 % interval. With several --splits, all of these are means. Of a map with costs,
/// the column `unmeasured sizes` is the geometric mean of what decisions cost over the best methods at sizes that were left out:
/// every other size of each axis by turns. Where the searches for a budget of the mean would take longer than all others, only
/// --all-columns, --csv and --json have it.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  qtdec sweep map.json --over budget --encoding optimal")]
pub(crate) struct Arguments {
    #[command(flatten)]
    subject: SubjectArguments,

    /// Vary this option
    #[arg(long, value_name = "WHAT", value_parser = one_of(&Over::ALL), default_value = "depth")]
    over: Over,

    /// Use these values, instead of every depth, every 5 per cent, budgets from 50 per cent down to none, all encodings, or steps of the
    /// options of C4.5
    #[arg(long, value_name = "VALUE,…", value_delimiter = ',')]
    values: Option<Vec<String>>,

    /// Evaluate the trees on this other map as well
    #[arg(long, value_name = "MAP", conflicts_with = "hold_out")]
    against: Option<String>,

    #[command(flatten)]
    hold_out: HoldOutArguments,

    #[command(flatten)]
    leave_out: LeaveOutArguments,

    /// Omit every row that another one beats in both regions and mean penalty
    #[arg(long)]
    best_only: bool,

    /// Print every column, as --json and --csv always do
    #[arg(long)]
    all_columns: bool,

    /// Plot the mean penalty against the number of regions to this .svg or .pdf file
    #[arg(long, value_name = "FILE", value_parser = picture_file)]
    picture: Option<String>,

    #[command(flatten)]
    form: FormArguments,

    #[command(flatten)]
    encoding: EncodingArguments,
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let name = arguments.subject.name();
    let mut outputs = arguments.subject.outputs();
    let target = arguments.picture.as_deref().map(|name| outputs.add(name)).transpose()?;
    let subject = arguments.subject.load()?;
    let over = arguments.over;
    let sweep = Sweep::new(over, arguments.values.clone(), arguments.encoding.given(), &subject.map);
    let mut sweep = swept(&name, sweep)?;
    let trees = if over.is_of_encodings() {
        trees_of_encodings(&mut sweep, &subject.map)?
    } else {
        trees(&name, &sweep, &subject.map)?
    };
    if let Some(target) = &target {
        write_picture(target, &picture::penalty_by_regions(&by_encoding(&trees)))?;
    }
    let against = arguments.against.as_ref().map(|other| Input::open_map(other)?.map()).transpose()?;
    let judges: Vec<&DecisionMap> = [&subject.map].into_iter().chain(&against).collect();
    arguments.leave_out.check(&judges)?;
    let held_out = held_out(arguments, &subject, against.as_ref(), &sweep, &trees)?;
    let prices = arguments.hold_out.prices(&arguments.subject, &subject)?;
    let judge = prices.as_ref().unwrap_or(&subject.map);

    let mut table = table(over);
    // The options make the trees of parts of the map that they belong to, at all of its points and with its costs.
    let is_whole = prices.is_none() && arguments.leave_out.is_empty() && !arguments.hold_out.is_given();
    let form = arguments.form.form();
    let is_long = arguments.all_columns || !matches!(form, Form::Text | Form::Markdown);
    let searched = unmeasured::search(&trees, &subject.map);
    let on_request = searched.filter(|_| is_whole && !is_long);
    let is_judged = is_whole && on_request.is_none();
    let left_out = subject.map.costs().filter(|_| is_judged).map(|_| LeftOut::new(&subject.map));
    let mut last = None;
    let mut printed = None;
    let places = if arguments.best_only {
        best(&trees, judge, &arguments.leave_out.resolve(judge)?)
    } else {
        (0..trees.len()).collect()
    };
    for place in places {
        let (value, tree, held_out) = (&sweep.values[place], &trees[place], &held_out[place]);
        // With held-out costs, a row describes the trees that were evaluated: those of the training parts.
        let (mut figure, mut of_c45) = (None, None);
        let to_exact = held_out.to_exact();
        let row = if arguments.hold_out.is_given() && !held_out.is_empty() {
            let own = held_out.own.clone();
            let (trees, lines) = (&held_out.trees, lines(&held_out.trees)?);
            let (figure, c45, of_encodings) = (None, None, None);
            Row { trees, own, priced: None, held_out, to_exact, lines, figure, c45, of_encodings }
        } else {
            let leave_out = arguments.leave_out.resolve(judge)?;
            let own = judged(arguments, tree, judge)?.into_iter().collect();
            let quality = assess::quality(&tree.cells(), judge, &leave_out);
            let priced = Coverage::new(&quality, judge);
            figure = left_out.as_ref().map(|left_out| {
                let left_out = left_out.as_ref().map_err(Clone::clone)?;
                left_out.figure(|rest| sweep.tree(rest, value))
            });
            let is_of_c45 = matches!(over, Over::Weight | Over::Confidence);
            let printed = is_of_c45.then(|| c45::report(&subject.map, &sweep.options(value)));
            of_c45 = printed.map(|report| reported(&name, report)).transpose()?;
            let trees = std::slice::from_ref(tree);
            let bound = tree.statistics().encoding.lower_bound;
            let of_encodings = over.is_of_encodings().then_some((bound, quality.mismatches));
            let (figure, c45, lines) = (figure.as_ref(), of_c45.as_ref(), lines(trees)?);
            Row { trees, own, priced, held_out, to_exact, lines, figure, c45, of_encodings }
        };
        table.row(row.cells(&value.name));
        printed = of_c45.map(|report| report.tree);
        last = figure.or(last);
    }
    if !is_long {
        let of_c45 = c45::COLUMNS.map(|(_, key, _)| key);
        let columns: &[&str] = match over {
            Over::Encoding | Over::TradeOff => &OF_ENCODINGS,
            Over::Weight | Over::Confidence => &of_c45,
            _ => &[],
        };
        let is_shown = |key: &&str| columns.is_empty() || !(columns.contains(key) || OF_LIMITS.contains(key));
        let main = MAIN.iter().copied().filter(is_shown);
        let keys: Vec<&str> =
            [over.option()].into_iter().chain(columns.iter().copied()).chain(main).collect();
        table = table.picked(&keys);
    }
    let below = last.map(|figure| below(&figure, &subject.map)).or(on_request.map(|search| {
        let line = unmeasured::on_request(search, "--all-columns, --csv and --json have it");
        format!("unmeasured sizes: {line}\n")
    }));
    let printed = printed.filter(|_| sweep.values.len() == 1).map(|tree| format!("\n{tree}"));
    let below = [below, printed].into_iter().flatten().filter(|_| form == Form::Text);
    output::print(&(table.without_empty_columns().write(form) + &below.collect::<String>()))
}

/// Returns the trees of the encodings, without those that cannot encode the map, which are warned about.
fn trees_of_encodings(sweep: &mut Sweep, map: &DecisionMap) -> Result<Vec<DecisionTree>, Failure> {
    let progress = Progress::new(sweep.values.len());
    let (mut trees, mut without) = (Vec::new(), Vec::new());
    for (place, value) in sweep.values.iter().enumerate() {
        progress.begin(&value.name);
        match sweep.tree(map, value) {
            Ok(tree) => trees.push(tree),
            Err(faults) if faults.are_of_options() => return Err(Failure::options(&faults)),
            Err(problems) => {
                without.push(place);
                let warning = format!("{}: {}", value.name, problems.render(Syntax::Command));
                progress.suspend(|| output::warn(&warning));
            }
        }
        progress.done();
    }
    sweep.leave_out(&without);
    Ok(trees)
}

fn by_encoding(trees: &[DecisionTree]) -> Vec<(String, Vec<&DecisionTree>)> {
    let mut lines: IndexMap<String, Vec<&DecisionTree>> = IndexMap::new();
    for tree in trees {
        lines.entry(tree.statistics().encoding.name.clone()).or_default().push(tree);
    }
    lines.into_iter().collect()
}

/// Returns the places of the Pareto front: in order of regions, each tree has a lower penalty, or fewer cells without a cost, than all
/// trees before it.
fn best(trees: &[DecisionTree], judge: &DecisionMap, leave_out: &LeaveOut) -> Vec<usize> {
    let costs: Vec<(u64, f64, u64)> = trees.iter().map(|tree| cost(tree, judge, leave_out)).collect();
    let mut places: Vec<usize> = (0..trees.len()).collect();
    places.sort_by(|&one, &other| {
        costs[one].0.cmp(&costs[other].0).then(costs[one].1.total_cmp(&costs[other].1))
    });
    let mut kept: Vec<(f64, u64)> = Vec::new();
    places.retain(|&place| {
        let (_, cost, unpriced) = costs[place];
        let is_better = !kept.iter().any(|(other, its)| *other <= cost && *its <= unpriced);
        if is_better {
            kept.push((cost, unpriced));
        }
        is_better
    });
    places
}

/// Returns the regions of a tree, its mean penalty, or its mismatches without costs, and the number of its cells without a cost.
fn cost(tree: &DecisionTree, judge: &DecisionMap, leave_out: &LeaveOut) -> (u64, f64, u64) {
    let quality = assess::quality(&tree.cells(), judge, leave_out);
    let unpriced = Coverage::new(&quality, judge).map_or(0, Coverage::unpriced);
    let mean = quality.penalty.map_or(quality.mismatches as f64, |penalty| penalty.mean);
    (tree.statistics().regions, mean, unpriced)
}

/// Returns the line below the table: what simple rules cost at sizes that were not measured, or why that is unknown.
fn below(figure: &Figure, map: &DecisionMap) -> String {
    match figure {
        Ok(found) => format!(
            "unmeasured sizes: per cent over the best at sizes left out by turns; {}\n",
            unmeasured::others(found, map)
        ),
        Err(reason) => format!("unmeasured sizes: unknown: {reason}\n"),
    }
}

/// Returns, for each tree, the cost of trees with the same options at held-out points.
fn held_out(
    arguments: &Arguments,
    subject: &Subject,
    against: Option<&DecisionMap>,
    sweep: &Sweep,
    trees: &[DecisionTree],
) -> Result<Vec<HeldOut>, Failure> {
    let mut held_out: Vec<HeldOut> = trees.iter().map(|_| HeldOut::default()).collect();
    if let Some(other) = against {
        judge_all(arguments, trees.to_vec(), [&subject.map, other], &mut held_out)?;
    }
    arguments.hold_out.each(&arguments.subject, subject, |train, test| {
        let trees = self::trees(&arguments.subject.name(), sweep, train)?;
        judge_all(arguments, trees, [train, test], &mut held_out)
    })?;
    Ok(held_out)
}

fn judge_all(
    arguments: &Arguments,
    trees: Vec<DecisionTree>,
    [train, test]: [&DecisionMap; 2],
    held_out: &mut [HeldOut],
) -> Result<(), Failure> {
    let name = arguments.subject.name();
    let split = reported(&name, Split::new(train, test))?;
    let leave_out = [arguments.leave_out.resolve(train)?, arguments.leave_out.resolve(test)?];
    let mut judged = trees.into_iter().zip(held_out);
    judged.try_for_each(|(tree, held_out)| reported(&name, split.judge(tree, leave_out.each_ref(), held_out)))
}

/// Returns the trees of a sweep, and shows the progress in a terminal.
pub(crate) fn trees(name: &str, sweep: &Sweep, map: &DecisionMap) -> Result<Vec<DecisionTree>, Failure> {
    let progress = Progress::new(sweep.values.len());
    let trees = sweep.values.iter().map(|value| {
        progress.begin(&sweep.limit(value));
        let tree = swept(name, sweep.tree(map, value));
        progress.done();
        tree
    });
    trees.collect()
}

fn judged(
    arguments: &Arguments,
    tree: &DecisionTree,
    map: &DecisionMap,
) -> Result<Option<Assessment>, Failure> {
    let leave_out = arguments.leave_out.resolve(map)?;
    let decisions = reported(&arguments.subject.name(), decisions(tree, map))?;
    Ok(assess::assess(&decisions, map, &leave_out))
}

/// Returns the result of a sweep, or its error: options are named as flags.
pub(crate) fn swept<T>(name: &str, result: Result<T, Problems>) -> Result<T, Failure> {
    match result {
        Err(faults) if faults.are_of_options() => Err(Failure::options(&faults)),
        result => reported(name, result),
    }
}

/// Returns a cell with the number of cells in which the decision has no cost, if there are any.
pub(crate) fn unpriced(priced: Option<Coverage>) -> Cell {
    let some = priced.filter(|priced| priced.unpriced() > 0);
    some.map_or(Cell::Missing, |priced| Cell::Of(priced.unpriced(), priced.cells))
}

/// Returns the mean gain over simple rules, if there is one.
pub(crate) fn over_rules(assessments: &[Assessment], of: fn(&SimpleRules) -> Gain) -> Cell {
    let gains = assessments.iter().filter_map(|assessment| assessment.rules.as_ref()).map(of);
    Cell::number(Gain::mean(gains).map(Gain::percent))
}

/// The first columns of a comparison of encodings, after that of the encoding.
const OF_ENCODINGS: [&str; 7] =
    ["regions", "lower_bound", "depth_max", "conditions", "mismatches", "penalty_mean", "penalty_max"];

/// Columns that are shown by default only where an option limits the trees.
const OF_LIMITS: [&str; 4] = ["penalty_median", "above_5", "above_10", "lines"];

/// The columns shown by default, after that of the varied option.
const MAIN: [&str; 24] = [
    "penalty_mean",
    "penalty_median",
    "penalty_max",
    "priced",
    "unpriced",
    "above_5",
    "above_10",
    "slower",
    "unmeasured",
    "held_out_mean",
    "held_out_median",
    "held_out_max",
    "held_out_points",
    "held_out_gain",
    "held_out_slower",
    "held_out_gain_over_method",
    "held_out_gain_over_threshold",
    "held_out_unpriced",
    "to_exact",
    "to_exact_interval",
    "leaves",
    "regions",
    "conditions",
    "lines",
];

fn table(over: Over) -> Table {
    let own = COLUMNS.map(|(title, key, _)| (title, key));
    let of_c45 = c45::COLUMNS.map(|(title, key, _)| (title, key));
    Table::new(&[&[(over.title(), over.option())], &of_c45[..], &own].concat())
}

/// The title and key of a column, and its cell of a row.
type Column = (&'static str, &'static str, fn(&Row<'_>) -> Cell);

const COLUMNS: [Column; 39] = [
    ("depth", "depth_max", |row| row.size(|statistics| statistics.encoding.depth.max as f64)),
    ("min", "depth_min", |row| row.size(|statistics| statistics.encoding.depth.min as f64)),
    ("mean", "depth_mean", |row| mean(row.numbers(|statistics| statistics.encoding.depth.mean))),
    ("penalty: min", "penalty_min", |row| mean(row.own(|own| own.penalty.min))),
    ("penalty: max", "penalty_max", |row| mean(row.own(|own| own.penalty.max))),
    ("penalty: mean", "penalty_mean", |row| mean(row.own(|own| own.penalty.mean))),
    ("penalty: median", "penalty_median", |row| mean(row.own(|own| own.penalty.median))),
    ("over cells", "priced", |row| whole(row.own(|own| own.penalty.cells as f64))),
    ("unpriced", "unpriced", |row| unpriced(row.priced)),
    ("time-weighted", "time_weighted", |row| mean(row.own(|own| own.time_weighted))),
    ("cells > 5 %", "above_5", |row| mean(row.own(|own| own.above[0]))),
    ("> 10 %", "above_10", |row| mean(row.own(|own| own.above[1]))),
    ("> 25 %", "above_25", |row| mean(row.own(|own| own.above[2]))),
    ("> 50 %", "above_50", |row| mean(row.own(|own| own.above[3]))),
    ("slower than default", "slower", |row| whole(slower(&row.own))),
    ("unmeasured sizes", "unmeasured", |row| {
        Cell::number(row.figure.and_then(|figure| Some(figure.as_ref().ok()?.excess.mean)))
    }),
    ("held out: mean", "held_out_mean", |row| mean(row.held_out.spread(|judged| judged.penalty.mean))),
    ("held out: median", "held_out_median", |row| mean(row.held_out.spread(|judged| judged.penalty.median))),
    ("held out: max", "held_out_max", |row| {
        Cell::number(row.held_out.spread(|judged| judged.penalty.max).map(|spread| spread.max))
    }),
    ("held out: points", "held_out_points", |row| mean(row.held_out.spread(|judged| judged.points))),
    ("held out: gain", "held_out_gain", |row| Cell::number(row.held_out.gain().map(Gain::percent))),
    ("held out: slower than default", "held_out_slower", |row| mean(slower(&row.held_out.judged))),
    ("held out: gain over one method", "held_out_gain_over_method", |row| {
        over_rules(&row.held_out.judged, |rules| rules.over_method)
    }),
    ("held out: over one threshold", "held_out_gain_over_threshold", |row| {
        over_rules(&row.held_out.judged, |rules| rules.over_threshold)
    }),
    ("held out: unpriced", "held_out_unpriced", |row| {
        let unpriced = row.held_out.spread(|judged| judged.penalty.unpriced as f64);
        mean(unpriced.filter(|unpriced| unpriced.mean > 0.0))
    }),
    ("held out: time-weighted", "held_out_time_weighted", |row| {
        mean(row.held_out.spread(|judged| judged.time_weighted))
    }),
    ("held out: cells > 5 %", "held_out_above_5", |row| mean(row.held_out.spread(|judged| judged.above[0]))),
    ("held out: > 25 %", "held_out_above_25", |row| mean(row.held_out.spread(|judged| judged.above[2]))),
    ("vs exact tree", "to_exact", |row| Cell::number(row.to_exact.map(|interval| interval.mean))),
    ("from", "to_exact_low", |row| Cell::number(row.to_exact.map(|interval| interval.low))),
    ("to", "to_exact_high", |row| Cell::number(row.to_exact.map(|interval| interval.high))),
    ("95 %", "to_exact_interval", |row| Cell::interval(row.to_exact)),
    ("leaves", "leaves", |row| row.size(|statistics| statistics.encoding.leaves as f64)),
    ("nodes", "nodes", |row| row.size(|statistics| statistics.encoding.nodes as f64)),
    ("regions", "regions", |row| row.size(|statistics| statistics.regions as f64)),
    ("conditions", "conditions", |row| row.size(|statistics| statistics.conditions as f64)),
    ("lines", "lines", |row| whole(row.lines)),
    ("at least", "lower_bound", |row| Cell::whole(row.of_encodings.and_then(|(bound, _)| bound))),
    ("mismatches", "mismatches", |row| Cell::whole(row.of_encodings.map(|(_, mismatches)| mismatches))),
];

/// A value of the varied option: its tree, or those of several splits, with their costs.
struct Row<'r> {
    trees: &'r [DecisionTree],
    own: Vec<Assessment>,
    priced: Option<Coverage>,
    held_out: &'r HeldOut,
    to_exact: Option<Interval>,
    lines: Option<Spread>,
    figure: Option<&'r Figure>,
    c45: Option<&'r Report>,
    /// The lower bound on the regions and the mismatches, in a comparison of encodings.
    of_encodings: Option<(Option<u64>, u64)>,
}

impl Row<'_> {
    fn cells(&self, value: &str) -> Vec<Cell> {
        let mut cells = vec![value.parse().map_or_else(|_| Cell::Text(value.to_owned()), Cell::Whole)];
        cells.extend(c45::COLUMNS.map(|(.., cell)| self.c45.map_or(Cell::Missing, cell)));
        cells.extend(COLUMNS.map(|(_, _, cell)| cell(self)));
        cells
    }

    fn own(&self, of: fn(&Assessment) -> f64) -> Option<Spread> {
        Spread::new(&self.own.iter().map(of).collect::<Vec<_>>())
    }

    fn numbers(&self, of: fn(&Statistics) -> f64) -> Option<Spread> {
        Spread::new(&self.trees.iter().map(|tree| of(tree.statistics())).collect::<Vec<_>>())
    }

    fn size(&self, of: fn(&Statistics) -> f64) -> Cell {
        whole(self.numbers(of))
    }
}

fn mean(spread: Option<Spread>) -> Cell {
    Cell::number(spread.map(|spread| spread.mean))
}

fn compared(assessments: &[Assessment]) -> impl Iterator<Item = &OverDefault> {
    assessments.iter().filter_map(|assessment| assessment.over_default.as_ref())
}

/// Returns the number of cells in which the decisions are slower than the default.
fn slower(assessments: &[Assessment]) -> Option<Spread> {
    Spread::new(&compared(assessments).map(|compared| compared.slower.len() as f64).collect::<Vec<_>>())
}

/// Returns a count, or the mean of several that differ.
fn whole(spread: Option<Spread>) -> Cell {
    match spread {
        Some(Spread { mean, min, max }) if (max - min).abs() < f64::EPSILON => {
            Cell::Whole(mean.round() as u64)
        }
        spread => mean(spread),
    }
}

fn lines(trees: &[DecisionTree]) -> Result<Option<Spread>, Failure> {
    let lines = trees.iter().map(|tree| {
        let style = ItemOptions { optional: !tree.is_total(), ..ItemOptions::named("select") };
        Ok(reported("the tree", style.function(tree, "map.json"))?.lines().count() as f64)
    });
    Ok(Spread::new(&lines.collect::<Result<Vec<_>, Failure>>()?))
}
