//! The numbers and words of HAN's file, as C's `fscanf` takes them from it.
//!
//! A number is as long as it can be: `4k` is 4, and `k` comes next. What is no number is skipped, byte by byte, until one comes. The base of
//! counts and communicator sizes follows from their first digits as in C (`010` is 8), message sizes are decimal. A word has at most 32
//! bytes; a longer one is several.

use qtdec_core::{Place, Problem};

use crate::tuning::Severity::Wrong;
use crate::tuning::finding::Findings;
use crate::tuning::open_mpi::{Base, Number, Numbers};

/// The maximum number of bytes of a word.
const LONGEST: usize = 32;

/// A word, and where it stands.
#[derive(Clone, Debug)]
pub(super) struct Word {
    pub(super) text: String,
    pub(super) at: usize,
}

/// The rest of a file, and what was found in it.
pub(super) struct Words<'b> {
    rest: Numbers<'b>,
    pub(super) findings: Findings,
}

impl<'b> Words<'b> {
    pub(super) fn new(bytes: &'b [u8]) -> Self {
        Self { rest: Numbers::new(bytes, 0), findings: Findings::default() }
    }

    /// Returns the next word, or `None` at the end of the file.
    pub(super) fn next(&mut self) -> Option<Word> {
        loop {
            self.rest.skip_space();
            let (at, rest) = (self.rest.offset(), self.rest.rest());
            let rest = &rest[..rest.len().min(LONGEST)];
            let end = rest.iter().position(|byte| is_space(*byte)).unwrap_or(rest.len());
            let word = &rest[..end];
            if *word.first()? == b'#' {
                self.rest.drop_byte();
                continue;
            }
            self.rest.advance(word.len());
            return Some(Word { text: String::from_utf8_lossy(word).into_owned(), at });
        }
    }

    pub(super) fn word(&mut self, what: &str) -> Result<Word, Problem> {
        self.next().ok_or_else(|| self.ends(what))
    }

    pub(super) fn number(&mut self, what: &str, base: Base) -> Result<Number, Problem> {
        let mut skipped = None;
        loop {
            self.rest.skip_space();
            let at = self.rest.offset();
            if let Some(number) = self.rest.number_here(base) {
                self.warn(skipped, &number);
                return Ok(number);
            }
            if self.rest.drop_byte().ok_or_else(|| self.ends(what))? != b'#' {
                skipped.get_or_insert(at);
            }
        }
    }

    /// Reports what was skipped before a number, and a number that is not what it looks like.
    fn warn(&mut self, skipped: Option<usize>, Number { value, place, .. }: &Number) {
        if let Some(from) = skipped {
            let message = format!("HAN skips `{}`, as it expects a number", self.token(from));
            self.findings.at(Wrong, from, message, "remove it");
        }
        let token = self.token(place.start);
        let digits = token.trim_start_matches('0');
        let is_plain = token.bytes().all(|byte| byte.is_ascii_digit());
        if !is_plain || digits.parse().unwrap_or(0) != *value {
            let message = format!("HAN reads {value} from `{token}`, and goes on after its digits");
            self.findings.at(Wrong, place.start, message, "write decimal numbers without zeros before them");
        }
    }

    /// Returns the text from a place to the next blank, shortened.
    fn token(&self, at: usize) -> String {
        let rest = self.rest.after(at);
        let rest = &rest[..rest.len().min(LONGEST)];
        let end =
            rest.iter().position(|byte| is_space(*byte) || [b'#', b']'].contains(byte)).unwrap_or(rest.len());
        String::from_utf8_lossy(&rest[..end]).into_owned()
    }

    /// Skips blanks, ends of lines and comments, and takes the next byte if it is the expected one. Returns whether it is, or `None` at the end.
    pub(super) fn take(&mut self, expected: u8) -> Option<bool> {
        loop {
            match self.rest.rest().first()? {
                byte if *byte == expected => {
                    self.rest.advance(1);
                    return Some(true);
                }
                b'#' | b'\n' | b' ' | b'\t' => drop(self.rest.drop_byte()),
                _ => return Some(false),
            }
        }
    }

    /// Returns the fault of a file that ends too early.
    fn ends(&self, what: &str) -> Problem {
        Problem::new(Place::Offset(self.rest.offset()), format!("the file ends where {what} is expected"))
            .help("the counts say how many rules follow: HAN ignores a file that has fewer")
    }
}

fn is_space(byte: u8) -> bool {
    byte.is_ascii_whitespace() || byte == 0x0b
}
