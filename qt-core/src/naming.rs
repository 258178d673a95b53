//! Conversion of names in files to identifiers in code.

pub mod reserved;

use reserved::RUST_KEYWORDS;

/// The integer types of Rust.
pub const INTEGER_TYPES: [&str; 12] =
    ["u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64", "i128", "isize"];

/// The integer types of C, with their names in `core::ffi` and the crate `libc`.
pub const C_INTEGER_TYPES: [&str; 16] = [
    "c_char",
    "c_schar",
    "c_uchar",
    "c_short",
    "c_ushort",
    "c_int",
    "c_uint",
    "c_long",
    "c_ulong",
    "c_longlong",
    "c_ulonglong",
    "c_size_t",
    "c_ssize_t",
    "c_ptrdiff_t",
    "size_t",
    "ssize_t",
];

/// Returns a size in bytes in units of the largest power of 1024 that divides it: `8192` becomes `8K`, `1000` stays.
///
/// ```
/// use qtdec_core::naming::binary_size;
/// assert_eq!([0, 1000, 8192, 3 << 20, 1 << 40].map(binary_size), ["0", "1000", "8K", "3M", "1024G"]);
/// ```
pub fn binary_size(size: u64) -> String {
    let units = [(1 << 30, "G"), (1 << 20, "M"), (1 << 10, "K")];
    let unit = units.into_iter().find(|(unit, _)| size > 0 && size % unit == 0);
    unit.map_or_else(|| size.to_string(), |(unit, letter)| format!("{}{letter}", size / unit))
}

/// Returns whether `name` is an identifier: letters, digits and `_` of any script according to Unicode, not starting with a digit,
/// and not a keyword.
///
/// ```
/// use qtdec_core::naming::is_identifier;
/// assert!(is_identifier("comm_size") && is_identifier("É") && is_identifier("größe"));
/// assert!(!is_identifier("2d") && !is_identifier("a-b") && !is_identifier("fn"));
/// ```
pub fn is_identifier(name: &str) -> bool {
    let mut chars = name.chars();
    chars.next().is_some_and(|first| unicode_ident::is_xid_start(first) || first == '_')
        && chars.all(unicode_ident::is_xid_continue)
        && !RUST_KEYWORDS.contains(&name)
}

/// Returns a name in the form of an enum variant or type. The name is split at characters that are not letters or digits and
/// between a lower-case and an upper-case letter. Each part is capitalised, `M` is put before a leading digit, and `_` between two
/// numbers, which would read as one.
///
/// ```
/// use qtdec_core::naming::upper_camel;
/// assert_eq!(upper_camel("MPICH_reduce_scatter_radix:k=2"), "MpichReduceScatterRadixK2");
/// assert_eq!(upper_camel("splitBinary"), "SplitBinary");
/// assert_eq!(upper_camel("2d-torus"), "M2dTorus");
/// assert_eq!(upper_camel("dary:radix=3/8192"), "DaryRadix3_8192");
/// ```
pub fn upper_camel(name: &str) -> String {
    let mut joined = String::new();
    for word in words(name) {
        let is_digit = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_digit);
        if is_digit(joined.as_bytes().last()) && is_digit(word.as_bytes().first()) {
            joined.push('_');
        }
        let mut chars = word.chars();
        if let Some(first) = chars.next() {
            joined.extend(first.to_uppercase());
        }
        joined.push_str(chars.as_str());
    }
    starting_with_letter('M', joined)
}

/// Returns a name in the form of a function: the words of [`upper_camel`] in lower case, joined by `_`.
///
/// ```
/// use qtdec_core::naming::snake;
/// assert_eq!(snake("reduce-scatter block"), "reduce_scatter_block");
/// assert_eq!(snake("2d"), "m2d");
/// ```
pub fn snake(name: &str) -> String {
    starting_with_letter('m', words(name).join("_"))
}

/// Returns the parts of a name in lower case, split at non-alphanumeric characters and between lower and upper case.
pub(crate) fn words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut previous = ' ';
    for char in name.chars() {
        if char.is_alphanumeric() {
            if !previous.is_alphanumeric() || (previous.is_lowercase() && char.is_uppercase()) {
                words.push(String::new());
            }
            words.last_mut().expect("the first letter began a word").extend(char.to_lowercase());
        }
        previous = char;
    }
    words
}

/// Puts a letter before a leading digit, with which no identifier can begin.
fn starting_with_letter(letter: char, mut name: String) -> String {
    if name.as_bytes().first().is_some_and(u8::is_ascii_digit) {
        name.insert(0, letter);
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_are_valid_in_code() {
        for name in ["m", "comm_size", "_x9", "Ring", "größe", "É", "変数"] {
            assert!(is_identifier(name), "{name}");
        }
        for name in ["", "_", "9x", "x²", "€", "a-b", "fn", "Self", "gen", "a b"] {
            assert!(!is_identifier(name), "{name}");
        }
    }
}
