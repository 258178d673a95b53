//! Suggestions for misspelled words.

/// The minimum similarity of a misspelling: that of `max_dept` and `max_depth` is 8/9, that of `depth` and `max_depth` 5/9.
const LIKE: f64 = 0.6;

/// Returns the known word that is most similar to this one, if there is a similar one. Similarity is 1 minus the
/// Damerau-Levenshtein distance divided by the longer length.
pub(crate) fn did_you_mean<'k>(word: &str, known: impl IntoIterator<Item = &'k str>) -> Option<&'k str> {
    let likeness = |known: &'k str| (strsim::normalized_damerau_levenshtein(word, known), known);
    let best = known.into_iter().map(likeness).max_by(|one, other| one.0.total_cmp(&other.0));
    best.filter(|(likeness, _)| *likeness >= LIKE).map(|(_, known)| known)
}
