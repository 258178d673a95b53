//! Lists of words.

/// Returns whether a list of words between blanks has a word.
pub(crate) fn is_in(list: &str, word: &str) -> bool {
    !word.is_empty() && list.contains(&format!(" {word} "))
}

/// The maximum number of names in a list, and the maximum length of each in characters.
const MAX_LISTED: usize = 24;
const MAX_CHARACTERS: usize = 80;

/// Returns the names in backticks, as in `a`, `b` and `c`: the first of many, and the beginnings of long ones.
pub(crate) fn in_backticks(names: &[String]) -> String {
    let mut list = String::new();
    for (index, name) in names.iter().enumerate() {
        let (is_last, more) = (index + 1 == names.len(), names.len() - index);
        let comma = if index == 0 { "" } else { ", " };
        if index == MAX_LISTED {
            return format!("{list} and {more} more");
        }
        let name: String = match name.char_indices().nth(MAX_CHARACTERS) {
            None => name.clone(),
            Some((end, _)) => format!("{}…", &name[..end]),
        };
        let before = if is_last && index > 0 { " and " } else { comma };
        list += &format!("{before}`{name}`");
    }
    list
}
