//! A decision tree of one or two levels.

use crate::Error;
use crate::boxes::Boxes;
use crate::bytes::{Bytes, Read};
use crate::names::{Names, read};

/// A decision function in as few bytes as its decision tree allows, for up to 255 methods: a flat tree of one or two levels.
///
/// With one level there is a byte for every box, as in a [`Table`](crate::Table) half as large. With two, a root names a page
/// for every eight boxes in a row, and the pages hold their methods: where the decision tree has large leaves, many pages are
/// alike, and those are one. `qtdec_core::lookup` writes one level if that takes no more than four bytes for each node of the
/// decision tree, its leaves counted, and otherwise that which takes less.
///
/// Behind the names stand the axes, as in a [`Table`](crate::Table), and then a byte that tells the levels. With 1:
///
/// | bytes | what |
/// |---|---|
/// | 1 for each box | row-major, the index of its method, or all ones for no decision |
///
/// With 2:
///
/// | bytes | what |
/// |---|---|
/// | 2 for every eight boxes | row-major, the numbers of their pages; the last page goes on beyond the last box |
/// | 4 | the number of pages |
/// | 8 for each page | one byte for each of its boxes, as above |
#[derive(Clone, Copy, Debug)]
pub struct Tree<'b, const AXES: usize> {
    names: Names<'b>,
    boxes: Boxes<'b, AXES>,
    nodes: Nodes<'b>,
}

/// What leads from a box to its method.
#[derive(Clone, Copy, Debug)]
enum Nodes<'b> {
    One(&'b [u8]),
    Two { root: &'b [[u8; 2]], pages: &'b [[u8; PAGE]] },
}

/// The boxes that share a page.
const PAGE: usize = 8;

/// What stands for no decision.
const NONE: u8 = u8::MAX;

impl<'b, const AXES: usize> Tree<'b, AXES> {
    /// Reads a tree.
    ///
    /// # Errors
    ///
    /// Bytes that are not those of a tree over so many axes.
    pub const fn load(bytes: &'b [u8]) -> Result<Self, Error> {
        let (names, bytes) = read!(Names::load(bytes, b'L', AXES));
        let (boxes, bytes) = read!(Boxes::read(bytes));
        let (nodes, bytes) = read!(Nodes::read(bytes, boxes.count()));
        if !bytes.0.is_empty() {
            return Err(Error::Length);
        }
        if nodes.are_sound(&names) { Ok(Self { names, boxes, nodes }) } else { Err(Error::Invalid) }
    }

    /// The index of the method for these sizes; `None` where the map gives none. A label is given by its position.
    #[must_use]
    #[inline]
    pub const fn decide(&self, sizes: [u64; AXES]) -> Option<u16> {
        match self.nodes.method(self.boxes.of(sizes)) {
            NONE => None,
            method => Some(method as u16),
        }
    }

    /// The axes and methods.
    #[must_use]
    pub const fn names(&self) -> Names<'b> {
        self.names
    }

    /// The bytes that decisions read: axes, and [those of the levels](Self::level_bytes).
    #[must_use]
    pub const fn bytes(&self) -> usize {
        self.boxes.bytes() + self.level_bytes()
    }

    /// The bytes of both levels, or of the only one.
    #[must_use]
    pub const fn level_bytes(&self) -> usize {
        match self.nodes {
            Nodes::One(methods) => methods.len(),
            Nodes::Two { root, pages } => size_of_val(root) + size_of_val(pages),
        }
    }
}

impl<'b> Nodes<'b> {
    /// Reads what leads from so many boxes to their methods.
    const fn read(bytes: Bytes<'b>, boxes: usize) -> Read<'b, Self> {
        let (levels, bytes) = read!(bytes.u8());
        match levels {
            1 => {
                let (methods, bytes) = read!(bytes.slice(boxes));
                Ok((Self::One(methods), bytes))
            }
            2 => {
                let (root, bytes) = read!(bytes.arrays(boxes.div_ceil(PAGE)));
                let (count, bytes) = read!(bytes.u32());
                let (pages, bytes) = read!(bytes.arrays(count as usize));
                Ok((Self::Two { root, pages }, bytes))
            }
            _ => Err(Error::Invalid),
        }
    }

    /// Whether all pages and methods that are named are known.
    const fn are_sound(&self, names: &Names<'_>) -> bool {
        let methods = match self {
            Self::One(methods) => methods,
            Self::Two { root, pages } => {
                let mut place = 0;
                while place < root.len() {
                    if u16::from_le_bytes(root[place]) as usize >= pages.len() {
                        return false;
                    }
                    place += 1;
                }
                pages.as_flattened()
            }
        };
        let mut place = 0;
        while place < methods.len() {
            if methods[place] != NONE && !names.knows(methods[place] as u16) {
                return false;
            }
            place += 1;
        }
        true
    }

    /// The method of a box.
    #[inline]
    const fn method(&self, place: usize) -> u8 {
        match self {
            Self::One(methods) if place < methods.len() => methods[place],
            Self::Two { root, pages } if place / PAGE < root.len() => {
                let page = u16::from_le_bytes(root[place / PAGE]) as usize;
                if page < pages.len() { pages[page][place % PAGE] } else { NONE }
            }
            _ => NONE,
        }
    }
}

#[cfg(test)]
mod tests {
    extern crate std;

    use super::*;

    /// No axis, one method, and some pages with a root of one word.
    fn load(page: u16, method: u8) -> Option<Error> {
        let names = [&[0][..], &[1, 0], &7_u64.to_le_bytes(), &[1, 0], b"a"].concat();
        let pages =
            [&[2][..], &page.to_le_bytes(), &2_u32.to_le_bytes(), &[0; PAGE], &[method; PAGE]].concat();
        let sealed = crate::checksum(&[&names[..], &pages].concat()).to_le_bytes();
        let bytes = [&crate::MAGIC[..], b"L", &sealed, &names, &pages].concat();
        Tree::<0>::load(&bytes).err()
    }

    #[test]
    fn pages_and_methods_that_are_named_are_there() {
        assert_eq!(load(0, 0), None);
        assert_eq!(load(1, NONE), None);
        assert_eq!(load(2, 0), Some(Error::Invalid));
        assert_eq!(load(0, 1), Some(Error::Invalid));
    }
}
