//! Inputs that are either a map or measurements to make one from.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{self, BufRead, Read};

use clap::Args;
use qtdec_core::{Axis, Basis, DecisionMap, Document, Method, Problems};
use serde_json::Value;

use super::destination::Outputs;
use super::input::Input;
use super::measure::MeasureArguments;
use super::reports::{failures, reported};
use super::{Failure, output, recommend};
use crate::measure::hold_out::Splits;
use crate::measure::measurements::{Measurements, Statistic};
use crate::measure::notes::Notes;
use crate::measure::readers::{self, Counted, ReadOptions, some_of, unpacked};
use crate::measure::selection::{Recipe, Recorded};

/// A map, or measurements and the options for making a map from them.
#[derive(Debug, Args)]
pub(super) struct SubjectArguments {
    /// Read a map, or files, folders and archives with times; - is standard input, which may be either
    #[arg(required = true, value_name = "MAP|FILE")]
    inputs: Vec<String>,

    #[command(flatten)]
    measure: MeasureArguments,
}

/// A map, with the measurements if it was made from any.
pub(super) struct Subject {
    pub(super) map: DecisionMap,
    pub(super) measurements: Option<Measurements>,
    /// The options for making a map from a part of the measurements.
    recipe: Recipe,
    /// The warnings that were printed.
    pub(super) warnings: Vec<String>,
}

