//! The distance of predicted times to the lower bound of any algorithm, which the source of their map states.

use crate::picture::NEAR;
use qtdec_core::DecisionMap;
use serde_json::Value;

/// The distance of the best method of a cell to the bound.
#[derive(Clone, Debug)]
pub struct Distance {
    /// The time over that of the bound, in per cent.
    pub percent: f64,
    cell: usize,
}

/// Returns the distances of a map whose source states the bounds, or `None` for another map: one for each cell that has a time and a
/// bound above zero.
pub fn of_map(map: &DecisionMap) -> Option<Vec<Option<Distance>>> {
    let source: Value = serde_json::from_str(map.source()?).ok()?;
    let bounds = source["lower_bounds"].as_array().filter(|bounds| bounds.len() == map.cells().len())?;
    let costs = map.costs()?;
    let distance = |(cell, bound): (usize, &Value)| {
        let time = bound[0].as_f64().filter(|time| *time > 0.0)?;
        let best = costs.get(cell, map.cells()[cell]?)?;
        Some(Distance { percent: percent_over(best, time), cell })
    };
    Some(bounds.iter().enumerate().map(distance).collect())
}

/// Returns by how many per cent a time is over a bound above zero, in the same unit.
pub fn percent_over(time: f64, bound: f64) -> f64 {
    100.0 * (time / bound - 1.0).max(0.0)
}

/// Returns a sentence about the distances of a map.
pub fn described(distances: &[Option<Distance>], map: &DecisionMap) -> Option<String> {
    let known = || distances.iter().flatten();
    let farthest = known().max_by(|one, other| one.percent.total_cmp(&other.percent))?;
    let near = known().filter(|distance| distance.percent <= NEAR).count();
    let domain = map.domain();
    let sizes = domain.sizes(farthest.cell);
    let size = |name: &str| domain.find_axis(name).map(|axis| sizes[axis]);
    Some(format!(
        "in {near} of {} cells the best is within {NEAR} % of the lower bound of any algorithm, so tuning is pointless there; at \
         most {:.0} % could be gained by an algorithm that is not among these, with {} ranks and {} bytes",
        known().count(),
        farthest.percent,
        size("comm_size")?,
        size("msg_size")?
    ))
}

/// Returns the distances in per cent.
pub fn percents(distances: &[Option<Distance>]) -> Vec<Option<f64>> {
    distances.iter().map(|distance| Some(distance.as_ref()?.percent)).collect()
}
