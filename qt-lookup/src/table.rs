//! A decision function as a table.

use crate::bytes::{Bytes, Read};
use crate::names::{Names, read};
use crate::{Error, NONE};

/// A decision function as a table: for each axis a list that a size's exponent leads into, and the entries.
///
/// Behind the names stand for each axis:
///
/// | bytes | what |
/// |---|---|
/// | 8, 8 | the least size that the list tells apart and the largest, for which those beyond are taken |
/// | 8 | the bits that are set in a size before it is converted to an `f64` |
/// | 1 | how far the bits of the `f64` are shifted |
/// | 1 | how many bits of an entry's place lie below those of the axis |
/// | 4 | the number of elements of the list, a power of two, and these: a threshold as `u64`, and as `u64` the step to the entries of the sizes below it |
///
/// and then the number of entries as `u32`, the bytes of each, one or two, and the entries: indexes of methods, or all ones
/// for no decision.
#[derive(Clone, Copy, Debug)]
pub struct Table<'b, const AXES: usize> {
    names: Names<'b>,
    axes: [Axis<'b>; AXES],
    entries: Entries<'b>,
}

#[derive(Clone, Copy, Debug)]
struct Axis<'b> {
    lowest: u64,
    last: u64,
    set: u64,
    shift: u8,
    low_bits: u8,
    list: &'b [[u8; 16]],
}

#[derive(Clone, Copy, Debug)]
enum Entries<'b> {
    Short(&'b [u8]),
    Long(&'b [[u8; 2]]),
}

impl<'b, const AXES: usize> Table<'b, AXES> {
    /// Reads a table.
    ///
    /// # Errors
    ///
    /// Bytes that are not those of a table over so many axes.
    pub const fn load(bytes: &'b [u8]) -> Result<Self, Error> {
        let (names, bytes) = read!(Names::load(bytes, b'T', AXES));
        let mut axes = [Axis { lowest: 0, last: 0, set: 0, shift: 0, low_bits: 0, list: &[] }; AXES];
        let mut bytes = bytes;
        let mut axis = 0;
        while axis < AXES {
            (axes[axis], bytes) = read!(Axis::read(bytes));
            axis += 1;
        }
        let (count, bytes) = read!(bytes.u32());
        let (entries, Bytes(rest)) = read!(Entries::read(bytes, count as usize));
        if !rest.is_empty() {
            return Err(Error::Length);
        }
        let table = Self { names, axes, entries };
        if table.is_sound() { Ok(table) } else { Err(Error::Invalid) }
    }

    /// Whether every size leads to an entry, and every entry to a known method.
    const fn is_sound(&self) -> bool {
        let mut most = 0_usize;
        let mut axis = 0;
        while axis < AXES {
            match self.axes[axis].most() {
                Some(step) => most = most.saturating_add(step),
                None => return false,
            }
            axis += 1;
        }
        if most >= self.entries.len() {
            return false;
        }
        let mut entry = 0;
        while entry < self.entries.len() {
            match self.entries.get(entry) {
                Some(method) if !self.names.knows(method) => return false,
                _ => entry += 1,
            }
        }
        true
    }

    /// The index of the method for these sizes; `None` where the map gives none. A label is given by its position.
    #[must_use]
    #[inline]
    pub const fn decide(&self, sizes: [u64; AXES]) -> Option<u16> {
        let mut place = 0;
        let mut axis = 0;
        while axis < AXES {
            place += self.axes[axis].step(sizes[axis]);
            axis += 1;
        }
        self.entries.get(place)
    }

    /// The axes and methods.
    #[must_use]
    pub const fn names(&self) -> Names<'b> {
        self.names
    }

    /// The bytes that decisions read: lists and entries.
    #[must_use]
    pub const fn bytes(&self) -> usize {
        let mut bytes = match self.entries {
            Entries::Short(entries) => entries.len(),
            Entries::Long(entries) => size_of_val(entries),
        };
        let mut axis = 0;
        while axis < AXES {
            bytes += size_of_val(self.axes[axis].list);
            axis += 1;
        }
        bytes
    }
}

impl<'b> Axis<'b> {
    const fn read(bytes: Bytes<'b>) -> Read<'b, Self> {
        let (lowest, bytes) = read!(bytes.u64());
        let (last, bytes) = read!(bytes.u64());
        let (set, bytes) = read!(bytes.u64());
        let (shift, bytes) = read!(bytes.u8());
        let (low_bits, bytes) = read!(bytes.u8());
        let (count, bytes) = read!(bytes.u32());
        let (list, bytes) = read!(bytes.arrays::<16>(count as usize));
        if !list.len().is_power_of_two() || shift > 63 || low_bits > 31 {
            return Err(Error::Invalid);
        }
        Ok((Self { lowest, last, set, shift, low_bits, list }, bytes))
    }

    /// How far a size goes through the entries.
    #[inline]
    const fn step(&self, size: u64) -> usize {
        let size = if size < self.lowest { self.lowest } else { size };
        let size = if size > self.last { self.last } else { size };
        let place = ((size | self.set) as f64).to_bits() >> (self.shift & 63);
        let (threshold, below) = element(&self.list[place as usize & (self.list.len() - 1)]);
        // A shift and no choice: that would become a branch, which is mispredicted.
        below + (((size >= threshold) as usize) << (self.low_bits & 31))
    }

    /// As far as any size may go.
    const fn most(&self) -> Option<usize> {
        let mut most = 0;
        let mut place = 0;
        while place < self.list.len() {
            let (threshold, below) = element(&self.list[place]);
            let reached = threshold <= self.last || threshold <= self.lowest;
            match below.checked_add(if reached { 1 << self.low_bits } else { 0 }) {
                Some(step) if step > most => most = step,
                Some(_) => {}
                None => return None,
            }
            place += 1;
        }
        Some(most)
    }
}

/// A threshold, and the step of sizes below it.
#[inline]
const fn element(bytes: &[u8; 16]) -> (u64, usize) {
    let [threshold, below] = bytes.as_chunks::<8>().0 else { return (0, 0) };
    (u64::from_le_bytes(*threshold), u64::from_le_bytes(*below) as usize)
}

impl<'b> Entries<'b> {
    const fn read(bytes: Bytes<'b>, count: usize) -> Read<'b, Self> {
        let (width, bytes) = read!(bytes.u8());
        match width {
            1 => {
                let (entries, bytes) = read!(bytes.slice(count));
                Ok((Self::Short(entries), bytes))
            }
            2 => {
                let (entries, bytes) = read!(bytes.arrays(count));
                Ok((Self::Long(entries), bytes))
            }
            _ => Err(Error::Invalid),
        }
    }

    const fn len(&self) -> usize {
        match self {
            Self::Short(entries) => entries.len(),
            Self::Long(entries) => entries.len(),
        }
    }

    #[inline]
    const fn get(&self, place: usize) -> Option<u16> {
        match self {
            Self::Short(entries) if place < entries.len() && entries[place] != u8::MAX => {
                Some(entries[place] as u16)
            }
            Self::Long(entries) if place < entries.len() => match u16::from_le_bytes(entries[place]) {
                NONE => None,
                method => Some(method),
            },
            _ => None,
        }
    }
}
