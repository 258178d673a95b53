//! Enums that the file of an attribute declares.

use std::fs;

use proc_macro2::{Ident, Span};

/// Returns whether the file with the attribute declares an enum of this name and, in its braces, these variants. An enum that an
/// attribute fills from the same map has them.
///
/// The text is searched, not parsed: the answer only decides how many errors a mistake causes.
pub(crate) fn declares(name: &Ident, variants: &[Ident], map: &str) -> bool {
    let file = Span::call_site().local_file();
    let text = file.and_then(|file| fs::read_to_string(file).ok());
    text.is_some_and(|text| is_declared(&text, &name.to_string(), variants, map))
}

fn is_declared(text: &str, name: &str, variants: &[Ident], map: &str) -> bool {
    text.match_indices("enum ").any(|(at, keyword)| {
        let (above, rest) = (&text[..at], &text[at + keyword.len()..]);
        let Some(rest) = rest.strip_prefix(name) else { return false };
        let Some((body, _)) = rest.trim_start().strip_prefix('{').and_then(|rest| rest.split_once('}'))
        else {
            return false;
        };
        let attributes = above.rsplit([';', '}']).next().unwrap_or_default();
        let words: Vec<&str> = body.split(|c: char| c != '_' && !c.is_alphanumeric()).collect();
        attributes.contains(&format!("\"{map}\""))
            || variants.iter().all(|variant| words.iter().any(|word| variant == word))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn declared(text: &str) -> bool {
        let variants = ["Binomial", "Pipeline8K"].map(|name| Ident::new(name, Span::call_site()));
        is_declared(text, "Id", &variants, "maps/bcast.json")
    }

    #[test]
    fn an_enum_with_all_variants_is_declared() {
        assert!(declared(
            "use a::b;\npub enum Id {\n    /// Cut.\n    Pipeline8K = 3,\n    Binomial,\n}\nfn f() {}"
        ));
        assert!(declared("mod a { enum Id { Other } } enum Id{Binomial,Linear,Pipeline8K}"));
    }

    #[test]
    fn an_enum_filled_from_the_same_map_is_declared() {
        assert!(declared("use a;\n#[decision_map(\"maps/bcast.json\")]\n#[derive(Debug)]\npub enum Id {}"));
        assert!(!declared("use a;\n#[decision_map(\"maps/reduce.json\")]\npub enum Id {}"));
        assert!(!declared("#[decision_map(\"maps/bcast.json\")]\nenum Other {}\nenum Id {}"));
    }

    #[test]
    fn aliases_other_enums_and_missing_variants_are_not() {
        assert!(!declared("type Id = u32; enum Ids { Binomial, Pipeline8K }"));
        assert!(!declared("enum Id { Binomial, Pipeline8KB } // Pipeline8K"));
        assert!(!declared("enum Id { Binomial, Pipeline8K"));
        assert!(!declared("enum Id"));
        assert!(!declared(""));
    }
}
