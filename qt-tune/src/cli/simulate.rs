//! `qtdec simulate`: simulated times on a grid, as canonical times.

use std::io::IsTerminal;

use clap::Args;
use indicatif::ProgressBar;
use qtdec_core::Problems;
use qtdec_mpi::catalogue::natural_basis_or_buffer;
use qtdec_mpi::predict::{MAX_TIMES, Method, Predictor, Size, TimeSource};
use qtdec_mpi::schedule::MAX_COMM_SIZE;

use super::destination::Outputs;
use super::predicting::{PredictingArguments, missing_reason, segments, warn_far, warn_unserved};
use super::reports::reported;
use super::sizes::sizes;
use super::{Failure, read};
use qtdec_measure::canonical::{
    self, About, Builder, Header, MACHINE, Named, RANKS, Row, SEGMENT_SIZE, Sample, Series, Times,
};
use qtdec_measure::measurements::TimeUnit;

/// Simulate the schedules of a collective on a grid of sizes
///
/// The output are canonical times in microseconds, as `qtdec read` writes them, with an empty segment size where messages are not
/// segmented. The lines before the rows have all that determines the times. They are the same for any number of threads.
///
/// The file is replaced when all times are known: a simulation that was interrupted leaves the previous file as it was, and begins
/// anew when it is repeated.
#[derive(Debug, Args)]
#[command(
    after_help = "Example:\n  qtdec simulate grig --collective bcast --comm-sizes 2..16*2 --msg-sizes 4..1M*4 -o times.csv"
)]
pub(super) struct Arguments {
    #[command(flatten)]
    predicting: PredictingArguments,

    /// Simulate these numbers of ranks
    #[arg(long, value_name = "LIST")]
    comm_sizes: String,

    /// Simulate these sizes in bytes of the whole message or, for a collective of blocks, of one block
    #[arg(long, value_name = "LIST")]
    msg_sizes: String,

    /// Simulate these segment sizes, in addition to messages without segmentation
    #[arg(long, value_name = "LIST")]
    segment_sizes: Vec<String>,

    /// Write the times to this file, or - for standard output
    #[arg(short, long, value_name = "CSV", default_value = "-")]
    output: String,
}

pub(super) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let destination = Outputs::new([&*arguments.predicting.network]).add(&arguments.output)?;
    let comm_sizes = sizes(&arguments.comm_sizes).map_err(Failure::Usage)?;
    let msg_sizes = sizes(&arguments.msg_sizes).map_err(Failure::Usage)?;
    let segments = segments(&arguments.segment_sizes)?;
    let network = arguments.predicting.open()?;
    let predictor = arguments.predicting.predictor(&network, TimeSource::Simulated)?;
    let methods = predictor.methods(&segments);
    let count = methods.len().saturating_mul(comm_sizes.len()).saturating_mul(msg_sizes.len());
    if count > MAX_TIMES {
        return Err(Failure::Usage(format!(
            "{count} times exceed the maximum of {MAX_TIMES}: use fewer sizes or segments"
        )));
    }
    let comm_sizes = ranks(&comm_sizes)?;
    if let (Some(&comm_size), Some(&msg_size)) = (comm_sizes.last(), msg_sizes.last()) {
        warn_far(&network, &predictor, [Size { comm_size, msg_size }]);
    }
    let mut calls: Vec<(&Method, Size)> = Vec::with_capacity(count);
    for method in &methods {
        for &comm_size in &comm_sizes {
            calls.extend(msg_sizes.iter().map(|&msg_size| (method, Size { comm_size, msg_size })));
        }
    }
    let bar =
        if std::io::stderr().is_terminal() { ProgressBar::new(count as u64) } else { ProgressBar::hidden() };
    let times = predictor.times(&calls, || bar.inc(1));
    bar.finish_and_clear();
    if times.iter().all(Option::is_none)
        && let Some((_, size)) = calls.first()
    {
        return Err(Failure::input(missing_reason(&predictor, TimeSource::Simulated, *size)));
    }
    let missing = calls.iter().zip(&times).filter(|(_, time)| time.is_none());
    warn_unserved(&predictor, missing.map(|((method, size), _)| (*method, *size)));
    let network = serde_json::from_str::<serde_json::Value>(&network.to_json()).unwrap_or_default();
    let times = canonical(arguments, &predictor, &network, calls.iter().copied().zip(times));
    read::write(&reported(&arguments.predicting.network, times)?, &destination)
}

/// Returns the simulated times, with everything that determines them.
fn canonical<'c>(
    arguments: &Arguments,
    predictor: &Predictor<'_>,
    network: &serde_json::Value,
    times: impl Iterator<Item = ((&'c Method, Size), Option<f64>)>,
) -> Result<Times, Problems> {
    let collective = predictor.collective();
    let mut about = About::default();
    let name = network["name"].as_str().map_or_else(|| arguments.predicting.network.clone(), str::to_owned);
    about.add(MACHINE, &name)?;
    about.add("tool", concat!("qtdec simulate ", env!("CARGO_PKG_VERSION")))?;
    about.add(RANKS, "max")?;
    about.add("ties", "the algorithm that stands first")?;
    about.add("network", &network.to_string())?;
    if let Some(noise) = arguments.predicting.noise() {
        about.add("noise", &noise)?;
    }
    let named = |name: &str, unit: &str| Named { name: name.to_owned(), unit: Some(unit.to_owned()) };
    let mut builder = Builder::new(Header {
        about,
        axes: vec![named("comm_size", "ranks"), named("msg_size", "bytes")],
        parameters: vec![named(SEGMENT_SIZE, "bytes")],
        unit: Some(TimeUnit::Microseconds),
    })?;
    let launch = builder.launch("")?;
    let basis = Some(natural_basis_or_buffer(collective.name()));
    for ((method, size), time) in times {
        // A call without messages takes no time.
        let Some(time) = time.map(microseconds).filter(|time| *time > 0.0) else { continue };
        let segment = method.segment_size.map(|segment| segment.to_string()).unwrap_or_default();
        let method = builder
            .method(canonical::Method { name: method.algorithm.to_string(), values: vec![segment] })?;
        builder.keep_order();
        let sizes = vec![u64::from(size.comm_size), size.msg_size];
        let series = builder.series(Series {
            collective: Some(collective.name().to_owned()),
            basis,
            sizes,
            method,
        })?;
        let sample = Sample::Repeat(1);
        builder.row(Row { time, series, launch, process: 0, sample })?;
    }
    builder.finish()
}

/// Returns a simulated time, which is a whole number of picoseconds.
fn microseconds(seconds: f64) -> f64 {
    (seconds * 1e12).round() / 1e6
}

/// Checks the numbers of ranks.
fn ranks(sizes: &[u64]) -> Result<Vec<u32>, Failure> {
    let ranks = sizes.iter().map(|&size| {
        u32::try_from(size).map_err(|_| {
            Failure::Usage(format!("{size} ranks exceed the maximum of {MAX_COMM_SIZE}; use fewer ranks"))
        })
    });
    ranks.collect()
}
