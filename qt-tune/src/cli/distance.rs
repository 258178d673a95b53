//! The distance of predicted times to the lower bound of any algorithm.

use qtdec_core::{DecisionMap, MethodIndex};
use qtdec_mpi_predict::models::Form;
use qtdec_mpi_predict::network::Network;
use qtdec_mpi_predict::predict::{Bound, Prediction, Predictor, Size, TimeSource, bound};
use qtdec_mpi_schedule::Collective;
use serde_json::Value;

use crate::report::picture::NEAR;

/// How far the best algorithm of a cell is from the bound.
#[derive(Clone, Copy, Debug)]
pub(super) struct Distance {
    size: Size,
    /// The time over that of the bound, in per cent.
    percent: f64,
    bound: Bound,
}

/// Returns the lower bound of any algorithm for a call, if it holds for these times.
pub(super) fn bound_of_call(predictor: &Predictor<'_>, time_source: TimeSource, size: Size) -> Option<Bound> {
    holds_for(time_source).then(|| predictor.bound(size)).filter(|bound| bound.seconds > 0.0)
}

/// Returns how far the best algorithm of a call is from the bound.
pub(super) fn of_call(bound: Bound, found: &[Prediction]) -> Option<String> {
    let best = found.first()?;
    let over = over(best.seconds, bound)?;
    Some(if over <= NEAR {
        format!("the best is within {NEAR} % of the lower bound of any algorithm: tuning is pointless here")
    } else {
        format!(
            "the best takes {over:.0} % longer than the lower bound of any algorithm, which no other one can beat"
        )
    })
}

/// Returns how far the best algorithms of a map, whose costs are in microseconds, are from the bound: one distance for each cell
/// that has a time.
pub(super) fn of_map(
    network: &Network,
    collective: Collective,
    time_source: TimeSource,
    map: &DecisionMap,
    sizes: impl Iterator<Item = Option<Size>>,
) -> Option<Vec<Option<Distance>>> {
    if !holds_for(time_source) {
        return None;
    }
    let costs = map.costs()?;
    let distance = |(size, (cell, winner)): (Option<Size>, (usize, &Option<MethodIndex>))| {
        let size = size?;
        let bound = bound(network, collective, size);
        let best = winner.and_then(|winner| costs.get(cell, winner));
        Some(best.and_then(|best| Some(Distance { size, percent: over(best / 1e6, bound)?, bound })))
    };
    sizes.zip(map.cells().iter().enumerate()).map(distance).collect()
}

/// Returns a sentence about the distances of a map.
pub(super) fn described(distances: &[Option<Distance>]) -> Option<String> {
    let known = || distances.iter().flatten();
    let farthest = known().max_by(|one, other| one.percent.total_cmp(&other.percent))?;
    let near = known().filter(|distance| distance.percent <= NEAR).count();
    Some(format!(
        "in {near} of {} cells the best is within {NEAR} % of the lower bound of any algorithm, so tuning is pointless there; at \
         most {:.0} % could be gained by an algorithm that is not among these, with {} ranks and {} bytes",
        known().count(),
        farthest.percent,
        farthest.size.comm_size,
        farthest.size.msg_size
    ))
}

/// Returns the distances in per cent.
pub(super) fn percents(distances: &[Option<Distance>]) -> Vec<Option<f64>> {
    distances.iter().map(|distance| Some((*distance)?.percent)).collect()
}

/// Returns the distances in per cent, with the terms that give the bounds.
pub(super) fn with_terms(distances: &[Option<Distance>]) -> Vec<Option<(f64, &'static str)>> {
    let of_cell = |distance: &Option<Distance>| {
        let Distance { percent, bound, .. } = (*distance)?;
        Some((percent, bound.term.name()))
    };
    distances.iter().map(of_cell).collect()
}

/// Returns how far the best algorithms of a map are from the bound of the network that its source holds, if the times were predicted on
/// it, without noise.
pub(super) fn of_predicted(map: &DecisionMap) -> Option<Vec<Option<Distance>>> {
    let source: Value = serde_json::from_str(map.source()?).ok()?;
    let is_plain = ["messages", "runs"].iter().all(|kind| source["noise"][kind].as_f64() == Some(0.0))
        && source["measured_points"].as_u64() == Some(0);
    let form = source["form"].as_str().filter(|_| is_plain)?;
    let (_, time_source) = TimeSource::NAMES.into_iter().find(|(name, _)| *name == form)?;
    let network = Network::from_json(source["network"].to_string().as_bytes()).ok()?;
    let domain = map.domain();
    let collective = domain.collective()?.parse().ok()?;
    let (ranks, bytes) = (domain.find_axis("comm_size")?, domain.find_axis("msg_size")?);
    let sizes = (0..map.cells().len()).map(|cell| {
        let sizes = domain.sizes(cell);
        Some(Size { comm_size: u32::try_from(sizes[ranks]).ok()?, msg_size: sizes[bytes] })
    });
    of_map(&network, collective, time_source, map, sizes)
}

/// Returns whether the bound is one of the model that the times are of. Printed formulas may be below it.
fn holds_for(time_source: TimeSource) -> bool {
    matches!(time_source, TimeSource::Simulated | TimeSource::Formula(Form::Exact))
}

/// Returns by how many per cent a time is over the bound.
fn over(seconds: f64, bound: Bound) -> Option<f64> {
    (bound.seconds > 0.0).then(|| 100.0 * (seconds / bound.seconds - 1.0).max(0.0))
}
