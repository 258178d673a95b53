//! A reader that takes numbers off the front of bytes.

use crate::Error;
use crate::arrays::Arrays;

/// The bytes that remain to be read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bytes<'b>(pub(crate) &'b [u8]);

/// A value and the bytes after it.
pub(crate) type Read<'b, T> = Result<(T, Bytes<'b>), Error>;

/// Reads a value and returns on errors, like `?`, which a `const fn` cannot use.
macro_rules! read {
    ($result:expr) => {
        match $result {
            Ok(read) => read,
            Err(error) => return Err(error),
        }
    };
}

pub(crate) use read;

impl<'b> Bytes<'b> {
    pub(crate) const fn array<const N: usize>(self) -> Read<'b, [u8; N]> {
        match self.0.split_first_chunk::<N>() {
            Some((array, rest)) => Ok((*array, Bytes(rest))),
            None => Err(Error::Length),
        }
    }

    pub(crate) const fn u8(self) -> Read<'b, u8> {
        let ([byte], rest) = read!(self.array());
        Ok((byte, rest))
    }

    pub(crate) const fn u16(self) -> Read<'b, u16> {
        let (array, rest) = read!(self.array());
        Ok((u16::from_le_bytes(array), rest))
    }

    pub(crate) const fn u32(self) -> Read<'b, u32> {
        let (array, rest) = read!(self.array());
        Ok((u32::from_le_bytes(array), rest))
    }

    pub(crate) const fn u64(self) -> Read<'b, u64> {
        let (array, rest) = read!(self.array());
        Ok((u64::from_le_bytes(array), rest))
    }

    pub(crate) const fn slice(self, length: usize) -> Read<'b, &'b [u8]> {
        match self.0.split_at_checked(length) {
            Some((slice, rest)) => Ok((slice, Bytes(rest))),
            None => Err(Error::Length),
        }
    }

    /// Reads this many arrays.
    pub(crate) const fn arrays<const N: usize>(self, count: usize) -> Read<'b, Arrays<'b, N>> {
        let Some(length) = count.checked_mul(N) else { return Err(Error::Length) };
        let (slice, rest) = read!(self.slice(length));
        Ok((Arrays::new(slice), rest))
    }
}
