//! A map of predicted times: `qtdec-mpi predict -o MAP`.

use qtdec_core::DecisionMap;
use qtdec_mpi_predict::predict::{self, MapError, Paired, Size};
use qtdec_mpi_predict::trust;

use super::{Arguments, DRAWS, list};
use crate::commands::predictions::predicting::{
    Share, largest, missing_reason, open, pair, segments, warn_far,
};
use qtdec_report::bounds;
use qtdec_terminal::{Failure, Input, Output, Outputs, Progress, output};

use qtdec_report::table::{Cell, Form, Table};

pub(super) fn run(arguments: &Arguments, output: &str) -> Result<(), Failure> {
    let inputs = [Some(&*arguments.predicting.network), arguments.correct.as_deref()];
    let destination = Outputs::new(inputs.into_iter().flatten()).add(output)?;
    if let (Some(measured), Some(points)) = (&arguments.correct, arguments.points) {
        return corrected(arguments, measured, points, &destination);
    }
    let (comm_sizes, msg_sizes) = (list(arguments.comm_size.as_ref())?, list(arguments.msg_size.as_ref())?);
    let network = open(&arguments.predicting.network)?;
    let mut predictor = arguments.predicting.predictor(&network)?;
    if let (Some(&ranks), Some(&msg_size)) = (comm_sizes.last(), msg_sizes.last()) {
        let comm_size = u32::try_from(ranks).unwrap_or(u32::MAX);
        warn_far(&network, &predictor, [Size { comm_size, msg_size }]);
    }
    predictor.every_segment = arguments.every_segment;
    predictor.element_size = arguments.search.unwrap_or(predictor.element_size);
    let map = if arguments.search.is_some() {
        let progress = Progress::new(comm_sizes.len().saturating_mul(msg_sizes.len()));
        predict::map_searched(&predictor, &comm_sizes, &msg_sizes, || progress.done())
    } else {
        let segments = segments(&arguments.segment_size)?;
        let methods = predictor.methods(&segments).len();
        let progress =
            Progress::new(methods.saturating_mul(comm_sizes.len()).saturating_mul(msg_sizes.len()));
        predict::map(&predictor, &comm_sizes, &msg_sizes, &segments, || progress.done())
    };
    let time_source = arguments.predicting.form;
    let calls = || {
        let sizes = |&ranks: &u64| msg_sizes.iter().map(move |&msg_size| (ranks, msg_size));
        let size = |(ranks, msg_size)| Some(Size { comm_size: u32::try_from(ranks).ok()?, msg_size });
        comm_sizes.iter().flat_map(sizes).map(size)
    };
    let map = map.map_err(|error| match (error, calls().next().flatten()) {
        (MapError::NoTimes, Some(size)) => Failure::input(missing_reason(&predictor, time_source, size)),
        (error, _) => Failure::input(error.to_string()),
    })?;
    let mut without =
        calls().zip(map.cells()).filter(|(_, cell)| cell.is_none()).filter_map(|(size, _)| size);
    if let Some(size) = without.next() {
        let (count, all) = (1 + without.count(), map.cells().len());
        let reason = missing_reason(&predictor, time_source, size);
        output::warn(&format!("{count} of {all} cells have no time: {reason}"));
    }
    let distances = bounds::of_map(&map);
    if let Some(sentence) = distances.and_then(|distances| bounds::described(&distances, &map)) {
        output::note(&sentence);
    }
    write(&map, &destination)
}

fn write(map: &DecisionMap, destination: &Output) -> Result<(), Failure> {
    destination.write(&map.to_file().map_err(|problem| Failure::problem(&problem))?)
}

/// Writes the map of corrected times, and prints the effect of each further point.
fn corrected(arguments: &Arguments, name: &str, share: Share, destination: &Output) -> Result<(), Failure> {
    let measured = Input::open_map(name)?.map()?;
    let network = open(&arguments.predicting.network)?;
    let predictor = arguments.predicting.predictor(&network)?;
    warn_far(&network, &predictor, largest(&measured));
    let Paired { predicted, measured: times, .. } = pair(&predictor, &measured, name, &arguments.names)?;
    let curve = trust::curve(&predicted, &times, share.count(times.known()));
    let corrected = trust::correct(&predicted, &times, &curve.order);
    let mut table = Table::new(&[
        ("points", "points"),
        ("comm_size", "comm_size"),
        ("msg_size", "msg_size"),
        ("penalty: mean, %", "penalty_mean"),
        ("winners agree", "agree"),
    ]);
    for (count, step) in curve.steps.iter().enumerate() {
        let point = count.checked_sub(1).map(|last| &predicted.points[curve.order[last]]);
        let coordinate = |axis: usize| point.map_or(Cell::Missing, |point| Cell::Whole(point[axis]));
        table.row([
            Cell::Whole(count as u64),
            coordinate(0),
            coordinate(1),
            Cell::number(step.mean_penalty()),
            Cell::Of(step.agree as u64, step.points as u64),
        ]);
    }
    output::eprint(table.write(Form::Text).trim_end());
    let points = curve.order.len();
    if let Some(drawn) = trust::corrected_by_draws(&predicted, &times, points, DRAWS, 0) {
        output::note(&format!(
            "with {} drawn at random instead, in {}: median {:.2} %, nine of ten from {:.2} to {:.2} %",
            output::counted(points as u32, "point", "points"),
            output::counted(DRAWS, "draw", "draws"),
            drawn.median,
            drawn.low,
            drawn.high
        ));
    }
    if let Some(next) = trust::next_point(&corrected, &curve.order) {
        let point = &corrected.points[next];
        output::note(&format!("measure next: comm_size={} msg_size={}", point[0], point[1]));
    }
    let map = predict::map_of(&measured, &corrected, &predictor, points);
    let map = map.map_err(|error| Failure::input(error.to_string()))?;
    write(&map, destination)
}
