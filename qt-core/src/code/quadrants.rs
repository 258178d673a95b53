//! The layout of a quadtree as the papers print it.

use super::layout::{Decision, Layout};
use super::limits::{MAX_REGIONS, check_written, too_many};
use super::lints::of_quadrants;
use super::parts::{MAX_LEAVES, MAX_WHOLE};
use super::quadrant_style;
use super::quartered::{QuadrantBranch, Quartered};
use super::scope::Scope;
use crate::domain::MethodIndex;
use crate::problem::Problem;
use crate::tree::{Bound, DecisionTree};
use proc_macro2::TokenStream;
use quote::quote;

/// For every block `if … else if … else if … else`, in the order NW, NE, SW, SE.
pub(super) const QUADRANTS: Layout = Layout {
    name: quadrant_style::QUADRANTS,
    summary: "the quadrants of a quadtree, as the papers print it",
    write,
};

fn write(tree: &DecisionTree, scope: &Scope<'_>) -> Result<Decision, Problem> {
    // Without this, a tree that is far too large would be divided first.
    if tree.root().leaves() > MAX_REGIONS {
        return Err(too_many(tree, tree.root().leaves(), MAX_REGIONS, true));
    }
    let block = Quartered::from_tree(tree, MAX_REGIONS)?;
    check_written(tree, block.leaves(), &scope.written)?;
    let lints = of_quadrants(tree, &block, scope);
    let mut parts = Vec::new();
    let is_small = block.leaves() <= MAX_WHOLE;
    let block = if is_small { block } else { block.split(MAX_LEAVES, &mut parts) };
    let decision =
        scope.divided(tree, &block, &parts, &|block, inner, answer| scope.quadrants(block, inner, answer))?;
    Ok(Decision { lints, ..decision })
}

impl Scope<'_> {
    /// Generates a block, in the function itself or in an inner one.
    fn quadrants(
        &self,
        block: &Quartered,
        inner: bool,
        answer: &dyn Fn(Option<MethodIndex>) -> TokenStream,
    ) -> TokenStream {
        let branches = match block {
            Quartered::Answer(method) => return answer(*method),
            Quartered::Part(number) => return self.call_of_part(*number, inner),
            Quartered::Divided(branches) => branches,
        };
        let last = branches.len() - 1;
        let mut chain = TokenStream::new();
        for (place, QuadrantBranch { names, when, then }) in branches.iter().enumerate() {
            let then = self.quadrants(then, inner, answer);
            let names = names.join(", ");
            let named = self.quadrants.named.then(|| quote!(qtdec_quadrants!(#names);));
            if place < last || self.quadrants.error.is_some() {
                let when = self.any(when);
                chain.extend(quote!(if #when { #named #then } else));
            } else {
                chain.extend(quote!({ #named #then }));
            }
        }
        if let Some(error) = &self.quadrants.error {
            // The only form that a `const fn` takes in every edition, whatever the message holds.
            chain.extend(quote!({ ::core::panic!("{}", #error) }));
        }
        chain
    }

    fn any(&self, alternatives: &[Vec<Bound>]) -> TokenStream {
        let all = |bounds: &Vec<Bound>| {
            let sides: Vec<TokenStream> = bounds.iter().map(|bound| self.side(*bound)).collect();
            quote!(#(#sides)&&*)
        };
        let alternatives: Vec<TokenStream> = alternatives.iter().map(all).collect();
        quote!(#(#alternatives)||*)
    }
}
