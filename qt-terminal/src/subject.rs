//! Inputs that are either a map or measurements to make one from.

use std::collections::BTreeSet;

use clap::Args;
use qtdec_core::{Axis, Basis, DecisionMap, DecisionTree, Document, Method, Problems};
use serde_json::Value;

use crate::times::begins_like_json;
use crate::{Failure, Input, Outputs, TreeOptions, output, reported, single_samples, times};
use qtdec_study::hold_out::Splits;
use qtdec_study::measurements::{Measurements, Statistic};
use qtdec_study::notes::Notes;
use qtdec_study::readers::{self, ReadOptions, some_of};
use qtdec_study::selection::{Recipe, Recorded};

/// The number of random halves to hold out if there is only one run.
pub const SPLITS: u64 = 5;

/// A map, or times from which one is made.
#[derive(Debug, Args)]
pub struct SourceArguments {
    /// Read a map, or times from which one is made with the defaults of qtdec map: canonical times, or files that need no options; -
    /// is standard input, which may be either
    #[arg(required = true, value_name = "MAP|TIMES")]
    inputs: Vec<String>,
}

/// A map, and the times with its repeats.
#[derive(Debug, Args)]
pub struct SubjectArguments {
    #[command(flatten)]
    source: SourceArguments,

    /// Take the repeats from these times, from which the map was made; the recipe that the map records is repeated on their parts
    #[arg(long, value_name = "TIMES")]
    times: Option<String>,
}

/// A map, with the measurements if it was made from any.
pub struct Subject {
    pub map: DecisionMap,
    pub measurements: Option<Measurements>,
    /// The options for making a map from a part of the measurements.
    recipe: Recipe,
    /// The warnings that were printed.
    pub warnings: Vec<String>,
}

impl Subject {
    /// Returns the map in a file, or the one made from its times with the defaults of `qtdec map`.
    pub fn open(name: &str) -> Result<Self, Failure> {
        SourceArguments { inputs: vec![name.to_owned()] }.load()
    }

    /// Returns the map of a part of the measurements with costs by this statistic, without repeating the warnings about the whole.
    pub fn priced(
        &self,
        name: &str,
        measurements: &Measurements,
        price: Option<Statistic>,
    ) -> Result<DecisionMap, Failure> {
        let mut recipe = self.recipe.clone();
        recipe.statistic = price.or(recipe.statistic);
        let map = reported(name, recipe.map(measurements, &mut Notes::default()))?;
        match self.map.calls().filter(|_| map.domain().axes() == self.map.domain().axes()) {
            Some(calls) => reported(name, map.with_calls(calls.clone())),
            None => Ok(map),
        }
    }

    /// Returns the subject with the times from which its map was made, by the recipe that the map records.
    pub fn with_times(self, name: &str, times: &str) -> Result<Self, Failure> {
        if self.measurements.is_some() {
            return Err(Failure::usage("--times needs a map, and times are given already"));
        }
        let recorded = self.map.recipe().map(Recorded::from_json).transpose();
        let recorded = match reported(name, recorded)? {
            Some(recorded) => recorded,
            None => {
                output::warn(&format!(
                    "`{name}` does not record how it was made, which is repeated with the defaults of qtdec map"
                ));
                Recorded::default()
            }
        };
        let measurements = recorded.cleaning.apply(self.read(times, &recorded)?);
        let again = reported(times, recorded.recipe.map(&measurements, &mut Notes::default()))?;
        let domains = [again.domain(), self.map.domain()];
        let labels =
            domains.map(|domain| domain.methods().iter().map(Method::label).collect::<BTreeSet<_>>());
        let [sizes, known] =
            domains.map(|domain| domain.axes().iter().map(|axis| (&axis.name, axis.values())));
        let differs = if sizes.ne(known) {
            Some("sizes")
        } else if labels[0] != labels[1] {
            Some("methods")
        } else {
            None
        };
        if let Some(what) = differs {
            return Err(Failure::input(format!(
                "the times of `{times}` have other {what} than the map `{name}`: give the times from which it was made"
            )));
        }
        if again.cells() != self.map.cells() {
            output::warn(&format!(
                "the times of `{times}` make other decisions than the map `{name}`: was it made from them?"
            ));
        }
        Ok(Self { measurements: Some(measurements), recipe: recorded.recipe, ..self })
    }

    /// Returns the parts that can be held out of the measurements.
    pub fn splits(&self, name: &str, measurements: &Measurements) -> Result<Splits, Failure> {
        reported(name, Splits::best_of(measurements, &self.recipe, SPLITS))
    }

    /// Reads times that need no options.
    fn read(&self, times: &str, recorded: &Recorded) -> Result<Measurements, Failure> {
        let collective = recorded.recipe.collective.as_deref().or(self.map.domain().collective());
        let files = [times.to_owned()];
        if recorded.filters.is_empty() {
            return Ok(times::read(&files, collective)?.0);
        }
        let options = times::options(collective);
        let chosen = ReadOptions { filters: recorded.filters.clone(), ..options };
        if let Ok((measurements, _)) = readers::read(&files, &chosen, &mut |_, input| input) {
            return Ok(measurements);
        }
        let filters: Vec<String> =
            recorded.filters.iter().map(|(column, value)| format!("--where {column}={value}")).collect();
        let filters = filters.join(" ");
        output::warn(&format!(
            "the map was made with {filters}, which does not choose among the times of `{times}`"
        ));
        Ok(times::read(&files, collective)?.0)
    }
}

