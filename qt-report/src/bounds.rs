//! The distance of predicted times to the lower bound of any algorithm, which the source of their map states.

use crate::picture::NEAR;
use qtdec_core::DecisionMap;
use serde_json::Value;

/// Returns by how many per cent the best method of each cell is over the bound, or `None` for a map whose source states no bounds. A cell
/// without a time or a bound above zero has no distance.
pub fn of_map(map: &DecisionMap) -> Option<Vec<Option<f64>>> {
    let source: Value = serde_json::from_str(map.source()?).ok()?;
    let bounds = source["lower_bounds"].as_array().filter(|bounds| bounds.len() == map.cells().len())?;
    let costs = map.costs()?;
    let distances = bounds.iter().enumerate().map(|(cell, bound)| {
        let time = bound[0].as_f64().filter(|time| *time > 0.0)?;
        Some(percent_over(costs.get(cell, map.cells()[cell]?)?, time))
    });
    Some(distances.collect())
}

/// Returns by how many per cent a time is over a bound above zero, in the same unit.
pub fn percent_over(time: f64, bound: f64) -> f64 {
    100.0 * (time / bound - 1.0).max(0.0)
}

/// Returns a sentence about the distances of a map.
pub fn described(distances: &[Option<f64>], map: &DecisionMap) -> Option<String> {
    let known = || distances.iter().enumerate().filter_map(|(cell, percent)| Some((cell, (*percent)?)));
    let (cell, percent) = known().max_by(|(_, one), (_, other)| one.total_cmp(other))?;
    let near = known().filter(|(_, percent)| *percent <= NEAR).count();
    let domain = map.domain();
    let sizes = domain.sizes(cell);
    let size = |name: &str| domain.find_axis(name).map(|axis| sizes[axis]);
    Some(format!(
        "in {near} of {} cells the best is within {NEAR} % of the lower bound of any algorithm, so tuning is pointless there; at \
         most {percent:.0} % could be gained by an algorithm that is not among these, with {} ranks and {} bytes",
        known().count(),
        size("comm_size")?,
        size("msg_size")?
    ))
}
