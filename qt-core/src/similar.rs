//! Suggestions for misspelt words.

/// The least likeness of a misspelling: `max_dept` of `max_depth` has eight ninths, `depth` five.
const LIKE: f64 = 0.6;

/// Returns the known word that is most like this one, if one is like it at all. Likeness is 1 less the Damerau-Levenshtein
/// distance over the longer length.
pub(crate) fn did_you_mean<'k>(word: &str, known: impl IntoIterator<Item = &'k str>) -> Option<&'k str> {
    let likeness = |known: &'k str| (strsim::normalized_damerau_levenshtein(word, known), known);
    let best = known.into_iter().map(likeness).max_by(|one, other| one.0.total_cmp(&other.0));
    best.filter(|(likeness, _)| *likeness >= LIKE).map(|(_, known)| known)
}
