//! Numbers as Open MPI's reader finds them: C's `%li`, over any bytes.
//!
//! `ompi_coll_base_file_getnext_long` (4.1.4) asks `fscanf` for a number; where there is none it drops one byte and asks
//! again, and a dropped `#` drops the rest of the line. So `010` is 8, `4k` is 4, and `1.5e3` is 1, 5 and 3.

use std::ops::Range;

/// A number, and where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Number {
    /// Its value; one beyond 64 bits is the greatest or least there is.
    pub value: i64,
    /// Its bytes, with a sign.
    pub place: Range<usize>,
    /// In which form it was written.
    pub form: Form,
}

/// How a number was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// In decimal.
    Decimal,
    /// With a leading 0: in octal.
    Octal,
    /// With `0x`.
    Hexadecimal,
    /// Beyond 64 bits.
    TooLarge,
}

/// The numbers of a file, one by one.
#[derive(Clone, Debug)]
pub struct Numbers<'t> {
    bytes: &'t [u8],
    at: usize,
}

impl<'t> Numbers<'t> {
    /// From the byte `at` on.
    pub fn new(bytes: &'t [u8], at: usize) -> Self {
        Self { bytes, at }
    }

    /// How far the reader has come.
    pub fn position(&self) -> usize {
        self.at
    }

    /// Whether the next byte that is no blank, on the same line, is a digit (5.0.7 and later ask so for a fifth number).
    pub fn digit_follows(&self) -> bool {
        let mut rest = self.bytes[self.at..].iter();
        rest.find(|byte| !matches!(byte, b' ' | b'\t')).is_some_and(u8::is_ascii_digit)
    }

    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    /// C's `isspace`.
    fn skip_space(&mut self) {
        while self.peek().is_some_and(|byte| matches!(byte, b' ' | b'\t'..=b'\r')) {
            self.at += 1;
        }
    }

    /// What `fscanf("%li")` does, short of the end of the file.
    fn scan(&mut self) -> Option<Number> {
        self.skip_space();
        let start = self.at;
        // A sign is consumed even where no number follows it.
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
            // One byte is dropped, and after a `#` the line.
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
