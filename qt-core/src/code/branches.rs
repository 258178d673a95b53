//! A tree as nested branches.

use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{format_ident, quote};

use super::answers::Answers;
use super::decision::Decision;
use super::lints::of_branches;
use super::parameter::{Given, Parameters};
use super::parts::split;
use crate::domain::MethodIndex;
use crate::problem::{Place, Problem};
use crate::tree::{Arm, Block, Subtree};

/// The part of a large tree returns this where there is no decision: no index is as large.
const UNMAPPED: u16 = u16::MAX;

/// Nested `if` and `else if`. A large tree is cut into functions that return the index of the method.
pub(super) fn branches(
    root: Subtree<'_>,
    parameters: &Parameters<'_>,
    answers: &Answers,
) -> Result<Decision, Problem> {
    let block = Block::of(root);
    let lints = of_branches(&block, root, parameters);
    let (block, parts) = split(block);
    let writer = |inner: bool| Writer { parameters, inner };
    if parts.is_empty() {
        let value = writer(false).tokens(&block, &|method| answers.get(method));
        return Ok(Decision { lints, ..Decision::alone(value) });
    }
    nameable(parameters)?;
    let items = parts.iter().enumerate().map(|(number, part)| writer(true).part(number, part)).collect();
    // A local that is written here is not seen by the user's names, nor they by it.
    let index = Ident::new("index", Span::mixed_site());
    let decision = writer(false).tokens(&block, &index_literal);
    Ok(Decision {
        items,
        statements: quote!(let #index = #decision;),
        value: dispatch(root, answers, &index),
        lints,
    })
}

/// Functions of their own must be able to name the types of their parameters.
pub(super) fn nameable(parameters: &Parameters<'_>) -> Result<(), Problem> {
    let Some(given) = parameters.iter().find(|given| !given.parameter.nameable) else { return Ok(()) };
    let name = &given.parameter.name;
    let message =
        format!("the type of `{name}` cannot name generics or `Self`: the map has too many regions");
    Err(Problem::new(Place::File, message).help("give the parameter a plain integer type"))
}

/// Turns an index into the answer.
pub(super) fn dispatch(root: Subtree<'_>, answers: &Answers, index: &Ident) -> TokenStream {
    let mut used: Vec<Option<MethodIndex>> = root.methods().collect();
    // No method sorts first: the match is exhaustive without a panic when what stands last holds for the rest.
    used.sort_unstable_by_key(|method| std::cmp::Reverse(*method));
    used.dedup();
    let rest = used.pop().map(|method| answers.get(method));
    let indexes = used.iter().map(|method| index_literal(*method));
    let answers = used.iter().map(|method| answers.get(*method));
    quote!(match #index { #(#indexes => #answers,)* _ => #rest, })
}

pub(super) fn index_literal(method: Option<MethodIndex>) -> TokenStream {
    let index = Literal::u16_unsuffixed(method.map_or(UNMAPPED, |method| method.get() as u16));
    quote!(#index)
}

fn part_name(number: usize) -> Ident {
    format_ident!("qtdec_part_{number}")
}

/// Writes branches down, in the function itself or in an inner one.
pub(super) struct Writer<'p> {
    pub(super) parameters: &'p Parameters<'p>,
    pub(super) inner: bool,
}

impl Writer<'_> {
    /// A part of a large tree, as a function that returns the index of the method.
    pub(super) fn part(&self, number: usize, part: &Block) -> TokenStream {
        let name = part_name(number);
        let parameters = self.parameters.iter().map(Given::inner);
        let body = self.tokens(part, &index_literal);
        quote! {
            #[allow(unused_variables)]
            #[inline(never)]
            const fn #name(#(#parameters),*) -> u16 { #body }
        }
    }

    pub(super) fn tokens(
        &self,
        block: &Block,
        answer: &impl Fn(Option<MethodIndex>) -> TokenStream,
    ) -> TokenStream {
        match block {
            Block::Answer(method) => answer(*method),
            Block::Part(number) => {
                let name = part_name(*number);
                let arguments = self.parameters.iter().map(|given| given.argument(self.inner));
                quote!(#name(#(#arguments),*))
            }
            Block::Branches { arms, otherwise } => {
                let arms = arms.iter().map(|Arm { when, then }| {
                    let when = self.parameters.condition(when);
                    let then = self.tokens(then, answer);
                    quote!(if #when { #then } else)
                });
                let otherwise = self.tokens(otherwise, answer);
                quote!(#(#arms)* { #otherwise })
            }
        }
    }
}
