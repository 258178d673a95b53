//! The number of rules if message sizes counted other bytes.
//!
//! A library compares bytes of its own choosing. A border that is one number of these bytes is another number of the map's for each
//! communicator size, and needs rules for each.

use qtdec_core::{Basis, DecisionTree, Problems};
use qtdec_study::measurements::Measurements;
use qtdec_study::notes::Notes;
use qtdec_study::selection::Recipe;
use qtdec_study::study::recommend;

use qtdec_mpi_library::tuning::LibraryRules;
use qtdec_mpi_library::tuning::library_rules::counted;

/// The greatest number of points on the grid of another basis, whose sizes differ between communicator sizes.
const MOST_POINTS: usize = 4096;

/// Returns a sentence that names the basis with the fewest rules, or `None` if that is the one of the measurements or there is no other.
///
/// `present` are the rules of the recommended tree; trees in other bases are made with the same options.
pub(super) fn with_fewer_rules(
    measurements: &Measurements,
    recipe: &Recipe,
    options: &[(String, String)],
    present: &LibraryRules,
    rules: impl Fn(&DecisionTree) -> Result<LibraryRules, Problems>,
) -> Option<String> {
    let known = measurements.axes().iter().find(|axis| axis.name == "msg_size")?.basis?;
    let others = Basis::ALL.into_iter().map(|(_, basis)| basis).filter(|basis| *basis != known);
    let trees =
        others.filter_map(|basis| Some((tree(&measurements.in_basis(basis)?, recipe, options)?, basis)));
    let numbers = trees.filter_map(|(tree, basis)| Some((rules(&tree).ok()?.rows(), basis)));
    let (rules, basis) = numbers.min_by_key(|(rules, _)| *rules)?;
    (rules < present.rows()).then(|| {
        format!(
            "the tuning file has {} for it: with message sizes that count the {} instead of the {}, a tree within the same limits needs \
             {rules} (qtdec read --basis {})",
            counted(present.rows(), "rule"),
            basis.name(),
            known.name(),
            basis.name(),
        )
    })
}

fn tree(measurements: &Measurements, recipe: &Recipe, options: &[(String, String)]) -> Option<DecisionTree> {
    let map = recipe.map(measurements, &mut Notes::default()).ok()?;
    (map.cells().len() <= MOST_POINTS).then(|| recommend::tree(&map, options).ok())?
}
