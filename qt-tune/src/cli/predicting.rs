//! What the commands that predict times have in common.

use std::collections::BTreeMap;
use std::num::NonZero;

use clap::Args;
use clap::builder::PossibleValuesParser;
use qtdec_core::{DecisionMap, Place};
use qtdec_mpi::Collective;
use qtdec_mpi::network::{self, Import, Network, shipped, shipped_names};
use qtdec_mpi::predict::{Paired, Predictor, Way, paired};
use qtdec_mpi::simulate::Noise;

use super::input::Input;
use super::sizes::sizes;
use super::{Failure, output};

/// A network, and the algorithms whose times are predicted on it.
#[derive(Debug, Args)]
pub(super) struct PredictingArguments {
    /// Use this network: a file of qtdec-network/1, logp_mpi or Netgauge, or the name of a shipped network
    #[arg(value_name = "NETWORK")]
    pub(super) network: String,

    /// Predict the algorithms of this collective
    #[arg(long, value_name = "NAME", value_parser = PossibleValuesParser::new(Collective::ALL.map(Collective::name)))]
    collective: String,

    /// Consider only these algorithms [default: all known ones]
    #[arg(long, value_name = "NAME,…", value_delimiter = ',')]
    algorithms: Vec<String>,

    /// Set the random seed of the noise of simulated times
    #[arg(long, value_name = "SEED", default_value_t = 0)]
    seed: u64,

    /// Add noise to simulated times, with this standard deviation of the logarithm
    #[arg(long, value_name = "SIGMA", default_value_t = 0.0)]
    noise: f64,

    /// Simulate on this many threads [default: the number of processors]
    #[arg(long, value_name = "N")]
    threads: Option<NonZero<usize>>,
}

/// What the methods of a measured map are.
#[derive(Debug, Args)]
pub(super) struct NamesArgument {
    /// Map a method of the map to an algorithm that has another name here
    #[arg(long, value_name = "METHOD=ALGORITHM,…", value_delimiter = ',', value_parser = renamed)]
    names: Vec<(String, String)>,
}

fn renamed(text: &str) -> Result<(String, String), String> {
    let (method, algorithm) =
        text.rsplit_once('=').ok_or_else(|| format!("`{text}` is not METHOD=ALGORITHM"))?;
    Ok((method.to_owned(), algorithm.to_owned()))
}

/// The way to the times.
#[derive(Debug, Args)]
pub(super) struct FormArgument {
    /// Predict times with the formula as printed in the paper, the exact formula, or a simulation of the schedule
    #[arg(long, value_name = "FORM", default_value = "exact", value_parser = PossibleValuesParser::new(Way::NAMES.map(|(name, _)| name)))]
    form: String,
}

impl FormArgument {
    pub(super) fn way(&self) -> Way {
        let named = Way::NAMES.into_iter().find(|(name, _)| *name == self.form);
        named.map_or(Way::Simulated, |(_, way)| way)
    }
}

impl PredictingArguments {
    /// Opens the network and warns of what is doubtful about it.
    pub(super) fn open(&self, largest: u64) -> Result<Network, Failure> {
        let network = open(&self.network)?;
        if let Some(warning) = network.extrapolation(largest) {
            output::warn(&warning.to_string());
        }
        Ok(network)
    }

    /// Opens the network for the sizes of a map.
    pub(super) fn open_for(&self, map: &DecisionMap) -> Result<Network, Failure> {
        let axis = map.domain().find_axis("msg_size").map(|axis| &map.domain().axes()[axis]);
        let largest = axis.and_then(|axis| axis.values()?.last().copied()).unwrap_or_default();
        self.open(largest)
    }

    pub(super) fn collective(&self) -> Result<Collective, Failure> {
        self.collective
            .parse()
            .map_err(|error: qtdec_mpi::collective::UnknownCollective| Failure::Usage(error.to_string()))
    }

    pub(super) fn predictor<'n>(&self, network: &'n Network, way: Way) -> Result<Predictor<'n>, Failure> {
        if !(0.0..=10.0).contains(&self.noise) {
            return Err(Failure::Usage(format!("a noise of {} is not between 0 and 10", self.noise)));
        }
        let predictor = Predictor::new(network, self.collective()?, way, &self.algorithms);
        let predictor = predictor.map_err(|error| Failure::Usage(error.to_string()))?;
        let processors = std::thread::available_parallelism().unwrap_or(NonZero::<usize>::MIN);
        let noise = Noise { seed: self.seed, messages: 0.0, runs: self.noise };
        Ok(predictor.noise(noise).threads(self.threads.unwrap_or(processors)))
    }
}

/// Opens a file of a network or takes a shipped one, and tells what its reader notes.
pub(super) fn open(name: &str) -> Result<Network, Failure> {
    if shipped_names().any(|shipped| shipped == name) {
        return shipped(name).map_err(|error| Failure::input(error.to_string()));
    }
    if name != "-" && !std::path::Path::new(name).exists() {
        return Err(shipped(name)
            .err()
            .map_or_else(|| Failure::Closed, |error| Failure::input(error.to_string())));
    }
    let Import { network, notes } = read(&Input::open(name)?)?;
    for note in notes {
        let line = match note.place {
            Place::Line(line) => format!("line {line}: "),
            _ => String::new(),
        };
        output::warn(&format!("{name}: {line}{note}"));
    }
    Ok(network)
}

fn read(input: &Input) -> Result<Import, Failure> {
    input.check(network::import(input.bytes()))
}

/// Predicts the times of a measured map.
pub(super) fn pair(
    predictor: &Predictor<'_>,
    map: &DecisionMap,
    name: &str,
    names: &NamesArgument,
) -> Result<Paired, Failure> {
    let names: BTreeMap<String, String> = names.names.iter().cloned().collect();
    for algorithm in names.values() {
        predictor.check(algorithm).map_err(|error| Failure::Usage(error.to_string()))?;
    }
    paired(predictor, map, &names).map_err(|error| Failure::input(format!("`{name}`: {error}")))
}

/// A list of segment sizes; `none` is always among them.
pub(super) fn segments(texts: &[String]) -> Result<Vec<u64>, Failure> {
    let mut all = Vec::new();
    for text in texts.iter().flat_map(|text| text.split(',')).filter(|text| *text != "none") {
        all.extend(sizes(text).map_err(Failure::Usage)?);
    }
    all.sort_unstable();
    all.dedup();
    if all.first() == Some(&0) {
        return Err(Failure::Usage(
            "a segment has 1 byte or more; write none for messages that are not cut".to_owned(),
        ));
    }
    Ok(all)
}
