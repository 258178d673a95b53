//! What the parts of a deployment carry out: the tuning file the library's algorithms, and the interposer our own schedules.

use qtdec_core::{DecisionTree, MethodIndex};

/// Returns the tree without our own schedules, whose calls keep the library's default.
pub(super) fn of_the_library(tree: &DecisionTree, own: &[String]) -> DecisionTree {
    let domain = tree.domain();
    let is_own = |method: &MethodIndex| own.contains(&domain.method(*method).label());
    let own: Vec<MethodIndex> = domain.method_indexes().filter(is_own).collect();
    tree.replaced(&own, domain.baseline())
}
