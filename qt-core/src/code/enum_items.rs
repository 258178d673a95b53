//! The items of the enum of methods: constants, functions and traits.

use std::collections::HashMap;

use super::method_enum::MethodEnum;
use super::number::number;
use crate::domain::Method;
use crate::listing::in_backticks;
use crate::rust;
use crate::tokens::{Code, Ident, Span};

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
    pub fn items(&self, items: &[EnumItem], visibility: &Code, name: &Ident) -> Code {
        let (mut members, mut impls) = (Code::new(), Code::new());
        for (_, item) in EnumItem::ALL {
            let is_called = item == EnumItem::Name && items.contains(&EnumItem::Display);
            match item {
                _ if !is_called && !items.contains(&item) => {}
                EnumItem::All => members.append(self.all(visibility)),
                EnumItem::Name => members.append(self.name(visibility)),
                EnumItem::Algorithm => members.append(self.algorithm(visibility)),
                EnumItem::SegmentSize => members.append(self.segment_size(visibility)),
                EnumItem::Index => members.append(self.index(visibility)),
                EnumItem::Display => impls.append(display(name)),
                EnumItem::FromStr => impls.append(self.parsing(name)),
            }
        }
        let inherent = (!members.is_empty())
            .then(|| rust!("#[allow(dead_code)] impl #name { #members }"; name, members));
        rust!("#inherent #impls"; inherent, impls)
    }

    /// Returns the names of the variants.
    pub fn identifiers(&self) -> impl Iterator<Item = Ident> {
        self.variants.iter().map(|(variant, _)| Ident::new(variant, Span::CALL_SITE))
    }

    fn all(&self, visibility: &Code) -> Code {
        let variants: Vec<Ident> = self.identifiers().collect();
        rust!(
            "/// Every method.
             #visibility const ALL: &'static [Self] = &[#(Self::#variants),*];";
            visibility, variants
        )
    }

    fn name(&self, visibility: &Code) -> Code {
        let labels = self.arms(&|method| rust!("#label"; label = method.label()));
        let doc = " The name of the method, with its segment size if it has one.";
        self.getter(doc, visibility, "name", &rust!("&'static str"), &labels)
    }

    fn algorithm(&self, visibility: &Code) -> Code {
        let names = self.arms(&|method| rust!("#name"; name = method.name));
        self.getter(" The name of the algorithm.", visibility, "algorithm", &rust!("&'static str"), &names)
    }

    fn segment_size(&self, visibility: &Code) -> Code {
        let segments = self.arms(&|method| match method.segment_size {
            Some(size) => {
                let size = number(size, Span::CALL_SITE);
                rust!("::core::option::Option::Some(#size)"; size)
            }
            None => rust!("::core::option::Option::None"),
        });
        let doc = " The segment size in bytes, if the algorithm cuts messages up.";
        self.getter(doc, visibility, "segment_size", &rust!("::core::option::Option<u64>"), &segments)
    }

    fn index(&self, visibility: &Code) -> Code {
        let variants: Vec<Ident> = self.identifiers().collect();
        let indexes: Vec<usize> = (0..self.variants.len()).collect();
        let arms = rust!("#(Self::#variants => #indexes,)*"; variants, indexes);
        let doc = " The position of the method among all of them.";
        self.getter(doc, visibility, "index", &rust!("usize"), &arms)
    }

    /// Returns a function that returns something of a method, by the arms of a match.
    fn getter(&self, doc: &str, visibility: &Code, name: &str, ty: &Code, arms: &Code) -> Code {
        // The compiler knows that an enum without variants has no values, but not that there are no references to one.
        let itself = if self.variants.is_empty() { rust!("*self") } else { rust!("self") };
        let name = Ident::new(name, Span::CALL_SITE);
        rust!(
            "#[doc = #doc]
             #[must_use]
             #visibility const fn #name(&self) -> #ty {
                 match #itself { #arms }
             }";
            doc, visibility, name, ty, itself, arms
        )
    }

    fn parsing(&self, name: &Ident) -> Code {
        let variants: Vec<Ident> = self.identifiers().collect();
        let labels: Vec<String> = self.variants.iter().map(|(_, method)| method.label()).collect();
        let unknown = format!("there is no such method: the methods are {}", in_backticks(&labels));
        rust!(
            "impl ::core::str::FromStr for #name {
                 type Err = &'static str;

                 fn from_str(name: &str) -> ::core::result::Result<Self, Self::Err> {
                     match name {
                         #(#labels => ::core::result::Result::Ok(Self::#variants),)*
                         _ => ::core::result::Result::Err(#unknown),
                     }
                 }
             }";
            name, labels, variants, unknown
        )
    }

    /// Returns the arms of a match, one for all methods with the same result.
    fn arms(&self, result: &dyn Fn(&Method) -> Code) -> Code {
        let mut arms: Vec<(Code, Vec<Ident>)> = Vec::new();
        let mut known: HashMap<String, usize> = HashMap::new();
        for (variant, method) in &self.variants {
            let value = result(method);
            let arm = *known.entry(value.to_string()).or_insert(arms.len());
            if arm == arms.len() {
                arms.push((value, Vec::new()));
            }
            arms[arm].1.push(Ident::new(variant, Span::CALL_SITE));
        }
        arms.iter()
            .map(|(value, variants)| rust!("#(Self::#variants)|* => #value,"; variants, value))
            .collect()
    }
}

fn display(name: &Ident) -> Code {
    rust!(
        "impl ::core::fmt::Display for #name {
             fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                 f.pad(self.name())
             }
         }";
        name
    )
}
