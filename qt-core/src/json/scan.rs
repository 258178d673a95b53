//! The scanner of JSON text, which follows RFC 8259.
//!
//! It remembers the brackets around a place in a list, so the depth of a file is limited by its size alone.

/// The first place at which text is not JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Fault {
    pub(super) message: &'static str,
    /// The number of bytes up to the fault, with the byte at fault unless the text ends before it.
    pub(super) end: usize,
    /// Whether the text ends too early.
    pub(super) is_cut_off: bool,
}

/// A place in the text.
pub(super) struct Scanner<'t> {
    text: &'t [u8],
    at: usize,
}

impl<'t> Scanner<'t> {
    pub(super) fn new(text: &'t str, at: usize) -> Self {
        Self { text: text.as_bytes(), at }
    }

    /// Returns the number of bytes before the place.
    pub(super) fn at(&self) -> usize {
        self.at
    }

    fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    /// Skips blanks, and returns the byte after them.
    pub(super) fn after_blanks(&mut self) -> Option<u8> {
        while let Some(b' ' | b'\n' | b'\t' | b'\r') = self.peek() {
            self.at += 1;
        }
        self.peek()
    }

    /// Skips one byte.
    pub(super) fn skip(&mut self) {
        self.at += 1;
    }

    /// Returns a fault of the bytes before the place.
    fn before(&self, message: &'static str) -> Fault {
        Fault { message, end: self.at, is_cut_off: false }
    }

    /// Returns a fault of the byte at the place.
    fn here(&self, message: &'static str) -> Fault {
        Fault { message, end: (self.at + 1).min(self.text.len()), is_cut_off: false }
    }

    fn cut_off(&self, message: &'static str) -> Fault {
        Fault { message, end: self.text.len(), is_cut_off: true }
    }

    /// Skips blanks up to the end of the text.
    pub(super) fn finish(&mut self) -> Result<(), Fault> {
        if self.after_blanks().is_some() { Err(self.here("trailing characters")) } else { Ok(()) }
    }

    /// Skips blanks and a value.
    pub(super) fn value(&mut self) -> Result<(), Fault> {
        let mut outer: Vec<u8> = Vec::new();
        loop {
            let first = self.after_blanks().ok_or_else(|| self.cut_off("EOF while parsing a value"))?;
            let mut is_first = matches!(first, b'[' | b'{');
            if is_first {
                outer.push(first);
                self.at += 1;
            } else {
                self.scalar(first)?;
            }
            // The value is complete: what follows belongs to the innermost bracket.
            loop {
                let Some(&open) = outer.last() else { return Ok(()) };
                match self.after_blanks() {
                    None => return Err(self.cut_off(unfinished(open))),
                    Some(b']') if open == b'[' => {}
                    Some(b'}') if open == b'{' => {}
                    Some(b',') if !is_first => {
                        self.at += 1;
                        break;
                    }
                    Some(_) if is_first => break,
                    Some(_) if open == b'[' => return Err(self.here("expected `,` or `]`")),
                    Some(_) => return Err(self.here("expected `,` or `}`")),
                }
                self.at += 1;
                outer.pop();
                is_first = false;
            }
            if outer.last() == Some(&b'{') {
                self.key()?;
            }
        }
    }

    /// Skips blanks, a key and its colon.
    pub(super) fn key(&mut self) -> Result<(), Fault> {
        match self.after_blanks() {
            Some(b'"') => self.string()?,
            Some(_) => return Err(self.here("key must be a string")),
            None => return Err(self.cut_off(unfinished(b'{'))),
        }
        match self.after_blanks() {
            Some(b':') => self.at += 1,
            Some(_) => return Err(self.here("expected `:`")),
            None => return Err(self.cut_off(unfinished(b'{'))),
        }
        Ok(())
    }

    fn scalar(&mut self, first: u8) -> Result<(), Fault> {
        match first {
            b'n' => self.word(b"null"),
            b't' => self.word(b"true"),
            b'f' => self.word(b"false"),
            b'-' | b'0'..=b'9' => self.number(),
            b'"' => self.string(),
            _ => Err(self.here("expected value")),
        }
    }

    fn word(&mut self, word: &[u8]) -> Result<(), Fault> {
        for expected in word {
            let found = self.peek().ok_or_else(|| self.cut_off("EOF while parsing a value"))?;
            self.at += 1;
            if found != *expected {
                return Err(self.before("expected ident"));
            }
        }
        Ok(())
    }