impl Subject {
    /// Returns the map of a part of the measurements with costs by this statistic, without repeating the warnings about the whole.
    pub(super) fn priced(
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
    pub(super) fn with_times(self, name: &str, times: &str) -> Result<Self, Failure> {
        if self.measurements.is_some() {
            return Err(Failure::Usage("--times needs a map, and times are given already".to_owned()));
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
        let measurements = recorded.cleaning.apply(&self.read(times, &recorded)?);
        let again = reported(times, recorded.recipe.map(&measurements, &mut Notes::default()))?;
        let labels =
            |map: &DecisionMap| -> Vec<String> { map.domain().methods().iter().map(Method::label).collect() };
        let sizes = |map: &DecisionMap| -> Vec<(String, Option<Vec<u64>>)> {
            let axes = map.domain().axes().iter();
            axes.map(|axis| (axis.name.clone(), axis.values().map(<[u64]>::to_vec))).collect()
        };
        let differs = if sizes(&again) != sizes(&self.map) {
            Some("sizes")
        } else if labels(&again).iter().collect::<BTreeSet<_>>() != labels(&self.map).iter().collect() {
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

    /// Reads times that need no options.
    fn read(&self, times: &str, recorded: &Recorded) -> Result<Measurements, Failure> {
        let collective = recorded.recipe.collective.as_deref().or(self.map.domain().collective());
        let options = ReadOptions {
            collective: collective.map(str::to_owned),
            command: Some(format!("qtdec read {}", shlex::try_quote(times).unwrap_or_default())),
            ..ReadOptions::default()
        };
        let files = [times.to_owned()];
        let read = |options: &ReadOptions| {
            readers::read(&files, options, &mut |_, input| input).map_err(|failed| failures(&failed))
        };
        if recorded.filters.is_empty() {
            return Ok(read(&options)?.0);
        }
        let chosen = ReadOptions { filters: recorded.filters.clone(), ..options.clone() };
        if let Ok((measurements, _)) = read(&chosen) {
            return Ok(measurements);
        }
        let filters: Vec<String> =
            recorded.filters.iter().map(|(column, value)| format!("--where {column}={value}")).collect();
        let filters = filters.join(" ");
        output::warn(&format!(
            "the map was made with {filters}, which does not choose among the times of `{times}`"
        ));
        Ok(read(&options)?.0)
    }
}

impl SubjectArguments {
    pub(super) fn load(&self) -> Result<Subject, Failure> {
        if let Some(input) = self.file()? {
            return Ok(Subject {
                map: input.map()?,
                measurements: None,
                recipe: Recipe::default(),
                warnings: Vec::new(),
            });
        }
        let (measurements, of_files) = self.measure.read(&self.inputs)?;
        let (map, of_map) = self.measure.map(&measurements, &self.name())?;
        let single = recommend::of_single_samples(&map, &measurements, &self.name())?;
        if let Some(warning) = &single {
            output::warn(warning);
        }
        let warnings = of_files.lines().chain(of_map.lines()).chain(single).collect();
        let recipe = self.measure.recipe(&measurements);
        Ok(Subject { map, measurements: Some(measurements), recipe, warnings })
    }

    /// Returns the map or the tree, for commands that accept either.
    pub(super) fn document(&self) -> Result<Document, Failure> {
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

    /// Returns the outputs of a command with this subject.
    pub(super) fn outputs(&self) -> Outputs {
        self.measure.outputs(&self.inputs)
    }

    /// Returns the parts that can be held out of the measurements.
    pub(super) fn splits(&self, measurements: &Measurements) -> Result<Splits, Failure> {
        let splits = Splits::best_of(measurements, &self.measure.recipe(measurements), recommend::SPLITS);
        reported(&self.name(), splits)
    }

    /// Returns the name of the subject for messages.
    pub(super) fn name(&self) -> String {
        some_of(&self.inputs)
    }
}

/// The origin of a map, a tree or measurements, for messages.
pub(super) enum Origin {
    /// A file that holds a map or a tree.
    File(Input),
    /// Files with times.
    Times(String),
}

impl Origin {
    pub(super) fn name(&self) -> &str {
        match self {
            Self::File(input) => input.name(),
            Self::Times(files) => files,
        }
    }

    /// Returns the value, or its problems, with their places if the origin is a file.
    pub(super) fn check<T>(&self, result: Result<T, Problems>) -> Result<T, Failure> {
        match self {
            Self::File(input) => input.check(result),
            Self::Times(files) => reported(files, result),
        }
    }
}

/// Opens the maps and trees among the inputs; all other files together are measurements, from which one map is made.
///
/// `--basis-in` sets the basis of message sizes for files that do not specify it.
pub(super) fn documents(
    inputs: &[String],
    measure: &MeasureArguments,
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
        let document = match measure.basis_of_files() {
            Some(Counted::Of(basis)) => input.check(with_basis(document, basis))?,
            Some(Counted::Share) => {
                let message = format!("`{name}` is a map or a tree, which never counts shares");
                return Err(Failure::Usage(format!(
                    "{message}: --basis-in block, buffer or total states its basis"
                )));
            }
            None => document,
        };
        documents.push((Origin::File(input), document));
    }
    if !times.is_empty() {
        let (measurements, _) = measure.read(&times)?;
        let name = some_of(&times);
        let (map, _) = measure.map(&measurements, &name)?;
        documents.push((Origin::Times(name), Document::Map(map)));
    }
    Ok(documents)
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

/// Returns the first bytes of a file or, without consuming them, of standard input; nothing for a folder.
pub(super) fn beginning(path: &str) -> Vec<u8> {
    let start = if path == "-" { start_of_standard_input() } else { start_of(path) };
    start.unwrap_or_default()
}

fn begins_like_json(path: &str) -> bool {
    let start = beginning(path);
    start.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(&start).trim_ascii_start().starts_with(b"{")
}

/// The number of bytes by which kinds of files are told apart.
const BEGINNING: u64 = 1 << 14;

fn start_of(path: &str) -> io::Result<Vec<u8>> {
    let mut start = Vec::new();
    unpacked(Box::new(File::open(path)?))?.take(BEGINNING).read_to_end(&mut start)?;
    Ok(start)
}

/// Returns the first bytes of standard input without consuming them.
fn start_of_standard_input() -> io::Result<Vec<u8>> {
    Ok(io::stdin().lock().fill_buf()?.to_vec())
}
