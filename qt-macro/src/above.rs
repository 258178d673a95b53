//! Derives that stand above the attribute.

use std::fs;

use proc_macro2::Span;

/// The maximum number of lines of an attribute.
const LONGEST: usize = 40;

/// Returns the derive that stands above the attribute. The compiler has expanded and removed it, so only the source file shows it.
pub(crate) fn derive() -> Option<String> {
    let attribute = Span::call_site();
    let text = fs::read_to_string(attribute.local_file()?).ok()?;
    derive_in(text.lines().take(attribute.start().line.checked_sub(1)?).collect())
}

/// Returns the last derive in lines, if only attributes and comments follow it, and if it needs to see the variants.
fn derive_in(mut lines: Vec<&str>) -> Option<String> {
    while let Some(last) = lines.pop() {
        let last = last.trim();
        if last.is_empty() || last.starts_with("//") {
            continue;
        }
        if !last.ends_with(']') {
            return None;
        }
        let mut attribute = last.to_owned();
        for _ in 0..LONGEST {
            if attribute.starts_with("#[") {
                break;
            }
            attribute = format!("{} {attribute}", lines.pop()?.trim());
        }
        let names = attribute.strip_prefix("#[derive(").and_then(|rest| rest.strip_suffix(")]"));
        // These two do the same for every `Copy` enum.
        let needs_variants = |name: &str| !["", "Clone", "Copy", "Eq"].contains(&name.trim());
        if names.is_some_and(|names| names.split(',').any(needs_variants)) {
            return Some(attribute.split_whitespace().collect::<Vec<_>>().join(" "));
        }
        if !attribute.starts_with("#[") {
            return None;
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::derive_in;

    #[test]
    fn derives_directly_above_are_found() {
        let found = |text: &str| derive_in(text.lines().collect());
        let derive = Some("#[derive(Clone, Debug)]".to_owned());
        assert_eq!(found("use a;\n#[derive(Clone, Debug)]"), derive);
        assert_eq!(found("#[derive(Clone, Debug)]\n/// Docs.\n// A note.\n\n#[allow(unused)]"), derive);
        assert_eq!(
            found("#[derive(\n    Clone, Debug\n)]\n  #[cfg_attr(\n    x,\n    y\n  )]"),
            Some("#[derive( Clone, Debug )]".to_owned())
        );
        for text in [
            "",
            "#[derive(Clone, Copy)]",
            "#[derive(Debug)]\nstruct A;",
            "#[derive(Debug)]\nenum A {}\n#[allow(unused)]",
            "// #[derive(Debug)]",
            "/*\n#[derive(Debug)]\n*/",
            "const A: [u8; 1] =\n[0]",
            "x[0]",
        ] {
            assert_eq!(found(text), None, "{text}");
        }
    }
}
