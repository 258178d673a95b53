//! The items of the enum of methods: constants, functions and traits.

use std::collections::HashMap;

use super::method_enum::MethodEnum;
use super::number::number;
use crate::domain::Method;
use crate::listing::in_backticks;
use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::quote;

/// An item of the enum of methods. A generated file has only those that are requested; the attribute adds some on its own.
///
/// ```
/// use qtdec_core::code::EnumItem;
///
/// let names = EnumItem::ALL.map(|(name, _)| name);
/// assert_eq!(names, ["all", "name", "algorithm", "segment_size", "index", "display", "from_str"]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum EnumItem {
    /// `ALL`, every method in the order of the map.
    All,
    /// `name()`, the name of the method, with its segment size if it has one.
    Name,
    /// `algorithm()`, the name without the segment size.
    Algorithm,
    /// `segment_size()`, the segment size if the method has one.
    SegmentSize,
    /// `index()`, the position of the method among all of them.
    Index,
    /// `Display`, which writes `name()`, and that function.
    Display,
    /// `FromStr`, which parses what `name()` returns.
    FromStr,
}

impl EnumItem {
    /// All items, with their names in options.
    pub const ALL: [(&'static str, Self); 7] = [
        ("all", Self::All),
        ("name", Self::Name),
        ("algorithm", Self::Algorithm),
        ("segment_size", Self::SegmentSize),
        ("index", Self::Index),
        ("display", Self::Display),
        ("from_str", Self::FromStr),
    ];
}

impl MethodEnum {
    /// Returns the items that an enum has without a request where nobody reads its code: `ALL` and `name()`, and what describes the
    /// methods of a collective.
    pub fn usual_items(&self) -> Vec<EnumItem> {
        let items = [EnumItem::All, EnumItem::Name, EnumItem::Algorithm, EnumItem::SegmentSize];
        items[..if self.of_collective { 4 } else { 2 }].to_vec()
    }

    /// Returns these items of the enum `name`, whose functions have the visibility of the enum.
    pub fn items(&self, items: &[EnumItem], visibility: &TokenStream, name: &Ident) -> TokenStream {
        let (mut members, mut impls) = (TokenStream::new(), TokenStream::new());
        for (_, item) in EnumItem::ALL {
            let is_called = item == EnumItem::Name && items.contains(&EnumItem::Display);
            match item {
                _ if !is_called && !items.contains(&item) => {}
                EnumItem::All => members.extend(self.all(visibility)),
                EnumItem::Name => members.extend(self.name(visibility)),
                EnumItem::Algorithm => members.extend(self.algorithm(visibility)),
                EnumItem::SegmentSize => members.extend(self.segment_size(visibility)),
                EnumItem::Index => members.extend(self.index(visibility)),
                EnumItem::Display => impls.extend(display(name)),
                EnumItem::FromStr => impls.extend(self.parsing(name)),
            }
        }
        let inherent = (!members.is_empty()).then(|| quote!(#[allow(dead_code)] impl #name { #members }));
        quote!(#inherent #impls)
    }

    /// Returns the names of the variants.
    pub fn identifiers(&self) -> impl Iterator<Item = Ident> {
        self.variants.iter().map(|(variant, _)| Ident::new(variant, Span::call_site()))
    }

    fn all(&self, visibility: &TokenStream) -> TokenStream {
        let variants: Vec<Ident> = self.identifiers().collect();
        quote! {
            /// Every method.
            #visibility const ALL: &'static [Self] = &[#(Self::#variants),*];
        }
    }

    fn name(&self, visibility: &TokenStream) -> TokenStream {
        let labels = self.arms(&|method| {
            let label = method.label();
            quote!(#label)
        });
        let doc = " The name of the method, with its segment size if it has one.";
        self.getter(doc, visibility, "name", &quote!(&'static str), &labels)
    }

    fn algorithm(&self, visibility: &TokenStream) -> TokenStream {
        let names = self.arms(&|method| {
            let name = &method.name;
            quote!(#name)
        });
        self.getter(" The name of the algorithm.", visibility, "algorithm", &quote!(&'static str), &names)
    }

    fn segment_size(&self, visibility: &TokenStream) -> TokenStream {
        let segments = self.arms(&|method| match method.segment_size {
            Some(size) => {
                let size = number(size, Span::call_site());
                quote!(::core::option::Option::Some(#size))
            }
            None => quote!(::core::option::Option::None),
        });
        let doc = " The segment size in bytes, if the algorithm cuts messages up.";
        self.getter(doc, visibility, "segment_size", &quote!(::core::option::Option<u64>), &segments)
    }

    fn index(&self, visibility: &TokenStream) -> TokenStream {
        let variants: Vec<Ident> = self.identifiers().collect();
        let indexes = (0..self.variants.len()).map(Literal::usize_unsuffixed);
        let arms = quote!(#(Self::#variants => #indexes,)*);
        let doc = " The position of the method among all of them.";
        self.getter(doc, visibility, "index", &quote!(usize), &arms)
    }

    /// Returns a function that returns something of a method, by the arms of a match.
    fn getter(
        &self,
        doc: &str,
        visibility: &TokenStream,
        name: &str,
        ty: &TokenStream,
        arms: &TokenStream,
    ) -> TokenStream {
        // The compiler knows that an enum without variants has no values, but not that there are no references to one.
        let itself = if self.variants.is_empty() { quote!(*self) } else { quote!(self) };
        let name = Ident::new(name, Span::call_site());
        quote! {
            #[doc = #doc]
            #[must_use]
            #visibility const fn #name(&self) -> #ty {
                match #itself { #arms }
            }
        }
    }

    fn parsing(&self, name: &Ident) -> TokenStream {
        let variants: Vec<Ident> = self.identifiers().collect();
        let labels: Vec<String> = self.variants.iter().map(|(_, method)| method.label()).collect();
        let unknown = format!("there is no such method: the methods are {}", in_backticks(&labels));
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

    /// Returns the arms of a match, one for all methods with the same result.
    fn arms(&self, result: &dyn Fn(&Method) -> TokenStream) -> TokenStream {
        let mut arms: Vec<(TokenStream, Vec<Ident>)> = Vec::new();
        let mut known: HashMap<String, usize> = HashMap::new();
        for (variant, method) in &self.variants {
            let value = result(method);
            let arm = *known.entry(value.to_string()).or_insert(arms.len());
            if arm == arms.len() {
                arms.push((value, Vec::new()));
            }
            arms[arm].1.push(Ident::new(variant, Span::call_site()));
        }
        arms.iter().map(|(value, variants)| quote!(#(Self::#variants)|* => #value,)).collect()
    }
}

fn display(name: &Ident) -> TokenStream {
    quote! {
        impl ::core::fmt::Display for #name {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                f.pad(self.name())
            }
        }
    }
}
