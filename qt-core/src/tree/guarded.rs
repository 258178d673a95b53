//! The order in which a function checks the conditions of methods before the tests of its tree.

use super::{DecisionTree, Guard, KnownOutcomes};
use crate::domain::Requirement;

/// A tree below the checks of its methods' conditions: each tree in it only compares sizes. The variants are complete.
#[derive(Clone, Debug)]
pub enum GuardedTree {
    /// A tree whose methods may run wherever it leads to them.
    Unguarded(Box<DecisionTree>),
    /// Conditions that are checked first.
    Checked {
        /// The conditions, all of which must hold for `met`.
        requirements: Vec<Requirement>,
        /// What follows if all of them hold.
        met: Box<Self>,
        /// What follows if one of them fails: the fallback replaces the methods that need them.
        unmet: Box<Self>,
    },
}

impl DecisionTree {
    /// Returns the tree below the checks that its [guards](Self::guards) need.
    pub fn guarded(&self) -> GuardedTree {
        guarded(self, &self.guards, &KnownOutcomes::default())
    }
}

fn guarded(tree: &DecisionTree, guards: &[Guard], known: &KnownOutcomes) -> GuardedTree {
    let Some((guard, others)) = guards.split_first() else {
        return GuardedTree::Unguarded(tree.clone().into());
    };
    let is_guarded = |method| guard.methods.contains(&method);
    if !tree.root().methods().any(|method| method.is_some_and(is_guarded)) {
        return guarded(tree, others, known);
    }
    let fallen_back = || tree.replaced(&guard.methods, tree.fallback());
    let requirements = match known.unknown(&guard.requirements) {
        None => return guarded(&fallen_back(), others, known),
        Some(unknown) if unknown.is_empty() => return guarded(tree, others, known),
        Some(unknown) => unknown,
    };
    let (met, unmet) = (known.clone().met(&requirements), known.clone().unmet(&requirements));
    GuardedTree::Checked {
        met: guarded(&tree.where_known(&met), others, &met).into(),
        unmet: guarded(&fallen_back().where_known(&unmet), others, &unmet).into(),
        requirements,
    }
}
