//! Options for predicted times.

use std::collections::BTreeMap;
use std::fs::File;
use std::num::NonZero;

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use qtdec_core::{DecisionMap, Place};
use qtdec_mpi_predict::network::{self, Import, Network, shipped, shipped_names};
use qtdec_mpi_predict::predict::{Method, Paired, Predictor, Size, TimeSource, paired};
use qtdec_mpi_predict::simulate::{Arrivals, Noise};
use qtdec_mpi_schedule::Collective;

use qtdec_terminal::sizes::{size, sizes};
use qtdec_terminal::{Failure, Input, one_of, output};

/// A network, and the algorithms whose times are predicted on it.
#[derive(Debug, Args)]
pub(crate) struct PredictingArguments {
    /// Use this network: a file of qtdec-network/1, logp_mpi or Netgauge, or the name of a shipped network
    #[arg(value_name = "NETWORK")]
    pub(crate) network: String,

    /// Predict the algorithms of this collective
    #[arg(long, value_name = "NAME", value_parser = collective())]
    collective: Collective,

    /// Consider only these algorithms [default: all known ones]; a composition is written as in two_level:inter=binomial/8192:intra=linear
    #[arg(long, value_name = "NAME,…", value_delimiter = ',')]
    algorithms: Vec<String>,

    /// Set the number of chains of the algorithm `chain`
    #[arg(long, value_name = "CHAINS")]
    chains: Option<u32>,

    /// Add noise to simulated times, with this standard deviation of the logarithm and this random seed
    #[arg(long, value_name = "SIGMA[:SEED]", default_value = "0", value_parser = noise)]
    noise: Noise,

    /// Let ranks arrive up to this long after the common start, from which simulated times count: by `ascending:` or `descending:` in the
    /// order of the ranks, by `first:` or `last:` only that rank, by `random:` or without a shape as in a random call; or as a file
    /// states, which has the microseconds of one rank a line; or as far apart as in a profile with `skew_seconds`
    #[arg(long, value_name = "[SHAPE:]MICROSECONDS|FILE|[SHAPE:]PROFILE", default_value = "0", value_parser = skew)]
    skew: Arrivals,

    /// Simulate on this many threads [default: the number of processors]
    #[arg(long, value_name = "N")]
    threads: Option<NonZero<usize>>,

    /// Predict times with the formula as printed in the paper, the exact formula, or a simulation of the schedule
    #[arg(long, value_name = "FORM", default_value = "simulated", value_parser = one_of(&TimeSource::NAMES))]
    pub(crate) form: TimeSource,
}

fn noise(text: &str) -> Result<Noise, String> {
    let (sigma, seed) = text.split_once(':').unwrap_or((text, "0"));
    let runs = sigma.parse().ok().filter(|runs| (0.0..=10.0).contains(runs));
    let noise = runs.zip(seed.parse().ok()).map(|(runs, seed)| Noise { seed, messages: 0.0, runs });
    noise.ok_or_else(|| {
        "not a number from 0 to 10, alone or with a whole number as its seed, as in 0.1:7".to_owned()
    })
}

fn skew(text: &str) -> Result<Arrivals, String> {
    Arrivals::parse(text, |path| File::open(path))
}

/// Parses `METHOD=ALGORITHM`.
pub(crate) fn renamed(text: &str) -> Result<(String, String), String> {
    let (method, algorithm) =
        text.rsplit_once('=').ok_or_else(|| format!("`{text}` is not METHOD=ALGORITHM"))?;
    Ok((method.to_owned(), algorithm.to_owned()))
}

pub(crate) fn collective() -> impl TypedValueParser<Value = Collective> {
    PossibleValuesParser::new(Collective::ALL.map(Collective::name))
        .try_map(|name| name.parse::<Collective>())
}

