//! `qtdec compare-encoders`: a table of all encodings of the same map.

use std::time::{Duration, Instant};

use clap::Args;
use clap::builder::PossibleValuesParser;
use indexmap::IndexMap;
use qtdec_core::encode::encoders;
use qtdec_core::statistics::Quality;
use qtdec_core::{DecisionMap, DecisionTree, Document, Options, Problems, Syntax};

use crate::commands::trees::sweep::{over_rules, unpriced};
use qtdec_report::picture;
use qtdec_report::table::{Cell, Table};
use qtdec_study::study::assess::{self, Assessment, Coverage, LeaveOut, Unpriced};
use qtdec_study::study::gain::Gain;
use qtdec_study::study::held_out::{HeldOut, Split};
use qtdec_study::study::over_default::OverDefault;
use qtdec_study::study::simple_rules::SimpleRules;
use qtdec_study::study::sweep::Spread;
use qtdec_terminal::hold_out::HoldOutArguments;
use qtdec_terminal::output::FormArguments;
use qtdec_terminal::picture_file::{picture_file, write_picture};
use qtdec_terminal::progress::Progress;
use qtdec_terminal::reports::reported;
use qtdec_terminal::subject::{Subject, SubjectArguments};
use qtdec_terminal::{Failure, output};

/// Compare all encodings on the same map
///
/// Every encoding is shown with its defaults; --curve adds smaller, inexact trees, for the curve of penalty against regions.
/// Penalties are in per cent.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  qtdec compare-encoders map.json --curve --best-only")]
pub(crate) struct Arguments {
    #[command(flatten)]
    subject: SubjectArguments,

    /// Add smaller trees: shallower quadtrees, C4.5 with larger weights, and the smallest trees within mean budgets
    #[arg(long)]
    curve: bool,

    /// Omit every row that another one beats in both regions and mean penalty
    #[arg(long)]
    best_only: bool,

    /// Show how long each tree took to build, relative to the quadtree
    #[arg(long)]
    time: bool,

    #[command(flatten)]
    hold_out: HoldOutArguments,

    /// Treat decisions without a measured cost this way: count their cells separately (apart), or use the cost of the slowest
    /// method there (worst)
    #[arg(long, value_name = "HOW", value_parser = PossibleValuesParser::new(Unpriced::ALL.map(|(name, _)| name)), default_value = "apart", hide_default_value = true)]
    unpriced: String,

    /// Plot the mean penalty against the number of regions to this .svg or .png file
    #[arg(long, value_name = "FILE", value_parser = picture_file, requires = "curve")]
    picture: Option<String>,

    #[command(flatten)]
    form: FormArguments,
}

/// An encoding with its options.
type Contender = Vec<(String, String)>;

/// A tree with its statistics and costs.
struct Entry {
    contender: Contender,
    tree: DecisionTree,
    quality: Quality,
    priced: Option<Coverage>,
    over_default: Option<OverDefault>,
    rules: Option<SimpleRules>,
    time: Duration,
    held_out: HeldOut,
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let mut outputs = arguments.subject.outputs();
    let target = arguments.picture.as_deref().map(|name| outputs.add(name)).transpose()?;
    let subject = arguments.subject.load()?;
    let prices = arguments.hold_out.prices(&arguments.subject, &subject)?;
    let judge = prices.as_ref().unwrap_or(&subject.map);
    let leave_out = leave_out(arguments);
    let mut entries = Vec::new();
    let contenders = contenders(&subject.map, arguments.curve);
    let progress = Progress::new(contenders.len());
    for contender in contenders {
        progress.begin(&name(&contender));
        match timed(&contender, &subject.map, arguments.time)? {
            Ok((tree, time)) => {
                let decisions = tree.cells();
                let quality = assess::quality(&decisions, judge, &leave_out);
                let priced = Coverage::new(&quality, judge);
                let over_default = OverDefault::everywhere(&decisions, judge);
                let rules = SimpleRules::everywhere(&decisions, judge);
                let held_out = HeldOut::default();
                entries.push(Entry { contender, tree, quality, priced, over_default, rules, time, held_out });
            }
            Err(problems) => {
                let warning = format!("{}: {}", name(&contender), problems.render(Syntax::Command));
                progress.suspend(|| output::warn(&warning));
            }
        }
        progress.done();
    }
    drop(progress);
    hold_out(arguments, &subject, &mut entries)?;
    if let Some(target) = &target {
        write_picture(target, &picture::penalty_by_regions(&lines(&entries)))?;
    }
    if arguments.best_only {
        keep_best(&mut entries);
    }
    let mut table = Table::new(&[
        ("encoding", "encoding"),
        ("regions", "regions"),
        ("at least", "lower_bound"),
        ("depth", "depth_max"),
        ("conditions", "conditions"),
        ("mismatches", "mismatches"),
        ("penalty: mean", "penalty_mean"),
        ("max", "penalty_max"),
        ("over cells", "priced"),
        ("unpriced", "unpriced"),
        ("in-sample gain", "in_sample_gain"),
        ("slower than default", "slower"),
        ("in-sample gain over: one method", "in_sample_gain_over_method"),
        ("one threshold", "in_sample_gain_over_threshold"),
        ("held out: leaves", "held_out_leaves"),
        ("held out: mean", "held_out_mean"),
        ("held out: median", "held_out_median"),
        ("held out: max", "held_out_max"),
        ("held out: gain", "held_out_gain"),
        ("held out: gain over one method", "held_out_gain_over_method"),
        ("held out: over one threshold", "held_out_gain_over_threshold"),
        ("time, quadtrees", "time_in_quadtrees"),
    ]);
    let unit = entries.iter().find(|entry| name(&entry.contender) == "quadtree").map(|entry| entry.time);
    for entry in &entries {
        table.row(row(entry, unit.filter(|_| arguments.time)));
    }
    output::print(&table.without_empty_columns().write(arguments.form.form()))
}

