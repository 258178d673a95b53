//! A tree as nested branches.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

use super::answers::Answers;
use super::decision::Decision;
use super::lints::of_branches;
use super::parameter::{Given, Parameters};
use super::parts::split;
use super::returned::Returned;
use crate::domain::MethodIndex;
use crate::problem::{Place, Problem};
use crate::tree::{Arm, Block, Subtree};

/// Nested `if` and `else if`. A large tree is cut into functions.
pub(super) fn branches(
    root: Subtree<'_>,
    parameters: &Parameters<'_>,
    answers: &Answers,
) -> Result<Decision, Problem> {
    let block = Block::of(root);
    let lints = of_branches(&block, root, parameters);
    let (block, parts) = split(block);
    let writer = Writer { parameters, inner: false };
    if parts.is_empty() {
        let value = writer.tokens(&block, &|method| answers.get(method));
        return Ok(Decision { lints, ..Decision::alone(value) });
    }
    nameable(parameters)?;
    let returned = Returned::of(root, answers);
    let items = items(&parts, parameters, &returned);
    let value = returned.answer(&writer.tokens(&block, &|method| returned.get(method)));
    Ok(Decision { items, lints, ..Decision::alone(value) })
}

/// The parts of a large tree, as functions.
pub(super) fn items(parts: &[Block], parameters: &Parameters<'_>, returned: &Returned<'_>) -> TokenStream {
    let writer = Writer { parameters, inner: true };
    parts.iter().enumerate().map(|(number, part)| writer.part(number, part, returned)).collect()
}

/// Functions of their own must be able to name the types of their parameters.
pub(super) fn nameable(parameters: &Parameters<'_>) -> Result<(), Problem> {
    let Some(given) = parameters.iter().find(|given| !given.parameter.nameable) else { return Ok(()) };
    let name = &given.parameter.name;
    let message =
        format!("the type of `{name}` cannot name generics or `Self`: the map has too many regions");
    Err(Problem::new(Place::File, message).help("give the parameter a plain integer type"))
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
    /// A part of a large tree, as a function.
    fn part(&self, number: usize, part: &Block, returned: &Returned<'_>) -> TokenStream {
        let (name, ty) = (part_name(number), returned.ty());
        let parameters = self.parameters.iter().map(Given::inner);
        let body = self.tokens(part, &|method| returned.get(method));
        quote! {
            #[allow(unused_variables)]
            #[inline(never)]
            const fn #name(#(#parameters),*) -> #ty { #body }
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