/// Returns whether calls of a collective have a message size, which must then be given. That of a barrier is ignored with a warning.
pub(crate) fn needs_message(collective: Collective, is_given: bool) -> Result<bool, Failure> {
    match (collective, is_given) {
        (Collective::Barrier, true) => {
            output::warn("a barrier has no message size: --msg-size is ignored");
            Ok(false)
        }
        (Collective::Barrier, false) => Ok(false),
        (_, true) => Ok(true),
        (_, false) => Err(Failure::usage("the message size is missing: add --msg-size SIZE")),
    }
}

impl PredictingArguments {
    pub(crate) fn collective(&self) -> Collective {
        self.collective
    }

    /// Returns the seed and the standard deviation of the noise, if there is any.
    pub(crate) fn noise(&self) -> Option<String> {
        let Noise { seed, runs, .. } = self.noise;
        (runs > 0.0).then(|| format!("seed {seed}, sigma {runs}"))
    }

    /// Returns when ranks arrive, if not all at once. Where a profile does not say it of the collective, there is no predictor.
    pub(crate) fn skew(&self) -> Option<String> {
        let arrivals = self.arrivals().ok()?;
        (!arrivals.is_none()).then(|| arrivals.describe())
    }

    fn arrivals(&self) -> Result<Arrivals, Failure> {
        self.skew.of(self.collective.name()).map_err(Failure::Usage)
    }

    pub(crate) fn predictor<'n>(&self, network: &'n Network) -> Result<Predictor<'n>, Failure> {
        if !self.skew.is_none() && self.form != TimeSource::Simulated {
            return Err(Failure::usage(
                "formulas are of ranks that arrive at once: --skew needs --form simulated",
            ));
        }
        self.predictor_of_part(network, 0)
    }

    /// Returns the predictor of a part of the times, counted from 0, whose noise is independent of that of other parts.
    pub(crate) fn predictor_of_part<'n>(
        &self,
        network: &'n Network,
        part: u64,
    ) -> Result<Predictor<'n>, Failure> {
        let predictor = Predictor::new(network, self.collective, self.form, &self.algorithms);
        let mut predictor = predictor.map_err(Failure::Usage)?;
        let processors = std::thread::available_parallelism().unwrap_or(NonZero::<usize>::MIN);
        if let Some(chains) = self.chains {
            predictor.set_chains(chains).map_err(Failure::Usage)?;
        }
        // Runs are numbered from 0, parts from the other end.
        predictor.noise = if part == 0 { self.noise } else { self.noise.of_run(u64::MAX - part) };
        predictor.arrivals = self.arrivals()?;
        predictor.threads = self.threads.unwrap_or(processors);
        Ok(predictor)
    }
}

/// Returns the methods of a map or of canonical times.
pub(crate) fn methods(predictor: &Predictor<'_>, segments: &[u64]) -> Result<Vec<Method>, Failure> {
    let methods = predictor.methods(segments);
    if methods.is_empty() {
        return Err(Failure::usage(
            "only models of a network or a protocol are named, which no program can choose: name algorithms too, or leave out --output",
        ));
    }
    Ok(methods)
}

/// Warns if the largest message of some calls is far beyond the points of the network.
pub(crate) fn warn_far(network: &Network, predictor: &Predictor<'_>, calls: impl IntoIterator<Item = Size>) {
    let largest = calls.into_iter().map(|call| predictor.largest_message(call)).max();
    if let Some(warning) = network.extrapolation(largest.unwrap_or_default()) {
        output::warn(&warning.to_string());
    }
}

/// Returns the measured calls of a map with the most bytes of a message, and of all messages.
pub(crate) fn largest(map: &DecisionMap) -> Vec<Size> {
    let domain = map.domain();
    let (Some(ranks), Some(bytes)) = (domain.find_axis("comm_size"), domain.find_axis("msg_size")) else {
        return Vec::new();
    };
    let measured = (0..domain.cells()).filter(|&cell| map.cells()[cell].is_some());
    let sizes: Vec<Size> = measured
        .map(|cell| domain.sizes(cell))
        .map(|sizes| Size {
            comm_size: u32::try_from(sizes[ranks]).unwrap_or(u32::MAX),
            msg_size: sizes[bytes],
        })
        .collect();
    let most = |of: fn(&Size) -> u128| sizes.iter().copied().max_by_key(of);
    let all = |size: &Size| u128::from(size.comm_size) * u128::from(size.msg_size);
    [most(|size| u128::from(size.msg_size)), most(all)].into_iter().flatten().collect()
}

