//! Restrictions on where methods can run.

use std::collections::BTreeMap;

use crate::catalogue::Algorithm;
use qtdec_core::{Basis, DecisionTree, MethodIndex, Requirement};

use super::Setting;
use crate::tuning::Bands;
use crate::tuning::bands::sorted;

/// The number of ranks in a library's communicators is less than `1 << EXPONENTS`.
const EXPONENTS: u32 = 31;

/// Returns the bands without methods where they cannot run, such as an algorithm for two ranks with three. They are replaced by the
/// tree's fallback or the library's choice.
pub(super) fn allowed(
    tree: &DecisionTree,
    bands: &Bands<Option<MethodIndex>>,
    settings: &[Setting],
    notes: &mut Vec<String>,
) -> Bands<Option<MethodIndex>> {
    let used = tree.root().methods().flatten();
    let starts = starts(bands, used.flat_map(|method| requires(tree, settings, method)));
    let ends = starts.iter().skip(1).copied().chain([u64::MAX]);
    let mut left_out: BTreeMap<MethodIndex, bool> = BTreeMap::new();
    let communicators = starts.iter().zip(ends).map(|(&ranks, next)| {
        let enough = enough_for(tree, next - 1);
        let mut messages: Vec<(u64, Option<MethodIndex>)> = Vec::new();
        let bands = bands.messages(ranks);
        let ends = bands.iter().skip(1).map(|(next, _)| *next).chain([u64::MAX]);
        for (&(from, method), end) in bands.iter().zip(ends) {
            let Some(chosen) = method else {
                messages.push((from, None));
                continue;
            };
            let may_fall_back = |fallback: &_| may_run(&requires(tree, settings, *fallback), ranks);
            let fallback = tree.fallback().filter(may_fall_back);
            let needs = requires(tree, settings, chosen);
            let runs_from = match enough {
                _ if !may_run(&needs, ranks) => end,
                Some(enough) if needs.contains(&Requirement::CountAtLeastCommSize) => enough.clamp(from, end),
                _ => from,
            };
            if runs_from > from {
                messages.push((from, fallback));
                left_out.insert(chosen, fallback.is_some());
            }
            if runs_from < end {
                messages.push((runs_from, method));
            }
        }
        (ranks, messages)
    });
    let allowed = Bands::new(communicators.collect()).expect("bands stay bands");
    for (method, falls_back) in left_out {
        let label = tree.domain().method(method).label();
        let fallback = tree.fallback().filter(|_| falls_back).map(|fallback| tree.domain().method(fallback));
        notes.push(match fallback {
            Some(fallback) if !fallback.baseline => {
                format!("where `{label}` may not run, `{}` is used instead", fallback.label())
            }
            _ => format!("where `{label}` may not run, the choice is left to the library"),
        });
    }
    allowed
}

/// Returns what a method needs according to the tree and to the catalogue.
fn requires(tree: &DecisionTree, settings: &[Setting], method: MethodIndex) -> Vec<Requirement> {
    let needs = settings[method.get()].algorithm.into_iter().flat_map(Algorithm::requires);
    tree.domain().method(method).requires.iter().copied().chain(needs).collect()
}

fn may_run(requires: &[Requirement], ranks: u64) -> bool {
    requires.iter().all(|requirement| match requirement {
        Requirement::PowerOfTwo => ranks.is_power_of_two(),
        Requirement::CommSize(only) => ranks == *only,
        Requirement::Commutative | Requirement::CountAtLeastCommSize => true,
    })
}

/// Returns the sizes at which one of the conditions may begin or cease to hold.
fn starts(bands: &Bands<Option<MethodIndex>>, requirements: impl Iterator<Item = Requirement>) -> Vec<u64> {
    let mut starts: Vec<u64> = bands.communicators().iter().map(|(from, _)| *from).collect();
    let powers = || (0..EXPONENTS).map(|exponent| 1_u64 << exponent);
    for requirement in requirements {
        match requirement {
            Requirement::CommSize(only) => starts.extend([only, only.saturating_add(1)]),
            Requirement::PowerOfTwo => starts.extend(powers().flat_map(|power| [power, power + 1])),
            // Rules apply to ranges of ranks: the shorter the ranges, the fewer calls with enough elements are treated as having too few.
            Requirement::CountAtLeastCommSize => starts.extend(powers()),
            Requirement::Commutative => {}
        }
    }
    sorted(starts)
}

/// Returns the smallest message size with enough elements for a number of ranks, or `None` if the tree has no message sizes.
fn enough_for(tree: &DecisionTree, ranks: u64) -> Option<u64> {
    let axis = tree.domain().find_axis("msg_size")?;
    Some(if tree.domain().axes()[axis].basis == Some(Basis::Block) { 1 } else { ranks })
}
