//! The return values of the parts of a large tree.

use super::returns::Wrapper;
use super::scope::Scope;
use crate::domain::MethodIndex;
use crate::tree::Subtree;
use proc_macro2::{Literal, TokenStream};
use quote::{ToTokens, quote};

/// The index that a part returns where there is no decision. No method has an index this large.
const UNMAPPED: u16 = u16::MAX;

/// The return values of the parts of a large tree, and their conversion into the answer.
pub(super) struct PartReturn<'s> {
    scope: &'s Scope<'s>,
    /// The answers of the tree, no decision last.
    methods: Vec<Option<MethodIndex>>,
    form: Form,
}

enum Form {
    /// The bare answer. The function then returns what its last part returns.
    Answer(TokenStream),
    /// The bare answer in an `Option`, if there are regions without a decision.
    Option(TokenStream),
    /// The index of the method, if a part cannot name the type of the answer.
    Index,
}

impl<'s> PartReturn<'s> {
    pub(super) fn new(root: Subtree<'_>, scope: &'s Scope<'s>) -> Self {
        let methods = root.answers();
        let function = scope.answers.function;
        let form = match function.returns.ty() {
            _ if !function.nameable => Form::Index,
            ty if methods.contains(&None) => Form::Option(ty),
            ty => Form::Answer(ty),
        };
        Self { scope, methods, form }
    }

    pub(super) fn ty(&self) -> TokenStream {
        match &self.form {
            Form::Answer(ty) => ty.clone(),
            Form::Option(ty) => quote!(::core::option::Option<#ty>),
            Form::Index => quote!(u16),
        }
    }

    /// Returns the return value of a part for a decision.
    pub(super) fn get(&self, method: Option<MethodIndex>) -> TokenStream {
        let answers = &self.scope.answers;
        match (&self.form, method) {
            (Form::Answer(_), Some(method)) => answers.bare(method).clone(),
            (Form::Option(_), Some(method)) => Wrapper::Option.around(answers.bare(method)),
            (Form::Answer(_) | Form::Option(_), None) => quote!(::core::option::Option::None),
            (Form::Index, method) => {
                let index = method.map_or(UNMAPPED, |method| method.get() as u16);
                Literal::u16_unsuffixed(index).into_token_stream()
            }
        }
    }

    /// Returns the answer, from an expression `decision` that has the return value of a part.
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
                // The match is exhaustive without a panic because the last arm covers the remaining values.
                let Some((rest, others)) = self.methods.split_last() else { return TokenStream::new() };
                let indexes: Vec<TokenStream> = others.iter().map(|method| self.get(*method)).collect();
                let arms: Vec<TokenStream> = others.iter().map(|method| answers.get(*method)).collect();
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
