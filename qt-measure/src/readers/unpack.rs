//! Compressed data: gzip, xz and zstd, recognised by their first bytes.

use std::io::{self, BufRead, BufReader, Read};

use flate2::bufread::MultiGzDecoder;
use lzma_rust2::XzReader;

use super::zstd::Zstd;

/// The maximum memory for decompression in KiB; xz itself needs at most 64 MiB.
const MAX_UNPACKED: u32 = 128 << 10;

/// A reader that replaces the messages of decompression errors.
struct Packed<R> {
    packing: &'static str,
    input: R,
}

impl<R: Read> Read for Packed<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
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
/// Fails if the file cannot be read, or its compressed data begin wrongly.
pub fn unpacked<'r>(input: Box<dyn Read + 'r>) -> io::Result<Box<dyn BufRead + 'r>> {
    let mut input = BufReader::with_capacity(1 << 16, input);
    let mut unpacked: Box<dyn BufRead + 'r> = match input.fill_buf()? {
        [0x1F, 0x8B, ..] => Box::new(buffered(Packed { packing: "gzip", input: MultiGzDecoder::new(input) })),
        [0xFD, b'7', b'z', b'X', b'Z', 0, ..] => {
            let input = XzReader::new_mem_limit(input, true, MAX_UNPACKED);
            Box::new(buffered(Packed { packing: "xz", input }))
        }
        [0x28, 0xB5, 0x2F, 0xFD, ..] | [0x50..=0x5F, 0x2A, 0x4D, 0x18, ..] => {
            Box::new(buffered(Packed { packing: "zstd", input: Zstd::new(input) }))
        }
        _ => Box::new(input),
    };
    if unpacked.fill_buf()?.starts_with(b"\xEF\xBB\xBF") {
        unpacked.consume(3);
    }
    Ok(unpacked)
}

pub(super) fn buffered<R: Read>(input: R) -> BufReader<R> {
    BufReader::with_capacity(1 << 16, input)
}
