//! The memory of the papers' prototypes, and what it implies.
//!
//! The prototype of the 2006 paper has nodes of 104 bytes, and its Table 4 prints nodes and memory. That of the 2007 paper has nodes of 48
//! bytes, 6 bytes for each method and 2 bytes for each size; its Table 3 prints memory alone, for all of them.

/// The bytes of a node, of a method and of a size in the 2007 paper.
const NODE_2007: u64 = 48;
const METHOD_2007: u64 = 6;
const SIZE_2007: u64 = 2;

/// The sizes of the grid of 64 × 64 that the 2007 paper fills up.
const SIZES_2007: u64 = 64 + 64;

/// The bytes of a node in the 2006 paper.
const NODE_2006: u64 = 104;

/// The bytes of the node that each paper calls optimised: five or four pointers and a method, without alignment.
const OPTIMISED_2006: u64 = 44;
const OPTIMISED_2007: u64 = 36;

/// Returns the memory of a tree of the optimised nodes of the 2006 paper, in bytes.
pub(crate) const fn optimised_2006(nodes: u64) -> u64 {
    OPTIMISED_2006 * nodes
}

/// Returns the memory of a tree of the optimised nodes of the 2007 paper, in bytes.
pub(crate) const fn optimised_2007(nodes: u64) -> u64 {
    OPTIMISED_2007 * nodes
}

/// Returns the memory of a tree in the 2006 paper, in bytes.
pub(crate) const fn of_2006(nodes: u64) -> u64 {
    NODE_2006 * nodes
}

/// Returns the memory of a tree in the 2007 paper with its sizes and methods, in bytes.
pub(crate) const fn of_2007(nodes: u64, methods: u64) -> u64 {
    NODE_2007 * nodes + METHOD_2007 * methods + SIZE_2007 * SIZES_2007
}

/// Returns the number of methods that the memory of a tree with this many nodes implies in the 2007 paper.
pub(crate) const fn implied_methods(memory: u64, nodes: u64) -> u64 {
    (memory - NODE_2007 * nodes - SIZE_2007 * SIZES_2007) / METHOD_2007
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::printed::{GRIG_REDUCE_2006, GRIG_REDUCE_2007, MEMORY_2006, MEMORY_2007};

    /// The texts print the memory of the largest trees of six and of three levels: 235 KB and 3740 bytes, 192 KB and 3060 bytes.
    #[test]
    fn optimised_nodes_take_the_printed_memory() {
        let (six, three) = (5461, 85);
        assert_eq!((optimised_2006(six) >> 10, optimised_2006(three)), (234, 3740));
        assert_eq!((optimised_2007(six) >> 10, optimised_2007(three)), (191, 3060));
    }

    /// The printed memory is that of the printed nodes, without a remainder.
    #[test]
    fn the_printed_memory_is_that_of_the_printed_nodes() {
        for (row, memory) in GRIG_REDUCE_2006.iter().zip(MEMORY_2006) {
            assert_eq!(of_2006(row.nodes()), memory);
        }
        for (row, memory) in GRIG_REDUCE_2007.iter().zip(MEMORY_2007) {
            assert_eq!(implied_methods(memory, row.nodes()), 36);
            assert_eq!(of_2007(row.nodes(), 36), memory);
        }
    }
}
