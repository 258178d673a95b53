//! A table that never ends.

use std::io::{Read, Result};

/// A text, and after it rows without an end, each of which can depend on its number.
pub(crate) struct EndlessRows {
    text: Vec<u8>,
    read: usize,
    next: u64,
    row: fn(u64) -> String,
}

impl EndlessRows {
    /// Creates rows after a header; each ends with its line break.
    pub(crate) fn new(header: &str, row: fn(u64) -> String) -> Self {
        Self { text: header.into(), read: 0, next: 0, row }
    }
}

impl Read for EndlessRows {
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize> {
        if self.read == self.text.len() {
            let rows = (self.next..self.next + 1000).map(self.row);
            (self.text, self.read) = (rows.collect::<String>().into_bytes(), 0);
            self.next += 1000;
        }
        let length = buffer.len().min(self.text.len() - self.read);
        buffer[..length].copy_from_slice(&self.text[self.read..][..length]);
        self.read += length;
        Ok(length)
    }
}
