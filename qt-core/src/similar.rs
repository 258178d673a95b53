//! Suggestions for misspelled words, and lists of names of any number and length.

/// The minimum similarity of a misspelling: `meth` has two thirds in common with `method`, `mode` half.
const LIKE: f64 = 0.6;

/// Returns the most similar known word, if one is similar enough. The similarity is 1 minus the
/// Damerau-Levenshtein distance divided by the longer length.
pub fn did_you_mean<'k>(word: &str, known: impl IntoIterator<Item = &'k str>) -> Option<&'k str> {
    let likeness = |known: &'k str| (strsim::normalized_damerau_levenshtein(word, known), known);
    let best = known.into_iter().map(likeness).max_by(|one, other| one.0.total_cmp(&other.0));
    best.filter(|(likeness, _)| *likeness >= LIKE).map(|(_, known)| known)
}

/// Returns the suggestion for an unknown word: the word that it may be a misspelling of, and all known words.
pub fn suggestion<'k>(word: &str, known: impl IntoIterator<Item = &'k str> + Clone) -> String {
    let names: Vec<&str> = known.clone().into_iter().collect();
    match did_you_mean(word, known) {
        Some(like) => format!("did you mean {like}? There are {}", names.join(", ")),
        None => format!("there are {}", names.join(", ")),
    }
}

/// The maximum number of names in a list, and the maximum length of each in characters.
const MOST_LISTED: usize = 24;
const LONGEST: usize = 80;

/// Returns names for a message, separated by commas: the first of many, and the beginnings of long ones.
pub fn listed<T: AsRef<str>>(names: &[T]) -> String {
    let shown: Vec<String> = names.iter().take(MOST_LISTED).map(|name| shortened(name.as_ref())).collect();
    let list = shown.join(", ");
    match names.len().saturating_sub(MOST_LISTED) {
        0 => list,
        more => format!("{list} and {more} more"),
    }
}

/// Shortens a text for a message: keeps only the beginning if it is long.
pub fn shortened(text: &str) -> String {
    match text.char_indices().nth(LONGEST) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}…", &text[..end]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_of_names_have_an_end() {
        assert_eq!(listed(&["a", "b"]), "a, b");
        let names: Vec<String> = (0..3000).map(|number| format!("é{number}").repeat(1000)).collect();
        let list = listed(&names);
        assert!(list.len() < 24 * 200 && list.ends_with("… and 2976 more"), "{list}");
        assert_eq!(shortened(&"é".repeat(80)), "é".repeat(80));
    }

    #[test]
    fn misspellings_are_similar_and_other_words_are_not() {
        let cases = [
            ("msgsize", Some("msg_size")),
            ("msg-size", Some("msg_size")),
            ("meth", Some("method")),
            ("mehtod", Some("method")),
            ("ppn", None),
            ("mode", None),
            ("", None),
        ];
        for (word, expected) in cases {
            assert_eq!(did_you_mean(word, ["method", "msg_size"]), expected, "{word}");
        }
        assert_eq!(did_you_mean("method", []), None);
    }
}
