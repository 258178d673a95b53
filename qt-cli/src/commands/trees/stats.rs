//! `qtdec stats`: the size of a tree and the cost of its decisions.

mod several;

use clap::Args;
use qtdec_core::statistics::{Encoding, Quality};
use qtdec_core::{DecisionMap, DecisionTree, MethodIndex, Statistics};
use serde_json::{Value, json};

use super::leave_out::LeaveOutArguments;
use qtdec_report::table::{Cell, Form, Table};
use qtdec_study::profile;
use qtdec_study::study::assess::{self, Miss};
use qtdec_study::study::line::Line;
use qtdec_study::study::one_line::OneLine;
use qtdec_study::study::over_default::OverDefault;
use qtdec_study::study::recommend;
use qtdec_study::study::simple_rules::SimpleRules;
use qtdec_study::study::tree_on_map;
use qtdec_terminal::unmeasured::Figure;
use qtdec_terminal::{Failure, FormArguments, Input, counted, gain, output, unmeasured};

/// Show the size of a tree and the cost of its decisions
///
/// A tree has no times: --against names the map from which it was made, or another one. A map is shown as its exact tree. Several are
/// compared in a table; of combined maps, it has the level at which the collective is first tested (Tables 4 to 6 of the original
/// papers), and a row for the separate ones together.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  qtdec stats tree.json --against map.json --worst 5\n  qtdec stats bcast.json reduce.json combined.json"
)]
pub(crate) struct Arguments {
    /// Read this map or tree, or - for standard input, or several
    #[arg(required = true, value_name = "MAP|TREE")]
    inputs: Vec<String>,

    /// Evaluate the tree at the points of this map, with its costs
    #[arg(long, value_name = "MAP")]
    against: Option<String>,

    /// Count the calls of this profile instead of cells, those outside the map at its nearest edge
    #[arg(long, value_name = "PROFILE")]
    profile: Option<String>,

    /// List the worst cells, at most this many
    #[arg(long, value_name = "N")]
    worst: Option<usize>,

    /// List the cells whose decision is slower than the baseline
    #[arg(long)]
    slower: bool,

    #[command(flatten)]
    leave_out: LeaveOutArguments,

    #[command(flatten)]
    form: FormArguments,
}

impl Arguments {
    /// Returns whether the costs of decisions are requested that only one tree has.
    fn judges(&self) -> bool {
        self.is_priced_anew() || self.worst.is_some() || self.slower
    }

    /// Returns whether decisions are evaluated otherwise than when the tree was made.
    fn is_priced_anew(&self) -> bool {
        self.against.is_some() || self.profile.is_some() || !self.leave_out.is_empty()
    }
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    match (&arguments.inputs[..], arguments.form.form()) {
        ([input], form @ (Form::Text | Form::Json)) => describe(arguments, input, form == Form::Json),
        _ if arguments.judges() => Err(Failure::usage(
            "a table has what encoders record: --against, --profile, --worst, --slower and cells that are left out need one map or tree, \
             and no --csv or --markdown",
        )),
        (inputs, form) => output::print(&several::table(inputs)?.write(form)),
    }
}

