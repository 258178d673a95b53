//! Hand-written rules at the points of a map.

use qtdec_core::{DecisionMap, MethodIndex};
use qtdec_mpi::compare::{CallProperties, Calls, choose};
use qtdec_mpi_library::catalogue::Matching;
use qtdec_mpi_library::rules::{Call, RuleSet};
use qtdec_mpi_schedule::Collective;

/// Returns the method that rules choose in each cell: `None` where the map has no such method.
///
/// # Errors
///
/// Fails if there are no such rules, or none for this collective.
pub(crate) fn decisions(
    map: &DecisionMap,
    collective: Collective,
    name: &str,
) -> Result<Vec<Option<MethodIndex>>, String> {
    let collective = collective.name();
    let rules = RuleSet::find(name).ok_or_else(|| format!("there are no rules `{name}`"))?;
    let rule = rules.rule(collective).ok_or_else(|| format!("{name} has no rule for {collective}"))?;
    let assumed = CallProperties { element_size: 1, commutative: true };
    let calls = Calls::new(map.domain(), collective, assumed).map_err(|problem| problem.to_string())?;
    let matching = Matching::new(map.domain(), rules.library, collective, &[]).map_err(|fault| fault.0)?;
    let runs = |choice, call: &Call| rules.runs(collective, choice, call);
    Ok(choose(map, &calls, &matching, |call| Some(rule(call)), runs).decisions)
}
