//! Lists of words, in which the words are separated by blanks.

pub(crate) fn has(list: &str, word: &str) -> bool {
    list.split_whitespace().any(|known| known == word)
}
