//! A decision function as a table.

use crate::boxes::Boxes;
use crate::names::{Names, read};
use crate::{Error, NONE};

/// A decision function as a table: the thresholds on each axis cut all sizes into boxes, and for each there is an entry.
///
/// Behind the names stand the axes, and then the entries of two bytes each: for every box, row-major, the index of its method,
/// or all ones for no decision.
///
/// An axis begins with the number of its intervals as `u32`, of which it has one more than thresholds, and a byte that tells how
/// they are found. With 0, for axes of small sizes:
///
/// | bytes | what |
/// |---|---|
/// | 2 | the last size, for which those above are taken |
/// | 1 for each | the intervals of the sizes from 0 to the last |
///
/// With 1, for others, in *buckets* with no more than one threshold inside of each:
///
/// | bytes | what |
/// |---|---|
/// | 8, 8 | a lowest and a last size: those beyond are taken for them |
/// | 1 | how far the bits of an `f64` are shifted |
/// | 12 for each | for the buckets from that of the lowest to that of the last size a threshold as `u64`, and the interval below it as `u32` |
///
/// A size is halved, rounded down, and converted to an `f64`; zero is taken for one half. The bits of that, shifted, less those
/// of the lowest size, are the number of its bucket.
///
/// With 2, where thresholds are so close that buckets would be too many, they follow as `u64`, and are searched.
#[derive(Clone, Copy, Debug)]
pub struct Table<'b, const AXES: usize> {
    names: Names<'b>,
    boxes: Boxes<'b, AXES>,
    entries: &'b [[u8; 2]],
}

impl<'b, const AXES: usize> Table<'b, AXES> {
    /// Reads a table.
    ///
    /// # Errors
    ///
    /// Bytes that are not those of a table over so many axes.
    pub const fn load(bytes: &'b [u8]) -> Result<Self, Error> {
        let (names, bytes) = read!(Names::load(bytes, AXES));
        let (boxes, bytes) = read!(Boxes::read(bytes));
        let (entries, bytes) = read!(bytes.arrays::<2>(boxes.count()));
        if !bytes.0.is_empty() {
            return Err(Error::Length);
        }
        let mut place = 0;
        while place < entries.len() {
            let method = u16::from_le_bytes(entries[place]);
            if method != NONE && !names.knows(method) {
                return Err(Error::Invalid);
            }
            place += 1;
        }
        Ok(Self { names, boxes, entries })
    }

    /// The index of the method for these sizes; `None` where the map gives none. A label is given by its position.
    #[must_use]
    #[inline]
    pub const fn decide(&self, sizes: [u64; AXES]) -> Option<u16> {
        let place = self.boxes.of(sizes);
        if place >= self.entries.len() {
            return None;
        }
        match u16::from_le_bytes(self.entries[place]) {
            NONE => None,
            method => Some(method),
        }
    }

    /// The axes and methods.
    #[must_use]
    pub const fn names(&self) -> Names<'b> {
        self.names
    }

    /// The bytes that decisions read: axes and entries.
    #[must_use]
    pub const fn bytes(&self) -> usize {
        self.boxes.bytes() + size_of_val(self.entries)
    }
}