    fn number(&mut self) -> Result<(), Fault> {
        const INVALID: &str = "invalid number";
        if self.peek() == Some(b'-') {
            self.at += 1;
        }
        match self.peek() {
            Some(b'0') => {
                self.at += 1;
                if matches!(self.peek(), Some(b'0'..=b'9')) {
                    return Err(self.here(INVALID));
                }
            }
            Some(b'1'..=b'9') => self.digits(),
            other => {
                self.at += usize::from(other.is_some());
                return Err(self.before(INVALID));
            }
        }
        if self.peek() == Some(b'.') {
            self.at += 1;
            let start = self.at;
            self.digits();
            if self.at == start {
                return Err(self.here(INVALID));
            }
        }
        if let Some(b'e' | b'E') = self.peek() {
            self.at += 1;
            if let Some(b'+' | b'-') = self.peek() {
                self.at += 1;
            }
            let next = self.peek();
            self.at += usize::from(next.is_some());
            if !next.is_some_and(|next| next.is_ascii_digit()) {
                return Err(self.before(INVALID));
            }
            self.digits();
        }
        Ok(())
    }

    fn digits(&mut self) {
        while let Some(b'0'..=b'9') = self.peek() {
            self.at += 1;
        }
    }

    /// Skips a string, whose quote is here. Whether `\u` names a character is not checked.
    fn string(&mut self) -> Result<(), Fault> {
        const CUT_OFF: &str = "EOF while parsing a string";
        self.at += 1;
        loop {
            match self.peek().ok_or_else(|| self.cut_off(CUT_OFF))? {
                b'"' => {
                    self.at += 1;
                    return Ok(());
                }
                b'\\' => {
                    let escape = self.text.get(self.at + 1).ok_or_else(|| self.cut_off(CUT_OFF))?;
                    self.at += 2;
                    match escape {
                        b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't' => {}
                        b'u' => {
                            let digits = self.text.get(self.at..self.at + 4);
                            let digits = digits.ok_or_else(|| self.cut_off(CUT_OFF))?;
                            self.at += 4;
                            if !digits.iter().all(u8::is_ascii_hexdigit) {
                                return Err(self.before("invalid escape"));
                            }
                        }
                        _ => return Err(self.before("invalid escape")),
                    }
                }
                0..0x20 => {
                    return Err(
                        self.before("control character (\\u0000-\\u001F) found while parsing a string")
                    );
                }
                _ => self.at += 1,
            }
        }
    }
}

fn unfinished(open: u8) -> &'static str {
    if open == b'[' { "EOF while parsing a list" } else { "EOF while parsing an object" }
}

#[cfg(all(test, feature = "maps"))]
mod tests {
    use proptest::prelude::*;
    use serde_json::value::RawValue;

    use crate::json::PlacedValue;
    use crate::json::grid::Entry;
    use crate::json::raw::Raw;
    use crate::problem::{Diagnostics, Place};

    /// Text that is nearly JSON: parts of it in any order.
    fn nearly_json() -> impl Strategy<Value = String> {
        let part = prop::sample::select(vec![
            "{",
            "}",
            "[",
            "]",
            ",",
            ":",
            "\"a\"",
            "\"a\":",
            "\"\\u00e9\"",
            "\"\\ud83d\\ude00\"",
            "\"\\ud83d\"",
            "\"\\",
            "\"",
            "é",
            "null",
            "true",
            "false",
            "nul",
            "1",
            "-",
            "0",
            "01",
            "1.5",
            "1.",
            ".5",
            "1e9",
            "1e",
            "1e+",
            "1e400",
            "18446744073709551616",
            " ",
            "\n",
            "\t",
            "\r\n",
            "\u{1}",
            "x",
            "\\n",
            "\\x",
            "\\u12",
            "NaN",
        ]);
        prop::collection::vec(part, 0..12).prop_map(|parts| parts.concat())
    }

