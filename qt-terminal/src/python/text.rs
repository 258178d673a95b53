//! The names, texts and comments of a Python module.

use std::fmt::Write as _;

use qtdec_core::naming::snake;
use qtdec_core::{DecisionTree, visible};

/// What a name must not be: the keywords of Python 3.
const KEYWORDS: [&str; 35] = [
    "False", "None", "True", "and", "as", "assert", "async", "await", "break", "class", "continue", "def",
    "del", "elif", "else", "except", "finally", "for", "from", "global", "if", "import", "in", "is",
    "lambda", "nonlocal", "not", "or", "pass", "raise", "return", "try", "while", "with", "yield",
];

pub(super) struct Names {
    pub(super) function: String,
    pub(super) methods: String,
    /// The parameters, one for each axis.
    pub(super) parameters: Vec<String>,
}

impl Names {
    pub(super) fn new(tree: &DecisionTree, name: &str) -> Self {
        // The only name that a function takes from outside.
        let mut used = vec!["ValueError".to_owned()];
        let parameters = tree.domain().axes().iter().map(|axis| fresh(&axis.name, &mut used)).collect();
        let function = fresh(&snake(name), &mut Vec::new());
        Self { methods: format!("{}_METHODS", function.to_uppercase()), function, parameters }
    }
}

/// Returns an identifier that was not used before, with underscores at its end where it must differ.
pub(super) fn fresh(name: &str, used: &mut Vec<String>) -> String {
    let mut name = identifier(name);
    while KEYWORDS.contains(&&*name) || used.contains(&name) {
        name.push('_');
    }
    used.push(name.clone());
    name
}

/// Returns a name in ASCII. Python takes other letters too, but some of them for the same.
fn identifier(name: &str) -> String {
    let name = name.replace(|char: char| !char.is_ascii_alphanumeric(), "_");
    if name.starts_with(|char: char| char.is_ascii_digit()) || name.is_empty() {
        format!("_{name}")
    } else {
        name
    }
}

/// Returns text that neither ends a comment or a documentation string nor begins an escape.
pub(super) fn documented(text: &str) -> String {
    visible::line(text).replace('\\', "/").replace('"', "'")
}

/// Returns a literal in ASCII.
pub(super) fn string(text: &str) -> String {
    let mut literal = String::from("\"");
    for char in text.chars() {
        match char {
            '"' | '\\' => literal.extend(['\\', char]),
            ' '..='~' => literal.push(char),
            _ => drop(write!(literal, "\\U{:08x}", u32::from(char))),
        }
    }
    literal.push('"');
    literal
}

#[cfg(test)]
mod tests {
    use super::{documented, fresh, string};

    #[test]
    fn a_name_is_given_once_and_is_no_keyword() {
        let mut used = Vec::new();
        let names = ["m", "m", "in", "2d", "größe", "None"].map(|name| fresh(name, &mut used));
        assert_eq!(names, ["m", "m_", "in_", "_2d", "gr__e", "None_"]);
    }

    #[test]
    fn texts_stay_texts() {
        assert_eq!(string("a\"\\\n\u{e9}"), r#""a\"\\\U0000000a\U000000e9""#);
        assert_eq!(documented("\"\"\"\\"), "'''/");
    }
}
