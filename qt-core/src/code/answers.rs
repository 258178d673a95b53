//! What a function returns for each method.

use std::collections::HashMap;

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;

use super::number::number;
use super::returns::{Returns, Wrapper, span_of};
use super::variants;
use crate::domain::{Domain, Method, MethodIndex};
use crate::problem::{Path, Problem, Problems};

/// What a function returns for each method, as expressions.
pub(super) struct Answers {
    methods: Vec<TokenStream>,
    unmapped: TokenStream,
    /// The ids, where they are what is returned.
    ids: Vec<u64>,
    wrapper: Wrapper,
    returns: Returns,
}

impl Answers {
    /// `unmapped` is the expression for no method; an enum that lacks a variant is at fault at `variants_at`.
    pub(super) fn of(
        domain: &Domain,
        returns: &Returns,
        variants_at: Span,
        wrapper: Wrapper,
        unmapped: TokenStream,
    ) -> Result<Self, Problems> {
        let mut numbers = Vec::new();
        let bare: Vec<TokenStream> = match returns {
            Returns::Variant(ty) => {
                let path = |variant: &String| {
                    let variant = Ident::new(variant, variants_at);
                    quote!(#ty::#variant)
                };
                variants::of_methods(domain.methods())?.iter().map(path).collect()
            }
            Returns::Id(ty) => {
                numbers = ids(domain)?;
                numbers.iter().map(|&id| number(id, span_of(ty))).collect()
            }
            Returns::Label => {
                domain.methods().iter().map(Method::label).map(|label| quote!(#label)).collect()
            }
        };
        let methods = bare.into_iter().map(|answer| wrap(wrapper, &answer)).collect();
        Ok(Self { methods, unmapped, ids: numbers, wrapper, returns: returns.clone() })
    }

    /// What the function returns for a method, as the user wrote it.
    pub(super) fn returns(&self) -> &Returns {
        &self.returns
    }

    /// The answer where the id is the value of this variable.
    pub(super) fn number(&self, variable: &Ident) -> TokenStream {
        let number = match &self.returns {
            Returns::Id(ty) => quote!(#variable as #ty),
            Returns::Variant(_) | Returns::Label => quote!(#variable),
        };
        wrap(self.wrapper, &number)
    }

    pub(super) fn get(&self, method: Option<MethodIndex>) -> TokenStream {
        method.map_or_else(|| self.unmapped.clone(), |method| self.methods[method.get()].clone())
    }

    /// The methods as far as the answers tell them apart: of those with one id, the first stands for all.
    pub(super) fn told_apart(&self, domain: &Domain) -> Vec<MethodIndex> {
        let mut first: HashMap<u64, MethodIndex> = HashMap::new();
        let stands_for = |method: MethodIndex| match self.id(method) {
            Some(id) => *first.entry(id).or_insert(method),
            None => method,
        };
        domain.method_indexes().map(stands_for).collect()
    }

    /// The number that is returned for a method, if numbers are.
    pub(super) fn id(&self, method: MethodIndex) -> Option<u64> {
        self.ids.get(method.get()).copied()
    }
}

fn wrap(wrapper: Wrapper, answer: &TokenStream) -> TokenStream {
    match wrapper {
        Wrapper::Bare => quote!(#answer),
        Wrapper::Option => quote!(::core::option::Option::Some(#answer)),
        Wrapper::Result => quote!(::core::result::Result::Ok(#answer)),
    }
}

/// The id of every method: its own, or else its index.
fn ids(domain: &Domain) -> Result<Vec<u64>, Problem> {
    let methods = domain.methods();
    let own: HashMap<u64, &Method> = methods.iter().filter_map(|method| Some((method.id?, method))).collect();
    for (index, method) in methods.iter().enumerate().filter(|(_, method)| method.id.is_none()) {
        if let Some(other) = own.get(&(index as u64)) {
            let (label, other) = (method.label(), other.label());
            let message = format!("`{label}` has no id, and its index {index} is the id of `{other}`");
            let place = Path::root().key("methods").index(index);
            return Err(Problem::new(place, message).help("give every method an `id`, or none"));
        }
    }
    Ok(methods.iter().enumerate().map(|(index, method)| method.id.unwrap_or(index as u64)).collect())
}
