//! What the parts of a large tree return.

use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::quote;

use super::answers::Answers;
use super::returns::Wrapper;
use crate::domain::MethodIndex;
use crate::tree::Subtree;

/// A part returns this index where there is no decision: no method's is as large.
const UNMAPPED: u16 = u16::MAX;

/// What the parts of a large tree return, and how it becomes the answer.
pub(super) struct Returned<'a> {
    answers: &'a Answers,
    /// What the tree decides, no decision last.
    methods: Vec<Option<MethodIndex>>,
    form: Form,
}

/// What is returned for a decision.
enum Form {
    /// The answer without its wrapper: what the function returns is then what its last part does.
    Answer(TokenStream),
    /// The same in an `Option`, for there are regions without a decision.
    Option(TokenStream),
    /// The index of the method, where a part cannot name the type of the answer.
    Index,
}

impl<'a> Returned<'a> {
    pub(super) fn of(root: Subtree<'_>, answers: &'a Answers) -> Self {
        let mut methods: Vec<Option<MethodIndex>> = root.methods().collect();
        methods.sort_unstable_by_key(|method| (method.is_none(), *method));
        methods.dedup();
        let form = match answers.nameable() {
            None => Form::Index,
            Some(ty) if methods.contains(&None) => Form::Option(ty.clone()),
            Some(ty) => Form::Answer(ty.clone()),
        };
        Self { answers, methods, form }
    }

    /// The return type of a part.
    pub(super) fn ty(&self) -> TokenStream {
        match &self.form {
            Form::Answer(ty) => ty.clone(),
            Form::Option(ty) => quote!(::core::option::Option<#ty>),
            Form::Index => quote!(u16),
        }
    }

    /// What a part returns for a decision.
    pub(super) fn get(&self, method: Option<MethodIndex>) -> TokenStream {
        match (&self.form, method) {
            (Form::Answer(_), Some(method)) => self.answers.bare(method).clone(),
            (Form::Option(_), Some(method)) => Wrapper::Option.around(self.answers.bare(method)),
            (Form::Answer(_) | Form::Option(_), None) => quote!(::core::option::Option::None),
            (Form::Index, method) => {
                let index = Literal::u16_unsuffixed(method.map_or(UNMAPPED, |method| method.get() as u16));
                quote!(#index)
            }
        }
    }

    /// The answer, where `decision` comes to what a part returns.
    pub(super) fn answer(&self, decision: &TokenStream) -> TokenStream {
        // A local that is written here is not seen by the user's names, nor they by it.
        let decided = Ident::new("decided", Span::mixed_site());
        match &self.form {
            Form::Answer(_) => self.answers.wrap(decision),
            Form::Option(_) if self.answers.wraps_options() => decision.clone(),
            Form::Option(_) => {
                let (some, none) = (self.answers.wrap(&quote!(#decided)), self.answers.get(None));
                quote! {
                    match #decision {
                        ::core::option::Option::Some(#decided) => #some,
                        ::core::option::Option::None => #none,
                    }
                }
            }
            Form::Index => {
                // The match is exhaustive without a panic when what stands last holds for the rest.
                let Some((rest, others)) = self.methods.split_last() else { return TokenStream::new() };
                let indexes = others.iter().map(|method| self.get(*method));
                let answers = others.iter().map(|method| self.answers.get(*method));
                let rest = self.answers.get(*rest);
                quote! {
                    {
                        let #decided = #decision;
                        match #decided { #(#indexes => #answers,)* _ => #rest, }
                    }
                }
            }
        }
    }
}
