//! The enum variants of methods and labels.

use std::collections::HashMap;

use crate::domain::{Domain, Method, Samples};
use crate::naming::{binary_size, is_identifier, upper_camel};
use crate::problem::{Diagnostics, Path, Problem, Problems};
use crate::visible;
use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;

/// Returns the variant of a method: its `ident`, or its name and segment size in the form of [`upper_camel`].
pub(super) fn of_method(method: &Method) -> String {
    match (&method.ident, method.segment_size) {
        (Some(ident), _) => ident.clone(),
        (None, Some(size)) => {
            // Two adjacent numbers would read as one: `k=2` with 8 KiB is `K2_8K`.
            let name = upper_camel(&method.name);
            let gap = if name.as_bytes().last().is_some_and(u8::is_ascii_digit) { "_" } else { "" };
            format!("{name}{gap}{}", binary_size(size))
        }
        (None, None) => upper_camel(&method.name),
    }
}

/// Returns the variants of all methods of a map, in order, unless their names make no identifiers or twice the same one.
pub(super) fn of_methods(methods: &[Method]) -> Result<Vec<String>, Problems> {
    let named = methods.iter().map(|method| (method.label(), of_method(method))).collect();
    distinct(
        "method",
        named,
        &Path::root().key("methods"),
        "give it an `ident`, such as \"ident\": \"Ring2\"",
    )
}

/// Returns the variants of the labels of an axis, in order, unless they make no identifiers or twice the same one.
pub(super) fn of_labels(axis: usize, labels: &[String]) -> Result<Vec<String>, Problems> {
    let named = labels.iter().map(|label| (label.clone(), upper_camel(label))).collect();
    let path = Path::root().key("axes").index(axis).key("labels");
    distinct("label", named, &path, "choose other labels: each becomes a variant of an enum")
}

/// Returns the documented variants for the labels of an axis, as they appear between the braces of an enum. Empty for an axis
/// of sizes.
///
/// # Errors
///
/// Returns an error for labels that make no identifier, or the same identifier as another label.
///
/// # Panics
///
/// Panics if there is no such axis.
pub fn label_variants(domain: &Domain, axis: usize) -> Result<TokenStream, Problems> {
    let Samples::Labels(labels) = &domain.axes()[axis].samples else { return Ok(TokenStream::new()) };
    let variants = of_labels(axis, labels)?;
    let docs: Vec<String> = labels.iter().map(|label| format!(" `{}`.", visible::line(label))).collect();
    let variants: Vec<Ident> =
        variants.iter().map(|variant| Ident::new(variant, Span::call_site())).collect();
    Ok(quote!(#(#[doc = #docs] #variants,)*))
}

/// Returns the variants, if all are identifiers and none is repeated.
fn distinct(
    what: &str,
    named: Vec<(String, String)>,
    path: &Path,
    help: &str,
) -> Result<Vec<String>, Problems> {
    let mut check = Diagnostics::default();
    let mut seen: HashMap<String, usize> = HashMap::new();
    let (mut names, mut variants) = (Vec::new(), Vec::new());
    for (index, (name, variant)) in named.into_iter().enumerate() {
        let fault = if is_identifier(&variant) {
            let other = seen.insert(variant.clone(), index);
            other.map(|other| {
                let other: &String = &names[other];
                format!("the {what}s `{other}` and `{name}` would both be the enum variant `{variant}`")
            })
        } else if variant.is_empty() {
            Some(format!(
                "the {what} `{name}` cannot be an enum variant: it contains neither a letter nor a digit"
            ))
        } else {
            Some(format!("the {what} `{name}` cannot be an enum variant: `{variant}` is not an identifier"))
        };
        if let Some(message) = fault {
            check.add_with(|| Problem::new(path.index(index), message).help(help));
        }
        names.push(name);
        variants.push(variant);
    }
    check.finish(Some(variants))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn segment_sizes_read_as_people_write_them() {
        let segmented = |size| of_method(&Method { segment_size: Some(size), ..Method::new("pipeline") });
        let variants = [8192, 1 << 20, 1000, 1536, 3 << 30].map(segmented);
        assert_eq!(variants, ["Pipeline8K", "Pipeline1M", "Pipeline1000", "Pipeline1536", "Pipeline3G"]);
        let radix = Method { segment_size: Some(8192), ..Method::new("radix:k=2") };
        assert_eq!(of_method(&radix), "RadixK2_8K");
    }

    #[test]
    fn compositions_of_algorithms_are_variants() {
        let names = [
            "two_level:inter=binomial/8192:intra=linear",
            "two_level:inter=dary:radix=3/8192:intra=linear",
            "two_level:inter=dary:radix=38/192:intra=linear",
        ];
        let expected = [
            "TwoLevelInterBinomial8192IntraLinear",
            "TwoLevelInterDaryRadix3_8192IntraLinear",
            "TwoLevelInterDaryRadix38_192IntraLinear",
        ];
        let methods = names.map(Method::new);
        assert_eq!(of_methods(&methods).unwrap(), expected);
        assert_eq!(methods[0].label(), names[0]);
    }
}
