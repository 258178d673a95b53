//! Hand-written rules at the points of a map, and how good decisions are there.

use qtdec_core::DecisionMap;
use qtdec_core::Penalty;
use qtdec_mpi::compare::{CallProperties, Calls, Chosen, choose};
use qtdec_mpi_library::catalogue::Matching;
use qtdec_mpi_library::rules::{Call, RuleSet};
use qtdec_mpi_schedule::Collective;

/// Returns the choices of rules in each cell, with simulated times where the map has no such method.
///
/// # Errors
///
/// Fails if there are no such rules, or none for this collective.
pub(crate) fn choices(map: &DecisionMap, collective: Collective, name: &str) -> Result<Chosen, String> {
    let collective = collective.name();
    let rules = RuleSet::find(name).ok_or_else(|| format!("there are no rules `{name}`"))?;
    let rule = rules.rule(collective).ok_or_else(|| format!("{name} has no rule for {collective}"))?;
    let assumed = CallProperties { element_size: 1, commutative: true };
    let calls = Calls::new(map.domain(), collective, assumed).map_err(|problem| problem.to_string())?;
    let matching = Matching::new(map.domain(), rules.library, collective, &[])?;
    let runs = |choice, call: &Call| rules.runs(collective, choice, call);
    Ok(choose(map, &calls, (rules.library, &matching), |call| Some(rule(call)), runs))
}

/// How good decisions are on a map; penalties are in per cent, and `None` if no chosen method has a time.
pub(crate) struct Judged {
    pub(crate) mean: Option<f64>,
    pub(crate) median: Option<f64>,
    pub(crate) max: Option<f64>,
    /// The cells with the method of the map, in per cent.
    pub(crate) right: f64,
    /// The cells whose method has no time there.
    pub(crate) unpriced: u64,
}

impl Judged {
    pub(crate) fn new(chosen: &Chosen, map: &DecisionMap) -> Self {
        Self::pooled(&[(chosen, map)])
    }

    /// Returns how good decisions are over the cells of several maps together.
    pub(crate) fn pooled(all: &[(&Chosen, &DecisionMap)]) -> Self {
        let (mut cells, mut mismatches, mut priced) = (0, 0, Vec::new());
        for (chosen, map) in all {
            let quality = chosen.quality(map);
            cells += quality.cells;
            mismatches += quality.mismatches;
            priced.extend(chosen.priced(map).unwrap_or_default());
        }
        let penalty = Penalty::over(&priced);
        let penalty = penalty.as_ref();
        Self {
            mean: penalty.map(|penalty| penalty.mean),
            median: penalty.map(|penalty| penalty.median),
            max: penalty.map(|penalty| penalty.max),
            right: 100.0 * (cells - mismatches) as f64 / cells as f64,
            unpriced: penalty.map_or(cells, |penalty| penalty.unpriced),
        }
    }
}
