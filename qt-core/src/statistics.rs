//! The size and quality of a tree.

#[cfg(feature = "tools")]
mod write;

use crate::domain::MethodIndex;
use crate::json::PlacedValue;
use crate::map::DecisionMap;
use crate::penalty::Penalty;
use crate::problem::{Diagnostics, Problem};

/// The size and quality of a tree; the papers' Table 3 (2006) and Tables 1 and 2 (2007).
#[derive(Clone, Debug, PartialEq)]
pub struct Statistics {
    /// The report of the encoder.
    pub encoding: Encoding,
    /// The number of leaves of the simplified tree.
    pub regions: u64,
    /// The number of `if` and `else if` in the code.
    pub conditions: u64,
}

/// The encoder's report on the tree it made.
///
/// A tree file stores this record. It describes the map that the encoder had and is not recomputed from the nodes, so a file that
/// was edited by hand keeps the old record.
#[derive(Clone, Debug, PartialEq)]
pub struct Encoding {
    /// The name of the encoder.
    pub name: String,
    /// The options that are not at their defaults, spelled as on the command line.
    pub options: Vec<(String, String)>,
    /// The number of leaves of the tree as the encoder built it: for a quadtree, that of the filled-in grid.
    pub leaves: u64,
    /// The number of nodes of the same tree.
    pub nodes: u64,
    /// The depth of the same tree.
    pub depth: Depth,
    /// A proven lower bound on the regions of any tree of the same quality, if there is one.
    pub lower_bound: Option<u64>,
    /// The quality of the decisions.
    pub quality: Quality,
}

/// The agreement of decisions with a map.
#[derive(Clone, Debug, PartialEq)]
pub struct Quality {
    /// The number of measured cells of the map; 0 only for a placeholder, in which nothing was measured.
    pub cells: u64,
    /// The number of those cells in which the decision is not an acceptable method.
    pub mismatches: u64,
    /// The cost of the decisions relative to the best ones; `None` if the map has no costs.
    pub penalty: Option<Penalty>,
}

/// The depth of the leaves of a tree.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Depth {
    /// The depth of the shallowest leaf.
    pub min: u64,
    /// The unweighted mean over the leaves.
    pub mean: f64,
    /// The depth of the deepest leaf.
    pub max: u64,
}

impl Statistics {
    /// Returns whether the tree was made from a placeholder, in which nothing was measured.
    pub fn is_unmeasured(&self) -> bool {
        self.encoding.quality.cells == 0
    }

    /// Returns the size of the function: "42 regions, depth 4".
    pub fn size(&self) -> String {
        if self.is_unmeasured() {
            return "a placeholder, nothing was measured".to_owned();
        }
        let regions =
            if self.regions == 1 { "1 region".to_owned() } else { format!("{} regions", self.regions) };
        format!("{regions}, depth {}", self.encoding.depth.max)
    }

    /// Returns a short summary: "42 regions, depth 4, in-sample penalty 1.9 % on average and 8.0 % at most".
    pub fn summary(&self) -> String {
        let size = self.size();
        if self.is_unmeasured() {
            return size;
        }
        let penalty = match &self.encoding.quality.penalty {
            None => String::new(),
            Some(penalty) if penalty.max == 0.0 => ", no in-sample penalty".to_owned(),
            Some(penalty) => {
                format!(
                    ", in-sample penalty {:.1} % on average and {:.1} % at most",
                    penalty.mean, penalty.max
                )
            }
        };
        let unpriced = match self.encoding.quality.penalty.as_ref().map_or(0, |penalty| penalty.unpriced) {
            0 => String::new(),
            1 => ", without 1 cell that has no time of its decision".to_owned(),
            cells => format!(", without {cells} cells that have no time of their decision"),
        };
        format!("{size}{penalty}{unpriced}")
    }
}

impl Encoding {
    const KEYS: [&str; 9] =
        ["name", "options", "leaves", "nodes", "depth", "lower_bound", "cells", "mismatches", "penalty"];

    /// Returns whether the tree has the fewest mispredictions of a processor.
    pub(crate) fn is_for_prediction(&self) -> bool {
        self.options.iter().any(|(name, value)| name == "objective" && value == "mispredictions")
    }

    pub(crate) fn read(value: &PlacedValue<'_>, check: &mut Diagnostics) -> Option<Self> {
        let file = value.object(&Self::KEYS, check)?;
        let mut whole = |key: &str| file.require(key, check).and_then(|value| value.whole(check));
        let (leaves, nodes, cells, mismatches) =
            (whole("leaves"), whole("nodes"), whole("cells"), whole("mismatches"));
        let name = file.require("name", check).and_then(|value| value.string(check));
        let options = file.require("options", check).and_then(|value| read_options(value, check));
        let depth = file.require("depth", check).and_then(|value| Depth::read(value, check));
        let lower_bound = file.optional("lower_bound", check, PlacedValue::whole)?;
        let penalty = match file.require("penalty", check)? {
            value if value.is_null() => Some(None),
            value => Penalty::read(value, check).map(Some),
        };
        Some(Self {
            name: name?,
            options: options?,
            leaves: leaves?,
            nodes: nodes?,
            depth: depth?,
            lower_bound,
            quality: Quality { cells: cells?, mismatches: mismatches?, penalty: penalty? },
        })
    }
}

impl Quality {
    /// Returns the quality of `decisions`, one for each cell of the map.
    pub fn from_decisions(decisions: &[Option<MethodIndex>], map: &DecisionMap) -> Self {
        let is_measured = |cell: &usize| !map.is_placeholder() && map.cells()[*cell].is_some();
        let measured = || (0..decisions.len()).filter(is_measured);
        let right = |cell: usize| {
            decisions[cell].is_some_and(|method| map.acceptable_methods(cell).contains(&method))
        };
        Self {
            cells: measured().count() as u64,
            mismatches: measured().filter(|&cell| !right(cell)).count() as u64,
            penalty: Penalty::from_decisions(decisions, map),
        }
    }
}

impl Depth {
    fn read(value: &PlacedValue<'_>, check: &mut Diagnostics) -> Option<Self> {
        let file = value.object(&["min", "mean", "max"], check)?;
        let min = file.require("min", check)?.whole(check);
        let mean = file.require("mean", check)?.number(check);
        let max = file.require("max", check)?.whole(check);
        Some(Self { min: min?, mean: mean?, max: max? })
    }
}

fn read_options(value: &PlacedValue<'_>, check: &mut Diagnostics) -> Option<Vec<(String, String)>> {
    let members = value.members(check)?;
    let len = members.len();
    let mut options = Vec::with_capacity(len);
    for (key, value) in members {
        let text = value.raw().get();
        match text.as_bytes()[0] {
            b'"' => options.extend(value.string(check).map(|text| (key, text))),
            b'{' | b'[' | b'n' => {
                let message = format!("{} is not the value of an option", value.shown());
                let problem = Problem::new(value.path, message);
                check.add(problem.help("write a number, true, false or a string"));
            }
            _ => options.push((key, text.to_owned())),
        }
    }
    (options.len() == len).then_some(options)
}
