//! The enum of methods in Rust.

use std::collections::HashMap;

use super::limits::check_variants;
use super::lints::allow;
use super::variants;

use crate::domain::{Domain, Method, MethodIndex};
use crate::naming;
use crate::naming::reserved::RUST_ASSOCIATED;
use crate::problem::{Diagnostics, Path, Problem, Problems};
use crate::visible;
use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;

/// The methods of one or several maps as an enum.
#[derive(Clone, Debug, Default)]
pub struct MethodEnum {
    pub(super) variants: Vec<(String, Method)>,
    /// Whether a map is for a collective, whose methods have algorithms and segment sizes.
    pub(super) of_collective: bool,
}

impl MethodEnum {
    /// Adds the methods of a map that are not present yet, in file order. A baseline that is never chosen is added only if it is among
    /// those that are `chosen`.
    ///
    /// # Errors
    ///
    /// Returns an error for methods whose names make no identifier, or the same identifier as another method of this or an earlier map.
    /// All other methods are added nevertheless.
    pub fn add(&mut self, domain: &Domain, chosen: &[MethodIndex]) -> Result<(), Problems> {
        self.of_collective |= domain.collective().is_some();
        let added: Vec<usize> = domain.choosable_methods(chosen).map(MethodIndex::get).collect();
        self.add_methods(domain.methods(), |index| added.contains(&index))
    }

    /// Adds the valid methods of a map that has errors, so that code that uses them causes no further errors.
    pub fn add_sound(&mut self, methods: &[Method]) {
        self.of_collective = true;
        let _ = self.add_methods(methods, |index| !methods[index].is_never_chosen());
    }

    /// Adds those of the methods at these positions that are not present yet.
    fn add_methods(&mut self, methods: &[Method], is_added: impl Fn(usize) -> bool) -> Result<(), Problems> {
        check_variants(methods.len())?;
        let mut check = Diagnostics::default();
        let variants = variants::of_methods(methods);
        check.note(variants);
        let mut known: HashMap<String, usize> = HashMap::new();
        for (index, (variant, _)) in self.variants.iter().enumerate() {
            known.insert(variant.clone(), index);
        }
        let mut added: HashMap<String, usize> = HashMap::new();
        for (index, method) in methods.iter().enumerate().filter(|(index, _)| is_added(*index)) {
            let variant = variants::of_method(method);
            match known.get(&variant).map(|&index| self.variants[index].1.label()) {
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
                    if naming::is_identifier(&variant) && added.insert(variant.clone(), index).is_none() {
                        self.variants.push((variant, method.clone()));
                    }
                }
                Some(label) if label == method.label() => {}
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
        check.note(check_variants(self.variants.len()).map_err(Into::into));
        check.finish(Some(()))
    }

    /// Returns the documented variants, as they appear between the braces of the enum.
    pub fn variants(&self) -> TokenStream {
        let variants = self.variants.iter().map(|(variant, method)| {
            let ident = Ident::new(variant, Span::call_site());
            let name = visible::line(&method.name);
            let doc = match method.segment_size {
                Some(size) => format!(" `{name}` in segments of {size} bytes."),
                None => format!(" `{name}`."),
            };
            quote!(#[doc = #doc] #ident,)
        });
        variants.collect()
    }

    /// Returns an attribute that allows the lints that the method names violate in the enum `name`.
    pub fn lints(&self, name: &Ident) -> TokenStream {
        let variants: Vec<&str> = self.variants.iter().map(|(variant, _)| &**variant).collect();
        let mut lints = Vec::new();
        if variants.iter().any(|variant| variant.contains('_') || variant.starts_with(char::is_lowercase)) {
            lints.push("non_camel_case_types");
        }
        if variants.len() > 2 && have_much_in_common(&name.to_string(), &variants) {
            lints.push("clippy::enum_variant_names");
        }
        allow(lints)
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::Axis;

    #[test]
    fn a_baseline_that_is_never_chosen_has_no_variant() {
        let rule = Method { baseline: true, ..Method::new(Method::BASELINE) };
        let kept = Method { baseline: true, ..Method::new("kept") };
        let methods = vec![Method::new("quick"), rule, kept];
        let domain = Domain::new(None, vec![Axis::new("n", [1])], methods.clone()).unwrap();
        let variants = |chosen: &[MethodIndex]| -> Vec<String> {
            let mut methods = MethodEnum::default();
            methods.add(&domain, chosen).unwrap();
            methods.identifiers().map(|variant| variant.to_string()).collect()
        };
        assert_eq!(variants(&[]), ["Quick", "Kept"]);
        // A file that was written by hand may choose it.
        assert_eq!(variants(&[domain.baseline().unwrap()]), ["Quick", "Baseline", "Kept"]);
        let mut sound = MethodEnum::default();
        sound.add_sound(&methods);
        assert_eq!(sound.identifiers().count(), 2);
    }
}
