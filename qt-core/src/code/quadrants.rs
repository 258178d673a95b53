//! The layout of a quadtree as the papers print it.

use super::layout::{Decision, Layout};
use super::limits::{MAX_REGIONS, check_written};
use super::lints::of_quadrants;
use super::parts::{MAX_LEAVES, MAX_WHOLE};
use super::quadrant_style;
use super::quartered::{QuadrantBranch, Quartered};
use super::scope::Scope;
use crate::domain::MethodIndex;
use crate::problem::Problem;
use crate::rust;
use crate::tokens::Code;
use crate::tree::{Bound, DecisionTree};

/// For every block `if … else if … else if … else`, in the order NW, NE, SW, SE.
pub(super) const QUADRANTS: Layout = Layout {
    name: quadrant_style::QUADRANTS,
    summary: "the quadrants of a quadtree, as the papers print it",
    cuts: |tree| Quartered::from_tree(tree, MAX_REGIONS).map(|block| block.cuts()).unwrap_or_default(),
    write,
};

fn write(tree: &DecisionTree, scope: &Scope<'_>) -> Result<Decision, Problem> {
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
        answer: &dyn Fn(Option<MethodIndex>) -> Code,
    ) -> Code {
        let branches = match block {
            Quartered::Answer(method) => return answer(*method),
            Quartered::Part(number) => return self.call_of_part(*number, inner),
            Quartered::Divided(branches) => branches,
        };
        let last = branches.len() - 1;
        let mut chain = Code::new();
        for (place, QuadrantBranch { names, when, then }) in branches.iter().enumerate() {
            let then = self.quadrants(then, inner, answer);
            let names = names.join(", ");
            let named = self.quadrants.named.then(|| rust!("qtdec_quadrants!(#names);"; names));
            if place < last || self.quadrants.error.is_some() {
                let when = self.any(when);
                chain.append(rust!("if #when { #named #then } else"; when, named, then));
            } else {
                chain.append(rust!("{ #named #then }"; named, then));
            }
        }
        if let Some(error) = &self.quadrants.error {
            // A `const fn` formats nothing, not even an escaped brace.
            let unreachable = if error.contains(['{', '}']) {
                rust!("::core::panic!(#format, #error)"; format = "{}", error)
            } else {
                rust!("::core::unreachable!(#error)"; error)
            };
            chain.append(rust!("{ #unreachable }"; unreachable));
        }
        chain
    }

    fn any(&self, alternatives: &[Vec<Bound>]) -> Code {
        let all = |bounds: &Vec<Bound>| {
            let sides: Vec<Code> = bounds.iter().map(|bound| self.side(*bound)).collect();
            rust!("#(#sides)&&*"; sides)
        };
        let alternatives: Vec<Code> = alternatives.iter().map(all).collect();
        rust!("#(#alternatives)||*"; alternatives)
    }
}
