//! Numbers as Open MPI's reader finds them: C's `%li`, over any bytes.
//!
//! `ompi_coll_base_file_getnext_long` (4.1.4) calls `fscanf` for a number. If there is none, it drops one byte and tries
//! again; a dropped `#` drops the rest of the line. So `010` is 8, `4k` is 4, and `1.5e3` is 1, 5 and 3.

use std::ops::Range;

/// A number and its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Number {
    /// The value; a number beyond 64 bits is clamped.
    pub value: i64,
    /// The range of its bytes, including a sign.
    pub place: Range<usize>,
    /// The notation.
    pub form: Form,
}

/// The notation of a number.
///
/// The variants are complete: the library reads no other notation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Decimal.
    Decimal,
    /// Octal, with a leading 0.
    Octal,
    /// Hexadecimal, with `0x`.
    Hexadecimal,
    /// Beyond 64 bits.
    TooLarge,
}

/// The numbers of a file, read one by one.
#[derive(Clone, Debug)]
pub struct Numbers<'t> {
    bytes: &'t [u8],
    at: usize,
}

impl<'t> Numbers<'t> {
    /// Creates a reader that begins at byte `at`.
    pub fn new(bytes: &'t [u8], at: usize) -> Self {
        Self { bytes, at }
    }

    /// Returns the current position of the reader.
    pub fn position(&self) -> usize {
        self.at
    }

    /// Returns whether the next non-blank byte on the same line is a digit (5.0.7 and later check this for a fifth number).
    pub fn digit_follows(&self) -> bool {
        let mut rest = self.bytes[self.at..].iter();
        rest.find(|byte| !matches!(byte, b' ' | b'\t')).is_some_and(u8::is_ascii_digit)
    }

    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    /// Skips white space according to C's `isspace`.
    fn skip_space(&mut self) {
        while self.peek().is_some_and(|byte| matches!(byte, b' ' | b'\t'..=b'\r')) {
            self.at += 1;
        }
    }

    /// Scans a number like `fscanf("%li")`, except at the end of the file.
    fn scan(&mut self) -> Option<Number> {
        self.skip_space();
        let start = self.at;
        // A sign is consumed even if no number follows it.
        let is_negative = self.peek() == Some(b'-');
        if matches!(self.peek(), Some(b'-' | b'+')) {
            self.at += 1;
        }
        let (base, mut form) = match (self.peek(), self.bytes.get(self.at + 1)) {
            (Some(b'0'), Some(b'x' | b'X')) => (16, Form::Hexadecimal),
            (Some(b'0'), _) => (8, Form::Octal),
            _ => (10, Form::Decimal),
        };
        let mut digits = 0;
        if base == 16 {
            // The 0 counts as a digit: `0x` alone is 0.
            self.at += 2;
            digits = 1;
        }
        let mut magnitude: Option<u64> = Some(0);
        while let Some(digit) = self.peek().and_then(|byte| char::from(byte).to_digit(base)) {
            magnitude = magnitude
                .and_then(|magnitude| magnitude.checked_mul(u64::from(base))?.checked_add(u64::from(digit)));
            digits += 1;
            self.at += 1;
        }
        if digits == 0 {
            return None;
        }
        let limit = if is_negative { 1 << 63 } else { i64::MAX as u64 };
        let magnitude = match magnitude.filter(|magnitude| *magnitude <= limit) {
            Some(magnitude) => magnitude,
            None => {
                form = Form::TooLarge;
                limit
            }
        };
        if form == Form::Octal && digits == 1 {
            form = Form::Decimal;
        }
        let magnitude = i128::from(magnitude);
        let value = (if is_negative { -magnitude } else { magnitude }) as i64;
        Some(Number { value, place: start..self.at, form })
    }
}

impl Iterator for Numbers<'_> {
    type Item = Number;

    fn next(&mut self) -> Option<Number> {
        while self.at < self.bytes.len() {
            if let Some(number) = self.scan() {
                return Some(number);
            }
            // One byte is dropped; after a `#`, the rest of the line is.
            let dropped = self.peek();
            self.at = (self.at + 1).min(self.bytes.len());
            if dropped == Some(b'#') {
                let rest = &self.bytes[self.at..];
                self.at +=
                    rest.iter().position(|byte| *byte == b'\n').map_or(rest.len(), |newline| newline + 1);
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(text: &str) -> Vec<i64> {
        Numbers::new(text.as_bytes(), 0).map(|number| number.value).collect()
    }

    #[test]
    fn numbers_are_found_as_fscanf_finds_them() {
        for (text, expected) in [
            ("1 2\n3", &[1, 2, 3][..]),
            ("1, 2;3", &[1, 2, 3]),
            ("010 0x10 08", &[8, 16, 0, 8]),
            ("4k 1.5e3", &[4, 1, 5, 3]),
            ("0x 0xg", &[0, 0]),
            ("-5 +5 --5 +-5 - 5", &[-5, 5, 5, 5, 5]),
            ("1 # 2 3\n4", &[1, 4]),
            ("1 -# 2\n3", &[1, 3]),
            ("99999999999999999999 -99999999999999999999", &[i64::MAX, i64::MIN]),
            ("rule-file-version-2\n7", &[-2, 7]),
            ("", &[]),
            ("-", &[]),
            ("#", &[]),
        ] {
            assert_eq!(values(text), expected, "{text}");
        }
    }
}
