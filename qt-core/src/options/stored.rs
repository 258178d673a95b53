//! The options of stored trees.

use super::of_code::{self, OfCode, cannot_change};
use super::{BOXES, LAYOUTS_OF_MAPS, OF_TREE};
use crate::code::LayoutChoice;
use crate::document::Document;
use crate::message::Message;
use crate::problem::{Diagnostics, Place, Problem, Problems};
use crate::similar::did_you_mean;
use crate::tree::{AnyTree, DecisionTree};

/// Options for turning a stored tree into code.
#[derive(Debug, Default)]
pub struct Options {
    pub(super) of_code: OfCode,
    /// The names of the given options that affect the tree.
    given: Vec<String>,
}

impl Options {
    /// Returns the names of all options, also of those that only maps have.
    pub fn names() -> Vec<&'static str> {
        [&OF_TREE[..], &of_code::NAMES].concat()
    }

    /// Parses options from names and values.
    ///
    /// # Errors
    ///
    /// Returns every option that is unknown, repeated or has an invalid value.
    pub fn parse(given: &[(&str, &str)]) -> Result<Self, Problems> {
        let mut options = Self::default();
        let mut check = Diagnostics::default();
        for (index, &(name, value)) in given.iter().enumerate() {
            let result = if given[..index].iter().any(|(other, _)| *other == name) {
                Err((false, Message::from("the option ").option(name).text(" is given twice")))
            } else if name == LayoutChoice::OPTION && LAYOUTS_OF_MAPS.contains(&value) {
                let message = Message::default().setting(name, value);
                Err((true, message.text(" needs the feature `maps` of qtdec")))
            } else if of_code::NAMES.contains(&name) {
                options.of_code.set(name, value).map_err(|message| (true, message))
            } else if OF_TREE.contains(&name) {
                options.given.push(name.to_owned());
                Ok(())
            } else {
                Err((false, unknown(name)))
            };
            if let Err((is_value, message)) = result {
                check.add(Problem::new(Place::Option { index, is_value }, message));
            }
        }
        check.finish(Some(options))
    }

    /// Returns the options: there are no searches to be limited.
    #[must_use]
    pub fn while_compiling(self) -> Self {
        self
    }

    /// Returns the tree of boxes of a file.
    ///
    /// # Errors
    ///
    /// Returns an error if options are given that only maps have, and for a tree that is split by a predicate.
    pub fn tree(&self, document: Document) -> Result<DecisionTree, Problems> {
        Ok(self.any_tree(document)?.into_boxes(BOXES)?)
    }

    /// Returns the tree of a file, which may be split by a predicate.
    ///
    /// # Errors
    ///
    /// Returns an error if options are given that only maps have.
    pub fn any_tree(&self, document: Document) -> Result<AnyTree, Problems> {
        if self.given.is_empty() {
            return Ok(match document {
                Document::Tree(tree) => AnyTree::Boxes(tree),
                Document::Split(tree) => AnyTree::Split(tree),
            });
        }
        let problem = Problem::new(Place::File, cannot_change(&self.given));
        Err(problem.help("remove them, or use the map, which the feature `maps` of qtdec reads").into())
    }
}

fn unknown(name: &str) -> Message {
    let unknown = Message::from(format!("unknown option `{name}`: "));
    match did_you_mean(name, Options::names()) {
        Some(meant) => unknown.text("did you mean ").option(meant).text("?"),
        None => unknown.text("the options of a stored tree are ").options(&of_code::NAMES),
    }
}
