//! Compressed data: gzip, xz and zstd, recognised by their first bytes.

use std::cell::Cell;
use std::io::{self, BufRead, BufReader, Read};
use std::rc::Rc;

use flate2::bufread::MultiGzDecoder;
use lzma_rust2::XzReader;

use super::zstd::Zstd;

/// The maximum memory for decompression in KiB; xz itself needs at most 64 MiB.
const MAX_UNPACKED: u32 = 128 << 10;

/// The number of bytes that data may unpack to for each byte of the files, and beyond that. Files of times unpack to 3 to 25 times
/// their size, and the least that xz makes of equal times is a 90th.
const MAX_RATIO: u64 = 128;
const FREE: u64 = 16 << 20;

/// The bytes of files, and those that they unpacked to, also in archives in each other.
#[derive(Clone, Debug, Default)]
pub(super) struct Unpacking {
    files: Rc<Cell<u64>>,
    unpacked: Rc<Cell<u64>>,
}

impl Unpacking {
    /// Returns a reader of a file that counts its bytes.
    pub(super) fn file<R: Read>(&self, input: R) -> impl Read + use<R> {
        Counted { input, count: self.files.clone() }
    }

    fn check(&self, packing: &str) -> io::Result<()> {
        if self.unpacked.get() <= FREE + MAX_RATIO * self.files.get() {
            return Ok(());
        }
        Err(io::Error::other(format!(
            "the {packing} data unpack to more than {MAX_RATIO} times their size: unpack them first, if they are what they should be"
        )))
    }

    /// Returns the text of a file or an entry of an archive, as [`unpacked`] does.
    pub(super) fn unpacked<'r>(&self, input: Box<dyn Read + 'r>) -> io::Result<Box<dyn BufRead + 'r>> {
        let mut input = BufReader::with_capacity(1 << 16, input);
        let mut unpacked: Box<dyn BufRead + 'r> = match input.fill_buf()? {
            [0x1F, 0x8B, ..] => self.packed("gzip", MultiGzDecoder::new(input)),
            [0xFD, b'7', b'z', b'X', b'Z', 0, ..] => {
                self.packed("xz", XzReader::new_mem_limit(input, true, MAX_UNPACKED))
            }
            [0x28, 0xB5, 0x2F, 0xFD, ..] | [0x50..=0x5F, 0x2A, 0x4D, 0x18, ..] => {
                self.packed("zstd", Zstd::new(input))
            }
            _ => Box::new(input),
        };
        if unpacked.fill_buf()?.starts_with(b"\xEF\xBB\xBF") {
            unpacked.consume(3);
        }
        Ok(unpacked)
    }

    fn packed<'r>(&self, packing: &'static str, input: impl Read + 'r) -> Box<dyn BufRead + 'r> {
        let input = Counted { input, count: self.unpacked.clone() };
        Box::new(buffered(Packed { packing, input, unpacking: self.clone() }))
    }
}

struct Counted<R> {
    input: R,
    count: Rc<Cell<u64>>,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.input.read(buffer)?;
        self.count.set(self.count.get().saturating_add(length as u64));
        Ok(length)
    }
}

/// A reader that replaces the messages of decompression errors, and ends where too much was unpacked.
struct Packed<R> {
    packing: &'static str,
    input: R,
    unpacking: Unpacking,
}

impl<R: Read> Read for Packed<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.unpacking.check(self.packing)?;
        self.input.read(buffer).map_err(|error| {
            let message = match error.kind() {
                io::ErrorKind::UnexpectedEof => "end early: is the file cut off?".to_owned(),
                _ => format!("are broken: {error}"),
            };
            io::Error::new(error.kind(), format!("the {} data {message}", self.packing))
        })
    }
}

/// Returns the text of a file that may be compressed with gzip, xz or zstd, without a byte-order mark.
///
/// # Errors
///
/// Fails if the file cannot be read, or its compressed data begin wrongly. Reading fails where the data unpack to more than 16 MiB and
/// 128 times their size.
pub fn unpacked<'r>(input: Box<dyn Read + 'r>) -> io::Result<Box<dyn BufRead + 'r>> {
    let unpacking = Unpacking::default();
    unpacking.unpacked(Box::new(unpacking.file(input)))
}

pub(super) fn buffered<R: Read>(input: R) -> BufReader<R> {
    BufReader::with_capacity(1 << 16, input)
}
