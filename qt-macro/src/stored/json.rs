//! JSON values that know their place in the text.

use super::problem::Problem;

/// A value, with the bytes of the text that it covers.
pub(super) struct Value {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) kind: Kind,
}

/// The kind of a value. A number or word is what it covers.
pub(super) enum Kind {
    Other,
    Text(String),
    List(Vec<Value>),
    /// Each key with its value.
    Object(Vec<(Value, Value)>),
}

/// The maximum depth of arrays and objects: those of a tree are five deep, and its origin may be any.
const MAX_DEPTH: usize = 100;

impl Value {
    /// Parses a whole text.
    pub(super) fn parse(text: &str) -> Result<Self, Problem> {
        let mut parser = Parser { text, at: 0, depth: 0 };
        let value = parser.value()?;
        if parser.next_byte() == 0 { Ok(value) } else { parser.fault("trailing characters") }
    }

    /// Returns a member of an object.
    pub(super) fn get(&self, key: &str) -> Option<&Self> {
        for (name, value) in self.members() {
            if matches!(&name.kind, Kind::Text(name) if name == key) {
                return Some(value);
            }
        }
        None
    }

    /// Returns the keys and values of an object; none of another value.
    pub(super) fn members(&self) -> &[(Self, Self)] {
        if let Kind::Object(members) = &self.kind { members } else { &[] }
    }
}

struct Parser<'t> {
    text: &'t str,
    at: usize,
    depth: usize,
}

impl Parser<'_> {
    fn byte(&self) -> u8 {
        self.text.as_bytes().get(self.at).copied().unwrap_or_default()
    }

    /// Skips blanks, and returns the byte after them; 0 at the end.
    fn next_byte(&mut self) -> u8 {
        while matches!(self.byte(), b' ' | b'\n' | b'\t' | b'\r') {
            self.at += 1;
        }
        self.byte()
    }

    /// Returns the problem with the character here.
    fn fault<T>(&self, message: &str) -> Result<T, Problem> {
        let rest = self.text.get(self.at..).unwrap_or_default();
        let end = self.at + rest.chars().next().map_or(0, char::len_utf8);
        let help = match self.byte() {
            0 => "the file was cut off",
            b']' | b'}' => "is there an extra comma before it?",
            _ => "",
        };
        Err(Problem::new(self.at, end, &format!("not JSON: {message}"), help))
    }

    fn value(&mut self) -> Result<Value, Problem> {
        let first = self.next_byte();
        let start = self.at;
        let kind = match first {
            b'"' => Kind::Text(self.string()?),
            b'[' | b'{' => self.list(first)?,
            _ => self.word()?,
        };
        Ok(Value { start, end: self.at, kind })
    }

    /// Parses an array or object, whose bracket is here.
    fn list(&mut self, open: u8) -> Result<Kind, Problem> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return self.fault("too many brackets in each other");
        }
        // The code of a closing bracket is two more.
        let (close, mut values, mut members) = (open + 2, Vec::new(), Vec::new());
        self.at += 1;
        let mut is_first = true;
        loop {
            let next = self.next_byte();
            if next == close && is_first {
                break;
            }
            if open == b'[' {
                values.push(self.value()?);
            } else if next == b'"' {
                let key = self.value()?;
                if self.next_byte() != b':' {
                    return self.fault("expected `:`");
                }
                self.at += 1;
                members.push((key, self.value()?));
            } else {
                return self.fault("key must be a string");
            }
            is_first = false;
            match self.next_byte() {
                b',' => self.at += 1,
                next if next == close => break,
                _ if open == b'[' => return self.fault("expected `,` or `]`"),
                _ => return self.fault("expected `,` or `}`"),
            }
        }
        self.at += 1;
        self.depth -= 1;
        Ok(if open == b'[' { Kind::List(values) } else { Kind::Object(members) })
    }

    /// Skips a number, `true`, `false` or `null`.
    fn word(&mut self) -> Result<Kind, Problem> {
        let start = self.at;
        while matches!(self.byte(), b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'+' | b'-' | b'.') {
            self.at += 1;
        }
        let word = &self.text[start..self.at];
        let is_number = word.starts_with(|first: char| first == '-' || first.is_ascii_digit());
        if matches!(word, "null" | "true" | "false") || is_number && word.parse::<f64>().is_ok() {
            return Ok(Kind::Other);
        }
        self.at = start;
        self.fault(if is_number { "invalid number" } else { "expected value" })
    }

    /// Parses a string, whose quote is here.
    fn string(&mut self) -> Result<String, Problem> {
        let mut value = String::new();
        loop {
            self.at += 1;
            let start = self.at;
            while !matches!(self.byte(), b'"' | b'\\' | 0..0x20) {
                self.at += 1;
            }
            value += &self.text[start..self.at];
            match self.byte() {
                b'"' => break,
                b'\\' => value.push(self.escape()?),
                _ => return self.fault("a string has no end, or a control character in it"),
            }
        }
        self.at += 1;
        Ok(value)
    }

    /// Parses an escape, whose backslash is here, up to its last character.
    fn escape(&mut self) -> Result<char, Problem> {
        self.at += 1;
        let escaped = match self.byte() {
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            letter @ (b'"' | b'\\' | b'/') => char::from(letter),
            b'u' => {
                let mut code = self.unit();
                if (0xD800..0xDC00).contains(&code) && self.text[self.at + 1..].starts_with("\\u") {
                    self.at += 2;
                    let low = self.unit().wrapping_sub(0xDC00);
                    if low < 0x400 {
                        code = 0x10000 + ((code - 0xD800) << 10) + low;
                    }
                }
                match char::from_u32(code) {
                    Some(char) => char,
                    None => return self.fault("invalid escape"),
                }
            }
            _ => return self.fault("invalid escape"),
        };
        Ok(escaped)
    }

    /// Parses the four digits after the letter here. What has others is no character.
    fn unit(&mut self) -> u32 {
        let digits = self.text.get(self.at + 1..self.at + 5).unwrap_or_default();
        if digits.len() < 4 {
            return u32::MAX;
        }
        self.at += 4;
        u32::from_str_radix(digits, 16).unwrap_or(u32::MAX)
    }
}
