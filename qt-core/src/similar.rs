//! Suggestions for misspelled words.

use crate::listing::listed;

/// The minimum similarity of a misspelling: `meth` has two thirds in common with `method`, `mode` half.
const LIKE: f64 = 0.6;

/// Returns the most similar known word, if one is similar enough. The similarity is 1 minus the
/// Damerau-Levenshtein distance divided by the longer length.
pub fn did_you_mean<'k>(word: &str, known: impl IntoIterator<Item = &'k str>) -> Option<&'k str> {
    let likeness = |known: &'k str| (likeness(word, known), known);
    let best = known.into_iter().map(likeness).max_by(|one, other| one.0.total_cmp(&other.0));
    best.filter(|(likeness, _)| *likeness >= LIKE).map(|(_, known)| known)
}

/// The maximum length of a word that may be a misspelling, in characters: comparing two takes as long as the product of their lengths.
const MAX_WORD: usize = 256;

fn likeness(one: &str, other: &str) -> f64 {
    if one.chars().count().max(other.chars().count()) > MAX_WORD {
        return f64::from(u8::from(one == other));
    }
    strsim::normalized_damerau_levenshtein(one, other)
}

/// Returns the suggestion for an unknown word: the word that it may be a misspelling of, and all known words. `what` describes
/// them, as in "methods".
pub fn suggestion<'k>(word: &str, what: &str, known: impl IntoIterator<Item = &'k str> + Clone) -> String {
    let names: Vec<&str> = known.clone().into_iter().collect();
    match did_you_mean(word, known) {
        Some(like) => format!("did you mean `{like}`? The {what} are {}", listed(&names)),
        None if names.is_empty() => "there are none".to_owned(),
        None => format!("the {what} are {}", listed(&names)),
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
