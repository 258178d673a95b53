//! Runtime checks of whether the method that the tests of a tree lead to may run.
//!
//! The conditions are checked before the tree. For calls in which one fails there is a separate tree, in which the fallback replaces
//! the methods. Each of the trees only compares sizes, whatever its layout.

use super::layout::Decision;
use super::layouts::LayoutChoice;
use super::lints::of_tree;
use super::parameter::BoundParameter;
use super::scope::Scope;
use crate::domain::{Axis, Basis, Requirement};
use crate::problem::Problem;
use crate::tree::{DecisionTree, GuardedTree};
use proc_macro2::TokenStream;
use quote::quote;

impl Scope<'_> {
    /// Generates the decision of a tree, subject to the conditions of its methods.
    pub(super) fn guarded(&self, tree: &GuardedTree, layout: LayoutChoice) -> Result<Decision, Problem> {
        let (requirements, met, unmet) = match tree {
            GuardedTree::Unguarded(tree) => return self.unguarded(tree, layout),
            GuardedTree::Checked { requirements, met, unmet } => (requirements, met, unmet),
        };
        let condition = self.all(requirements);
        let met = self.guarded(met, layout)?;
        let unmet = self.guarded(unmet, layout)?;
        Ok(Decision::either(&condition, &met, &unmet))
    }

    fn unguarded(&self, tree: &DecisionTree, layout: LayoutChoice) -> Result<Decision, Problem> {
        let tree = tree.with_canonical_methods(&self.answers.canonical_methods(tree.domain()));
        let decision = (layout.choose(&tree).write)(&tree, self)?;
        Ok(Decision { lints: of_tree(&tree, decision.lints), ..decision })
    }

    fn all(&self, requirements: &[Requirement]) -> TokenStream {
        let conditions = requirements.iter().map(|requirement| self.requirement(*requirement));
        quote!(#(#conditions)&&*)
    }

    /// Returns an expression that is true if a condition holds; only for axes that the tree has.
    fn requirement(&self, requirement: Requirement) -> TokenStream {
        let bound = |name: &str| {
            let axis = self.tree.domain().find_axis(name).unwrap_or_default();
            (&self.parameters[axis], &self.tree.domain().axes()[axis])
        };
        let (ranks, _) = bound("comm_size");
        let size = ranks.size();
        match requirement {
            Requirement::PowerOfTwo => power_of_two(ranks),
            Requirement::CommSize(only) => {
                let only = ranks.number(only);
                quote!(#size == #only)
            }
            Requirement::Commutative => {
                let commutative = bound("commutative").0.size();
                quote!(#commutative > 0)
            }
            Requirement::CountAtLeastCommSize => {
                let (bytes, axis) = bound("msg_size");
                let message = bytes.size();
                match axis {
                    Axis { basis: Some(Basis::Block), .. } => quote!(#message > 0),
                    _ if bytes.has_type_of(ranks) => quote!(#message >= #size),
                    _ => quote!(#message as i128 >= #size as i128),
                }
            }
        }
    }
}

fn power_of_two(bound: &BoundParameter<'_>) -> TokenStream {
    let size = bound.size();
    if bound.is_unsigned() {
        quote!(#size.is_power_of_two())
    } else {
        quote!(#size > 0 && #size & (#size - 1) == 0)
    }
}
