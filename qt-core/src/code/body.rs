//! The body of a decision function in Rust.
//!
//! The code uses `::core` alone: no dependencies, no allocation, no panics, and nothing that a `const fn` cannot do.

use super::checks::checks;
use super::function::{Body, Function};
use super::layout::Decision;
use super::layouts::LayoutChoice;
use super::lints::allow;
use super::quadrant_style::QuadrantStyle;
use super::returns::Wrapper;
use super::scope::Scope;
use crate::listing::in_backticks;
use crate::problem::{Place, Problem, Problems};
use crate::tree::DecisionTree;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};

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
        QuadrantStyle::check(self.quadrants.error.as_deref(), layout.choose(self.tree).name())?;
        if self.fallback.is_none() && self.wrapper != Wrapper::Option && !self.tree.is_total() {
            return Err(not_total(self.tree).into());
        }
        // Hygiene hides this label from the user's body, and the body's labels from this code.
        let label = quote_spanned!(Span::mixed_site()=> 'unmapped);
        let unmapped = match &self.fallback {
            Some(_) => quote!(break #label),
            None => quote!(::core::option::Option::None),
        };
        let scope = Scope::new(self, unmapped)?;
        let canonical = scope.answers.canonical_methods(self.tree.domain());
        let tree = self.tree.with_canonical_methods(&canonical);
        let (checks, too_narrow) = checks(self, &tree, &scope);
        let parameters = self.unused(&tree);
        let never = scope.answers.never_returned(self.tree);
        let unused = quote!(#parameters #(if false { return #never; })*);
        let Decision { items, statements, value, lints } = scope.guarded(&self.tree.guarded(), layout)?;
        let lints = allow(lints);
        let code = match &self.fallback {
            None => {
                quote!(#checks #items #unused #statements #value)
            }
            Some(fallback) => {
                // If the tree has a decision everywhere, the label would be unused and the user's body unreachable.
                let total = self.tree.is_total().then(|| quote!(if false { break #label; }));
                quote! {
                    #checks #items #unused
                    #label: { #total #statements return #value; }
                    #fallback
                }
            }
        };
        Ok(Body { code, lints, too_narrow })
    }

    /// Returns statements that use the parameters that no condition compares, so that they cause no warnings.
    ///
    /// `tree` is that of the function, with one method for each answer.
    fn unused(&self, tree: &DecisionTree) -> TokenStream {
        let guarded = self.tree.guarded_axes();
        let looked_at = |axis| guarded.contains(&axis) || tree.block().compares(axis);
        let idle = self.parameters.iter().enumerate().filter(|(axis, _)| !looked_at(*axis));
        let names: Vec<&Ident> = idle.map(|(_, parameter)| &parameter.name).collect();
        quote!(#(let _ = #names;)*)
    }
}

/// Returns why a tree has no decision somewhere.
fn not_total(tree: &DecisionTree) -> Problem {
    if let Some(guard) = tree.guards().first().filter(|_| tree.fallback().is_none()) {
        let labels: Vec<String> =
            guard.methods.iter().map(|method| tree.domain().method(*method).label()).collect();
        let requires: Vec<String> = guard.requirements.iter().map(ToString::to_string).collect();
        let message = format!(
            "{} requires {}, and no method runs everywhere",
            in_backticks(&labels),
            in_backticks(&requires)
        );
        return Problem::new(Place::File, message)
            .help("add a method that requires nothing")
            .help("let the function return an `Option` (in a build script, `optional()`)")
            .help("give it a body that answers there");
    }
    let regions = tree.regions();
    let mut unmapped = regions.iter().filter(|region| region.method.is_none());
    let rule = unmapped.next().map(|region| tree.rule(region)).unwrap_or_default();
    let more = match unmapped.count() {
        0 => String::new(),
        1 => ", and in one more region".to_owned(),
        more => format!(", and in {more} more regions"),
    };
    let place = if regions.len() == 1 { "anywhere".to_owned() } else { format!("where {rule}{more}") };
    Problem::new(Place::File, format!("nothing was measured {place}"))
        .help("let the function return an `Option` (in a build script, `optional()`), or give it a body that answers there")
}
