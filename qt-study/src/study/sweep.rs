//! Sweeps of the encoding, or of one of its options, for the papers' tables and curves.
//!
//! This corresponds to `analyze_qt_dec_quality` and `generate_qt_decision_tree_stats.sh` in the papers' prototype (2006
//! paper, appendix A.1).

use qtdec_core::encode::encoders;
use qtdec_core::{DecisionMap, DecisionTree, Problems};

use crate::study::recommend::tree;

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
    /// The encoding, with the defaults of each.
    Encoding,
    /// The encodings, and settings of them that make smaller trees.
    TradeOff,
    /// The weight of C4.5; 2007 paper on C4.5, Tables 1 to 3.
    Weight,
    /// The confidence level of C4.5; 2007 paper on C4.5, Tables 1 to 3.
    Confidence,
}

/// A value of the swept option.
#[derive(Clone, Debug)]
pub struct Value {
    /// The value as it was written, or the encoding with its options: `optimal, budget mean 5%`.
    pub name: String,
    options: Vec<(String, String)>,
}

/// An option, its values, and the other options.
#[derive(Clone, Debug)]
pub struct Sweep {
    over: Over,
    /// The values.
    pub values: Vec<Value>,
    others: Vec<(String, String)>,
}

impl Over {
    /// Every swept option and its name in options.
    pub const ALL: [(&'static str, Self); 7] = [
        ("depth", Self::Depth),
        ("threshold", Self::Threshold),
        ("budget", Self::Budget),
        ("encoding", Self::Encoding),
        ("trade-off", Self::TradeOff),
        ("weight", Self::Weight),
        ("confidence", Self::Confidence),
    ];

    /// The options that limit trees of the same encoding.
    pub const LIMITS: [(&'static str, Self); 3] = [Self::ALL[0], Self::ALL[1], Self::ALL[2]];

    /// Returns the option.
    pub fn option(self) -> &'static str {
        match self {
            Self::Depth => "max_depth",
            Self::Threshold => "threshold",
            Self::Budget => "budget",
            Self::Encoding | Self::TradeOff => "encoding",
            Self::Weight => "weight",
            Self::Confidence => "confidence",
        }
    }

    /// Returns whether the values are encodings.
    pub fn is_of_encodings(self) -> bool {
        matches!(self, Self::Encoding | Self::TradeOff)
    }

    /// Returns the encoding whose trees have the option, where not every encoding does.
    fn encoding(self) -> Option<&'static str> {
        match self {
            Self::Budget => Some("optimal"),
            Self::Weight | Self::Confidence => Some("c45"),
            _ => None,
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
            Self::Budget => "budget: mean %",
            others => others.option(),
        }
    }
}

impl Value {
    /// Returns an encoding with options, named by their values.
    fn encoding(encoding: &str, options: &[(&str, String)]) -> Self {
        let mut name = encoding.to_owned();
        for (option, value) in options {
            name = format!("{name}, {} {value}", option.replace('_', " "));
        }
        let options = options.iter().map(|(option, value)| ((*option).to_owned(), value.clone()));
        let options = [("encoding".to_owned(), encoding.to_owned())].into_iter().chain(options).collect();
        Self { name, options }
    }
}

/// Returns settings of encodings that make smaller trees.
fn smaller(map: &DecisionMap) -> Vec<Value> {
    let longest = map.domain().shape().into_iter().max().unwrap_or(1);
    let depths = 1..longest.next_power_of_two().ilog2();
    let quadtrees = depths.map(|depth| Value::encoding("quadtree", &[("max_depth", depth.to_string())]));
    let weights = [4, 8, 16, 32].map(|weight| Value::encoding("c45", &[("weight", weight.to_string())]));
    let optimal = match map.costs() {
        Some(_) => ["1", "2", "5", "10", "20", "50"]
            .map(|mean| Value::encoding("optimal", &[("budget", format!("mean {mean}%"))]))
            .to_vec(),
        None => ["0.5", "0.2", "0.1", "0.05"]
            .map(|lambda| Value::encoding("optimal", &[("lambda", lambda.to_owned())]))
            .to_vec(),
    };
    quadtrees.chain(weights).chain(optimal).collect()
}

impl Sweep {
    /// Creates a sweep over these values. The defaults are all depths up to that of the exact tree, thresholds in steps of 5 %,
    /// budgets from 50 % down to 0, all encodings, and steps of C4.5's options.
    ///
    /// # Errors
    ///
    /// Fails if other options are invalid, or if the map lacks what they need.
    pub fn new(
        over: Over,
        values: Option<Vec<String>>,
        others: Vec<(String, String)>,
        map: &DecisionMap,
    ) -> Result<Self, Problems> {
        let mut others = others;
        if let Some(encoding) = over.encoding().filter(|_| !others.iter().any(|(name, _)| name == "encoding"))
        {
            others.push(("encoding".to_owned(), encoding.to_owned()));
        }
        let steps = |steps: &[&str]| steps.iter().map(|step| (*step).to_owned()).collect();
        let written: Vec<String> = match (values, over) {
            (Some(values), _) => values,
            (None, Over::Threshold) => (1..=20).map(|step| (5 * step).to_string()).collect(),
            (None, Over::Budget) => steps(&["50", "20", "10", "5", "2", "1", "0"]),
            (None, Over::Weight) => steps(&["2", "4", "8", "16", "32"]),
            (None, Over::Confidence) => steps(&["100", "50", "25", "10", "5"]),
            (None, Over::Encoding | Over::TradeOff) => {
                encoders().iter().map(|encoder| encoder.name().to_owned()).collect()
            }
            (None, Over::Depth) => {
                let deepest = tree(map, &others)?.statistics().encoding.depth.max;
                (1..=deepest.max(1)).map(|depth| depth.to_string()).collect()
            }
        };
        let value =
            |name: String| Value { options: vec![(over.option().to_owned(), over.written(&name))], name };
        let mut values: Vec<Value> = written.into_iter().map(value).collect();
        if over == Over::TradeOff {
            values.extend(smaller(map));
        }
        Ok(Self { over, values, others })
    }

    /// Leaves out the values at these places.
    pub fn leave_out(&mut self, places: &[usize]) {
        let mut place = 0..;
        self.values.retain(|_| place.next().is_none_or(|place| !places.contains(&place)));
    }

    /// Returns the options that make the tree of a value.
    pub fn options(&self, value: &Value) -> Vec<(String, String)> {
        self.others.iter().chain(&value.options).cloned().collect()
    }

    /// Returns the tree of one value.
    ///
    /// # Errors
    ///
    /// Fails if options are invalid, or if the map lacks what they need.
    pub fn tree(&self, map: &DecisionMap, value: &Value) -> Result<DecisionTree, Problems> {
        tree(map, &self.options(value))
    }

    /// Returns a value with the option that it limits: `max depth 3`; of an encoding, its name.
    pub fn limit(&self, value: &Value) -> String {
        if self.over.is_of_encodings() {
            value.name.clone()
        } else {
            format!("{} {}", self.over.title(), value.name)
        }
    }
}
