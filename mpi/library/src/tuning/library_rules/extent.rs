//! Where rules end, and what serves calls of sizes that were not measured.

use crate::catalogue::{Library, intel_mpi::PRESETS_OF};
use qtdec_core::DecisionTree;

use super::{Setting, forces};
use crate::tuning::Bands;
use crate::tuning::by_placement::measured;

/// Returns the bands up to a number of ranks. More are left to the library.
///
/// Bands by message size alone stay as they are for a library that would ignore them.
pub(super) fn ended(bands: Bands<Setting>, library: Library, last: Option<u64>) -> Bands<Setting> {
    let is_ignored =
        library.tests_one_size() && bands.communicators().len() == 1 && bands.use_message_sizes();
    match last.filter(|_| !is_ignored) {
        Some(last) => bands.with_tail(last.saturating_add(1), Setting::default()),
        None => bands,
    }
}

/// Describes where rules begin and end, and what serves sizes that the tree was not measured with. Returns `None` for rules that force
/// nothing.
pub(super) fn described(
    tree: &DecisionTree,
    library: Library,
    collective: &str,
    all: &[(u64, Bands<Setting>)],
) -> Option<String> {
    let forced = all.iter().flat_map(|(_, bands)| bands.communicators());
    let first = forced.filter(|(_, messages)| forces(messages)).map(|(from, _)| *from).min()?;
    // The first number of ranks from which on a placement has no rules, or `None` if it always has some.
    let end = |(_, bands): &(u64, Bands<Setting>)| {
        bands.communicators().last().filter(|(_, messages)| !forces(messages)).map(|(from, _)| *from)
    };
    let end = all.iter().map(end).try_fold(0, |most, end| Some(most.max(end?)));
    let ends = measured(tree);
    let mut parts = vec![match (end, ends) {
        (Some(end), Some((_, last))) if end == last.saturating_add(1) => {
            format!("end at {last} ranks, the most that were measured (--extend continues them)")
        }
        (Some(end), Some((_, last))) if end > last => {
            format!("end at {} ranks, and no more than {last} were measured", end - 1)
        }
        (Some(end), _) => format!("end at {} ranks", end.saturating_sub(1)),
        (None, Some((_, last))) if library.tests_one_size() => format!(
            "also serve more than {last} ranks, the most that were measured: {PRESETS_OF} ignores the message sizes of rules that test \
             processes"
        ),
        (None, Some((_, last))) => format!("also serve more than {last} ranks, the most that were measured"),
        (None, None) => "serve any number of ranks, none of which is known to be measured".to_owned(),
    }];
    if let Some((least, _)) = ends.filter(|(least, _)| *least > 1 || first > 0) {
        parts.push(if first > 0 {
            format!("the library chooses for fewer than {first}")
        } else {
            format!("those of {least} ranks also serve fewer")
        });
    }
    let axis = tree.domain().find_axis("msg_size").and_then(|axis| tree.domain().axes()[axis].values());
    if let Some((smallest, largest)) = axis.and_then(|sizes| sizes.first().zip(sizes.last())) {
        let below = if smallest > &0 {
            format!("those of {smallest} bytes also serve smaller messages, and ")
        } else {
            String::new()
        };
        parts.push(format!(
            "{below}those of {largest} bytes {}",
            if smallest > &0 { "larger ones" } else { "also serve larger messages" }
        ));
    }
    Some(format!("the rules of {collective} {}", parts.join("; ")))
}
