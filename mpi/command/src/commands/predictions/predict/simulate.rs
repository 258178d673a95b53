//! The times of all methods on a grid, as canonical times: `qtdec-mpi predict -o times.csv`.

mod placement;

use std::io::IsTerminal;

use indicatif::ProgressBar;
use qtdec_mpi_predict::predict::{MAX_TIMES, Method, Size, TimeSource};
use qtdec_mpi_schedule::Collective;

use super::Arguments;
use crate::commands::predictions::predicted_times::PredictedTimes;
use crate::commands::predictions::predicting::{
    methods, missing_reason, open, segments, warn_far, warn_unserved,
};
use qtdec_terminal::{Failure, Outputs, output, packed, reported};

use placement::Placement;

pub(super) fn run(arguments: &Arguments, output: &str) -> Result<(), Failure> {
    let destination = Outputs::new([&*arguments.predicting.network]).add(output)?;
    let placement = Placement::new(arguments.comm_size.as_deref(), &arguments.placement)?;
    let msg_sizes = arguments.msg_sizes()?;
    let segments = segments(&arguments.segment_size)?;
    let time_source = arguments.predicting.form;
    let network = open(&arguments.predicting.network)?;
    let predictor = arguments.predicting.predictor(&network)?;
    let methods = methods(&predictor, &segments)?;
    let count = methods.len().saturating_mul(placement.count()).saturating_mul(msg_sizes.len());
    if count > MAX_TIMES {
        return Err(Failure::usage(format!(
            "{count} times exceed the maximum of {MAX_TIMES}: use fewer sizes or segments"
        )));
    }
    if network.description().levels().nth(1).is_none()
        && placement.levels.iter().any(|level| level.on_a_node > Some(1))
    {
        output::warn(
            "the network states no times within a node, so they are those between nodes: add latency and points as `within_node`",
        );
    }
    let collective = predictor.collective();
    let all = PredictedTimes::new(&arguments.predicting, &network, collective, &placement.axes());
    let mut all = reported(&arguments.predicting.network, all)?;
    let bar =
        if std::io::stderr().is_terminal() { ProgressBar::new(count as u64) } else { ProgressBar::hidden() };
    let mut refused = None;
    for (number, level) in (0..).zip(&placement.levels) {
        let placed = level.on_a_node.map(|ranks| network.with_ranks_per_node(ranks)).transpose();
        let placed = reported(&arguments.predicting.network, placed)?.unwrap_or_else(|| network.clone());
        let predictor = arguments.predicting.predictor_of_part(&placed, number)?;
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
                refused.get_or_insert_with(|| missing_reason(&predictor, time_source, *size));
            }
            _ => {
                let missing = calls.iter().zip(&times).filter(|(_, time)| time.is_none());
                warn_unserved(&predictor, missing.map(|((method, size), _)| (*method, *size)));
            }
        }
        for ((method, size), time) in calls.iter().zip(times) {
            let Some(time) = time.map(|time| microseconds(time, time_source)) else { continue };
            let bytes = (collective != Collective::Barrier).then_some(size.msg_size);
            let sizes = placement.sizes(level.on_a_node, size.comm_size, bytes);
            let added = all.add((&method.name(), method.segment_size), &sizes, time);
            reported(&arguments.predicting.network, added)?;
        }
    }
    bar.finish_and_clear();
    if let Some(reason) = refused {
        return Err(Failure::input(reason));
    }
    packed::write_times(&reported(&arguments.predicting.network, all.finish())?, &destination)
}

/// Returns a time in microseconds; a simulated one is a whole number of picoseconds.
fn microseconds(seconds: f64, time_source: TimeSource) -> f64 {
    if time_source == TimeSource::Simulated { (seconds * 1e12).round() / 1e6 } else { seconds * 1e6 }
}
