//! Sweeps of one encoding option over a range of values, for the papers' tables and curves.
//!
//! This corresponds to `analyze_qt_dec_quality` and `generate_qt_decision_tree_stats.sh` in the papers' prototype (2006
//! paper, appendix A.1).

use qtdec_core::{DecisionMap, DecisionTree, Document, OptionFaults, Options, Problems};

use crate::study::assess::{Assessment, LeaveOut, assess};
use crate::study::tree_on_map;

/// The swept option.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Over {
    /// The maximum depth; 2006 paper, Table 3; 2007 paper, Tables 1 and 2.
    Depth,
    /// The accuracy threshold; 2006 paper, Figure 4; 2007 paper, Figures 4 and 5.
    Threshold,
    /// The budget for the mean penalty in per cent, with the encoding `optimal` unless another is given.
    Budget,
}

/// The reason why no tree was made.
///
/// The variants are complete: a tree is made from options and a map.
#[derive(Debug)]
pub enum Fault {
    /// The options are invalid.
    Options(OptionFaults),
    /// The map lacks what the options need.
    Map(Problems),
}

impl From<Fault> for Problems {
    fn from(fault: Fault) -> Self {
        match fault {
            Fault::Options(faults) => faults.into(),
            Fault::Map(problems) => problems,
        }
    }
}

/// An option, its values, and the other options.
#[derive(Clone, Debug)]
pub struct Sweep {
    over: Over,
    values: Vec<String>,
    others: Vec<(String, String)>,
}

impl Over {
    /// Every swept option and its name in options.
    pub const ALL: [(&'static str, Self); 3] =
        [("depth", Self::Depth), ("threshold", Self::Threshold), ("budget", Self::Budget)];

    /// Returns the swept option with this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|(known, _)| *known == name).map(|(_, over)| over)
    }

    /// Returns the option.
    pub fn option(self) -> &'static str {
        match self {
            Self::Depth => "max_depth",
            Self::Threshold => "threshold",
            Self::Budget => "budget",
        }
    }

    /// Returns a value as written in the option.
    fn written(self, value: &str) -> String {
        match self {
            // A bare number limits the mean.
            Self::Budget if value.parse::<f64>().is_ok() => format!("mean {value}%"),
            _ => value.to_owned(),
        }
    }

    /// Returns the option's name in captions.
    pub fn title(self) -> &'static str {
        match self {
            Self::Depth => "max depth",
            Self::Threshold => "threshold",
            Self::Budget => "budget: mean %",
        }
    }
}

impl Sweep {
    /// Creates a sweep over these values. The defaults are all depths up to that of the exact tree, thresholds in steps of 5 %, or
    /// budgets from 50 % down to 0.
    ///
    /// # Errors
    ///
    /// Fails if other options are invalid, or if the map lacks what they need.
    pub fn new(
        over: Over,
        values: Option<Vec<String>>,
        others: Vec<(String, String)>,
        map: &DecisionMap,
    ) -> Result<Self, Fault> {
        let mut others = others;
        if over == Over::Budget && !others.iter().any(|(option, _)| option == "encoding") {
            others.push(("encoding".to_owned(), "optimal".to_owned()));
        }
        let values = match (values, over) {
            (Some(values), _) => values,
            (None, Over::Threshold) => (1..=20).map(|step| (5 * step).to_string()).collect(),
            (None, Over::Budget) => ["50", "20", "10", "5", "2", "1", "0"].map(str::to_owned).to_vec(),
            (None, Over::Depth) => {
                let deepest = tree(map, &others)?.statistics().encoding.depth.max;
                (1..=deepest.max(1)).map(|depth| depth.to_string()).collect()
            }
        };
        Ok(Self { over, values, others })
    }

    /// Returns the values as they were written.
    pub fn values(&self) -> &[String] {
        &self.values
    }

    /// Returns the tree of each value.
    ///
    /// # Errors
    ///
    /// Fails if options are invalid, or if the map lacks what they need.
    pub fn trees(&self, map: &DecisionMap) -> Result<Vec<DecisionTree>, Fault> {
        self.values.iter().map(|value| self.tree(map, value)).collect()
    }

    /// Returns the tree of one value.
    ///
    /// # Errors
    ///
    /// Fails if options are invalid, or if the map lacks what they need.
    pub fn tree(&self, map: &DecisionMap, value: &str) -> Result<DecisionTree, Fault> {
        let swept = (self.over.option().to_owned(), self.over.written(value));
        let options: Vec<(String, String)> = self.others.iter().cloned().chain([swept]).collect();
        tree(map, &options)
    }

    /// Returns a value with the option that it limits: `max depth 3`.
    pub fn limit(&self, value: &str) -> String {
        format!("{} {value}", self.over.title())
    }
}

fn tree(map: &DecisionMap, options: &[(String, String)]) -> Result<DecisionTree, Fault> {
    let options = Options::parse(options).map_err(Fault::Options)?;
    options.tree(Document::Map(map.clone())).map_err(Fault::Map)
}

/// Returns the assessment of a tree at the points of a map, its own or another.
///
/// # Errors
///
/// Fails if the map has other axes.
pub fn judge(
    tree: &DecisionTree,
    map: &DecisionMap,
    leave_out: &LeaveOut,
) -> Result<Option<Assessment>, Problems> {
    let decisions = tree_on_map::decisions(tree, map)?;
    Ok(assess(&decisions, map, leave_out))
}

/// The spread of an assessment over several splits of the same measurements.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spread {
    /// The mean over the splits.
    pub mean: f64,
    /// The minimum of the splits.
    pub min: f64,
    /// The maximum of the splits.
    pub max: f64,
}

impl Spread {
    /// Returns the spread of numbers, or `None` if there are none.
    pub fn new(numbers: &[f64]) -> Option<Self> {
        let (&first, _) = numbers.split_first()?;
        let mean = numbers.iter().sum::<f64>() / numbers.len() as f64;
        let min = numbers.iter().copied().fold(first, f64::min);
        let max = numbers.iter().copied().fold(first, f64::max);
        Some(Self { mean, min, max })
    }
}
