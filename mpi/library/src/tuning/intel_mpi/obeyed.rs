//! What release 2021.18.1 was seen to make of the variables, which is not always what the reference says.
//!
//! It compares a size with the greatest size of each rule only, in the order of the rules, and the last rule also serves what is greater.
//! If a rule has a range of processes, message sizes have no effect: of several rules with the same range, the last one serves all
//! messages.

use crate::catalogue::intel_mpi::PRESETS_OF;

use super::read::{Range, Rule};
use crate::tuning::MAX_INT;
use crate::tuning::bands::sorted;

/// Returns a rule of a variable that the release does not obey as documented, and describes what it does instead.
pub(super) fn difference(variable: &[Rule]) -> Option<(&Rule, String)> {
    let has_messages =
        |rule: &&Rule| rule.messages.is_some_and(|(least, greatest)| least > 0 || greatest < MAX_INT);
    let has_processes = |rule: &&Rule| rule.processes.is_some();
    if let Some(rule) = variable.iter().find(has_processes) {
        if variable.iter().any(|rule| has_messages(&rule)) {
            let message =
                format!("{PRESETS_OF} ignores the message sizes of a variable with numbers of processes");
            return Some((rule, message));
        }
        return along(variable, |rule| rule.processes, 1, "processes");
    }
    along(variable, |rule| rule.messages, 0, "bytes")
}

/// Compares rules that test one size with what the reference says, at each size where something may change.
fn along<'r>(
    variable: &'r [Rule],
    range: impl Fn(&Rule) -> Range,
    least: u64,
    what: &str,
) -> Option<(&'r Rule, String)> {
    let all = |rule: &Rule| range(rule).unwrap_or((least, u64::MAX));
    let ends = variable.iter().flat_map(|rule| [all(rule).0, all(rule).1.saturating_add(1)]);
    let sizes = sorted(ends.chain([least]).filter(|size| (least..=MAX_INT).contains(size)));
    sizes.into_iter().find_map(|size| {
        let documented = variable.iter().find(|rule| (all(rule).0..=all(rule).1).contains(&size));
        let obeyed = variable.iter().find(|rule| size <= all(rule).1).or(variable.last())?;
        let differs = documented.map_or(0, |rule| rule.number) != obeyed.number;
        differs
            .then(|| (obeyed, format!("{PRESETS_OF} applies `{}` to {size} {what} too", obeyed.describe())))
    })
}
