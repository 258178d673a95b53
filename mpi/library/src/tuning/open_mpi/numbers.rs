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

/// How the digits of a number are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::tuning) enum Base {
    /// By their beginning: `0x` is hexadecimal, and `0` is octal.
    OfC,
    /// In decimal.
    Decimal,
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
    pub fn offset(&self) -> usize {
        self.at
    }

    /// Returns whether the next non-blank byte on the same line is a digit (5.0.7 and later check this for a fifth number).
    pub fn digit_follows(&self) -> bool {
        let mut rest = self.bytes[self.at..].iter();
        rest.find(|byte| !matches!(byte, b' ' | b'\t')).is_some_and(u8::is_ascii_digit)
    }

    /// Returns the bytes from one of them on.
    pub(in crate::tuning) fn after(&self, at: usize) -> &'t [u8] {
        &self.bytes[at..]
    }

    /// Returns the bytes that are not read yet.
    pub(in crate::tuning) fn rest(&self) -> &'t [u8] {
        self.after(self.at)
    }

    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    /// Leaves out a number of bytes that are there.
    pub(in crate::tuning) fn advance(&mut self, bytes: usize) {
        self.at += bytes;
    }

    /// Drops a byte and returns it; with a `#`, the rest of the line is dropped.
    pub(in crate::tuning) fn drop_byte(&mut self) -> Option<u8> {
        let dropped = self.peek()?;
        self.at += 1;
        if dropped == b'#' {
            let rest = self.rest();
            self.at += rest.iter().position(|byte| *byte == b'\n').map_or(rest.len(), |newline| newline + 1);
        }
        Some(dropped)
    }

    /// Skips white space according to C's `isspace`.
    pub(in crate::tuning) fn skip_space(&mut self) {
        while self.peek().is_some_and(|byte| matches!(byte, b' ' | b'\t'..=b'\r')) {
            self.at += 1;
        }
    }

    /// Scans a number like `fscanf("%li")`, or `%zu` in decimal, except at the end of the file.
    pub(in crate::tuning) fn number_here(&mut self, base: Base) -> Option<Number> {
        self.skip_space();
        let start = self.at;
        // A sign is consumed even if no number follows it.
        let is_negative = self.peek() == Some(b'-');
        if matches!(self.peek(), Some(b'-' | b'+')) {
            self.at += 1;
        }
        let (base, mut form) = match (self.peek(), self.bytes.get(self.at + 1)) {
            _ if base == Base::Decimal => (10, Form::Decimal),
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
            if let Some(number) = self.number_here(Base::OfC) {
                return Some(number);
            }
            self.drop_byte();
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