impl SourceArguments {
    fn load(&self) -> Result<Subject, Failure> {
        if let Some(input) = self.file()? {
            return Ok(Subject {
                map: input.map()?,
                measurements: None,
                recipe: Recipe::default(),
                warnings: Vec::new(),
            });
        }
        let (measurements, of_files) = times::read(&self.inputs, None)?;
        let recipe = Recipe::default();
        let (map, of_map) = times::map(&measurements, &recipe, &self.name())?;
        let single = single_samples::warning(&map, &measurements, &self.name())?;
        if let Some(warning) = &single {
            output::warn(warning);
        }
        let warnings = of_files.lines().chain(of_map.lines()).chain(single).collect();
        Ok(Subject { map, measurements: Some(measurements), recipe, warnings })
    }

    /// Returns the map or the tree, for commands that accept either.
    pub fn document(&self) -> Result<Document, Failure> {
        match self.file()? {
            Some(input) => input.document(),
            None => Ok(Document::Map(self.load()?.map)),
        }
    }

    /// Returns the file, if it holds a map or a tree instead of measurements.
    fn file(&self) -> Result<Option<Input>, Failure> {
        match &self.inputs[..] {
            [input] if begins_like_json(input) => Input::open(input).map(Some),
            _ => Ok(None),
        }
    }

    pub fn outputs(&self) -> Outputs {
        Outputs::new(self.inputs.iter().map(String::as_str))
    }

    pub fn name(&self) -> String {
        some_of(&self.inputs)
    }
}

impl SubjectArguments {
    pub fn load(&self) -> Result<Subject, Failure> {
        let subject = self.source.load()?;
        match &self.times {
            Some(times) => subject.with_times(&self.name(), times),
            None => Ok(subject),
        }
    }

    pub fn outputs(&self) -> Outputs {
        Outputs::new(self.source.inputs.iter().chain(&self.times).map(String::as_str))
    }

    pub fn name(&self) -> String {
        self.source.name()
    }
}

/// The origin of a map, a tree or measurements, for messages.
pub enum Origin {
    /// A file that holds a map or a tree.
    File(Input),
    /// Files with times.
    Times(String),
}

impl Origin {
    pub fn name(&self) -> &str {
        match self {
            Self::File(input) => input.name(),
            Self::Times(files) => files,
        }
    }

    /// Returns the value, or its problems, with their places if the origin is a file.
    pub fn check<T>(&self, result: Result<T, impl Into<Problems>>) -> Result<T, Failure> {
        match self {
            Self::File(input) => input.check(result),
            Self::Times(files) => reported(files, result),
        }
    }
}

/// Opens the maps and trees among the inputs; all other files together are times that need no options, of one collective, from which
/// one map is made.
///
/// `basis_in` is the basis of message sizes of maps and trees that do not specify it.
pub fn documents(
    inputs: &[String],
    basis_in: Option<Basis>,
    collective: Option<&str>,
) -> Result<Vec<(Origin, Document)>, Failure> {
    let mut documents = Vec::new();
    let mut times: Vec<String> = Vec::new();
    for name in inputs {
        if !begins_like_json(name) {
            times.push(name.clone());
            continue;
        }
        let input = Input::open(name)?;
        let document = input.document()?;
        let document = match basis_in {
            Some(basis) => input.check(with_basis(document, basis))?,
            None => document,
        };
        documents.push((Origin::File(input), document));
    }
    if !times.is_empty() {
        let (measurements, _) = times::read(&times, collective)?;
        let name = some_of(&times);
        let recipe = Recipe { collective: collective.map(str::to_lowercase), ..Recipe::default() };
        let (map, _) = times::map(&measurements, &recipe, &name)?;
        documents.push((Origin::Times(name), Document::Map(map)));
    }
    Ok(documents)
}

/// A tree, and what it was made of.
pub struct MadeTree {
    pub origin: Origin,
    pub tree: DecisionTree,
}

/// Opens [`documents`], and makes the exact trees of the maps.
pub fn trees(
    inputs: &[String],
    basis_in: Option<Basis>,
    collective: Option<&str>,
) -> Result<Vec<MadeTree>, Failure> {
    let exact = TreeOptions::default();
    let trees = documents(inputs, basis_in, collective)?.into_iter().map(|(origin, document)| {
        let tree = origin.check(exact.tree(document))?;
        Ok(MadeTree { origin, tree })
    });
    trees.collect()
}

/// Returns the document with this basis of message sizes, if it does not specify one.
fn with_basis(document: Document, basis: Basis) -> Result<Document, Problems> {
    let lacks_basis = |axis: &Axis| axis.name == "msg_size" && axis.basis.is_none();
    let Some(axis) = document.domain().axes().iter().position(lacks_basis) else { return Ok(document) };
    let text = match &document {
        Document::Map(map) => map.to_json(),
        Document::Tree(tree) => tree.to_json(),
    };
    let Ok(mut value) = serde_json::from_str::<Value>(&text) else { return Ok(document) };
    value["axes"][axis]["basis"] = basis.name().into();
    Document::from_json(value.to_string().as_bytes())
}
