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
