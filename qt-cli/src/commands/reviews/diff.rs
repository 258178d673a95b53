//! `qtdec diff`: the sizes at which two decision functions differ.

use clap::Args;
use qtdec_core::{Axis, DecisionMap, DecisionTree, Samples};
use qtdec_report::table::{Cell, Table};
use qtdec_study::study::regions::{Region, differing};
use qtdec_terminal::differences::finish;
use qtdec_terminal::{Failure, FormArguments, Input};

/// Show where two maps or trees decide differently
///
/// Every size is compared, not just the measured ones. A map stands for its exact tree; qtdec encode makes others. Maps and trees may have any axes. For maps with
/// times, the table shows how much more time B takes than A in each region, by the times of either map. The exit code is 3 if
/// the two differ. qtdec-mpi diff compares tuning files of MPI libraries.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  qtdec diff old.json new.json")]
pub(crate) struct Arguments {
    /// Read this map or tree
    #[arg(value_name = "A")]
    first: String,

    /// Compare it with this map or tree
    #[arg(value_name = "B")]
    second: String,

    #[command(flatten)]
    form: FormArguments,
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let input = Input::open_map(&arguments.first)?;
    let (one, map) = input.tree_and_map()?;
    let (other, other_map) = Input::open_map(&arguments.second)?.tree_and_map()?;
    let collectives = one.domain().collective().zip(other.domain().collective());
    if let Some((first, second)) = collectives.filter(|(first, second)| first != second) {
        return Err(Failure::input(format!("one is for {first}, the other for {second}")));
    }
    let found = input.check(differing(&one, &other))?;
    regions(arguments, &one, [map.as_ref(), other_map.as_ref()], &found)
}

/// Returns how much more time the answer of B takes than that of A in a region, in per cent, by the times of a map: the geometric mean
/// over its points there. `axes` are those of the region.
fn change(map: &DecisionMap, axes: &[Axis], region: &Region) -> Option<f64> {
    let (costs, domain) = (map.costs()?, map.domain());
    let (one, other) = (domain.find_method(&region.answers.0)?, domain.find_method(&region.answers.1)?);
    let bounds: Vec<(u64, Option<u64>)> = domain
        .axes()
        .iter()
        .map(|axis| axes.iter().position(|own| own.name == axis.name).map(|at| region.bounds[at]))
        .collect::<Option<_>>()?;
    let cells = (0..domain.cells()).filter(|&cell| {
        let sizes = domain.sizes(cell);
        sizes.iter().zip(&bounds).all(|(size, (from, end))| size >= from && end.is_none_or(|end| *size < end))
    });
    let of_cell = |cell: usize| Some((costs.get(cell, other)? / costs.get(cell, one)?).ln());
    let logarithms: Vec<f64> = cells.filter_map(of_cell).collect();
    let mean = logarithms.iter().sum::<f64>() / logarithms.len() as f64;
    (!logarithms.is_empty()).then(|| 100.0 * mean.exp_m1())
}

/// Prints the regions in which two trees differ, with the change in time by the maps' own times; the axes are those of the first.
fn regions(
    arguments: &Arguments,
    tree: &DecisionTree,
    maps: [Option<&DecisionMap>; 2],
    found: &[Region],
) -> Result<(), Failure> {
    let axes = tree.domain().axes();
    let names: Vec<[String; 3]> = axes
        .iter()
        .map(|Axis { name, .. }| [format!("{name} from"), format!("{name}_from"), format!("{name}_below")])
        .collect();
    let mut columns: Vec<(&str, &str)> = Vec::new();
    for (axis, [title, from, below]) in axes.iter().zip(&names) {
        match axis.samples {
            Samples::Values(_) => columns.extend([(&**title, &**from), ("below", &**below)]),
            Samples::Labels(_) => columns.push((&axis.name, &axis.name)),
        }
    }
    columns.extend([("A", "a"), ("B", "b"), ("B/A by A", "change_by_a"), ("B/A by B", "change_by_b")]);
    let mut table = Table::new(&columns);
    for region in found {
        let Region { bounds, answers } = region;
        let mut row = Vec::new();
        for (axis, (from, end)) in axes.iter().zip(bounds) {
            match &axis.samples {
                Samples::Values(_) => {
                    row.extend([Cell::Whole(*from), Cell::whole(*end)]);
                }
                Samples::Labels(labels) => {
                    let within = |at: &usize| *at as u64 >= *from && end.is_none_or(|end| (*at as u64) < end);
                    let labels: Vec<&str> = (0..labels.len()).filter(within).map(|at| &*labels[at]).collect();
                    row.push(Cell::Text(labels.join(", ")));
                }
            }
        }
        row.extend([Cell::Text(answers.0.clone()), Cell::Text(answers.1.clone())]);
        row.extend(maps.map(|map| Cell::percent(map.and_then(|map| change(map, axes, region)))));
        table.row(row);
    }
    if table.is_empty() {
        return finish(&arguments.form, 0, &table);
    }
    finish(&arguments.form, found.len(), &table.without_empty_columns())
}
