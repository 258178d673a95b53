//! Suggestions for misspelled words.

use crate::listing::listed;

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
        Some(like) => format!("did you mean `{like}`? There are {}", listed(&names)),
        None if names.is_empty() => "there are none".to_owned(),
        None => format!("there are {}", listed(&names)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
