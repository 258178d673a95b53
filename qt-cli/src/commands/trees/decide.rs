//! `qtdec decide`: the method chosen for one call, and the rule behind it.

use clap::Args;
use qtdec_core::tree::Region;
use qtdec_core::{Axis, DecisionMap, DecisionTree, Document, Domain, MethodIndex, Samples};
use qtdec_report::table::{Cell, Form, Table};
use serde_json::{Value, json};

use qtdec_terminal::sizes::size_on;
use qtdec_terminal::subject::documents;
use qtdec_terminal::{Failure, TreeOptions, output, pair, sizes};

/// Show the method chosen for one call and the rule behind it
///
/// The input is a map, a tree or canonical times. A map stands for its exact tree; qtdec encode makes others. qtdec-mpi decide reads tuning
/// files of MPI libraries.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  qtdec decide kernel.json m=64 n=4K\n  qtdec decide bcast.json comm_size=64 msg_size=8K"
)]
pub(crate) struct Arguments {
    /// Read this map, tree or canonical times, or - for standard input
    #[arg(value_name = "MAP|TREE|TIMES")]
    input: String,

    /// Set the size or label on each axis, as in len=4K order=sorted; the suffixes K, M and G multiply by powers of 1024
    #[arg(value_name = "AXIS=SIZE", value_parser = axis_size)]
    sizes: Vec<(String, String)>,

    /// Choose the collective, if times have several
    #[arg(long, value_name = "NAME")]
    collective: Option<String>,

    /// Also show the times of all methods at the sample that stands for the call, the fastest first; this needs a map or times
    #[arg(long)]
    all: bool,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let inputs = [arguments.input.clone()];
    let mut made = documents(&inputs, None, arguments.collective.as_deref())?;
    let Some((origin, document)) = made.pop() else { return Ok(()) };
    let map = match &document {
        Document::Map(map) if arguments.all => Some(map.clone()),
        Document::Tree(_) if arguments.all => {
            return Err(Failure::input(format!(
                "`{}` is a tree, which has no times: name the map or the times from which it was made",
                origin.name()
            )));
        }
        _ => None,
    };
    let tree = &origin.check(TreeOptions::default().tree(document))?;
    let sizes = asked(arguments, tree.domain())?;
    for note in outside(tree.domain().axes(), &sizes) {
        output::note(&note);
    }
    let region = tree.region(&sizes);
    let decision = tree.decide(&sizes);
    let times = match &map {
        Some(map) => Some(times(map, tree, &sizes)?),
        None => None,
    };
    output::print(&if arguments.json {
        as_json(tree, &region, decision, times.as_ref().map(|(_, times)| times))
    } else {
        let times = times.map(|(place, times)| format!("times   {place}\n{}", times.write(Form::Text)));
        as_text(tree, &region, decision) + &times.unwrap_or_default()
    })
}

/// Returns the sizes of the sample that stands for a call, and the times of all methods there, the fastest first.
fn times(map: &DecisionMap, tree: &DecisionTree, sizes: &[u64]) -> Result<(String, Table), Failure> {
    let Some(costs) = map.costs() else {
        return Err(Failure::input("the map has no costs, so that there are no times to show"));
    };
    let domain = map.domain();
    let cell = domain
        .axes()
        .iter()
        .enumerate()
        .fold(0, |cell, (at, axis)| cell * axis.len() + tree.sample_of(at, sizes[at]));
    let mut timed: Vec<(f64, MethodIndex)> =
        domain.method_indexes().filter_map(|method| Some((costs.get(cell, method)?, method))).collect();
    timed.sort_by(|one, other| one.0.total_cmp(&other.0));
    let best = timed.first().map_or(f64::NAN, |(best, _)| *best);
    let title = costs.unit.as_ref().map_or("cost".to_owned(), |unit| format!("time, {unit}"));
    let mut table = Table::new(&[("method", "method"), (&title, "cost"), ("over the best, %", "over_best")]);
    for (cost, method) in timed {
        let over = 100.0 * (cost / best - 1.0);
        table.row([
            Cell::Text(domain.method(method).label()),
            Cell::Time(cost),
            Cell::number(Some(over).filter(|over| over.is_finite())),
        ]);
    }
    Ok((map.domain().place(cell), table))
}

