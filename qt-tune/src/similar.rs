//! Which of some known words a misspelt one was meant to be.

/// From this likeness on a word is taken for a misspelling: `meth` of `method` has two thirds, `mode` half.
const LIKE: f64 = 0.6;

/// The known word that is most like this one, if one is like it at all. Likeness is 1 less the Damerau-Levenshtein
/// distance over the longer length.
pub(crate) fn most_like<'k>(word: &str, known: impl IntoIterator<Item = &'k str>) -> Option<&'k str> {
    let likeness = |known: &'k str| (strsim::normalized_damerau_levenshtein(word, known), known);
    let best = known.into_iter().map(likeness).max_by(|one, other| one.0.total_cmp(&other.0));
    best.filter(|(likeness, _)| *likeness >= LIKE).map(|(_, known)| known)
}

/// The way out where a word is none of the known ones.
pub(crate) fn there_are<'k>(word: &str, known: impl IntoIterator<Item = &'k str> + Clone) -> String {
    let names: Vec<&str> = known.clone().into_iter().collect();
    match most_like(word, known) {
        Some(like) => format!("did you mean {like}? There are {}", names.join(", ")),
        None => format!("there are {}", names.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn misspelt_words_are_told_from_others() {
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
            assert_eq!(most_like(word, ["method", "msg_size"]), expected, "{word}");
        }
        assert_eq!(most_like("method", []), None);
    }
}
