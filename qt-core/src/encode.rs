//! Encoders: from a decision map to a decision tree.
//!
//! An encoder is one file of this folder and one line in [`encoders`].

mod boxes;
mod budget;
mod c45;
mod empty;
mod fill;
mod greedy;
mod grid;
mod input;
mod optimal;
mod quadtree;
mod rle;
mod runs;
mod search_limit;
mod sets;

use std::fmt;

use crate::borders::Borders;
use crate::json::listed;
use crate::map::DecisionMap;
use crate::message::Suggestion;
use crate::problem::{Place, Problem, Problems};
use crate::shape::Shape;
use crate::statistics::{Depth, Encoding, Quality};
use crate::tree::{DecisionTree, FlatTree, MAX_DEPTH, Node, Subtree};

pub use budget::Budget;
pub use c45::{C45, Constants, Fit, Report};
pub use empty::Empty;
pub use greedy::Greedy;
pub use optimal::{Objective, Optimal};
pub use quadtree::{Fill, LeafRule, Quadtree};
pub use rle::Rle;
pub use search_limit::SearchLimit;

use empty::Marked;
use input::Input;

/// A way to make a tree of a map.
///
/// The crate alone implements it: what an encoder is given and gives back may change with any version.
pub trait Encoder: fmt::Debug + Send + Sync {
    /// What the encoder is called in options and files.
    fn name(&self) -> &'static str;

    /// The options it understands.
    fn options(&self) -> &'static [OptionForm];

    /// Sets one of its options.
    ///
    /// # Errors
    ///
    /// What the value should have been, as in "a whole number".
    fn set(&mut self, option: &str, value: &str) -> Result<(), String>;

    /// The options that are not at their defaults, in the words of the command line.
    fn changed(&self) -> Vec<(String, String)>;

    /// Whether it can keep the mean penalty within a budget; a bound on every cell all can keep.
    fn keeps_mean_budget(&self) -> bool {
        false
    }

    /// Makes the tree.
    ///
    /// # Errors
    ///
    /// A map that lacks what the options need.
    #[doc(hidden)]
    fn encode(&self, input: &Input<'_>) -> Result<Encoded, Problem>;
}

/// How an option is written.
#[derive(Clone, Copy, Debug)]
pub struct OptionForm {
    /// The name, as in `max_depth`; on the command line `--max-depth`.
    pub name: &'static str,
    /// What stands for its value in a help text, as in `floor|arithmetic`, the default first; empty for an option that is
    /// on or off.
    pub value: &'static str,
    /// What it does, in one line without a full stop.
    pub help: &'static str,
}

/// An option of several encoders.
const MAX_DEPTH_FORM: OptionForm =
    OptionForm { name: "max_depth", value: "N", help: "limit the depth of blocks and leaves" };

/// Every encoder with its options at their defaults; the first is the default.
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
    /// Simplified.
    nodes: FlatTree,
    leaves: u64,
    internal: u64,
    depth: Depth,
    /// No tree that does as much has fewer regions.
    lower_bound: Option<u64>,
}

impl Encoded {
    /// A tree whose leaves are its regions.
    fn of(nodes: &FlatTree, shape: &Shape, lower_bound: Option<u64>) -> Self {
        let nodes = nodes.simplified(shape.lens());
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

    /// Records that no tree that does as much has fewer leaves.
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
    /// Where the borders between samples run.
    pub borders: Borders,
    /// What decisions may cost.
    pub budget: Budget,
    /// What becomes of cells in which nothing was measured.
    pub empty: Empty,
    /// How long the encoder may search.
    pub search_limit: SearchLimit,
}

/// Makes an exact tree of a map, or as the encoder's options say.
///
/// # Errors
///
/// A map that lacks what the encoder's options need.
pub fn encode(map: &DecisionMap, encoder: &dyn Encoder, borders: Borders) -> Result<DecisionTree, Problem> {
    encode_with(map, encoder, &EncodeSettings { borders, ..EncodeSettings::default() })
}

/// Makes a tree of a map with these settings.
///
/// # Errors
///
/// A map that lacks what the encoder's options or a budget need, a budget that cannot be met, and more work than the
/// limit of the search allows.
pub fn encode_with(
    map: &DecisionMap,
    encoder: &dyn Encoder,
    settings: &EncodeSettings,
) -> Result<DecisionTree, Problem> {
    let EncodeSettings { borders, budget, empty, search_limit } = settings;
    if budget.mean.is_some() && !encoder.keeps_mean_budget() {
        let message = format!("the encoding `{}` cannot hold a mean to a budget", encoder.name());
        return Err(Problem::new(Place::File, message)
            .help(Suggestion::set("encoding", "optimal"))
            .help("bound every cell, as in \"max 10%\""));
    }
    let is_strict = *empty == Empty::Strict && map.cells().contains(&None);
    let encoded = if is_strict {
        let Marked { map: marked, mark } = Marked::of(map).map_err(|problems| first(&problems))?;
        let encoded = encoder.encode(&Input::new(&marked, budget, *search_limit)?)?;
        let unmarked = |method| (method != mark).then_some(method);
        Encoded { nodes: encoded.nodes.with_decisions(unmarked), ..encoded }
    } else {
        encoder.encode(&Input::new(map, budget, *search_limit)?)?
    };
    if encoded.depth.max > MAX_DEPTH as u64 {
        let message = format!("the tree is {} tests deep, and the most are {MAX_DEPTH}", encoded.depth.max);
        return Err(Problem::new(Place::File, message).help(Suggestion::set("encoding", "greedy")));
    }
    let decisions = encoded.nodes.cells(&map.domain().shape());
    if is_strict {
        empty::check(&decisions, map)?;
    }
    let quality = Quality::of(&decisions, map);
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
    Ok(DecisionTree::new(map.domain().clone(), *borders, encoded.nodes, encoding, source, map.fallback()))
}

/// The first of several problems.
fn first(problems: &Problems) -> Problem {
    problems.iter().next().cloned().unwrap_or_else(|| Problem::new(Place::File, problems.to_string()))
}

/// The value that goes by a name, or what the name should have been.
pub(crate) fn one_of<T: Copy>(name: &str, known: &[(&str, T)]) -> Result<T, String> {
    let names: Vec<&str> = known.iter().map(|(name, _)| *name).collect();
    let found = known.iter().find(|(known, _)| *known == name);
    found.map(|(_, value)| *value).ok_or_else(|| format!("one of {}", listed(&names)))
}
