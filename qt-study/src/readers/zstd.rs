//! Zstandard: all frames of a file, with their checksums verified.

use std::io::{self, BufRead, Read};

use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};

/// A decoder of consecutive frames; parallel compressors write many.
pub(super) struct Zstd<R> {
    input: R,
    decoder: Option<FrameDecoder>,
}

impl<R: BufRead> Zstd<R> {
    pub(super) fn new(input: R) -> Self {
        Self { input, decoder: None }
    }

    /// Returns the next frame that is not empty, or `None` at the end.
    fn next_frame(&mut self) -> io::Result<Option<FrameDecoder>> {
        while !self.input.fill_buf()?.is_empty() {
            let mut decoder = FrameDecoder::new();
            match decoder.init(&mut self.input) {
                Ok(()) => return Ok(Some(decoder)),
                Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::SkipFrame {
                    length,
                    ..
                })) => {
                    io::copy(&mut (&mut self.input).take(length.into()), &mut io::sink())?;
                }
                Err(_) => return Err(invalid("the header of a frame cannot be decoded")),
            }
        }
        Ok(None)
    }
}

impl<R: BufRead> Read for Zstd<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            if self.decoder.is_none() {
                self.decoder = self.next_frame()?;
            }
            let Some(decoder) = &mut self.decoder else { return Ok(0) };
            while decoder.can_collect() == 0 && !decoder.is_finished() {
                decoder
                    .decode_blocks(&mut self.input, BlockDecodingStrategy::UptoBlocks(1))
                    .map_err(|_| invalid("a block cannot be decoded"))?;
            }
            let length = decoder.read(buffer)?;
            if length > 0 || buffer.is_empty() {
                return Ok(length);
            }
            let stored = decoder.get_checksum_from_data();
            if stored.is_some() && stored != decoder.get_calculated_checksum() {
                return Err(invalid("the checksum is wrong"));
            }
            self.decoder = None;
        }
    }
}

fn invalid(message: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, message)
}
