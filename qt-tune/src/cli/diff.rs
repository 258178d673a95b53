//! `qtdec diff`: the sizes at which two decision functions differ.

use clap::Args;
use qtdec_core::{Axis, DecisionMap, DecisionTree, Document, Samples};
use qtdec_mpi_library::catalogue::Library;

use super::input::{EncodingArguments, Input};
use super::output::{FormArguments, counted};
use super::tuning_file::TuningInput;
use super::{Failure, output};
use crate::report::table::{Cell, Form, Table};
use qtdec_mpi_library::tuning::diff::{Difference, Function, differences};
use qtdec_mpi_library::tuning::{self, Job, Selection};
use qtdec_study::study::regions::{Region, differing};

/// Show where two maps, trees or tuning files decide differently
///
/// Every size is compared, not just the measured ones. A map stands for its exact tree; qtdec encode makes others. Maps and trees may have any axes. For maps with
/// times, the table shows how much more time B takes than A in each region, by the times of either map. If one of the files is a tuning file, methods have the names that its
/// library uses. The exit code is 3 if the two differ.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  qtdec diff map.json rules.conf --collective bcast")]
pub(super) struct Arguments {
    /// Read this map, tree or tuning file
    #[arg(value_name = "A")]
    first: String,

    /// Compare it with this map, tree or tuning file
    #[arg(value_name = "B")]
    second: String,

    /// Choose the collective, if a tuning file has several
    #[arg(long, value_name = "NAME")]
    collective: Option<String>,

    #[command(flatten)]
    form: FormArguments,
}

/// One of the two inputs.
enum Side {
    /// A tree, with the map that it was made from, if the file holds one.
    Tree(Input, Box<DecisionTree>, Option<Box<DecisionMap>>),
    File(TuningInput, Box<dyn Selection>, String),
}

pub(super) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let (first, second) =
        (Side::open(arguments, &arguments.first)?, Side::open(arguments, &arguments.second)?);
    if let (Some(one), Some(other)) = (first.collective(), second.collective())
        && one != other
    {
        return Err(Failure::input(format!("one is for {one}, the other for {other}")));
    }
    if let (Side::Tree(input, one, map), Side::Tree(_, other, other_map)) = (&first, &second) {
        let found = input.check(differing(one, other).map_err(Into::into))?;
        return regions(arguments, one, [map.as_deref(), other_map.as_deref()], &found);
    }
    let library = first.library().or(second.library());
    let functions = [first.function(library)?, second.function(library)?];
    if let (Some(one), Some(other)) = (functions[0].basis(), functions[1].basis())
        && one != other
    {
        let message = format!(
            "the message sizes of one count the bytes of a {}, and those of the other the bytes of a {}",
            one.name(),
            other.name()
        );
        return Err(Failure::input(message));
    }
    let found = differences(&functions[0], &functions[1]);
    let mut table = Table::new(&[
        ("comm_size from", "comm_size_from"),
        ("below", "comm_size_below"),
        ("msg_size from", "msg_size_from"),
        ("below", "msg_size_below"),
        ("A", "a"),
        ("B", "b"),
    ]);
    for Difference { comm_size, msg_size, answers } in &found {
        let end = |end: Option<u64>| end.map_or(Cell::Missing, Cell::Whole);
        table.row([
            Cell::Whole(comm_size.0),
            end(comm_size.1),
            Cell::Whole(msg_size.0),
            end(msg_size.1),
            Cell::Text(answers.0.clone()),
            Cell::Text(answers.1.clone()),
        ]);
    }
    finish(arguments, found.len(), &table)
}

/// Prints what was found.
fn finish(arguments: &Arguments, found: usize, table: &Table) -> Result<(), Failure> {
    match found {
        0 => output::eprint("no difference: both make the same decision everywhere"),
        found => output::eprint(&format!(
            "they differ in {}",
            counted(found as u64, "range of sizes", "ranges of sizes")
        )),
    }
    if found == 0 && arguments.form.form() == Form::Text {
        return Ok(());
    }
    output::print(&table.write(arguments.form.form()))?;
    if found == 0 { Ok(()) } else { Err(Failure::Negative(Vec::new())) }
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
    let is_within = |cell: &usize| {
        let sizes = domain.sizes(*cell);
        sizes.iter().zip(&bounds).all(|(size, (from, end))| size >= from && end.is_none_or(|end| *size < end))
    };
    let of_cell = |cell: usize| Some((costs.get(cell, other)? / costs.get(cell, one)?).ln());
    let logarithms: Vec<f64> = (0..domain.cells()).filter(is_within).filter_map(of_cell).collect();
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
                    row.extend([Cell::Whole(*from), end.map_or(Cell::Missing, Cell::Whole)]);
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
        return finish(arguments, 0, &table);
    }
    finish(arguments, found.len(), &table.without_empty_columns())
}

impl Side {
    fn open(arguments: &Arguments, name: &str) -> Result<Self, Failure> {
        let input = Input::open(name)?;
        let Some(format) = tuning::detect(input.bytes()) else {
            let document = input.document()?;
            let map = match &document {
                Document::Map(map) => Some(Box::new(map.clone())),
                Document::Tree(_) => None,
            };
            let tree = input.check(EncodingArguments::default().checked()?.tree(document))?;
            return Ok(Self::Tree(input, Box::new(tree), map));
        };
        let file = TuningInput::new(input, format, None)?;
        let selection = file.selection(Job::default())?;
        let collective = file.collective(&*selection, arguments.collective.as_deref())?;
        Ok(Self::File(file, selection, collective))
    }

    fn library(&self) -> Option<Library> {
        match self {
            Self::Tree(..) => None,
            Self::File(file, ..) => Some(file.format.library()),
        }
    }

    fn collective(&self) -> Option<&str> {
        match self {
            Self::Tree(_, tree, _) => tree.domain().collective(),
            Self::File(.., collective) => Some(collective),
        }
    }

    fn function(&self, library: Option<Library>) -> Result<Function<'_>, Failure> {
        match self {
            Self::Tree(input, tree, _) => input.check(Function::from_tree(tree, library).map_err(Into::into)),
            Self::File(_, selection, collective) => Ok(Function::from_selection(&**selection, collective)),
        }
    }
}
