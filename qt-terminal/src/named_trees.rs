//! Trees whose functions get names, for commands that write functions and tuning files.

use std::path::Path;

use qtdec_core::{Basis, DecisionTree, Document};

use crate::Failure;
use crate::input::EncodingArguments;
use crate::subject::{Origin, documents};

/// A tree, and the name of its function.
pub struct NamedTree {
    /// The file that it was made from.
    pub origin: Origin,
    /// The tree.
    pub tree: DecisionTree,
    /// The name of the function.
    pub name: String,
}

impl NamedTree {
    /// Opens maps, trees and times, whose functions get one file together. A `function` names the only one.
    ///
    /// # Errors
    ///
    /// A file cannot be read. Two functions have the same name.
    pub fn open(
        inputs: &[String],
        encoding: &EncodingArguments,
        basis: Option<Basis>,
        collective: Option<&str>,
        function: Option<&str>,
    ) -> Result<Vec<Self>, Failure> {
        let options = encoding.checked()?;
        let named = |(origin, document): (Origin, Document)| {
            let tree = origin.check(options.tree(document))?;
            let stem = Path::new(origin.name()).file_stem().unwrap_or_default().to_string_lossy();
            let name = function.or(tree.domain().collective()).unwrap_or(&stem).to_owned();
            Ok(Self { origin, tree, name })
        };
        let opened = documents(inputs, basis, collective)?.into_iter().map(named);
        let opened: Vec<Self> = opened.collect::<Result<_, Failure>>()?;
        if function.is_some() && opened.len() > 1 {
            return Err(Failure::Usage(
                "--function names one function, and there are several maps".to_owned(),
            ));
        }
        for (index, one) in opened.iter().enumerate() {
            if let Some(other) = opened[..index].iter().find(|other| other.name == one.name) {
                return Err(Failure::Usage(format!(
                    "`{}` and `{}` both become a function `{}`: write them to separate files, with --function",
                    other.origin.name(),
                    one.origin.name(),
                    one.name
                )));
            }
        }
        Ok(opened)
    }
}
