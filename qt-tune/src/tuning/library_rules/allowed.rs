//! Where methods may run.

use std::collections::BTreeSet;

use qtdec_core::{DecisionTree, MethodIndex, Requirement};
use qtdec_mpi::catalogue::Algorithm;

use super::Setting;
use crate::tuning::Bands;

/// The bands without methods where they may not run: an algorithm for two ranks is an error with three.
pub(super) fn allowed(
    tree: &DecisionTree,
    bands: &Bands<Option<MethodIndex>>,
    settings: &[Setting],
    notes: &mut Vec<String>,
) -> Bands<Option<MethodIndex>> {
    let requires = |method: MethodIndex| {
        let algorithm = settings[method.get()].algorithm;
        let needs = algorithm.into_iter().flat_map(Algorithm::requires);
        tree.domain().method(method).requires.iter().copied().chain(needs).collect::<Vec<_>>()
    };
    let may_run = |method: MethodIndex, ranks: u64| {
        requires(method).iter().all(|requirement| match requirement {
            Requirement::PowerOfTwo => ranks.is_power_of_two(),
            Requirement::CommSize(only) => ranks == *only,
            Requirement::Commutative | Requirement::CountAtLeastCommSize => true,
        })
    };
    // Where one of the conditions may begin or cease to hold.
    let mut starts: Vec<u64> = bands.communicators().iter().map(|(from, _)| *from).collect();
    for method in tree.root().methods().flatten() {
        for requirement in requires(method) {
            match requirement {
                Requirement::CommSize(only) => starts.extend([only, only.saturating_add(1)]),
                Requirement::PowerOfTwo => {
                    starts.extend((0..31).flat_map(|exponent| [1 << exponent, (1 << exponent) + 1]));
                }
                Requirement::Commutative | Requirement::CountAtLeastCommSize => {}
            }
        }
    }
    starts.sort_unstable();
    starts.dedup();
    let mut left_out = BTreeSet::new();
    let communicators = starts.into_iter().map(|ranks| {
        let messages = bands.messages(ranks).iter().map(|(from, method)| {
            let kept = method.filter(|method| may_run(*method, ranks));
            left_out.extend(method.filter(|_| kept.is_none()));
            (*from, kept)
        });
        (ranks, messages.collect())
    });
    let allowed = Bands::new(communicators.collect()).expect("bands stay bands");
    for method in left_out {
        notes.push(format!(
            "where `{}` may not run, the choice is left to the library",
            tree.domain().method(method).label()
        ));
    }
    allowed
}
