//! Lists of names for messages, however many and however long the names are.

/// The maximum number of names in a list, and the maximum length of each in characters.
const MAX_LISTED: usize = 24;
const MAX_CHARACTERS: usize = 80;

/// Returns the noun after a number of cells.
pub fn cells(number: usize) -> &'static str {
    if number == 1 { "cell" } else { "cells" }
}

/// Returns names separated by commas: the first of many, and the beginnings of long ones.
pub fn listed<T: AsRef<str>>(names: &[T]) -> String {
    let shown = names.iter().take(MAX_LISTED).map(|name| shortened(name.as_ref()));
    let list = shown.collect::<Vec<_>>().join(", ");
    match names.len().saturating_sub(MAX_LISTED) {
        0 => list,
        more => format!("{list} and {more} more"),
    }
}

/// Returns the names in backticks, as in `a`, `b` and `c`: the first of many, and the beginnings of long ones.
pub fn in_backticks<T: AsRef<str>>(names: &[T]) -> String {
    let shown = names.iter().take(MAX_LISTED).map(|name| format!("`{}`", shortened(name.as_ref())));
    let mut shown: Vec<String> = shown.collect();
    let more = names.len().saturating_sub(MAX_LISTED);
    shown.extend((more > 0).then(|| format!("{more} more")));
    match &shown[..] {
        [] => String::new(),
        [only] => only.clone(),
        [start @ .., last] => format!("{} and {last}", start.join(", ")),
    }
}

/// Shortens a text for a message: keeps only the beginning if it is long.
pub fn shortened(text: &str) -> String {
    match text.char_indices().nth(MAX_CHARACTERS) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}…", &text[..end]),
    }
}

/// Returns the name of a value, of which each has one.
pub(crate) fn name_of<T: PartialEq>(value: &T, known: &[(&'static str, T)]) -> &'static str {
    known.iter().find(|(_, known)| known == value).map_or("", |(name, _)| name)
}

/// Returns the value with this name, or a list of the known names.
pub(crate) fn one_of<T: Copy>(name: &str, known: &[(&str, T)]) -> Result<T, String> {
    let mut names = Vec::with_capacity(known.len());
    for (known, value) in known {
        if *known == name {
            return Ok(*value);
        }
        names.push(*known);
    }
    Err(format!("one of {}", in_backticks(&names)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_of_names_have_an_end() {
        assert_eq!(listed(&["a", "b"]), "a, b");
        assert_eq!([in_backticks(&["a"]), in_backticks(&["a", "b", "c"])], ["`a`", "`a`, `b` and `c`"]);
        let names: Vec<String> = (0..3000).map(|number| format!("é{number}").repeat(1000)).collect();
        for list in [listed(&names), in_backticks(&names)] {
            assert!(list.len() < 24 * 200 && list.ends_with(" and 2976 more"), "{list}");
        }
        assert_eq!(shortened(&"é".repeat(80)), "é".repeat(80));
    }
}
