//! The statistics of several functions as a table: the separate ones, these together, and those that combine them.

use qtdec_core::map::combine::AXIS;
use qtdec_core::tree::{Node, Subtree};
use qtdec_core::{DecisionMap, DecisionTree};

use crate::commands::maps::combine::FUNCTION;
use qtdec_report::table::{Cell, Table};
use qtdec_terminal::Failure;
use qtdec_terminal::input::{Input, stem};

/// Returns the table of the functions in these files. If some of them combine others, a row adds up the separate ones.
pub(super) fn table(inputs: &[String]) -> Result<Table, Failure> {
    let functions = inputs.iter().map(|name| Function::open(name)).collect::<Result<Vec<_>, _>>()?;
    let (combined, separate): (Vec<Function>, Vec<Function>) =
        functions.into_iter().partition(|function| function.axis().is_some());
    let mut table = Table::new(&[
        ("function", "function"),
        ("regions", "regions"),
        ("depth", "depth_max"),
        ("conditions", "conditions"),
        ("collective tested at level", "collective_level"),
        ("mismatches", "mismatches"),
        ("penalty: mean", "penalty_mean"),
        ("max", "penalty_max"),
        ("cells without a time", "unpriced"),
    ]);
    let mut total = SeparateTotals::default();
    for function in &separate {
        total.add(function);
        table.row(function.row());
    }
    if !combined.is_empty() && separate.len() > 1 {
        table.row(total.row());
    }
    for function in &combined {
        table.row(function.row());
    }
    Ok(table.without_empty_columns())
}

/// A function, called after its file.
struct Function {
    name: String,
    tree: DecisionTree,
    /// The weight of its mean penalty: the calls of its map, or the cells of its tree.
    weight: f64,
}

impl Function {
    fn open(name: &str) -> Result<Self, Failure> {
        let (tree, map) = Input::open_map(name)?.tree_and_map()?;
        let cells = tree.statistics().encoding.quality.penalty.as_ref().map_or(0, |penalty| penalty.cells);
        let weight = map.as_ref().map_or(cells as f64, calls);
        Ok(Self { name: stem(name), tree, weight })
    }

    /// Returns the axis that tells combined maps apart, or `None` if the function is a separate one.
    fn axis(&self) -> Option<usize> {
        [AXIS, FUNCTION].into_iter().find_map(|name| self.tree.domain().find_axis(name))
    }

    fn row(&self) -> Vec<Cell> {
        let statistics = self.tree.statistics();
        let quality = &statistics.encoding.quality;
        let penalty = quality.penalty.as_ref();
        let level = self.axis().and_then(|axis| level_of(self.tree.root(), axis));
        vec![
            Cell::Text(self.name.clone()),
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
}

/// Returns the calls of the cells with a method, or their number if the map has no calls.
fn calls(map: &DecisionMap) -> f64 {
    let cells = map.cells().iter().enumerate().filter(|(_, method)| method.is_some());
    cells.map(|(cell, _)| map.weight(cell)).sum()
}

/// Returns the number of cells that are in no penalty, if there are any.
fn unpriced(cells: u64) -> Cell {
    if cells > 0 { Cell::Whole(cells) } else { Cell::Missing }
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
    fn add(&mut self, Function { tree, weight, .. }: &Function) {
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
