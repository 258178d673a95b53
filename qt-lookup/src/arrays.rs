//! Arrays of bytes, one after the other.

/// Arrays of `N` bytes. The build script sets `as_chunks` for compilers that have the function, with which an access is one comparison.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Arrays<'b, const N: usize>(
    #[cfg(as_chunks)] &'b [[u8; N]],
    #[cfg(not(as_chunks))] &'b [u8],
);

impl<'b, const N: usize> Arrays<'b, N> {
    /// Divides bytes, whose number is a multiple of `N`.
    #[cfg_attr(as_chunks, expect(clippy::incompatible_msrv, reason = "the compiler has it"))]
    pub(crate) const fn new(bytes: &'b [u8]) -> Self {
        #[cfg(as_chunks)]
        let bytes = bytes.as_chunks().0;
        Self(bytes)
    }

    pub(crate) const fn count(self) -> usize {
        size_of_val(self.0) / N
    }

    /// Returns the number of bytes.
    pub(crate) const fn bytes(self) -> usize {
        size_of_val(self.0)
    }

    /// Returns an array, if there are so many.
    #[inline]
    #[cfg(as_chunks)]
    pub(crate) const fn get(self, index: usize) -> Option<&'b [u8; N]> {
        if index < self.0.len() { Some(&self.0[index]) } else { None }
    }

    /// Returns an array, if there are so many.
    #[inline]
    #[cfg(not(as_chunks))]
    pub(crate) const fn get(self, index: usize) -> Option<&'b [u8; N]> {
        match self.0.split_at_checked(index.saturating_mul(N)) {
            Some((_, rest)) => rest.first_chunk(),
            None => None,
        }
    }
}
