//! Encoders: from a decision map to a decision tree.
//!
//! An encoder is one file of this folder and one line in [`encoders`].

mod fill;
mod input;
mod quadtree;

use std::fmt;

use crate::borders::Borders;
use crate::json::listed;
use crate::map::DecisionMap;
use crate::problem::Problem;
use crate::statistics::{Depth, Encoding, Quality};
use crate::tree::{DecisionTree, Nodes};

pub use quadtree::{Fill, LeafRule, Quadtree};

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
    /// What stands for its value in a help text; empty for an option that is on or off.
    pub value: &'static str,
    /// What it does, in one line without a full stop.
    pub help: &'static str,
}

/// Every encoder with its options at their defaults; the first is the default.
pub fn encoders() -> Vec<Box<dyn Encoder>> {
    vec![Box::new(Quadtree::default())]
}

/// A tree as its encoder built it.
#[doc(hidden)]
#[derive(Debug)]
pub struct Encoded {
    nodes: Nodes,
    leaves: u64,
    internal: u64,
    depth: Depth,
}

/// Makes a tree of a map.
///
/// # Errors
///
/// A map that lacks what the encoder's options need.
pub fn encode(map: &DecisionMap, encoder: &dyn Encoder, borders: Borders) -> Result<DecisionTree, Problem> {
    let encoded = encoder.encode(&Input::of(map))?;
    let decisions = encoded.nodes.cells(&map.domain().shape());
    let encoding = Encoding {
        name: encoder.name().to_owned(),
        options: encoder.changed(),
        leaves: encoded.leaves,
        nodes: encoded.leaves + encoded.internal,
        depth: encoded.depth,
        quality: Quality::of(&decisions, map),
    };
    let source = map.source().map(str::to_owned);
    Ok(DecisionTree::new(map.domain().clone(), borders, &encoded.nodes, encoding, source))
}

/// The value that goes by a name, or what the name should have been.
pub(crate) fn one_of<T: Copy>(name: &str, known: &[(&str, T)]) -> Result<T, String> {
    let names: Vec<&str> = known.iter().map(|(name, _)| *name).collect();
    let found = known.iter().find(|(known, _)| *known == name);
    found.map(|(_, value)| *value).ok_or_else(|| format!("one of {}", listed(&names)))
}
