//! The statistics of several functions as a table: the separate ones, these together, and those that combine them.

use qtdec_core::map::combine::AXIS;
use qtdec_core::tree::{Node, Subtree};
use qtdec_core::{DecisionMap, Statistics};

use crate::commands::maps::combine::FUNCTION;
use qtdec_report::table::{Cell, Column, Table};
use qtdec_terminal::{Failure, Input, stem};

/// Returns the table of the functions in these files. If some of them combine others, a row adds up the separate ones.
pub(super) fn table(inputs: &[String]) -> Result<Table, Failure> {
    let functions = inputs.iter().map(|name| Function::open(name)).collect::<Result<Vec<_>, _>>()?;
    let (combined, separate): (Vec<Function>, Vec<Function>) =
        functions.into_iter().partition(|function| function.is_combined);
    let total = separate.iter().fold(Function::default(), Function::with);
    let total = Function { name: "each by itself".to_owned(), ..total };
    let total = (!combined.is_empty() && separate.len() > 1).then_some(total);
    let columns: [Column<'_, Function>; 9] = [
        ("function", "function", |function| Cell::Text(function.name.clone())),
        ("regions", "regions", |function| Cell::Whole(function.regions)),
        ("depth", "depth_max", |function| Cell::Whole(function.depth)),
        ("conditions", "conditions", |function| Cell::Whole(function.conditions)),
        ("collective tested at level", "collective_level", |function| Cell::whole(function.level)),
        ("mismatches", "mismatches", |function| Cell::Whole(function.mismatches)),
        ("penalty: mean", "penalty_mean", |function| Cell::number(function.mean())),
        ("max", "penalty_max", |function| Cell::number(function.max)),
        ("cells without a time", "unpriced", |function| {
            Cell::whole(Some(function.unpriced).filter(|cells| *cells > 0))
        }),
    ];
    Ok(Table::of(&columns, separate.into_iter().chain(total).chain(combined)).without_empty_columns())
}

/// A function, called after its file, or several separate ones together.
#[derive(Default)]
struct Function {
    name: String,
    /// Whether an axis tells combined maps apart, and the level at which it is first tested.
    is_combined: bool,
    level: Option<u64>,
    regions: u64,
    depth: u64,
    conditions: u64,
    mismatches: u64,
    /// The mean penalties, and their weights: the calls of a map, or the cells of a tree.
    means: Vec<(f64, f64)>,
    max: Option<f64>,
    /// The number of cells that are in no penalty.
    unpriced: u64,
}

impl Function {
    fn open(name: &str) -> Result<Self, Failure> {
        let (tree, map) = Input::open_map(name)?.tree_and_map()?;
        let Statistics { encoding, regions, conditions } = tree.statistics();
        let penalty = encoding.quality.penalty.as_ref();
        let weight = map.as_ref().map_or(penalty.map_or(0, |penalty| penalty.cells) as f64, calls);
        let axis = [AXIS, FUNCTION].into_iter().find_map(|name| tree.domain().find_axis(name));
        Ok(Self {
            name: stem(name),
            is_combined: axis.is_some(),
            level: axis.and_then(|axis| level_of(tree.root(), axis)),
            regions: *regions,
            depth: encoding.depth.max,
            conditions: *conditions,
            mismatches: encoding.quality.mismatches,
            means: penalty.iter().map(|penalty| (penalty.mean, weight)).collect(),
            max: penalty.map(|penalty| penalty.max),
            unpriced: penalty.map_or(0, |penalty| penalty.unpriced),
        })
    }

    fn mean(&self) -> Option<f64> {
        match self.means[..] {
            [] => None,
            [(mean, _)] => Some(mean),
            _ => {
                let all = self
                    .means
                    .iter()
                    .fold((0.0, 0.0), |(sum, of), (mean, weight)| (sum + weight * mean, of + weight));
                Some(all.0 / all.1)
            }
        }
    }

    /// Adds up the statistics of separate functions.
    fn with(self, other: &Self) -> Self {
        Self {
            regions: self.regions + other.regions,
            depth: self.depth.max(other.depth),
            conditions: self.conditions + other.conditions,
            mismatches: self.mismatches + other.mismatches,
            means: [self.means, other.means.clone()].concat(),
            max: self.max.into_iter().chain(other.max).reduce(f64::max),
            unpriced: self.unpriced + other.unpriced,
            ..self
        }
    }
}

/// Returns the calls of the cells with a method, or their number if the map has no calls.
fn calls(map: &DecisionMap) -> f64 {
    let cells = map.cells().iter().enumerate().filter(|(_, method)| method.is_some());
    cells.map(|(cell, _)| map.weight(cell)).sum()
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