/// Parses `AXIS=SIZE`.
fn axis_size(text: &str) -> Result<(String, String), String> {
    pair(text).map_err(|_| "write AXIS=SIZE".to_owned())
}

fn asked(arguments: &Arguments, domain: &Domain) -> Result<Vec<u64>, Failure> {
    arguments.sizes.iter().try_for_each(|(name, _)| sizes::axis(domain, name).map(|_| ()))?;
    let mut all = Vec::new();
    for axis in domain.axes() {
        let mut sizes = arguments.sizes.iter().filter(|(name, _)| *name == axis.name);
        let Some((_, text)) = sizes.next() else {
            return Err(Failure::usage(format!(
                "the size on axis `{0}` is missing: add {0}=SIZE",
                axis.name
            )));
        };
        if sizes.next().is_some() {
            return Err(Failure::usage(format!("the size on axis `{}` is given twice", axis.name)));
        }
        all.push(size_on(axis, text)?);
    }
    Ok(all)
}

/// Returns a note about each size below or beyond all samples of its axis, where nothing supports the decision.
fn outside(axes: &[Axis], sizes: &[u64]) -> Vec<String> {
    let notes = axes.iter().zip(sizes).filter_map(|(axis, &size)| {
        let values = axis.values()?;
        let (first, last) = (*values.first()?, *values.last()?);
        let (end, nearest) = match size {
            _ if size < first => ("first", first),
            _ if size > last => ("last", last),
            _ => return None,
        };
        Some(format!(
            "{} {size} lies outside of the sizes in the map, {first} to {last}: the decision is that of the {end} one, {nearest}",
            axis.name
        ))
    });
    notes.collect()
}

fn as_text(tree: &DecisionTree, region: &Region, decision: Option<MethodIndex>) -> String {
    let method = match (decision, region.method) {
        (Some(method), _) => tree.domain().method(method).label(),
        (None, None) => "none: nothing was measured in this region".to_owned(),
        (None, Some(_)) => "none: no method runs everywhere".to_owned(),
    };
    let instead = region.method.filter(|_| decision != region.method).map(|method| {
        let method = tree.domain().method(method);
        let requires: Vec<String> = method.requires.iter().map(ToString::to_string).collect();
        format!("instead of {}, which requires {}\n", method.label(), requires.join(", "))
    });
    let rule = tree.rule(region);
    format!("method  {method}\nrule    {rule}\n{}", instead.unwrap_or_default())
}

fn as_json(
    tree: &DecisionTree,
    region: &Region,
    decision: Option<MethodIndex>,
    times: Option<&Table>,
) -> String {
    let rule = tree.domain().axes().iter().enumerate().map(|(index, axis)| match &axis.samples {
        Samples::Values(_) => {
            let (from, below) = tree.bounds(region, index);
            json!({ "axis": axis.name, "from": from, "below": below })
        }
        Samples::Labels(labels) => {
            json!({ "axis": axis.name, "labels": labels[region.samples[index].clone()] })
        }
    });
    let rule: Vec<Value> = rule.collect();
    let mut answer = match decision.map(|index| (index, tree.domain().method(index))) {
        Some((index, method)) => json!({
            "method": method.label(),
            "name": method.name,
            "segment_size": method.segment_size,
            "id": method.id.unwrap_or(index.get() as u64),
            "rule": rule,
        }),
        None => json!({ "method": null, "rule": rule }),
    };
    if let Some(method) = region.method.filter(|_| decision != region.method) {
        answer["instead_of"] = tree.domain().method(method).label().into();
    }
    if let Some(times) = times {
        answer["times"] = times.objects().collect();
    }
    answer.to_string() + "\n"
}
