//! `qtdec combine`: one map from the maps of several collectives.

use clap::Args;
use qtdec_core::map::combine::{AXIS, combine, combine_as};
use qtdec_core::tree::{Node, Subtree};
use qtdec_core::{DecisionMap, DecisionTree, Document};

use qtdec_report::table::{Cell, Table};
use qtdec_terminal::destination::Outputs;
use qtdec_terminal::input::{EncodingArguments, Input};
use qtdec_terminal::output::FormArguments;
use qtdec_terminal::reports::reported;
use qtdec_terminal::{Failure, output};

/// Combine the maps of several collectives into one function of the collective and the sizes
///
/// Maps that are not of collectives are told apart by the axis `function`, whose labels are the names of their files.
///
/// Without --output, this compares the combined function with separate ones: regions, depth, penalties, and the level at which
/// the collective is first tested (Tables 4 to 6 of the original papers).
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  qtdec combine bcast.json reduce.json -o combined.json")]
pub(crate) struct Arguments {
    /// Read these maps, one for each collective
    #[arg(required = true, value_name = "MAP")]
    maps: Vec<String>,

    /// Write the combined map to this file, or - for standard output
    #[arg(short, long, value_name = "MAP")]
    output: Option<String>,

    #[command(flatten)]
    form: FormArguments,

    #[command(flatten)]
    encoding: EncodingArguments,
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let mut outputs = Outputs::new(arguments.maps.iter().map(String::as_str));
    let output = arguments.output.as_deref().map(|name| outputs.add(name)).transpose()?;
    let maps = arguments.maps.iter().map(|map| Input::open_map(map)?.map()).collect::<Result<Vec<_>, _>>()?;
    let names = arguments.maps.join(", ");
    let axis = if maps.iter().any(|map| map.domain().collective().is_some()) { AXIS } else { FUNCTION };
    let own: Vec<String> = arguments.maps.iter().map(|name| stem(name)).collect();
    let own: Vec<&str> = own.iter().map(String::as_str).collect();
    let combined = if axis == AXIS { combine(&maps) } else { combine_as(axis, &own, &maps) };
    let combined = reported(&names, combined)?;
    if let Some(output) = output {
        return output.write(&reported(&names, combined.to_file().map_err(Into::into))?);
    }
    let tree = |name: &str, map: DecisionMap| -> Result<DecisionTree, Failure> {
        reported(name, arguments.encoding.checked()?.tree(Document::Map(map)))
    };
    let mut table = Table::new(&[
        ("function of", "function"),
        ("regions", "regions"),
        ("depth", "depth_max"),
        ("conditions", "conditions"),
        ("collective tested at level", "collective_level"),
        ("mismatches", "mismatches"),
        ("penalty: mean", "penalty_mean"),
        ("max", "penalty_max"),
        ("cells without a time", "unpriced"),
    ]);
    let mut apart = SeparateTotals::default();
    for ((name, map), stem) in arguments.maps.iter().zip(maps).zip(own) {
        let weight: f64 = (0..map.cells().len())
            .filter(|&cell| map.cells()[cell].is_some())
            .map(|cell| map.weight(cell))
            .sum();
        let collective = map.domain().collective().unwrap_or(stem).to_owned();
        let tree = tree(name, map)?;
        apart.add(&tree, weight);
        table.row(row(&collective, &tree));
    }
    table.row(apart.row());
    table.row(row("all together", &tree(&names, combined)?));
    output::print(&table.without_empty_columns().write(arguments.form.form()))
}

/// The axis of maps that are not of collectives: each is a function, called after its file.
const FUNCTION: &str = "function";

/// Returns the name of a file without folders and endings.
fn stem(path: &str) -> String {
    let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
    name.split('.').next().filter(|stem| !stem.is_empty()).unwrap_or(name).to_owned()
}

fn row(name: &str, tree: &DecisionTree) -> Vec<Cell> {
    let statistics = tree.statistics();
    let quality = &statistics.encoding.quality;
    let penalty = quality.penalty.as_ref();
    let level = find_first(tree).and_then(|axis| level_of(tree.root(), axis));
    vec![
        Cell::Text(name.to_owned()),
        Cell::Whole(statistics.regions),
        Cell::Whole(statistics.encoding.depth.max),
        Cell::Whole(statistics.conditions),
        level.map_or(Cell::Missing, Cell::Whole),
        Cell::Whole(quality.mismatches),
        Cell::number(penalty.map(|penalty| penalty.mean)),
        Cell::number(penalty.map(|penalty| penalty.max)),
        unpriced(penalty.map_or(0, |penalty| penalty.unpriced)),
    ]
}

/// Returns the number of cells that are in no penalty, if there are any.
fn unpriced(cells: u64) -> Cell {
    if cells > 0 { Cell::Whole(cells) } else { Cell::Missing }
}

/// Returns the axis of a combined tree that tells its maps apart.
fn find_first(tree: &DecisionTree) -> Option<usize> {
    [AXIS, FUNCTION].into_iter().find_map(|name| tree.domain().find_axis(name))
}

/// Returns the level of the first test on an axis; the root is level 1.
fn level_of(subtree: Subtree<'_>, wanted: usize) -> Option<u64> {
    match subtree.node() {
        Node::Leaf(_) => None,
        Node::Test { axis, .. } if axis == wanted => Some(1),
        Node::Test { below, at_or_above, .. } => {
            let sides = [below, at_or_above].into_iter().filter_map(|side| level_of(side, wanted));
            sides.min().map(|level| level + 1)
        }
    }
}

/// The statistics of the separate functions.
#[derive(Default)]
struct SeparateTotals {
    regions: u64,
    depth: u64,
    conditions: u64,
    mismatches: u64,
    /// The weighted sum of the mean penalties, and the weights.
    mean: (f64, f64),
    max: Option<f64>,
    unpriced: u64,
}

impl SeparateTotals {
    fn add(&mut self, tree: &DecisionTree, weight: f64) {
        let statistics = tree.statistics();
        self.regions += statistics.regions;
        self.depth = self.depth.max(statistics.encoding.depth.max);
        self.conditions += statistics.conditions;
        self.mismatches += statistics.encoding.quality.mismatches;
        if let Some(penalty) = &statistics.encoding.quality.penalty {
            self.unpriced += penalty.unpriced;
            self.mean = (self.mean.0 + weight * penalty.mean, self.mean.1 + weight);
            self.max = Some(self.max.map_or(penalty.max, |max| max.max(penalty.max)));
        }
    }

    fn row(&self) -> Vec<Cell> {
        vec![
            Cell::Text("each by itself".to_owned()),
            Cell::Whole(self.regions),
            Cell::Whole(self.depth),
            Cell::Whole(self.conditions),
            Cell::Missing,
            Cell::Whole(self.mismatches),
            Cell::number(self.max.map(|_| self.mean.0 / self.mean.1)),
            Cell::number(self.max),
            unpriced(self.unpriced),
        ]
    }
}
