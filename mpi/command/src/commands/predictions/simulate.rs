//! `qtdec-mpi simulate`: simulated times on a grid, as canonical times.

mod placement;

use std::io::IsTerminal;

use clap::Args;
use indicatif::ProgressBar;
use qtdec_mpi_predict::predict::{MAX_TIMES, Method, Size, TimeSource};

use crate::commands::predictions::predicted_times::PredictedTimes;
use crate::commands::predictions::predicting::{
    PredictingArguments, missing_reason, segments, warn_far, warn_unserved,
};
use placement::Placement;
use qtdec_terminal::destination::Outputs;
use qtdec_terminal::packed;
use qtdec_terminal::reports::reported;
use qtdec_terminal::sizes::sizes;
use qtdec_terminal::{Failure, output};

/// Simulate the schedules of a collective on a grid of sizes
///
/// The output are canonical times in microseconds, as `qtdec read` writes them, with an empty segment size where messages are not
/// segmented. The lines before the rows have all that determines the times. They are the same for any number of threads.
///
/// The file is replaced when all times are known: a simulation that was interrupted leaves the previous file as it was, and begins
/// anew when it is repeated.
///
/// The axis ppn has the ranks on each node: their messages share its ports, and those within a node cost what the network states for a
/// cluster of the size of a node. A call on `nodes` nodes has nodes times ppn ranks.
#[derive(Debug, Args)]
#[command(
    after_help = "Example:\n  qtdec-mpi simulate grig --collective bcast --comm-sizes 2..16*2 --msg-sizes 4..1M*4 -o times.csv\n  qtdec-mpi simulate nodes.json --collective bcast nodes=2..16*2 ppn=1,2,4 --msg-sizes 4..1M*4 -o times.csv"
)]
pub(crate) struct Arguments {
    #[command(flatten)]
    predicting: PredictingArguments,

    /// Simulate these numbers of ranks
    #[arg(long, value_name = "LIST", required_unless_present = "placement")]
    comm_sizes: Option<String>,

    /// Simulate these numbers of ranks on each node, as in ppn=1,2,4; and with nodes=2,4,8 these numbers of nodes instead of --comm-sizes
    #[arg(value_name = "AXIS=LIST")]
    placement: Vec<String>,

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

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let destination = Outputs::new([&*arguments.predicting.network]).add(&arguments.output)?;
    let placement = Placement::new(arguments.comm_sizes.as_deref(), &arguments.placement)?;
    let msg_sizes = sizes(&arguments.msg_sizes).map_err(Failure::Usage)?;
    let segments = segments(&arguments.segment_sizes)?;
    let network = arguments.predicting.open()?;
    let predictor = arguments.predicting.predictor(&network, TimeSource::Simulated)?;
    let methods = predictor.methods(&segments);
    let count = methods.len().saturating_mul(placement.count()).saturating_mul(msg_sizes.len());
    if count > MAX_TIMES {
        return Err(Failure::Usage(format!(
            "{count} times exceed the maximum of {MAX_TIMES}: use fewer sizes or segments"
        )));
    }
    if network.description().between.is_none()
        && placement.levels.iter().any(|level| level.on_a_node > Some(1))
    {
        output::warn(
            "the network states no times within a node, so they are those between nodes: let its latency and points be those within one, \
             and add those between nodes as `between`, with `cluster_size` equal to `ranks_per_node`",
        );
    }
    let ties = [("ties", "the algorithm that stands first")];
    let all = PredictedTimes::new(
        "simulate",
        &arguments.predicting,
        &network,
        predictor.collective(),
        &placement.axes(),
        &ties,
    );
    let mut all = reported(&arguments.predicting.network, all)?;
    let bar =
        if std::io::stderr().is_terminal() { ProgressBar::new(count as u64) } else { ProgressBar::hidden() };
    let mut refused = None;
    for (number, level) in (0..).zip(&placement.levels) {
        let placed = level.on_a_node.map(|ranks| network.with_ranks_per_node(ranks)).transpose();
        let placed = reported(&arguments.predicting.network, placed)?.unwrap_or_else(|| network.clone());
        let predictor = arguments.predicting.predictor_of_part(&placed, TimeSource::Simulated, number)?;
        if let (Some(&comm_size), Some(&msg_size)) = (level.ranks.last(), msg_sizes.last()) {
            warn_far(&placed, &predictor, [Size { comm_size, msg_size }]);
        }
        let mut calls: Vec<(&Method, Size)> = Vec::new();
        for method in &methods {
            for &comm_size in &level.ranks {
                calls.extend(msg_sizes.iter().map(|&msg_size| (method, Size { comm_size, msg_size })));
            }
        }
        let times = predictor.times(&calls, || bar.inc(1));
        match calls.first() {
            Some((_, size)) if times.iter().all(Option::is_none) => {
                refused.get_or_insert_with(|| missing_reason(&predictor, TimeSource::Simulated, *size));
            }
            _ => {
                let missing = calls.iter().zip(&times).filter(|(_, time)| time.is_none());
                warn_unserved(&predictor, missing.map(|((method, size), _)| (*method, *size)));
            }
        }
        for ((method, size), time) in calls.iter().zip(times) {
            let Some(time) = time.map(microseconds) else { continue };
            let sizes = placement.sizes(level.on_a_node, size.comm_size, size.msg_size);
            let added = all.add((method.algorithm, method.segment_size), &sizes, time);
            reported(&arguments.predicting.network, added.map_err(Into::into))?;
        }
    }
    bar.finish_and_clear();
    if let Some(reason) = refused {
        return Err(Failure::input(reason));
    }
    packed::write_times(&reported(&arguments.predicting.network, all.finish())?, &destination)
}

/// Returns a simulated time, which is a whole number of picoseconds.
fn microseconds(seconds: f64) -> f64 {
    (seconds * 1e12).round() / 1e6
}