/// Returns the trees, grouped by encoding.
fn lines(entries: &[Entry]) -> Vec<(String, Vec<&DecisionTree>)> {
    let mut lines: IndexMap<String, Vec<&DecisionTree>> = IndexMap::new();
    for Entry { tree, .. } in entries {
        lines.entry(tree.statistics().encoding.name.clone()).or_default().push(tree);
    }
    lines.into_iter().collect()
}

/// Returns every encoding with its defaults and, on request, with settings that make smaller trees.
fn contenders(map: &DecisionMap, curve: bool) -> Vec<Contender> {
    let with = |encoding: &str, options: &[(&str, String)]| {
        let options = options.iter().map(|(name, value)| ((*name).to_owned(), value.clone()));
        [("encoding".to_owned(), encoding.to_owned())].into_iter().chain(options).collect::<Contender>()
    };
    let mut contenders: Vec<Contender> = encoders().iter().map(|encoder| with(encoder.name(), &[])).collect();
    if !curve {
        return contenders;
    }
    let longest = map.domain().shape().into_iter().max().unwrap_or(1);
    let depths = 1..longest.next_power_of_two().ilog2();
    contenders.extend(depths.map(|depth| with("quadtree", &[("max_depth", depth.to_string())])));
    let weights = [4, 8, 16, 32].into_iter().map(|weight| with("c45", &[("weight", weight.to_string())]));
    contenders.extend(weights);
    match map.costs() {
        Some(_) => {
            let budgets = ["1", "2", "5", "10", "20", "50"].map(|mean| format!("mean {mean}%"));
            contenders.extend(budgets.map(|budget| with("optimal", &[("budget", budget)])));
        }
        None => {
            let lambdas = ["0.5", "0.2", "0.1", "0.05"];
            contenders.extend(lambdas.map(|lambda| with("optimal", &[("lambda", lambda.to_owned())])));
        }
    }
    contenders
}

/// Returns a name such as `optimal, budget mean 5%`.
fn name(contender: &Contender) -> String {
    let parts = contender.iter().enumerate().map(|(place, (option, value))| match place {
        0 => value.clone(),
        _ => format!("{} {value}", option.replace('_', " ")),
    });
    parts.collect::<Vec<_>>().join(", ")
}

fn tree(contender: &Contender, map: &DecisionMap) -> Result<Result<DecisionTree, Problems>, Failure> {
    let options = Options::parse(contender).map_err(|faults| Failure::options(&faults))?;
    Ok(options.tree(Document::Map(map.clone())))
}

