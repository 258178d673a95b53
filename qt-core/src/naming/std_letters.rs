//! The characters of identifiers, as far as the standard library knows them.
//!
//! Beyond ASCII it knows letters, but neither digits nor marks, so that a few identifiers of the compiler are refused here. A few letters
//! in circles and vowel signs at the beginning are accepted, which the compiler refuses.

pub(super) fn begins(char: char) -> bool {
    char.is_alphabetic()
}

pub(super) fn continues(char: char) -> bool {
    char.is_alphabetic() || char.is_ascii_digit() || char == '_'
}
