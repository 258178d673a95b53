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
        let mut recorded = match reported(name, recorded)? {
            Some(recorded) => recorded,
            None => {
                output::warn(&format!(
                    "`{name}` does not record how it was made, which is repeated with the defaults of qtdec map"
                ));
                Recorded::default()
            }
        };
        let measurements = recorded.cleaning.apply(self.read(times, &recorded)?);
        // The map itself says which methods are the baseline, also if it has no recipe.
        let methods = self.map.domain().methods().iter().filter(|method| method.baseline);
        let is_measured = |label: &String| measurements.labels().any(|measured| measured == *label);
        recorded.recipe.baseline = methods.map(Method::label).filter(is_measured).collect();
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
        let recipe = Recipe::default().or_baseline_of(&measurements);
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
        let (map, _) = times::map(&measurements, &recipe.or_baseline_of(&measurements), &name)?;
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

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::time::Duration;

    use clap::Parser;
    use proptest::prelude::*;
    use qtdec_measure::{Benchmark, Measured, Point};
    use qtdec_study::measurements::Cleaning;

    use super::*;
    use crate::mapping::MapArguments;

    #[derive(Parser)]
    struct OfMap {
        #[command(flatten)]
        arguments: MapArguments,
    }

    /// What is random of a benchmark.
    #[derive(Debug)]
    struct Random {
        sizes: usize,
        methods: Vec<&'static str>,
        /// The method that `.baseline()` marks.
        marked: Option<usize>,
        statistic: Statistic,
        rounds: usize,
        /// The times in microseconds, which repeats take in turn.
        times: Vec<u64>,
    }

    fn random() -> impl Strategy<Value = Random> {
        let methods = proptest::sample::subsequence(vec!["a", "baseline", "b", "c"], 2..=4);
        let statistic = prop_oneof![Just(Statistic::Median), Just(Statistic::Min)];
        let marked = proptest::option::of(0_usize..4);
        let times = proptest::collection::vec(1_u64..8, 5..40);
        (1_usize..5, methods.prop_shuffle(), marked, statistic, 1_usize..4, times).prop_map(
            |(sizes, methods, marked, statistic, rounds, times)| Random {
                sizes,
                methods,
                marked,
                statistic,
                rounds,
                times,
            },
        )
    }

    fn measured(random: &Random) -> Measured {
        let turn = Cell::new(0);
        let turn = &turn;
        let sizes: Vec<u64> = (0..random.sizes as u32).map(|power| 3_u64.pow(power)).collect();
        let mut benchmark = Benchmark::new().axis("n", sizes).labels("order", ["up", "down"]);
        for (number, name) in random.methods.iter().enumerate() {
            benchmark = benchmark.timed_method(*name, |_: &Point| {
                turn.set(turn.get() + 1);
                let time = Duration::from_micros(random.times[turn.get() % random.times.len()]);
                move |calls| time * calls as u32
            });
            if random.marked == Some(number) {
                benchmark = benchmark.baseline();
            }
        }
        let benchmark = benchmark.statistic(random.statistic).rounds(random.rounds);
        benchmark.warm_up(Duration::ZERO).race(false).quiet().measure().unwrap()
    }

    /// Returns the map that `qtdec map` makes of times.
    fn mapped(times: &str, statistic: Statistic) -> DecisionMap {
        let OfMap { arguments } = OfMap::parse_from(["map", "--statistic", &statistic.to_string()]);
        let (measurements, _) = times::read(&[times.to_owned()], None).unwrap();
        let recipe = arguments.recipe(&measurements);
        let map = recipe.map(&measurements, &mut Notes::default()).unwrap();
        map.with_recipe(Recorded { recipe, cleaning: Cleaning::default(), filters: Vec::new() }.to_json())
            .unwrap()
    }

    /// Returns a map's domain, cells and costs.
    fn bare(map: DecisionMap) -> String {
        map.with_recipe("{}").unwrap().with_source("{}").unwrap().to_json()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(60))]

        /// The map that a benchmark writes and the one that is made of its times are the same to every command.
        #[test]
        fn a_benchmark_and_its_times_have_the_same_answers(random in random()) {
            let folder = tempfile::tempdir().unwrap();
            let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
            let measured = measured(&random);
            let times = path("times.csv");
            measured.write_times(&times).unwrap();
            let own = measured.map().unwrap();
            let made = mapped(&times, random.statistic);
            let subject = |name: &str, map: &DecisionMap| {
                let name = path(name);
                std::fs::write(&name, map.to_json()).unwrap();
                Subject::open(&name).unwrap().with_times(&name, &times).ok().unwrap()
            };
            let forgetful = own.clone().with_recipe("{}").unwrap();
            let named = random.methods.contains(&"baseline");
            for (name, map) in [("own.json", &own), ("made.json", &made)] {
                let recipe = Recorded::from_json(map.recipe().unwrap()).unwrap().recipe;
                prop_assert_eq!(recipe.statistic, Some(random.statistic));
                prop_assert_eq!(recipe.baseline.contains(&"baseline".to_owned()), named);
                let subject = subject(name, map);
                prop_assert_eq!(&subject.recipe, &recipe);
                let priced = subject.priced(name, subject.measurements.as_ref().unwrap(), None).unwrap();
                prop_assert_eq!(bare(priced), bare(own.clone()));
            }
            let recipes = [("forgetful.json", &forgetful), ("made.json", &made)].map(|(name, map)| subject(name, map).recipe);
            prop_assert_eq!(&recipes[0].baseline, &recipes[1].baseline);
            if random.statistic == Statistic::Median {
                let opened = Subject::open(&times).unwrap();
                prop_assert_eq!(bare(opened.map), bare(own));
            }
        }
    }
}
