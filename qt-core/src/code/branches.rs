//! The layout of a tree as nested branches.

use super::layout::{Decision, Layout};
use super::limits::check_written;
use super::lints::of_branches;
use super::parameter::BoundParameter;
use super::part_return::PartReturn;
use super::parts::split;
use super::scope::Scope;
use crate::domain::MethodIndex;
use crate::problem::{Place, Problem};
use crate::tree::{Arm, Block, Condition, DecisionTree};
use proc_macro2::{Ident, TokenStream};
use quote::quote;

/// Nested `if` and `else if`: the readable layout, and the fastest for repetitive calls. A large tree is divided into several
/// functions.
pub(super) const BRANCHES: Layout = Layout { name: "branches", summary: "nested branches", write };

fn write(tree: &DecisionTree, scope: &Scope<'_>) -> Result<Decision, Problem> {
    check_written(tree, tree.root().leaves(), &scope.written)?;
    let lints = of_branches(tree, scope);
    let (block, parts) = split(tree.block().clone());
    let decision =
        scope.divided(tree, &block, &parts, &|block, inner, answer| scope.tokens(block, inner, answer))?;
    Ok(Decision { lints, ..decision })
}

/// Generates the code of a block, in the function itself or in an inner one, with these answers.
type Written<'w, B> = &'w dyn Fn(&B, bool, &dyn Fn(Option<MethodIndex>) -> TokenStream) -> TokenStream;

impl Scope<'_> {
    /// Generates the decision of a block, of which some parts are functions of their own.
    pub(super) fn divided<B>(
        &self,
        tree: &DecisionTree,
        block: &B,
        parts: &[B],
        written: Written<'_, B>,
    ) -> Result<Decision, Problem> {
        if parts.is_empty() {
            return Ok(Decision::alone(written(block, false, &|method| self.answers.get(method))));
        }
        self.check_nameable()?;
        let returned = PartReturn::new(tree.root(), self);
        let part = |(number, part)| {
            self.part(number, &written(part, true, &|method| returned.get(method)), &returned)
        };
        let items = parts.iter().enumerate().map(part).collect();
        let value = returned.answer(&written(block, false, &|method| returned.get(method)));
        Ok(Decision { items, ..Decision::alone(value) })
    }

    /// Checks that separate functions can name the types of their parameters.
    fn check_nameable(&self) -> Result<(), Problem> {
        let Some(bound) = self.parameters.iter().find(|bound| !bound.parameter.nameable) else {
            return Ok(());
        };
        let name = &bound.parameter.name;
        let message =
            format!("the type of `{name}` cannot name generics or `Self`: the map has too many regions");
        Err(Problem::new(Place::File, message).help("give the parameter a plain integer type"))
    }

    fn part_name(&self, number: usize) -> Ident {
        self.names.item(&format!("qtdec_part_{number}"))
    }

    fn part(&self, number: usize, body: &TokenStream, returned: &PartReturn<'_>) -> TokenStream {
        let (name, ty) = (self.part_name(number), returned.ty());
        let parameters: Vec<TokenStream> = self.parameters.iter().map(BoundParameter::inner).collect();
        quote! {
            #[allow(unused_variables)]
            #[inline(never)]
            const fn #name(#(#parameters),*) -> #ty { #body }
        }
    }

    /// Generates the call of a part, from the function itself or from an inner one.
    pub(super) fn call_of_part(&self, number: usize, inner: bool) -> TokenStream {
        let name = self.part_name(number);
        let arguments: Vec<TokenStream> = self.parameters.iter().map(|bound| bound.argument(inner)).collect();
        quote!(#name(#(#arguments),*))
    }

    /// Generates branches, in the function itself or in an inner one.
    fn tokens(
        &self,
        block: &Block,
        inner: bool,
        answer: &dyn Fn(Option<MethodIndex>) -> TokenStream,
    ) -> TokenStream {
        match block {
            Block::Answer(method) => answer(*method),
            Block::Part(number) => self.call_of_part(*number, inner),
            Block::Branches { arms, otherwise } => {
                let tokens = |block: &Block| self.tokens(block, inner, answer);
                let mut chain = TokenStream::new();
                for (index, Arm { when, then }) in arms.iter().enumerate() {
                    if let Some(next) = arms.get(index + 1).filter(|next| when.is_opposite(&next.when)) {
                        let rest = match &arms[index + 2..] {
                            [] => (**otherwise).clone(),
                            arms => Block::Branches { arms: arms.to_vec(), otherwise: otherwise.clone() },
                        };
                        let arm = |block: &Block| match (block, tokens(block)) {
                            (Block::Branches { .. }, tokens) => quote!({ #tokens }),
                            (Block::Answer(_) | Block::Part(_), tokens) => quote!(#tokens,),
                        };
                        let corners = self.corners(when, [then, &next.then, &rest].map(arm));
                        return if index == 0 { corners } else { quote!(#chain { #corners }) };
                    }
                    let (when, then) = (self.condition(when), tokens(then));
                    chain.extend(quote!(if #when { #then } else));
                }
                let otherwise = tokens(otherwise);
                chain.extend(quote!({ #otherwise }));
                chain
            }
        }
    }

    /// Generates the branches of a corner, of the opposite one, and of the rest, each as an arm of a match ends. A match evaluates each
    /// comparison once.
    fn corners(&self, corner: &Condition, [then, opposite, rest]: [TokenStream; 3]) -> TokenStream {
        let Condition::Corner(first, second) = *corner else { return rest };
        let (one, is_one) = self.comparison(first);
        let (two, is_two) = self.comparison(second);
        let (not_one, not_two) = (!is_one, !is_two);
        quote! {
            match (#one, #two) {
                (#is_one, #is_two) => #then
                (#not_one, #not_two) => #opposite
                _ => #rest
            }
        }
    }
}
