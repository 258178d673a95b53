//! Checks for type aliases where an enum is expected.
//!
//! An attribute sees only the name of the alias `Id`, not that it stands for `u32`, so it assumes an enum. Each variant of that enum would
//! then be a separate error. To have a single error at the alias, a trait adds the missing variants as constants to all types that are
//! not enums of methods, and their evaluation fails. So it does for the variants that an enum of another map lacks.

use super::function::Function;
use super::names::Names;
use super::parameter::BoundParameter;
use super::returns::ReturnKind;
use super::types::{is_plain_path, span_of};
use super::variants;
use crate::listing::in_backticks;
use proc_macro2::{Ident, Literal, Span, TokenStream, TokenTree};
use quote::{quote, quote_spanned};
use syn::Type;

impl Function<'_> {
    /// Generates items that cause a single error if the return type or the type of a parameter is an alias of a type that is not an
    /// enum. Empty if no type can be such an alias, or if `is_declared` knows an enum of the type's name with these variants: the
    /// compiler takes most of a small function's time for the check.
    pub fn alias_checks(&self, is_declared: impl Fn(&Ident, &[Ident]) -> bool) -> TokenStream {
        let names = Names::new(self);
        let mut checks = TokenStream::new();
        let variants = variants::of_methods(self.tree.domain().methods());
        if let (ReturnKind::Variant(path), Ok(variants), true) = (&self.returns, variants, self.nameable) {
            let used = self.tree.methods().into_iter();
            let variants: Vec<String> = used.map(|method| variants[method.get()].clone()).collect();
            let variants = identifiers(&variants, self.variants_at);
            if !is_known(path, &variants, &is_declared) {
                checks.extend(check_returned(&names.item("NotAnEnum"), path, &variants).unwrap_or_default());
            }
        }
        let bound =
            BoundParameter::bind(self.tree.domain(), &self.parameters, &self.true_labels).unwrap_or_default();
        for (index, bound) in bound.iter().enumerate() {
            let nameable = bound.labels().filter(|_| bound.parameter.nameable);
            if let Some((path, variants)) =
                nameable.filter(|(path, variants)| !is_known(path, variants, &is_declared))
            {
                let name = names.item(&format!("NotAnEnum{index}"));
                checks.extend(check_given(&name, path, variants).unwrap_or_default());
            }
        }
        checks
    }
}

/// Generates the trait `name` with constants for these variants, and implements it for every type. The constants of an enum are its own
/// variants; those of any other type, and those that an enum lacks, are the trait's, whose evaluation fails.
fn check_returned(name: &Ident, path: &TokenStream, variants: &[Ident]) -> Option<TokenStream> {
    let ty: Type = syn::parse2(path.clone()).ok().filter(is_plain_path)?;
    let span = span_of(&ty);
    let (first, others) = variants.split_first()?;
    let text = path.to_string().replace(' ', "");
    let listed = in_backticks(&variants.iter().map(ToString::to_string).collect::<Vec<_>>());
    let message = format!(
        "`{text}` is not an enum with the variants {listed}, which the map chooses\n\
         help: name the enum of this map; if `{text}` is an alias, write the type that it stands for"
    );
    let count = Literal::usize_unsuffixed(variants.len());
    Some(quote_spanned! { span =>
        #[allow(dead_code, non_upper_case_globals)]
        trait #name: ::core::marker::Sized {
            const #first: Self = ::core::panic!(#message);
            #(const #others: Self = <Self as #name>::#first;)*
        }
        impl<T> #name for T {}
        const _: [#ty; #count] = [#(#ty::#variants),*];
    })
}

/// Generates the trait `name` with constants for these variants, and implements it for `bool`, which the path may stand for.
fn check_given(name: &Ident, path: &TokenStream, variants: &[Ident]) -> Option<TokenStream> {
    let ty: Type = syn::parse2(path.clone()).ok().filter(is_plain_path)?;
    let span = span_of(&ty);
    let first = variants.first()?;
    // If an enum lacks this variant, the error is the one of the body.
    let evaluated = quote!(#ty::#first);
    let alias = path.to_string().replace(' ', "");
    let message = format!(
        "`{alias}` is an alias of `bool`, but the attribute sees only its name\nhelp: write `bool` itself"
    );
    Some(quote_spanned! { span =>
        #[allow(dead_code, non_upper_case_globals)]
        trait #name: ::core::marker::Sized {
            const QTDEC_ALIAS: Self;
            #(const #variants: Self = Self::QTDEC_ALIAS;)*
        }
        impl #name for ::core::primitive::bool { const QTDEC_ALIAS: Self = ::core::panic!(#message); }
        const _: #ty = #evaluated;
    })
}

/// Returns whether the last name of a path is that of a known enum.
fn is_known(path: &TokenStream, variants: &[Ident], is_declared: impl Fn(&Ident, &[Ident]) -> bool) -> bool {
    match path.clone().into_iter().last() {
        Some(TokenTree::Ident(name)) => is_declared(&name, variants),
        _ => false,
    }
}

fn identifiers(names: &[String], span: Span) -> Vec<Ident> {
    names.iter().map(|name| Ident::new(name, span)).collect()
}
