//! The lexer of templates and of types and expressions of a user's.
//!
//! It runs at compile time too, where templates are checked, so it finds the places of tokens without copying any text. Every character
//! beyond ASCII is a letter: templates have none, and a front end has parsed the text of a user before.

/// The kind of a lexeme.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Ident,
    /// A character of an operator; whether the operator or lifetime goes on.
    Punct(bool),
    Literal,
    Open,
    Close,
    /// The line after `///`.
    Doc,
    /// A value of a template; the lexeme is its name.
    Splice,
    /// The beginning of a repetition in a template.
    Repetition,
    /// The end of the text.
    End,
    /// A quote without an end, or a character that is none of Rust's.
    Fault,
}

/// A token, or half of a group, as a part of the text.
#[derive(Clone, Copy)]
pub(super) struct Lexeme {
    pub(super) kind: Kind,
    pub(super) start: usize,
    pub(super) end: usize,
}

/// Operators of several characters, the longest first.
const OPERATORS: [&[u8]; 24] = [
    b"<<=", b">>=", b"...", b"..=", b"::", b"->", b"=>", b"&&", b"||", b"==", b"!=", b"<=", b">=", b"<<",
    b">>", b"+=", b"-=", b"*=", b"/=", b"%=", b"^=", b"&=", b"|=", b"..",
];

/// Returns the next lexeme, at or after this place; of an operator, its first character. Only a template has values and repetitions.
pub(super) const fn next(text: &[u8], from: usize, is_template: bool) -> Lexeme {
    let start = skip_blanks(text, from);
    let Some(first) = at(text, start) else { return lexeme(Kind::End, start, start) };
    let second = at(text, start + 1);
    match first {
        b'/' if is_doc(text, start) => lexeme(Kind::Doc, start + 3, line_end(text, start)),
        b'#' if is_template && is(second, b'(') => lexeme(Kind::Repetition, start, start + 2),
        b'#' if is_template && is_letter(second) => {
            lexeme(Kind::Splice, start + 1, word_end(text, start + 1))
        }
        b'(' | b'[' | b'{' => lexeme(Kind::Open, start, start + 1),
        b')' | b']' | b'}' => lexeme(Kind::Close, start, start + 1),
        b'"' => string(text, start, start),
        b'\'' => quoted(text, start, start),
        b'0'..=b'9' => lexeme(Kind::Literal, start, number_end(text, start)),
        _ if is_letter(Some(first)) => word(text, start),
        _ if first.is_ascii_punctuation() && !matches!(first, b'\\' | b'`') => {
            lexeme(Kind::Punct(operator_end(text, start) > start + 1), start, start + 1)
        }
        _ => lexeme(Kind::Fault, start, start),
    }
}

/// Returns the end of the operator that begins here.
pub(super) const fn operator_end(text: &[u8], start: usize) -> usize {
    let mut index = 0;
    while index < OPERATORS.len() {
        if begins(text, start, OPERATORS[index]) {
            return start + OPERATORS[index].len();
        }
        index += 1;
    }
    start + 1
}

const fn lexeme(kind: Kind, start: usize, end: usize) -> Lexeme {
    Lexeme { kind, start, end }
}

const fn at(text: &[u8], place: usize) -> Option<u8> {
    if place < text.len() { Some(text[place]) } else { None }
}

const fn is(byte: Option<u8>, wanted: u8) -> bool {
    matches!(byte, Some(byte) if byte == wanted)
}

/// Returns whether an identifier can begin with this.
const fn is_letter(byte: Option<u8>) -> bool {
    matches!(byte, Some(b'a'..=b'z' | b'A'..=b'Z' | b'_' | 0x80..))
}

const fn begins(text: &[u8], start: usize, with: &[u8]) -> bool {
    let mut index = 0;
    while index < with.len() {
        if !is(at(text, start + index), with[index]) {
            return false;
        }
        index += 1;
    }
    true
}

/// Returns whether a documentation comment begins here. A fourth `/` makes it a plain one.
const fn is_doc(text: &[u8], start: usize) -> bool {
    begins(text, start, b"///") && !is(at(text, start + 3), b'/')
}

