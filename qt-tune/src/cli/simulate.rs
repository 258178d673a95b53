//! `qtdec simulate`: simulated times on a grid, as canonical times.

use std::io::IsTerminal;

use clap::Args;
use indicatif::ProgressBar;
use qtdec_core::Problems;
use qtdec_mpi::network::Network;
use qtdec_mpi::predict::{MAX_TIMES, Method, Predictor, Size, TimeSource};
use qtdec_mpi::schedule::MAX_COMM_SIZE;

use super::destination::Outputs;
use super::predicted_times::PredictedTimes;
use super::predicting::{PredictingArguments, missing_reason, segments, warn_far, warn_unserved};
use super::reports::reported;
use super::sizes::sizes;
use super::{Failure, read};
use qtdec_measure::canonical::Times;

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
    let times = canonical(arguments, &predictor, &network, calls.iter().copied().zip(times));
    read::write(&reported(&arguments.predicting.network, times)?, &destination)
}

/// Returns the simulated times, with everything that determines them.
fn canonical<'c>(
    arguments: &Arguments,
    predictor: &Predictor<'_>,
    network: &Network,
    times: impl Iterator<Item = ((&'c Method, Size), Option<f64>)>,
) -> Result<Times, Problems> {
    let ties = [("ties", "the algorithm that stands first")];
    let predicting = &arguments.predicting;
    let mut all = PredictedTimes::new("simulate", predicting, network, predictor.collective(), &ties)?;
    for ((method, size), time) in times {
        let Some(time) = time.map(microseconds) else { continue };
        let named = (method.algorithm, method.segment_size);
        all.add(named, [u64::from(size.comm_size), size.msg_size], time)?;
    }
    all.finish()
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
