//! A decision function as a table.

use crate::arrays::Arrays;
use crate::axis::Axis;
use crate::bytes::read;
use crate::names::Names;
use crate::{Error, NONE};

/// A decision function as a table. The thresholds on each axis divide the space of sizes into boxes, and each box has an entry.
///
/// After the names come the axes and then the entries, of two bytes each. The entry of a box, row-major, is the index of its method,
/// or all ones for no decision.
///
/// An axis begins with the number of its intervals as `u32`, which is one more than the number of thresholds, and a byte that selects
/// the kind of lookup. The value 0 is for axes of small sizes:
///
/// | bytes | content |
/// |---|---|
/// | 2 | the last size; larger sizes are treated as this one |
/// | 1 for each | the intervals of the sizes from 0 to the last |
///
/// The value 1 is for other axes. It uses *buckets*, each with at most one threshold inside:
///
/// | bytes | content |
/// |---|---|
/// | 8, 8 | the lowest and the last size, to which all sizes are clamped |
/// | 1 | the shift of the bits of an `f64` |
/// | 12 for each | for the buckets from that of the lowest size to that of the last, a threshold as `u64` and the interval below it as `u32` |
///
/// A size is halved, rounded down, and converted to an `f64`; zero is treated as one half. The number of its bucket is the shifted bits
/// of this `f64`, minus those of the lowest size.
///
/// The value 2 is for thresholds so close that there would be too many buckets. The thresholds follow as `u64` and are searched.
///
/// ```
/// let table = qtdec_lookup::Table::<2>::load(include_bytes!("../examples/bcast.qtl"))?;
/// assert_eq!(table.decide([16, 65_536]), Some(2));
/// # Ok::<(), qtdec_lookup::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Table<'b, const AXES: usize> {
    names: Names<'b>,
    axes: [Axis<'b>; AXES],
    entries: Arrays<'b, 2>,
}

impl<'b, const AXES: usize> Table<'b, AXES> {
    /// Loads a table.
    ///
    /// ```
    /// use qtdec_lookup::{Error, Table};
    ///
    /// // In a constant, damaged bytes are an error of the compiler.
    /// const BCAST: Table<'static, 2> = match Table::load(include_bytes!("../examples/bcast.qtl")) {
    ///     Ok(table) => table,
    ///     Err(_) => panic!("bcast.qtl is damaged"),
    /// };
    /// assert_eq!(BCAST.decide([2, 1]), Some(0));
    ///
    /// // The table has two axes, not three.
    /// let bytes = include_bytes!("../examples/bcast.qtl");
    /// assert_eq!(Table::<3>::load(bytes).unwrap_err(), Error::Axes(2));
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error for bytes that are not a table with this number of axes.
    pub const fn load(bytes: &'b [u8]) -> Result<Self, Error> {
        let (names, mut bytes) = read!(Names::load(bytes, AXES));
        let (mut axes, mut boxes) = ([Axis::ONE; AXES], 1_usize);
        let mut axis = 0;
        while axis < AXES {
            (axes[axis], bytes) = read!(Axis::read(bytes));
            boxes = boxes.saturating_mul(axes[axis].intervals);
            axis += 1;
        }
        let (entries, bytes) = read!(bytes.arrays(boxes));
        if !bytes.0.is_empty() {
            return Err(Error::Length);
        }
        let mut place = 0;
        while let Some(entry) = entries.get(place) {
            let method = u16::from_le_bytes(*entry);
            if method != NONE && !names.knows(method) {
                return Err(Error::Invalid);
            }
            place += 1;
        }
        Ok(Self { names, axes, entries })
    }

    /// Returns the index of the method for these sizes, or `None` where the map gives none. A label is given by its position.
    ///
    /// ```
    /// let table = qtdec_lookup::Table::<2>::load(include_bytes!("../examples/bcast.qtl"))?;
    /// let method = table.decide([16, 65_536]).expect("every cell was measured");
    /// assert_eq!(table.names().methods().nth(method.into()).unwrap().label, "pipeline/8192");
    /// # Ok::<(), qtdec_lookup::Error>(())
    /// ```
    #[must_use]
    #[inline]
    pub const fn decide(&self, sizes: [u64; AXES]) -> Option<u16> {
        let mut place = 0;
        let mut axis = 0;
        while axis < AXES {
            place = place * self.axes[axis].intervals + self.axes[axis].interval(sizes[axis]);
            axis += 1;
        }
        let Some(entry) = self.entries.get(place) else { return None };
        match u16::from_le_bytes(*entry) {
            NONE => None,
            method => Some(method),
        }
    }

    /// Returns the axes and methods.
    ///
    /// ```
    /// let table = qtdec_lookup::Table::<2>::load(include_bytes!("../examples/bcast.qtl"))?;
    /// assert_eq!(table.names().methods().count(), 5);
    /// # Ok::<(), qtdec_lookup::Error>(())
    /// ```
    #[must_use]
    pub const fn names(&self) -> Names<'b> {
        self.names
    }

    /// Returns the number of bytes that decisions read: axes and entries.
    ///
    /// ```
    /// let table = qtdec_lookup::Table::<2>::load(include_bytes!("../examples/bcast.qtl"))?;
    /// // The rest of the file contains the names.
    /// assert!(table.bytes() < include_bytes!("../examples/bcast.qtl").len());
    /// # Ok::<(), qtdec_lookup::Error>(())
    /// ```
    #[must_use]
    pub const fn bytes(&self) -> usize {
        let mut bytes = self.entries.bytes();
        let mut axis = 0;
        while axis < AXES {
            bytes += self.axes[axis].bytes();
            axis += 1;
        }
        bytes
    }
}
