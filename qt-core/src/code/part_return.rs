//! What the parts of a large tree return.

use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::returns::Wrapper;
use super::scope::Scope;
use crate::domain::MethodIndex;
use crate::tree::Subtree;

/// A part returns this index where there is no decision: no method's is as large.
const UNMAPPED: u16 = u16::MAX;

/// What the parts of a large tree return, and how it becomes the answer.
pub(super) struct PartReturn<'s> {
    scope: &'s Scope<'s>,
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

impl<'s> PartReturn<'s> {
    pub(super) fn of(root: Subtree<'_>, scope: &'s Scope<'s>) -> Self {
        let methods = root.answers();
        let form = match scope.answers.nameable() {
            None => Form::Index,
            Some(ty) if methods.contains(&None) => Form::Option(ty.clone()),
            Some(ty) => Form::Answer(ty.clone()),
        };
        Self { scope, methods, form }
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
        let answers = &self.scope.answers;
        match (&self.form, method) {
            (Form::Answer(_), Some(method)) => answers.bare(method).clone(),
            (Form::Option(_), Some(method)) => Wrapper::Option.around(answers.bare(method)),
            (Form::Answer(_) | Form::Option(_), None) => quote!(::core::option::Option::None),
            (Form::Index, method) => {
                let index = Literal::u16_unsuffixed(method.map_or(UNMAPPED, |method| method.get() as u16));
                quote!(#index)
            }
        }
    }

    /// The answer, where `decision` comes to what a part returns.
    pub(super) fn answer(&self, decision: &TokenStream) -> TokenStream {
        let answers = &self.scope.answers;
        let decided = self.scope.names.local("decided");
        match &self.form {
            Form::Answer(_) => answers.wrap(decision),
            Form::Option(_) if answers.wraps_options() => decision.clone(),
            Form::Option(_) => {
                let (some, none) = (answers.wrap(&quote!(#decided)), answers.get(None));
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
                let arms = others.iter().map(|method| answers.get(*method));
                let rest = answers.get(*rest);
                quote! {
                    {
                        let #decided = #decision;
                        match #decided { #(#indexes => #arms,)* _ => #rest, }
                    }
                }
            }
        }
    }
}