/// Returns the tree, and the least build time of three attempts; if no times are requested, it is built only once.
fn timed(
    contender: &Contender,
    map: &DecisionMap,
    requested: bool,
) -> Result<Result<(DecisionTree, Duration), Problems>, Failure> {
    let once = || -> Result<Result<(DecisionTree, Duration), Problems>, Failure> {
        let start = Instant::now();
        Ok(tree(contender, map)?.map(|tree| (tree, start.elapsed())))
    };
    let mut best = once()?;
    for _ in 0..if requested { 2 } else { 0 } {
        if let (Ok((_, least)), Ok((_, time))) = (&mut best, once()?) {
            *least = time.min(*least);
        }
    }
    Ok(best)
}

/// Builds trees with the same options from one part of the measurements, and evaluates them on the rest.
fn hold_out(arguments: &Arguments, subject: &Subject, entries: &mut [Entry]) -> Result<(), Failure> {
    let files = arguments.subject.name();
    let leave_out = leave_out(arguments);
    arguments.hold_out.each(&arguments.subject, subject, |train, test| {
        let split = reported(&files, Split::new(train, test))?;
        for entry in &mut *entries {
            let tree = reported(&files, tree(&entry.contender, train)?)?;
            reported(&files, split.judge(tree, [&leave_out; 2], &mut entry.held_out))?;
        }
        Ok(())
    })
}

fn leave_out(arguments: &Arguments) -> LeaveOut {
    LeaveOut { unpriced: Unpriced::named(&arguments.unpriced), ..LeaveOut::default() }
}

fn mean_penalty(entry: &Entry) -> Option<f64> {
    Some(entry.quality.penalty.as_ref()?.mean)
}

/// Keeps the Pareto front: in order of regions, each row has a lower penalty, or fewer cells without a cost, than all
/// rows before it.
fn keep_best(entries: &mut Vec<Entry>) {
    let cost = |entry: &Entry| mean_penalty(entry).unwrap_or(entry.quality.mismatches as f64);
    entries.sort_by(|one, other| {
        let regions = one.tree.statistics().regions.cmp(&other.tree.statistics().regions);
        regions.then(cost(one).total_cmp(&cost(other)))
    });
    let mut kept: Vec<(f64, u64)> = Vec::new();
    entries.retain(|entry| {
        let (cost, unpriced) = (cost(entry), entry.priced.map_or(0, Coverage::unpriced));
        let better = !kept.iter().any(|(other, its)| *other <= cost && *its <= unpriced);
        kept.push((cost, unpriced));
        better
    });
}

fn row(entry: &Entry, unit: Option<Duration>) -> Vec<Cell> {
    let statistics = entry.tree.statistics();
    let encoding = &statistics.encoding;
    let penalty = entry.quality.penalty.as_ref();
    let leaves: Vec<f64> =
        entry.held_out.trees.iter().map(|tree| tree.statistics().encoding.leaves as f64).collect();
    let compared = entry.over_default.as_ref();
    let held_out =
        |of: fn(&Assessment) -> f64| Cell::number(entry.held_out.spread(of).map(|spread| spread.mean));
    let time = unit.map(|unit| entry.time.as_secs_f64() / unit.as_secs_f64());
    vec![
        Cell::Text(name(&entry.contender)),
        Cell::Whole(statistics.regions),
        encoding.lower_bound.map_or(Cell::Missing, Cell::Whole),
        Cell::Whole(encoding.depth.max),
        Cell::Whole(statistics.conditions),
        Cell::Whole(entry.quality.mismatches),
        Cell::number(penalty.map(|penalty| penalty.mean)),
        Cell::number(penalty.map(|penalty| penalty.max)),
        penalty.map_or(Cell::Missing, |penalty| Cell::Whole(penalty.cells)),
        unpriced(entry.priced),
        Cell::number(compared.map(|compared| compared.gain.percent())),
        compared.map_or(Cell::Missing, |compared| Cell::Whole(compared.slower.len() as u64)),
        Cell::number(entry.rules.as_ref().map(|rules| rules.over_method.percent())),
        Cell::number(entry.rules.as_ref().map(|rules| rules.over_threshold.percent())),
        Cell::number(Spread::new(&leaves).map(|spread| spread.mean)),
        held_out(|assessment| assessment.penalty.mean),
        held_out(|assessment| assessment.penalty.median),
        Cell::number(entry.held_out.spread(|assessment| assessment.penalty.max).map(|spread| spread.max)),
        Cell::number(entry.held_out.gain().map(Gain::percent)),
        over_rules(&entry.held_out.judged, |rules| rules.over_method),
        over_rules(&entry.held_out.judged, |rules| rules.over_threshold),
        Cell::number(time),
    ]
}
