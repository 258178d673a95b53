//! One option of the encoding over a range of values: the papers' tables and curves.
//!
//! This is what `analyze_qt_dec_quality` and `generate_qt_decision_tree_stats.sh` did in the papers' prototype (2006
//! paper, appendix A.1).

use qtdec_core::{DecisionMap, DecisionTree, Document, OptionFault, Options, Problems};

use crate::study::against;
use crate::study::assess::{Assessment, LeaveOut, assess};

/// What is swept over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Over {
    /// The maximum depth; 2006 paper, Table 3; 2007 paper, Tables 1 and 2.
    Depth,
    /// The accuracy threshold; 2006 paper, Figure 4; 2007 paper, Figures 4 and 5.
    Threshold,
    /// The budget for the mean penalty, in per cent; with the encoding `optimal`, unless another is given.
    Budget,
}

/// Why no tree was made.
#[derive(Debug)]
pub enum Fault {
    /// The options are at fault.
    Options(Vec<OptionFault>),
    /// The map lacks what they need.
    Map(Problems),
}

/// An option, its values, and the other options.
#[derive(Clone, Debug)]
pub struct Sweep {
    over: Over,
    values: Vec<String>,
    others: Vec<(String, String)>,
}

impl Over {
    /// All of them, with the name each has in options.
    pub const ALL: [(&'static str, Self); 3] =
        [("depth", Self::Depth), ("threshold", Self::Threshold), ("budget", Self::Budget)];

    /// The one of this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|(known, _)| *known == name).map(|(_, over)| over)
    }

    /// The option.
    pub fn option(self) -> &'static str {
        match self {
            Self::Depth => "max_depth",
            Self::Threshold => "threshold",
            Self::Budget => "budget",
        }
    }

    /// A value in the words of the option.
    fn written(self, value: &str) -> String {
        match self {
            // A bare number bounds the mean.
            Self::Budget if value.parse::<f64>().is_ok() => format!("mean {value}%"),
            _ => value.to_owned(),
        }
    }

    /// The option in the words of a caption.
    pub fn title(self) -> &'static str {
        match self {
            Self::Depth => "max depth",
            Self::Threshold => "threshold",
            Self::Budget => "budget: mean %",
        }
    }
}

impl Sweep {
    /// A sweep over these values, or else over all depths up to that of the exact tree, thresholds in steps of 5 %, or
    /// budgets from 50 % down to none.
    ///
    /// # Errors
    ///
    /// Other options that are at fault, or that the map lacks what they need.
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

    /// The values, as they were written.
    pub fn values(&self) -> &[String] {
        &self.values
    }

    /// The tree of each value.
    ///
    /// # Errors
    ///
    /// Options that are at fault, or that the map lacks what they need.
    pub fn trees(&self, map: &DecisionMap) -> Result<Vec<DecisionTree>, Fault> {
        self.values.iter().map(|value| self.tree(map, value)).collect()
    }

    /// The tree of one value.
    ///
    /// # Errors
    ///
    /// Options that are at fault, or that the map lacks what they need.
    pub fn tree(&self, map: &DecisionMap, value: &str) -> Result<DecisionTree, Fault> {
        let swept = (self.over.option().to_owned(), self.over.written(value));
        let options: Vec<(String, String)> = self.others.iter().cloned().chain([swept]).collect();
        tree(map, &options)
    }

    /// A value with what it limits: `max depth 3`.
    pub fn limit(&self, value: &str) -> String {
        format!("{} {value}", self.over.title())
    }
}

fn tree(map: &DecisionMap, options: &[(String, String)]) -> Result<DecisionTree, Fault> {
    let options = Options::parse(options).map_err(Fault::Options)?;
    options.tree(Document::Map(map.clone())).map_err(Fault::Map)
}

/// The assessment of a tree at the points of a map, which may be its own or another.
///
/// # Errors
///
/// A map of other axes.
pub fn judge(
    tree: &DecisionTree,
    map: &DecisionMap,
    leave_out: &LeaveOut,
) -> Result<Option<Assessment>, Problems> {
    let decisions = against::decisions(tree, map)?;
    Ok(assess(&decisions, map, leave_out))
}

/// How an assessment came out over several splits of the same measurements.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spread {
    /// The mean over the splits.
    pub mean: f64,
    /// The least of any split.
    pub min: f64,
    /// The greatest of any split.
    pub max: f64,
}

impl Spread {
    /// The spread of these numbers; `None` where there are none.
    pub fn of(numbers: &[f64]) -> Option<Self> {
        let (&first, _) = numbers.split_first()?;
        let mean = numbers.iter().sum::<f64>() / numbers.len() as f64;
        let min = numbers.iter().copied().fold(first, f64::min);
        let max = numbers.iter().copied().fold(first, f64::max);
        Some(Self { mean, min, max })
    }
}