    /// Valid JSON, of which one byte may be missing.
    fn json() -> impl Strategy<Value = String> {
        let leaf = prop::sample::select(vec![
            "null",
            "true",
            "1",
            "-0",
            "0.25e-3",
            "\"\"",
            "\"a\\\"b\\\\\"",
            "\"\\u00e9\\ud83d\\ude00\\/\\b\\f\\n\\r\\t\"",
            "\"é:\"",
        ])
        .prop_map(str::to_owned);
        let value = leaf.prop_recursive(4, 24, 4, |inner| {
            let list = prop::collection::vec(inner, 0..4);
            let blank = prop::sample::select(vec!["", " ", "\n\t"]);
            (list, blank, any::<bool>()).prop_map(|(list, blank, is_array)| {
                if is_array {
                    return format!("[{blank}{}{blank}]", list.join(&format!("{blank},{blank}")));
                }
                let members: Vec<String> = list
                    .iter()
                    .enumerate()
                    .map(|(key, value)| format!("\"k{key}\"{blank}:{blank}{value}"))
                    .collect();
                format!("{{{blank}{}{blank}}}", members.join(&format!(",{blank}")))
            })
        });
        (value, prop::option::of(any::<prop::sample::Index>())).prop_map(|(mut text, cut)| {
            let chars: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
            if let Some(cut) = cut {
                text.remove(chars[cut.index(chars.len())]);
            }
            text
        })
    }

    /// Compares the scanner with `serde_json`.
    fn compare(text: &str) {
        let theirs: Result<&RawValue, serde_json::Error> = serde_json::from_str(text);
        match (Raw::parse(text), theirs) {
            (Ok(ours), Ok(theirs)) => {
                assert_eq!(ours.get(), theirs.get());
                compare_parts(ours);
            }
            (Err(ours), Err(theirs)) => {
                let message = format!("{} at line ", ours.message);
                assert!(theirs.to_string().starts_with(&message), "{text:?}: {ours:?}, {theirs}");
                let before = &text.as_bytes()[..ours.end];
                let line = 1 + before.iter().filter(|byte| **byte == b'\n').count();
                let column = before.iter().rev().take_while(|byte| **byte != b'\n').count();
                assert_eq!((line, column), (theirs.line(), theirs.column()), "{text:?}");
                assert_eq!(ours.is_cut_off, theirs.is_eof(), "{text:?}");
                let place = PlacedValue::parse(text).unwrap_err().place;
                assert!(matches!(place, Place::Offset(offset) if offset <= text.len()));
            }
            (ours, theirs) => panic!("{text:?}: {ours:?}, {theirs:?}"),
        }
    }

    fn compare_parts(ours: Raw<'_>) {
        let text = ours.get();
        let elements: Option<Vec<&RawValue>> = serde_json::from_str(text).ok();
        let own = ours.elements().map(|elements| elements.map(Raw::get).collect::<Vec<_>>());
        assert_eq!(own, elements.map(|elements| elements.into_iter().map(RawValue::get).collect()));
        assert_eq!(ours.string(), serde_json::from_str::<String>(text).ok(), "{text}");
        assert_eq!(
            f64::from_raw(ours).map(f64::to_bits),
            serde_json::from_str::<f64>(text).ok().map(f64::to_bits)
        );
        assert_eq!(u64::from_raw(ours), serde_json::from_str(text).ok(), "{text}");
        assert_eq!(Vec::<Option<u64>>::from_raw(ours), serde_json::from_str(text).ok(), "{text}");
        ours.elements().into_iter().flatten().for_each(compare_parts);
        let theirs: Option<serde_json::Map<String, serde_json::Value>> = serde_json::from_str(text).ok();
        assert_eq!(ours.members().is_some(), theirs.is_some());
        for (key, value) in ours.members().into_iter().flatten() {
            let key = key.string().unwrap();
            assert!(theirs.as_ref().unwrap().contains_key(&key), "{text}: {key}");
            compare_parts(value);
        }
    }

    proptest! {
        #[test]
        fn what_is_nearly_json_has_the_faults_that_serde_json_finds(text in nearly_json()) {
            compare(&text);
        }

        #[test]
        fn json_has_the_parts_that_serde_json_finds(text in json()) {
            compare(&text);
        }
    }

    #[test]
    fn no_depth_is_too_deep() {
        let depth = 1 << 20;
        let text = ["[".repeat(depth), "]".repeat(depth)].concat();
        assert!(PlacedValue::parse(&text).unwrap().is_array());
        assert!(PlacedValue::parse(&text[1..]).is_err());
        let objects = ["{\"a\":".repeat(depth), "1".to_owned(), "}".repeat(depth)].concat();
        assert!(PlacedValue::parse(&objects).unwrap().object(&["a"], &mut Diagnostics::default()).is_some());
    }
}