fn describe(arguments: &Arguments, input: &str, is_json: bool) -> Result<(), Failure> {
    let (tree, map) = Input::open_map(input)?.tree_and_map()?;
    let mut statistics = tree.statistics().clone();
    let judge = judged(arguments, &tree, map)?;
    if judge.is_none() && !is_json {
        output::note(
            "a tree has no times: --against MAP evaluates it with those of a map, as of another run",
        );
    }
    let is_own = judge.as_ref().is_some_and(|(map, _)| is_made_of(&tree, map));
    let (mut worst, mut compared, mut rules, mut slower, mut figure) = (None, None, None, None, None);
    let mut on_request = None;
    if let Some((map, decisions)) = &judge {
        arguments.leave_out.check(&[map])?;
        let leave_out = arguments.leave_out.resolve(map)?;
        if map.costs().is_none() && arguments.worst.is_some() {
            return Err(Failure::input("no cell has a penalty: the map has no costs"));
        }
        if arguments.is_priced_anew() {
            statistics.encoding.quality = assess::quality(decisions, map, &leave_out);
        }
        let misses = |most| assess::worst(decisions, map, &leave_out, most);
        worst = arguments.worst.map(|most| table(&misses(most), map));
        let cells = assess::cells(decisions, map, &leave_out);
        compared = cells.as_ref().and_then(|cells| OverDefault::from_decisions(decisions, map, cells));
        rules = cells.and_then(|cells| SimpleRules::from_decisions(decisions, map, &cells));
        // The options make the trees of parts of the map that they belong to, at all of its points.
        if is_own && arguments.leave_out.is_empty() {
            on_request = unmeasured::search(std::slice::from_ref(&tree), map).filter(|_| !is_json);
            if on_request.is_none() {
                let options = options(&tree);
                let found = unmeasured::figure(map, |rest| recommend::tree(rest, &options));
                figure = found.map(|figure| (figure, map));
            }
        }
        if arguments.slower {
            let known = compared.as_ref().ok_or_else(|| {
                Failure::input("the map has no baseline: name one of its methods with qtdec map --baseline")
            })?;
            slower = Some(gain::table(known, map));
        }
    } else if arguments.judges() {
        return Err(Failure::usage("a tree has no times: name a map to evaluate it with --against"));
    }
    let table_bytes = tree.table_bytes();
    // Nothing is held out of the map from which the tree was made.
    let held_out = judge.as_ref().filter(|_| !is_own).map(|(map, _)| map);
    let gain = held_out.and_then(|map| Some((compared.as_ref()?, compared.as_ref()?.interval(map), map)));
    let over_rules = held_out.and_then(|map| Some((rules.as_ref()?, map)));
    output::print(&if is_json {
        let list = |table: Table| table.objects().collect::<Value>();
        let members = [
            ("gain", gain.map(|(gain, interval, map)| gain.to_json(map, interval))),
            ("gain_over_rules", over_rules.map(|(rules, map)| rules.to_json(map))),
            ("unmeasured", figure.map(|(figure, map)| of_figure(&figure, map))),
            ("worst", worst.map(list)),
            ("slower", slower.map(list)),
        ];
        as_json(&statistics.to_json(table_bytes), members)
    } else {
        let has_costs = judge.as_ref().is_some_and(|(map, _)| map.costs().is_some());
        let found = figure.as_ref().and_then(|(figure, _)| figure.as_ref().ok());
        let instead = judge
            .as_ref()
            .zip(rules.as_ref())
            .and_then(|((map, _), rules)| OneLine::instead_of(statistics.conditions, rules, found, map));
        let over_baseline = gain.map(|(gain, interval, map)| gain::held_out(gain, interval, map));
        let over_rules = over_rules.map(|(rules, map)| gain::over_rules(rules, map));
        let baseline =
            judge.as_ref().map_or("", |(map, _)| gain::name_of_baseline(map).trim_start_matches("the "));
        let name_of_kept = format!("{baseline:12}");
        let kept = compared.as_ref().filter(|_| is_own).zip(judge.as_ref());
        let kept = kept.map(|(compared, (map, _))| kept_in(compared, map));
        let held_out = figure.as_ref().and_then(|(figure, map)| unmeasured::gain(figure, map));
        let figures = figure.as_ref().map(|(figure, map)| unmeasured::described(figure, map));
        let measured =
            judge.as_ref().and_then(|(map, _)| Line::all(map).first().map(|line| line.described(map)));
        let lines = [
            ("measured    ", measured),
            (
                "unmeasured  ",
                figures.or(on_request.map(|search| unmeasured::on_request(search, "--json has it"))),
            ),
            ("held out    gain ", held_out),
            (&*name_of_kept, kept),
            ("gain        ", over_baseline),
            ("gain        ", over_rules),
            ("one line    ", instead.map(|one| format!("{}:\n    {}", gain::one_line(&one), one.code))),
        ];
        let lines = lines.into_iter().filter_map(|(name, line)| Some(format!("{name}{}\n", line?)));
        let worst = worst.map(|worst| listed(&worst, "no cell has a penalty"));
        let slower = slower.map(|slower| listed(&slower, &format!("no cell is slower than the {baseline}")));
        let lists = worst.into_iter().chain(slower);
        described(&statistics, table_bytes, has_costs) + &lines.chain(lists).collect::<String>()
    })
}

/// A map that evaluates a tree, and the decisions at its points.
type Judge = (DecisionMap, Vec<Option<MethodIndex>>);

/// Returns the map that evaluates a tree, which may be its own.
fn judged(
    arguments: &Arguments,
    tree: &DecisionTree,
    own: Option<DecisionMap>,
) -> Result<Option<Judge>, Failure> {
    let judge = match &arguments.against {
        Some(other) => {
            let other = Input::open(other)?;
            let map = other.map()?;
            let decisions = other.check(tree_on_map::decisions(tree, &map))?;
            Some((map, decisions))
        }
        None => own.map(|map| (map, tree.cells())),
    };
    match (&arguments.profile, judge) {
        (Some(profile), Some((map, decisions))) => Ok(Some((called(map, profile)?, decisions))),
        (Some(_), None) => {
            Err(Failure::usage("--profile counts calls at the points of a map: name it with --against"))
        }
        (None, judge) => Ok(judge),
    }
}

/// Returns the map with the calls of a profile, and says which of them lie beyond its ends.
fn called(map: DecisionMap, name: &str) -> Result<DecisionMap, Failure> {
    let input = Input::open(name)?;
    let profile = input.check(profile::read(input.bytes(), &map, true))?;
    for said in profile.beyond(&map) {
        output::note(&said);
    }
    input.check(map.with_calls(profile.calls))
}

/// Returns whether a tree was made of a map: their origin is the same, and what its encoder recorded is true of the map.
fn is_made_of(tree: &DecisionTree, map: &DecisionMap) -> bool {
    tree.source() == map.source() && has_costs_of(tree, map)
}

