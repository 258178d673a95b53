//! The user's tokens, each with the index of its place in the source.

/// The kind of a token. Of an operator or lifetime, `Joint` is a character that another one follows.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Kind {
    Word,
    Literal,
    Punct,
    Joint,
    Group,
}

/// A token of the user's.
pub(crate) struct Token {
    pub(crate) kind: Kind,
    /// The text; of a group its opening bracket, which an invisible group lacks.
    pub(crate) text: String,
    pub(crate) place: usize,
    /// The tokens of a group.
    pub(crate) inner: Vec<Token>,
}

/// The place at which the attribute is called, and the one whose names the user's code cannot see.
pub(crate) const CALL_SITE: usize = 0;
pub(crate) const MIXED_SITE: usize = 1;

impl Token {
    /// Returns whether the token is this character of an operator.
    pub(crate) fn is(&self, char: &str) -> bool {
        matches!(self.kind, Kind::Punct | Kind::Joint) && self.text == char
    }

    /// Returns the identifier or keyword that the token is; empty if it is none.
    pub(crate) fn word(&self) -> &str {
        if self.kind == Kind::Word { &self.text } else { "" }
    }

    /// Returns the identifier without `r#`.
    pub(crate) fn name(&self) -> &str {
        self.word().trim_start_matches("r#")
    }

    /// Returns whether the token is a group in these brackets.
    pub(crate) fn opens(&self, bracket: &str) -> bool {
        self.kind == Kind::Group && self.text == bracket
    }
}

/// Returns tokens without the invisible groups that `macro_rules` puts around them.
pub(crate) fn ungrouped(tokens: &[Token]) -> &[Token] {
    match tokens {
        [group] if group.opens("") => ungrouped(&group.inner),
        tokens => tokens,
    }
}

/// Returns whether tokens begin with this operator of two characters.
pub(crate) fn begins(tokens: &[Token], first: &str, second: &str) -> bool {
    matches!(tokens, [one, two, ..] if one.kind == Kind::Joint && one.is(first) && two.is(second))
}

/// Returns the length of the generic arguments with which tokens begin, with their brackets; 0 if there are none.
pub(crate) fn angles(tokens: &[Token]) -> usize {
    let (mut depth, mut index) = (0, 0);
    while index < tokens.len() {
        if begins(&tokens[index..], "-", ">") {
            index += 1;
        } else if tokens[index].is("<") {
            depth += 1;
        } else if tokens[index].is(">") {
            depth -= 1;
        }
        index += 1;
        if depth == 0 {
            return if index > 1 { index } else { 0 };
        }
    }
    0
}

/// Returns the place of the first token outside generic arguments that has this text, or else the end. A `:` of `::` is not one.
pub(crate) fn find(tokens: &[Token], text: &str) -> usize {
    let mut index = 0;
    while index < tokens.len() {
        let rest = &tokens[index..];
        let pair = begins(rest, ":", ":") || begins(rest, "-", ">");
        if !pair && rest[0].kind != Kind::Group && rest[0].text == text {
            break;
        }
        index += if pair { 2 } else { angles(rest).max(1) };
    }
    index
}

/// Returns the parts of a list with commas, of which the last one may be followed by one.
pub(crate) fn parts(mut tokens: &[Token]) -> Vec<&[Token]> {
    let mut parts = Vec::new();
    while !tokens.is_empty() {
        let end = find(tokens, ",");
        parts.push(&tokens[..end]);
        tokens = tokens.get(end + 1..).unwrap_or_default();
    }
    parts
}

/// Returns the place of the first of some tokens, or else that of another one.
pub(crate) fn first_place(tokens: &[Token], otherwise: &Token) -> usize {
    tokens.first().unwrap_or(otherwise).place
}

/// Returns whether tokens have this identifier.
pub(crate) fn mentions(tokens: &[Token], name: &str) -> bool {
    tokens.iter().any(|token| token.word() == name || mentions(&token.inner, name))
}

/// Returns tokens as text, with blanks where words would become one.
pub(crate) fn text(tokens: &[Token]) -> String {
    let mut text = String::new();
    for token in tokens {
        let is_word = |char: char| char == '_' || char.is_alphanumeric();
        if text.ends_with(is_word) && token.text.starts_with(is_word) {
            text.push(' ');
        }
        text.push_str(if token.is(",") { ", " } else { &token.text });
        if token.kind == Kind::Group {
            text.push_str(&self::text(&token.inner));
            text.push_str(closing(&token.text));
        }
    }
    text
}

fn closing(bracket: &str) -> &str {
    match bracket {
        "(" => ")",
        "[" => "]",
        "{" => "}",
        other => other,
    }
}
