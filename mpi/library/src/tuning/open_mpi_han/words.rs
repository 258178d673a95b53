//! The numbers and words of HAN's file, as C's `fscanf` takes them from it.
//!
//! A number is as long as it can be: `4k` is 4, and `k` comes next. What is no number is skipped, byte by byte, until one comes. The base of
//! counts and communicator sizes follows from their first digits as in C (`010` is 8), message sizes are decimal. A word has at most 32
//! bytes; a longer one is several.

use qtdec_core::{Place, Problem};

use crate::tuning::Severity;
use crate::tuning::finding::Findings;

/// The maximum number of bytes of a word.
const LONGEST: usize = 32;

/// A number, and where it stands.
#[derive(Clone, Copy, Debug)]
pub(super) struct Number {
    pub(super) value: i64,
    pub(super) at: usize,
}

/// A word, and where it stands.
#[derive(Clone, Debug)]
pub(super) struct Word {
    pub(super) text: String,
    pub(super) at: usize,
}

/// How the digits of a number are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Base {
    /// By their beginning: `0x` is hexadecimal, and `0` is octal.
    OfC,
    Decimal,
}

/// The next byte that is not blank.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Peeked {
    /// It is the expected one, which was taken.
    Expected,
    Other,
    End,
}

/// The rest of a file, and what was found in it.
pub(super) struct Words<'b> {
    bytes: &'b [u8],
    at: usize,
    pub(super) findings: Findings,
}

impl<'b> Words<'b> {
    pub(super) fn new(bytes: &'b [u8]) -> Self {
        Self { bytes, at: 0, findings: Findings::default() }
    }

    fn rest(&self) -> &'b [u8] {
        &self.bytes[self.at..]
    }

    fn skip_while(&mut self, is_skipped: impl Fn(u8) -> bool) {
        let rest = self.rest();
        self.at += rest.iter().position(|byte| !is_skipped(*byte)).unwrap_or(rest.len());
    }

    /// Skips the rest of the line, with its end.
    fn skip_line(&mut self) {
        self.skip_while(|byte| byte != b'\n');
        self.at = self.bytes.len().min(self.at + 1);
    }

    /// Returns the next word, or `None` at the end of the file.
    pub(super) fn next(&mut self) -> Option<Word> {
        loop {
            self.skip_while(is_space);
            let (at, rest) = (self.at, self.rest());
            let rest = &rest[..rest.len().min(LONGEST)];
            let end = rest.iter().position(|byte| is_space(*byte)).unwrap_or(rest.len());
            let word = &rest[..end];
            self.at += word.len();
            match word.first()? {
                b'#' => self.skip_line(),
                _ => return Some(Word { text: String::from_utf8_lossy(word).into_owned(), at }),
            }
        }
    }

    /// Returns the next word, which is `what`.
    pub(super) fn word(&mut self, what: &str) -> Result<Word, Problem> {
        self.next().ok_or_else(|| self.ends(what))
    }

    /// Returns the next number, which is `what`.
    pub(super) fn number(&mut self, what: &str, base: Base) -> Result<Number, Problem> {
        let mut skipped = None;
        loop {
            self.skip_while(is_space);
            let at = self.at;
            let first = *self.rest().first().ok_or_else(|| self.ends(what))?;
            if let Some((value, length)) = leading(self.rest(), base) {
                self.at += length;
                self.warn(skipped, (at, value));
                return Ok(Number { value, at });
            }
            if first == b'#' {
                self.skip_line();
            } else {
                skipped.get_or_insert(at);
                self.at += 1;
            }
        }
    }

    /// Reports what was skipped before a number, and a number that is not what it looks like.
    fn warn(&mut self, skipped: Option<usize>, (at, value): (usize, i64)) {
        if let Some(from) = skipped {
            let message = format!("HAN skips `{}`, as it expects a number", self.token(from));
            self.findings.add(Severity::Wrong, Place::Offset(from), message, "remove it");
        }
        let token = self.token(at);
        let digits = token.trim_start_matches('0');
        let is_plain = token.bytes().all(|byte| byte.is_ascii_digit());
        if !is_plain || digits.parse().unwrap_or(0) != value {
            let message = format!("HAN reads {value} from `{token}`, and goes on after its digits");
            self.findings.add(
                Severity::Wrong,
                Place::Offset(at),
                message,
                "write decimal numbers without zeros before them",
            );
        }
    }

    /// Returns the text from a place to the next blank, shortened.
    fn token(&self, at: usize) -> String {
        let rest = &self.bytes[at..self.bytes.len().min(at + LONGEST)];
        let end =
            rest.iter().position(|byte| is_space(*byte) || [b'#', b']'].contains(byte)).unwrap_or(rest.len());
        String::from_utf8_lossy(&rest[..end]).into_owned()
    }

    /// Skips blanks, ends of lines and comments, and takes the next byte if it is the expected one.
    pub(super) fn peek(&mut self, expected: u8) -> Peeked {
        loop {
            match self.rest().first() {
                None => return Peeked::End,
                Some(b'#') => self.skip_line(),
                Some(byte) if *byte == expected => {
                    self.at += 1;
                    return Peeked::Expected;
                }
                Some(b'\n' | b' ' | b'\t') => self.at += 1,
                Some(_) => return Peeked::Other,
            }
        }
    }

    /// Returns the fault of a file that ends too early.
    fn ends(&self, what: &str) -> Problem {
        Problem::new(Place::Offset(self.bytes.len()), format!("the file ends where {what} is expected"))
            .help("the counts say how many rules follow: HAN ignores a file that has fewer")
    }
}

fn is_space(byte: u8) -> bool {
    byte.is_ascii_whitespace() || byte == 0x0b
}

/// Returns the number at the beginning of a text, and the number of its bytes. One that is too large is the largest.
fn leading(text: &[u8], base: Base) -> Option<(i64, usize)> {
    let sign = usize::from(matches!(text.first(), Some(b'+' | b'-')));
    let (radix, start) = match (&text[sign..], base) {
        ([b'0', b'x' | b'X', digit, ..], Base::OfC) if digit.is_ascii_hexdigit() => (16, sign + 2),
        ([b'0', ..], Base::OfC) => (8, sign),
        _ => (10, sign),
    };
    let digits = text[start..].iter().map_while(|byte| char::from(*byte).to_digit(radix));
    let (value, length) = digits.fold((0_i64, 0), |(value, length), digit| {
        let next = value.checked_mul(i64::from(radix)).and_then(|value| value.checked_add(i64::from(digit)));
        (next.unwrap_or(i64::MAX), length + 1)
    });
    let value = if text.first() == Some(&b'-') { -value } else { value };
    (length > 0).then_some((value, start + length))
}
