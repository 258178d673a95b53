//! The body of a decision function in Rust.
//!
//! The code uses `::core` alone: no dependencies, no allocation, no panics, and nothing that a `const fn` cannot do.

use std::cell::Cell;

use super::checks::checks;
use super::function::{Body, Function};
use super::layout::Decision;
use super::layouts::LayoutChoice;
use super::limits::check_written;
use super::lints::allow;
use super::quadrant_style::QuadrantStyle;
use super::returns::Wrapper;
use super::scope::Scope;
use crate::listing::in_backticks;
use crate::problem::{Place, Problem, Problems};
use crate::tokens::{Code, Ident, Span};
use crate::tree::{DecisionTree, Predicate, TreeRef};
use crate::{rust, rust_at};

impl Function<'_> {
    /// Generates the body of the function in this layout, and its lint attribute.
    ///
    /// # Errors
    ///
    /// Returns an error for names that make no variants, ids that do not distinguish methods, a tree without a decision everywhere and
    /// without a fallback, and a tree so large that its parameters must have plain types.
    ///
    /// # Panics
    ///
    /// Panics if there is not one parameter for each axis.
    pub fn body(&self, layout: LayoutChoice) -> Result<Body, Problems> {
        let axes = self.tree.domain().axes().len();
        assert_eq!(self.parameters.len(), axes, "one parameter for each axis");
        let written = Cell::default();
        for tree in self.tree.boxes() {
            QuadrantStyle::check(self.quadrants.error.as_deref(), layout.choose(tree).name())?;
            if layout.choose(tree).name() == LayoutChoice::BRANCHES.name() {
                check_written(tree, tree.root().leaves(), &written)?;
            }
        }
        if self.fallback.is_none() && self.wrapper != Wrapper::Option && !self.tree.is_total() {
            self.tree.boxes().iter().try_for_each(check_total)?;
        }
        // Hygiene hides this label from the user's body, and the body's labels from this code.
        let label = rust_at!(Span::MIXED_SITE, "'unmapped");
        let unmapped = match &self.fallback {
            Some(_) => rust!("break #label"; label),
            None => rust!("::core::option::Option::None"),
        };
        let scopes = self.tree.boxes().iter().map(|tree| Scope::new(self, tree, unmapped.clone()));
        let scopes: Vec<Scope<'_>> = scopes.collect::<Result<_, _>>()?;
        let canonical = |(tree, scope): (&DecisionTree, &Scope<'_>)| {
            tree.with_canonical_methods(&scope.answers.canonical_methods(tree.domain())).into_owned()
        };
        let trees: Vec<DecisionTree> = self.tree.boxes().iter().zip(&scopes).map(canonical).collect();
        let scope = &scopes[0];
        let (checks, too_narrow) = checks(self, &trees, scope);
        let parameters = self.unused(&trees);
        let never = scope.answers.never_returned(self.tree);
        let unused = rust!("#parameters #(if false { return #never; })*"; parameters, never);
        let Decision { items, statements, value, lints } = self.decision(&scopes, layout)?;
        let lints = allow(lints);
        let code = match &self.fallback {
            None => {
                rust!("#checks #items #unused #statements #value"; checks, items, unused, statements, value)
            }
            Some(fallback) => {
                // If the tree has a decision everywhere, the label would be unused and the user's body unreachable.
                let total = self.tree.is_total().then(|| rust!("if false { break #label; }"; label));
                rust!(
                    "#checks #items #unused
                     #label: { #total #statements return #value; }
                     #fallback";
                    checks, items, unused, label, total, statements, value, fallback
                )
            }
        };
        Ok(Body { code, lints, too_narrow })
    }

    /// Generates the decision of the trees, of which each has its scope.
    fn decision(&self, scopes: &[Scope<'_>], layout: LayoutChoice) -> Result<Decision, Problem> {
        match (self.tree, scopes) {
            (TreeRef::Split(split), [holding, failing]) => {
                let [met, unmet] = split.guarded();
                let condition = holding.predicate(split.axis(), split.predicate());
                let (met, unmet) = (holding.guarded(&met, layout)?, failing.guarded(&unmet, layout)?);
                let mut decision = Decision::either(&condition, &met, &unmet);
                if matches!(split.predicate(), Predicate::MultipleOf(_)) {
                    // `is_multiple_of` needs a later version of Rust, and earlier ones do not know the lint.
                    decision.lints.extend(["unknown_lints", "clippy::manual_is_multiple_of"]);
                }
                Ok(decision)
            }
            (_, scopes) => scopes[0].guarded(&scopes[0].tree.guarded(), layout),
        }
    }

    /// Returns statements that use the parameters that no condition compares, so that they cause no warnings.
    ///
    /// `trees` are those of the function, with one method for each answer.
    fn unused(&self, trees: &[DecisionTree]) -> Code {
        let split = match self.tree {
            TreeRef::Split(split) => Some(split.axis()),
            TreeRef::Boxes(_) => None,
        };
        let guarded: Vec<usize> = self.tree.boxes().iter().flat_map(DecisionTree::guarded_axes).collect();
        let is_compared = |axis| trees.iter().any(|tree| tree.block().compares(axis));
        let looked_at = |axis| split == Some(axis) || guarded.contains(&axis) || is_compared(axis);
        let idle = self.parameters.iter().enumerate().filter(|(axis, _)| !looked_at(*axis));
        let names: Vec<&Ident> = idle.map(|(_, parameter)| &parameter.name).collect();
        rust!("#(let _ = #names;)*"; names)
    }
}

fn check_total(tree: &DecisionTree) -> Result<(), Problem> {
    if tree.is_total() {
        return Ok(());
    }
    if let Some(guard) = tree.guards().first().filter(|_| tree.fallback().is_none()) {
        let labels: Vec<String> =
            guard.methods.iter().map(|method| tree.domain().method(*method).label()).collect();
        let requires: Vec<String> = guard.requirements.iter().map(ToString::to_string).collect();
        let message = format!(
            "{} requires {}, and no method runs everywhere",
            in_backticks(&labels),
            in_backticks(&requires)
        );
        return Err(Problem::new(Place::File, message)
            .help("add a method that requires nothing")
            .help("let the function return an `Option` (in a build script, `optional()`)")
            .help("give it a body that answers there"));
    }
    let regions = tree.regions();
    let mut unmapped = regions.iter().filter(|region| region.method.is_none());
    let rule = unmapped.next().map(|region| tree.rule(region)).unwrap_or_default();
    let more = match unmapped.count() {
        0 => String::new(),
        1 => ", and in one more region".to_owned(),
        more => format!(", and in {more} more regions"),
    };
    Err(Problem::new(Place::File, format!("nothing was measured where {rule}{more}"))
        .help("let the function return an `Option` (in a build script, `optional()`), or give it a body that answers there"))
}
