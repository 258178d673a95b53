//! The distance of predicted times to the lower bound of any algorithm.

use qtdec_core::DecisionMap;
use qtdec_mpi::Collective;
use qtdec_mpi::models::Form;
use qtdec_mpi::network::Network;
use qtdec_mpi::predict::{Bound, Prediction, Predictor, Size, TimeSource, bound};
use serde_json::Value;

/// The distance within which nothing is left to gain, in per cent.
const NEAR: f64 = 4.0;

/// Returns how far the best algorithm of a call is from the bound, if the bound holds for these times.
pub(super) fn of_call(
    predictor: &Predictor<'_>,
    time_source: TimeSource,
    size: Size,
    found: &[Prediction],
) -> Option<String> {
    let best = found.first().filter(|_| holds_for(time_source))?;
    let bound = predictor.bound(size);
    let over = over(best.seconds, bound)?;
    let Bound { seconds, term } = bound;
    let bound =
        format!("the lower bound of any algorithm, {:.2} microseconds ({})", seconds * 1e6, term.name());
    Some(if over <= NEAR {
        format!("the best is within {NEAR} % of {bound}: tuning is pointless here")
    } else {
        format!(
            "the best takes {over:.0} % longer than {bound}: an algorithm that is not among these could gain at most {over:.0} %"
        )
    })
}

/// Returns how far the best algorithms of a map, whose costs are in microseconds, are from the bound.
pub(super) fn of_map(
    network: &Network,
    collective: Collective,
    time_source: TimeSource,
    map: &DecisionMap,
    sizes: impl Iterator<Item = Option<Size>>,
) -> Option<String> {
    if !holds_for(time_source) {
        return None;
    }
    let costs = map.costs()?;
    let mut distances = Vec::new();
    for (size, (cell, winner)) in sizes.zip(map.cells().iter().enumerate()) {
        let size = size?;
        let best = winner.and_then(|winner| costs.get(cell, winner));
        if let Some(over) = best.and_then(|best| over(best / 1e6, bound(network, collective, size))) {
            distances.push((over, size));
        }
    }
    let (farthest, size) = distances.iter().copied().max_by(|one, other| one.0.total_cmp(&other.0))?;
    let near = distances.iter().filter(|(over, _)| *over <= NEAR).count();
    Some(format!(
        "in {near} of {} cells the best is within {NEAR} % of the lower bound of any algorithm, so tuning is pointless there; at \
         most {farthest:.0} % could be gained by an algorithm that is not among these, with {} ranks and {} bytes",
        distances.len(),
        size.comm_size,
        size.msg_size
    ))
}

/// Returns how far the best algorithms of a map are from the bound of the network that its source holds, if the times were predicted on
/// it, without noise.
pub(super) fn of_predicted(map: &DecisionMap) -> Option<String> {
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