const fn skip_blanks(text: &[u8], mut place: usize) -> usize {
    while let Some(b' ' | b'\n' | b'\t' | b'\r') = at(text, place) {
        place += 1;
    }
    place
}

const fn line_end(text: &[u8], mut place: usize) -> usize {
    while place < text.len() && text[place] != b'\n' {
        place += 1;
    }
    place
}

const fn word_end(text: &[u8], mut place: usize) -> usize {
    while is_letter(at(text, place)) || matches!(at(text, place), Some(b'0'..=b'9')) {
        place += 1;
    }
    place
}

/// Returns an identifier, or the literal that has it as a prefix.
const fn word(text: &[u8], start: usize) -> Lexeme {
    let end = word_end(text, start);
    let after = at(text, end);
    let is_raw = text[end - 1] == b'r';
    let is_prefix = match end - start {
        1 => matches!(text[start], b'b' | b'c' | b'r'),
        2 => is_raw && matches!(text[start], b'b' | b'c'),
        _ => false,
    };
    if is_prefix && is(after, b'"') && !is_raw {
        return string(text, start, end);
    }
    if is_prefix && !is_raw && text[start] == b'b' && is(after, b'\'') {
        return quoted(text, start, end);
    }
    if is_prefix && is_raw && matches!(after, Some(b'"' | b'#')) {
        let mut hashes = 0;
        while is(at(text, end + hashes), b'#') {
            hashes += 1;
        }
        if is(at(text, end + hashes), b'"') {
            return raw_string(text, start, end + hashes + 1, hashes);
        }
        return lexeme(Kind::Ident, start, word_end(text, end + 1));
    }
    lexeme(Kind::Ident, start, end)
}

/// Returns the string whose quote is at `open`.
const fn string(text: &[u8], start: usize, open: usize) -> Lexeme {
    let mut place = open + 1;
    loop {
        match at(text, place) {
            None => return lexeme(Kind::Fault, start, place),
            Some(b'"') => return lexeme(Kind::Literal, start, word_end(text, place + 1)),
            Some(b'\\') => place += 2,
            Some(_) => place += 1,
        }
    }
}

const fn raw_string(text: &[u8], start: usize, mut place: usize, hashes: usize) -> Lexeme {
    loop {
        let Some(byte) = at(text, place) else { return lexeme(Kind::Fault, start, place) };
        place += 1;
        let mut closed = 0;
        while byte == b'"' && closed < hashes && is(at(text, place + closed), b'#') {
            closed += 1;
        }
        if byte == b'"' && closed == hashes {
            return lexeme(Kind::Literal, start, word_end(text, place + hashes));
        }
    }
}

/// Returns the character whose quote is at `open`, or the quote of a lifetime.
const fn quoted(text: &[u8], start: usize, open: usize) -> Lexeme {
    let mut place = open + 1;
    if is(at(text, place), b'\\') {
        place += 2;
        while place < text.len() && text[place] != b'\'' {
            place += 1;
        }
    } else {
        place += 1;
        // The rest of a character beyond ASCII.
        while matches!(at(text, place), Some(0x80..=0xBF)) {
            place += 1;
        }
    }
    if is(at(text, place), b'\'') {
        lexeme(Kind::Literal, start, word_end(text, place + 1))
    } else if is_letter(at(text, open + 1)) {
        lexeme(Kind::Punct(true), start, start + 1)
    } else {
        lexeme(Kind::Fault, start, place)
    }
}

const fn number_end(text: &[u8], start: usize) -> usize {
    let mut end = digits_end(text, start);
    // Not the range `1..2`, and not a function, as in `1.max(2)`.
    if is(at(text, end), b'.') && !is(at(text, end + 1), b'.') && !is_letter(at(text, end + 1)) {
        end = digits_end(text, end + 1);
    }
    end
}

/// Returns the end of digits with a suffix or an exponent.
const fn digits_end(text: &[u8], start: usize) -> usize {
    let mut end = word_end(text, start);
    let is_decimal = !begins(text, start, b"0x") && end > start;
    if is_decimal && matches!(text[end - 1], b'e' | b'E') && matches!(at(text, end), Some(b'+' | b'-')) {
        end = word_end(text, end + 1);
    }
    end
}
