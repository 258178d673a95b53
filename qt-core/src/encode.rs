//! Encoders, which turn a decision map into a decision tree.
//!
//! An encoder is one file of this folder and one line in [`encoders`].

mod boxes;
mod budget;
mod c45;
mod crossing;
mod empty;
mod fewest_leaves;
mod fill;
mod greedy;
mod grid;
mod input;
mod labels;
mod optimal;
mod quadrants;
mod quadtree;
mod rle;
mod search_limit;
mod sets;
mod setting;

use std::fmt;

use crate::borders::Borders;
use crate::map::DecisionMap;
use crate::message::Message;
use crate::problem::{Place, Problem, Problems};
use crate::statistics::{Depth, Encoding, Quality};
use crate::tree::{DecisionTree, FlatTree, MAX_DEPTH, Node, Subtree};

pub use crate::option_form::OptionForm;
pub use budget::Budget;
pub use c45::{C45, Constants};
#[cfg(feature = "tools")]
pub use c45::{Condition, Fit, Leaf, Report};
pub use empty::Empty;
pub use greedy::Greedy;
pub use optimal::{Objective, Optimal};
pub use quadrants::{Quadrant, Quadrants};
pub use quadtree::{Fill, LeafRule, MAX_BLOCKS, Quadtree};
pub use rle::Rle;
pub use search_limit::SearchLimit;

use empty::Marked;
use input::Input;
use setting::Setting;

/// An algorithm that makes a tree from a map, and its options.
///
/// The trait is sealed: only this crate implements it, because the input and output of an encoder can change in any version.
pub trait Encoder: fmt::Debug + Send + Sync {
    /// Returns the name of the encoder in options and files.
    fn name(&self) -> &'static str;

    /// Returns the options of the encoder.
    fn options(&self) -> Vec<OptionForm>;

    /// Sets one of its options.
    ///
    /// # Errors
    ///
    /// Returns a description of the expected value, as in "a whole number".
    fn set(&mut self, option: &str, value: &str) -> Result<(), String>;

    /// Returns the options that are not at their defaults, spelled as on the command line.
    fn changed(&self) -> Vec<(String, String)>;

    /// Returns whether the encoder can keep the mean penalty within a budget. All encoders can keep a bound on every cell.
    fn keeps_mean_budget(&self) -> bool;

    /// Makes a tree.
    ///
    /// # Errors
    ///
    /// Returns an error if the map lacks something that the options need.
    #[doc(hidden)]
    fn encode(&self, input: &Input<'_>) -> Result<Encoded, Problem>;
}

/// What an encoder consists of: a name, a list of options and an algorithm.
trait Algorithm: Default + fmt::Debug + Send + Sync + 'static {
    const NAME: &'static str;
    const SETTINGS: &'static [Setting<Self>] = &[];
    const KEEPS_MEAN_BUDGET: bool = false;

    fn tree(&self, input: &Input<'_>) -> Result<Encoded, Problem>;
}

impl<A: Algorithm> Encoder for A {
    fn name(&self) -> &'static str {
        A::NAME
    }

    fn options(&self) -> Vec<OptionForm> {
        A::SETTINGS.iter().map(Setting::form).collect()
    }

    fn set(&mut self, option: &str, value: &str) -> Result<(), String> {
        match A::SETTINGS.iter().find(|setting| setting.name == option) {
            Some(setting) => (setting.set)(self, value),
            None => Err(format!("no option of `{}`", A::NAME)),
        }
    }

    fn changed(&self) -> Vec<(String, String)> {
        let default = A::default();
        let changed = |setting: &Setting<A>| {
            let value =
                (setting.get)(self).filter(|value| (setting.get)(&default).as_ref() != Some(value))?;
            Some((setting.name.to_owned(), value))
        };
        A::SETTINGS.iter().filter_map(changed).collect()
    }

    fn keeps_mean_budget(&self) -> bool {
        A::KEEPS_MEAN_BUDGET
    }

    fn encode(&self, input: &Input<'_>) -> Result<Encoded, Problem> {
        self.tree(input)
    }
}

/// Returns all encoders with their options at their defaults; the first is the default.
pub fn encoders() -> Vec<Box<dyn Encoder>> {
    vec![
        Box::new(Quadtree::default()),
        Box::new(C45::default()),
        Box::new(Rle),
        Box::new(Optimal::default()),
        Box::new(Greedy),
    ]
}

/// A tree as its encoder built it.
#[doc(hidden)]
#[derive(Debug)]
pub struct Encoded {
    /// The simplified tree.
    nodes: FlatTree,
    leaves: u64,
    internal: u64,
    depth: Depth,
    /// A lower bound on the regions of any equivalent tree.
    lower_bound: Option<u64>,
}

