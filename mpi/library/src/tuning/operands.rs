//! Algorithms of reductions that give an operation parts of its operands, which operations of programs may not expect.

use crate::catalogue::{Algorithm, Library};
use qtdec_core::{Place, Problem};

use super::{Finding, Selection, Severity};

/// Returns a note for each collective of a file that has such algorithms.
pub fn findings(library: Library, selection: &dyn Selection) -> Vec<Finding> {
    let mut collectives = selection.collectives();
    collectives.retain(|name| library.algorithms(name).iter().any(|known| known.cuts_operands(true)));
    collectives.iter().filter_map(|collective| finding(library, selection, collective)).collect()
}

fn finding(library: Library, selection: &dyn Selection, collective: &str) -> Option<Finding> {
    let mut forced = Vec::new();
    for comm_size in selection.starts(collective).0.into_iter().chain([1]) {
        for msg_size in selection.message_starts(collective, comm_size).into_iter().chain([0]) {
            let decision = selection.decide(collective, comm_size, msg_size);
            let algorithm = decision.name.and_then(|name| library.find(collective, &name));
            forced.extend(algorithm.map(|algorithm| (algorithm, decision.segment_size.is_some())));
        }
        forced.sort_unstable_by_key(|(algorithm, is_cut)| (algorithm.name, *is_cut));
        forced.dedup();
    }
    let problem = Problem::new(Place::File, described(library, collective, forced.into_iter())?);
    Some(Finding { severity: Severity::Note, problem })
}

/// Names the algorithms that give operations of programs parts of their operands, of those that are forced with or without segments.
pub(super) fn described(
    library: Library,
    collective: &str,
    forced: impl Iterator<Item = (&'static Algorithm, bool)>,
) -> Option<String> {
    let all_cut = library.algorithms(collective).iter().all(|algorithm| algorithm.cuts_operands(true));
    if library.spares_operations_of_programs(collective) || all_cut {
        return None;
    }
    let mut names: Vec<String> = Vec::new();
    for (algorithm, has_segments) in
        forced.filter(|(algorithm, has_segments)| algorithm.cuts_operands(*has_segments))
    {
        let segments = if algorithm.cuts_operands(false) || !has_segments { "" } else { " with segments" };
        let name = format!("`{}`{segments}", algorithm.name);
        if !names.contains(&name) {
            names.push(name);
        }
    }
    (!names.is_empty()).then(|| {
        format!(
            "{collective}: {} {} an operation parts of its operands, and an operation of a program that assumes the whole count fails: if \
             a program has one, exclude them (--exclude of qtdec-mpi tune and qtdec map)",
            names.join(", "),
            if names.len() == 1 { "gives" } else { "give" }
        )
    })
}