/// Opens a network file or a shipped network, and prints the reader's notes.
pub(crate) fn open(name: &str) -> Result<Network, Failure> {
    let is_file = name == "-" || std::path::Path::new(name).exists();
    if !is_file || shipped_names().any(|shipped| shipped == name) {
        return shipped(name).map_err(Failure::input);
    }
    let input = Input::open(name)?;
    let Import { network, notes } = input.check(network::import(input.bytes()))?;
    for note in notes {
        let line = match note.place {
            Place::Line(line) => format!("line {line}: "),
            _ => String::new(),
        };
        output::warn(&format!("{name}: {line}{note}"));
    }
    Ok(network)
}

pub(crate) fn pair(
    predictor: &Predictor<'_>,
    map: &DecisionMap,
    name: &str,
    names: &[(String, String)],
) -> Result<Paired, Failure> {
    let names: BTreeMap<String, String> = names.iter().cloned().collect();
    for algorithm in names.values() {
        predictor.check(algorithm).map_err(Failure::Usage)?;
    }
    paired(predictor, map, &names).map_err(|error| Failure::input(format!("`{name}`: {error}")))
}

/// Returns the error for a call for which no algorithm has a time above 0, with the reason for the first algorithm.
pub(crate) fn missing_reason(predictor: &Predictor<'_>, time_source: TimeSource, size: Size) -> String {
    let Size { comm_size, msg_size } = size;
    let (collective, form) = (predictor.collective(), time_source.name());
    let methods = predictor.methods(&[]);
    match methods.iter().find_map(|method| Some((method.algorithm(), predictor.refusal(method, size)?))) {
        Some((algorithm, reason)) => format!(
            "no algorithm of {collective} supports comm_size={comm_size} msg_size={msg_size} with --form {form} \
             ({algorithm}: {reason})"
        ),
        None => format!(
            "{collective} takes no time with comm_size={comm_size} msg_size={msg_size}, so no algorithm is the \
             fastest; begin with 1 byte"
        ),
    }
}

/// Warns that some calls have no time, with the reason for the first one.
pub(crate) fn warn_unserved<'m>(
    predictor: &Predictor<'_>,
    missing: impl Iterator<Item = (&'m Method, Size)>,
) {
    let mut missing = missing.filter_map(|(method, size)| method.is_cut(size).then_some((method, size)));
    let Some((method, size)) = missing.next() else { return };
    let Some(reason) = predictor.refusal(method, size) else { return };
    let count = output::counted(1 + missing.count() as u64, "time is", "times are");
    let Size { comm_size, msg_size } = size;
    output::warn(&format!(
        "{count} missing, such as that of {} at comm_size={comm_size} msg_size={msg_size}: {reason}",
        method.algorithm()
    ));
}

/// Parses a list of segment sizes, to which `none` is always added.
pub(crate) fn segments(texts: &[String]) -> Result<Vec<u64>, Failure> {
    let mut all = Vec::new();
    for text in texts.iter().flat_map(|text| text.split(',')).filter(|text| *text != "none") {
        all.extend(sizes(text).map_err(Failure::Usage)?);
    }
    all.sort_unstable();
    all.dedup();
    if all.first() == Some(&0) {
        return Err(Failure::usage(
            "a segment must have at least 1 byte; write none for messages without segments",
        ));
    }
    Ok(all)
}

pub(crate) fn element_size(text: &str) -> Result<NonZero<u64>, String> {
    NonZero::new(size(text)?).ok_or_else(|| "an element has at least 1 byte".to_owned())
}
