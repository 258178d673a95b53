//! A decision tree in a line.

use crate::bytes::Bytes;
use crate::names::{Names, read};
use crate::{Error, NONE};

/// A decision tree as the line of its nodes, four bytes each.
///
/// Behind the names stand:
///
/// | bytes | what |
/// |---|---|
/// | 4 | the number of thresholds, and the thresholds as `u64` |
/// | 1 | the number of bits that a threshold's position takes in a node |
/// | 4 | the number of nodes, and the nodes as `u32` |
///
/// A node whose highest bit is set is a leaf: its lower half is the index of the method, or all ones for no decision. Every
/// other node is a test: two bits for the axis, then the position of the threshold, then how far on the node stands that
/// holds from the threshold on. That which holds below it is the next one.
#[derive(Clone, Copy, Debug)]
pub struct Tree<'b, const AXES: usize> {
    names: Names<'b>,
    thresholds: &'b [[u8; 8]],
    nodes: &'b [[u8; 4]],
    /// How far a node is shifted for the position of its threshold.
    shift: u32,
}

const LEAF: u32 = 1 << 31;

impl<'b, const AXES: usize> Tree<'b, AXES> {
    /// Reads a tree.
    ///
    /// # Errors
    ///
    /// Bytes that are not those of a tree over so many axes.
    pub const fn load(bytes: &'b [u8]) -> Result<Self, Error> {
        let (names, bytes) = read!(Names::load(bytes, b'L', AXES));
        let (count, bytes) = read!(bytes.u32());
        let (thresholds, bytes) = read!(bytes.arrays::<8>(count as usize));
        let (bits, bytes) = read!(bytes.u8());
        let (count, bytes) = read!(bytes.u32());
        let (nodes, Bytes(rest)) = read!(bytes.arrays::<4>(count as usize));
        if !rest.is_empty() {
            return Err(Error::Length);
        }
        if bits > 29 {
            return Err(Error::Invalid);
        }
        let tree = Self { names, thresholds, nodes, shift: 29 - bits as u32 };
        if tree.is_sound() { Ok(tree) } else { Err(Error::Invalid) }
    }

    /// Whether every node leads on to two others, or is a leaf of a known method.
    const fn is_sound(&self) -> bool {
        let mut index = 0;
        while index < self.nodes.len() {
            let node = u32::from_le_bytes(self.nodes[index]);
            let sound = if node & LEAF != 0 {
                self.names.knows(node as u16)
            } else {
                let (axis, threshold, far) = self.test(node);
                // Steps go forward only: a walk ends.
                axis < AXES && threshold < self.thresholds.len() && far > 1 && far < self.nodes.len() - index
            };
            if !sound {
                return false;
            }
            index += 1;
        }
        index > 0 && u32::from_le_bytes(self.nodes[index - 1]) & LEAF != 0
    }

    /// The axis, the position of the threshold and the step to the upper side.
    const fn test(&self, node: u32) -> (usize, usize, usize) {
        let low = node & ((LEAF >> 2) - 1);
        ((node >> 29) as usize, (low >> self.shift) as usize, (low & ((1 << self.shift) - 1)) as usize)
    }

    /// The index of the method for these sizes; `None` where the map gives none. A label is given by its position.
    #[must_use]
    pub const fn decide(&self, sizes: [u64; AXES]) -> Option<u16> {
        let mut index = 0;
        while index < self.nodes.len() {
            let node = u32::from_le_bytes(self.nodes[index]);
            if node & LEAF != 0 {
                let method = node as u16;
                return if method == NONE { None } else { Some(method) };
            }
            let (axis, threshold, far) = self.test(node);
            if axis >= AXES || threshold >= self.thresholds.len() {
                return None;
            }
            let is_below = sizes[axis] < u64::from_le_bytes(self.thresholds[threshold]);
            index += if is_below { 1 } else { far };
        }
        None
    }

    /// The axes and methods.
    #[must_use]
    pub const fn names(&self) -> Names<'b> {
        self.names
    }

    /// The bytes that decisions read: nodes and thresholds.
    #[must_use]
    pub const fn bytes(&self) -> usize {
        size_of_val(self.nodes) + size_of_val(self.thresholds)
    }

    /// The number of nodes.
    #[must_use]
    pub const fn nodes(&self) -> usize {
        self.nodes.len()
    }
}