/// Returns whether what the encoder of a tree recorded is true of a map.
pub(super) fn has_costs_of(tree: &DecisionTree, map: &DecisionMap) -> bool {
    tree.domain() == map.domain()
        && tree.statistics().encoding.quality == Quality::from_decisions(&tree.cells(), map)
}

/// Returns the options that made a tree.
fn options(tree: &DecisionTree) -> Vec<(String, String)> {
    let Encoding { name, options, .. } = &tree.statistics().encoding;
    let named = [("encoding", &**name), ("borders", tree.borders().name())];
    let named = named.map(|(option, value)| (option.to_owned(), value.to_owned()));
    let others = options.iter().filter(|(option, _)| option != "borders" && option != "encoding").cloned();
    named.into_iter().chain(others).collect()
}

fn kept_in(compared: &OverDefault, map: &DecisionMap) -> String {
    let cells = counted(compared.cells, "cell", "cells");
    let (kept, slower) = (compared.kept, compared.slower.len());
    let worst = compared.slower.first().map_or_else(String::new, |worst| {
        format!(", by up to {:.1} % ({})", worst.percent, map.domain().place(worst.cell))
    });
    format!("kept in {kept} of {cells}; the tree is slower than it in {slower}{worst}")
}

fn listed(cells: &Table, none: &str) -> String {
    let table = if cells.is_empty() { format!("{none}\n") } else { cells.write(Form::Text) };
    format!("\n{table}")
}

fn described(statistics: &Statistics, table_bytes: Option<u64>, has_costs: bool) -> String {
    let Encoding { name, options, leaves, nodes, depth, lower_bound, quality } = &statistics.encoding;
    let options: Vec<String> = options.iter().map(|(name, value)| format!(", {name} {value}")).collect();
    let options = options.concat();
    let bound = match lower_bound {
        None => String::new(),
        Some(bound) if *bound >= statistics.regions => "; no equally good tree has fewer".to_owned(),
        Some(bound) => format!("; an equally good tree has at least {bound}"),
    };
    let Quality { cells, mismatches, penalty } = quality;
    let penalty = match penalty {
        None if has_costs => "unknown: the map has no times of the chosen methods".to_owned(),
        None => "unknown: the map has no costs".to_owned(),
        Some(penalty) => {
            let unpriced = match penalty.unpriced {
                0 => String::new(),
                1 => "; the cost is unknown in 1 cell".to_owned(),
                unpriced => format!("; the cost is unknown in {unpriced} cells"),
            };
            format!(
                "mean {:.2} %, median {:.2} %, from {:.2} to {:.2} % over {}{unpriced}",
                penalty.mean,
                penalty.median,
                penalty.min,
                penalty.max,
                counted(penalty.cells, "cell", "cells"),
            )
        }
    };
    let table = match table_bytes {
        Some(bytes) => format!("a table of {}", counted(bytes, "byte", "bytes")),
        None => "no table: it would be too large".to_owned(),
    };
    format!(
        "encoding    {name}{options}\n\
         tree        {}, {}, depth {} to {}, {:.4} on average\n\
         function    {} in {}{bound}; {table}\n\
         decisions   {mismatches} of {cells} measured cells differ from the map\n\
         penalty     {penalty}\n",
        counted(*leaves, "leaf", "leaves"),
        counted(*nodes, "node", "nodes"),
        depth.min,
        depth.max,
        depth.mean,
        counted(statistics.regions, "region", "regions"),
        counted(statistics.conditions, "condition", "conditions"),
    )
}

fn table(misses: &[Miss], map: &DecisionMap) -> Table {
    let time = &*gain::time_title(map);
    let chosen = [("chosen", "chosen"), (time, "chosen_time")];
    let best = [("best", "best"), (time, "best_time"), ("penalty %", "penalty")];
    let mut table = Table::by_size(map.domain().axes(), &[&chosen[..], &best].concat());
    for miss in misses {
        let mut cells = gain::sizes(map, miss.cell);
        let label = |method| Cell::Text(map.domain().method(method).label());
        let [chosen, best] = miss.times.map(Cell::Time);
        cells.extend([label(miss.chosen), chosen, label(miss.best), best, Cell::Number(miss.percent)]);
        table.row(cells);
    }
    table
}

/// Returns the figure as JSON, with the reason if it is unknown.
fn of_figure(figure: &Figure, map: &DecisionMap) -> Value {
    match figure {
        Ok(found) => found.to_json(map),
        Err(reason) => json!({ "unknown": reason }),
    }
}

/// Adds members to an object, whose numbers stay exactly as they were written.
fn as_json<const N: usize>(json: &str, members: [(&str, Option<Value>); N]) -> String {
    let members = members.into_iter().filter_map(|(key, value)| Some(format!(", \"{key}\": {}", value?)));
    format!("{}{} }}\n", json.strip_suffix(" }").unwrap_or(json), members.collect::<String>())
}