impl Encoded {
    /// Creates the result for a tree whose leaves are its regions.
    fn new(nodes: &FlatTree, input: &Input<'_>, lower_bound: Option<u64>) -> Self {
        let nodes = nodes.simplified(input.shape.lens());
        let mut depths = Vec::new();
        depths_of(nodes.root(), 0, &mut depths);
        let leaves = depths.len() as u64;
        let depth = Depth {
            min: depths.iter().copied().min().unwrap_or(0),
            mean: depths.iter().sum::<u64>() as f64 / leaves as f64,
            max: depths.iter().copied().max().unwrap_or(0),
        };
        Self { nodes, leaves, internal: leaves - 1, depth, lower_bound }
    }

    /// Records that no equivalent tree has fewer leaves.
    fn proven_optimal(self) -> Self {
        Self { lower_bound: Some(self.leaves), ..self }
    }
}

fn depths_of(subtree: Subtree<'_>, depth: u64, depths: &mut Vec<u64>) {
    match subtree.node() {
        Node::Leaf(_) => depths.push(depth),
        Node::Test { below, at_or_above, .. } => {
            depths_of(below, depth + 1, depths);
            depths_of(at_or_above, depth + 1, depths);
        }
    }
}

/// Settings common to all encoders.
#[derive(Clone, Copy, Debug, Default)]
pub struct EncodeSettings {
    /// The rule for the borders between samples.
    pub borders: Borders,
    /// The budget for the cost of decisions.
    pub budget: Budget,
    /// The treatment of cells in which nothing was measured.
    pub empty: Empty,
    /// The limit of the encoder's search.
    pub search_limit: SearchLimit,
}

/// Encodes a map as a tree. The tree is exact, unless the options of the encoder allow errors.
///
/// # Errors
///
/// Returns an error if the map lacks something that the encoder's options need.
pub fn encode(map: &DecisionMap, encoder: &dyn Encoder, borders: Borders) -> Result<DecisionTree, Problem> {
    encode_with(map, encoder, &EncodeSettings { borders, ..EncodeSettings::default() })
}

/// Encodes a map as a tree with these settings.
///
/// # Errors
///
/// Returns an error if the map lacks something that the encoder's options or a budget need, if a budget cannot be met, or if the
/// search takes more work than its limit allows.
pub fn encode_with(
    map: &DecisionMap,
    encoder: &dyn Encoder,
    settings: &EncodeSettings,
) -> Result<DecisionTree, Problem> {
    let EncodeSettings { borders, budget, empty, search_limit } = settings;
    if budget.mean.is_some() && !encoder.keeps_mean_budget() {
        let message = format!("the encoding `{}` does not support a budget for the mean", encoder.name());
        return Err(Problem::new(Place::File, message)
            .help(Message::set("encoding", "optimal"))
            .help("limit every cell instead, as in \"max 10%\""));
    }
    let is_strict = *empty == Empty::Strict && map.cells().contains(&None);
    let encoded = if is_strict {
        let Marked { map: marked, mark } = Marked::new(map).map_err(|problems| first(&problems))?;
        let encoded = encoder.encode(&Input::new(&marked, budget, *search_limit)?)?;
        let unmarked = |method| (method != mark).then_some(method);
        Encoded { nodes: encoded.nodes.with_decisions(unmarked), ..encoded }
    } else {
        encoder.encode(&Input::new(map, budget, *search_limit)?)?
    };
    if encoded.depth.max > MAX_DEPTH as u64 {
        let message = format!("the tree is {} tests deep, and the maximum is {MAX_DEPTH}", encoded.depth.max);
        return Err(Problem::new(Place::File, message).help(Message::set("encoding", "greedy")));
    }
    let decisions = encoded.nodes.cells(&map.domain().shape());
    if is_strict {
        empty::check(&decisions, map)?;
    }
    let quality = Quality::from_decisions(&decisions, map);
    budget.check(&quality, &decisions, map)?;
    let mut options = encoder.changed();
    if !budget.is_empty() {
        options.push(("budget".to_owned(), budget.to_string()));
    }
    if is_strict {
        options.push(("empty".to_owned(), "strict".to_owned()));
    }
    let encoding = Encoding {
        name: encoder.name().to_owned(),
        options,
        leaves: encoded.leaves,
        nodes: encoded.leaves + encoded.internal,
        depth: encoded.depth,
        lower_bound: encoded.lower_bound,
        quality,
    };
    let source = map.source().map(str::to_owned);
    let thresholds = crossing::thresholds(*borders, map, &decisions);
    Ok(DecisionTree::new(map.domain().clone(), thresholds, encoded.nodes, encoding, source, map.fallback()))
}

fn first(problems: &Problems) -> Problem {
    problems.iter().next().cloned().unwrap_or_else(|| Problem::new(Place::File, problems.to_string()))
}
