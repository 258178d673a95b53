//! The enum of methods in Rust.

use std::collections::{HashMap, HashSet};

use super::number::number;
use super::variants;
use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{ToTokens, format_ident, quote};

use crate::domain::{Domain, Method};
use crate::listing::in_backticks;
use crate::naming;
use crate::naming::reserved::RUST_ASSOCIATED;
use crate::problem::{Diagnostics, Path, Problem, Problems};
use crate::visible;

/// An item of the enum of methods that is generated on request.
///
/// ```
/// use qtdec_core::code::EnumItem;
///
/// assert_eq!(EnumItem::ALL.map(|(name, _)| name), ["display", "from_str", "index"]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum EnumItem {
    /// `Display`, which writes the name of the method.
    Display,
    /// `FromStr`, which parses the name of the method.
    FromStr,
    /// `index()`, the position of the method in `ALL`.
    Index,
}

impl EnumItem {
    /// All items, with their names in the attribute.
    pub const ALL: [(&'static str, Self); 3] =
        [("display", Self::Display), ("from_str", Self::FromStr), ("index", Self::Index)];
}

/// The methods of one or several maps as an enum.
#[derive(Clone, Debug, Default)]
pub struct MethodEnum {
    variants: Vec<(String, Method)>,
    /// Whether a map is for a collective, whose methods have algorithms and segment sizes.
    of_collective: bool,
}

impl MethodEnum {
    /// Adds the methods of a map that are not present yet, in file order.
    ///
    /// # Errors
    ///
    /// Returns an error for methods whose names make no identifier, or the same identifier as another method of this or an earlier map.
    /// All other methods are added nevertheless.
    pub fn add(&mut self, domain: &Domain) -> Result<(), Problems> {
        self.of_collective |= domain.collective().is_some();
        self.add_methods(domain.methods())
    }

    /// Adds the valid methods of a map that has errors, so that code that uses them causes no further errors.
    pub fn add_sound(&mut self, methods: &[Method]) {
        self.of_collective = true;
        let _ = self.add_methods(methods);
    }

    /// Adds methods that are not present yet.
    fn add_methods(&mut self, methods: &[Method]) -> Result<(), Problems> {
        let mut check = Diagnostics::default();
        let variants = variants::of_methods(methods);
        check.note(variants);
        let known: HashMap<String, String> =
            self.variants.iter().map(|(variant, method)| (variant.clone(), method.label())).collect();
        let mut added = HashSet::new();
        for (index, method) in methods.iter().enumerate() {
            let variant = variants::of_method(method);
            match known.get(&variant) {
                None if RUST_ASSOCIATED.contains(&&*variant) => check.add_with(|| {
                    let message = format!(
                        "the method `{}` cannot be the enum variant `{variant}`, which is an item of the enum itself",
                        method.label()
                    );
                    let place = Path::root().key("methods").index(index);
                    Problem::new(place, message).help("give it another `ident`")
                }),
                None => {
                    // Variants that two methods of this map share are reported already.
                    if naming::is_identifier(&variant) && added.insert(variant.clone()) {
                        self.variants.push((variant, method.clone()));
                    }
                }
                Some(label) if *label == method.label() => {}
                Some(label) => check.add_with(|| {
                    let message = format!(
                        "the method `{}` would be the enum variant `{variant}`, which is `{label}` of another map",
                        method.label()
                    );
                    let place = Path::root().key("methods").index(index);
                    Problem::new(place, message).help("give one of them an `ident`")
                }),
            }
        }
        check.finish(Some(()))
    }

    /// Returns the documented variants, as they appear between the braces of the enum.
    pub fn variants(&self) -> TokenStream {
        let variants = self.variants.iter().map(|(variant, method)| {
            let ident = format_ident!("{variant}");
            let name = visible::line(&method.name);
            let doc = match method.segment_size {
                Some(size) => format!(" `{name}` in segments of {size} bytes."),
                None => format!(" `{name}`."),
            };
            quote!(#[doc = #doc] #ident,)
        });
        quote!(#(#variants)*)
    }

    /// Returns an attribute that allows the lints that the method names violate in the enum `name`.
    pub fn lints(&self, name: &Ident) -> TokenStream {
        let variants: Vec<&str> = self.variants.iter().map(|(variant, _)| &**variant).collect();
        let mut lints = Vec::new();
        if variants.iter().any(|variant| variant.contains('_') || variant.starts_with(char::is_lowercase)) {
            lints.push(quote!(non_camel_case_types));
        }
        if variants.len() > 2 && have_much_in_common(&name.to_string(), &variants) {
            lints.push(quote!(clippy::enum_variant_names));
        }
        if lints.is_empty() { TokenStream::new() } else { quote!(#[allow(#(#lints),*)]) }
    }

    /// Returns an item of the enum `name` that was requested.
    pub fn item(&self, item: EnumItem, visibility: &TokenStream, name: &Ident) -> TokenStream {
        let variants = || self.variants.iter().map(|(variant, _)| format_ident!("{variant}"));
        let itself = if self.variants.is_empty() { quote!(*self) } else { quote!(self) };
        match item {
            EnumItem::Display => quote! {
                impl ::core::fmt::Display for #name {
                    fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                        f.pad(self.name())
                    }
                }
            },
            EnumItem::FromStr => {
                let labels: Vec<String> = self.variants.iter().map(|(_, method)| method.label()).collect();
                let unknown = format!("there is no such method: the methods are {}", in_backticks(&labels));
                let variants = variants();
                quote! {
                    impl ::core::str::FromStr for #name {
                        type Err = &'static str;

                        fn from_str(name: &str) -> ::core::result::Result<Self, Self::Err> {
                            match name {
                                #(#labels => ::core::result::Result::Ok(Self::#variants),)*
                                _ => ::core::result::Result::Err(#unknown),
                            }
                        }
                    }
                }
            }
            EnumItem::Index => {
                let variants = variants();
                let indexes = (0..self.variants.len()).map(Literal::usize_unsuffixed);
                quote! {
                    #[allow(dead_code)]
                    impl #name {
                        /// The position of the method in `ALL`.
                        #[must_use]
                        #visibility const fn index(&self) -> usize {
                            match #itself { #(Self::#variants => #indexes,)* }
                        }
                    }
                }
            }
        }
    }

    /// Returns `ALL` and `name()` of the enum `name`, with the visibility of the enum, and `algorithm()` and `segment_size()` if a map
    /// is for a collective.
    pub fn associated(&self, visibility: &TokenStream, name: &Ident) -> TokenStream {
        let variants = self.variants.iter().map(|(variant, _)| format_ident!("{variant}"));
        let labels = self.arms(|method| {
            let label = method.label();
            quote!(#label)
        });
        // The compiler knows that an enum without variants has no values, but not that there are no references to one.
        let itself = if self.variants.is_empty() { quote!(*self) } else { quote!(self) };
        let of_collective = self.of_collective.then(|| self.of_collective(visibility, &itself));
        quote! {
            #[allow(dead_code)]
            impl #name {
                /// Every method.
                #visibility const ALL: &'static [Self] = &[#(Self::#variants),*];

                /// The name of the method, with its segment size if it has one.
                #[must_use]
                #visibility const fn name(&self) -> &'static str {
                    match #itself { #labels }
                }

                #of_collective
            }
        }
    }

    /// Returns the functions that only enums for collectives have.
    fn of_collective(&self, visibility: &TokenStream, itself: &TokenStream) -> TokenStream {
        let algorithms = self.arms(|method| method.name.to_token_stream());
        let segments = self.arms(|method| match method.segment_size {
            Some(size) => {
                let size = number(size, Span::call_site());
                quote!(::core::option::Option::Some(#size))
            }
            None => quote!(::core::option::Option::None),
        });
        quote! {
            /// The name of the algorithm.
            #[must_use]
            #visibility const fn algorithm(&self) -> &'static str {
                match #itself { #algorithms }
            }

            /// The segment size in bytes, if the algorithm cuts messages up.
            #[must_use]
            #visibility const fn segment_size(&self) -> ::core::option::Option<u64> {
                match #itself { #segments }
            }
        }
    }

    /// Returns the arms of a match, one for all methods with the same result.
    fn arms(&self, result: impl Fn(&Method) -> TokenStream) -> TokenStream {
        let mut arms: Vec<(TokenStream, Vec<Ident>)> = Vec::new();
        let mut known: HashMap<String, usize> = HashMap::new();
        for (variant, method) in &self.variants {
            let value = result(method);
            let arm = *known.entry(value.to_string()).or_insert(arms.len());
            if arm == arms.len() {
                arms.push((value, Vec::new()));
            }
            arms[arm].1.push(format_ident!("{variant}"));
        }
        arms.iter().map(|(value, variants)| quote!(#(Self::#variants)|* => #value,)).collect()
    }
}

/// Returns whether all variants begin or end with the same word, or one of them with the name of the enum.
fn have_much_in_common(name: &str, variants: &[&str]) -> bool {
    let words: Vec<Vec<String>> = variants.iter().map(|variant| naming::words(variant)).collect();
    let name = name.to_lowercase();
    words.windows(2).all(|pair| pair[0].first() == pair[1].first())
        || words.windows(2).all(|pair| pair[0].last() == pair[1].last())
        || variants
            .iter()
            .map(|variant| variant.to_lowercase())
            .any(|variant| variant.starts_with(&name) || variant.ends_with(&name))
}
