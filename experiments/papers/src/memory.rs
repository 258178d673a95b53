//! The memory of the papers' prototypes, and what it implies.
//!
//! The prototype of the 2006 paper has nodes of 104 bytes, and its Table 4 prints nodes and memory. That of the 2007 paper has nodes of 48
//! bytes, 6 bytes for each method and 2 bytes for each size; its Table 3 prints memory alone, for all of them.

use std::fmt::Write;

use qtdec_core::encode::{self, Quadtree};
use qtdec_core::{Borders, DecisionMap};

use super::printed::{GRIG_REDUCE_2006, GRIG_REDUCE_2007, MEMORY_2006, MEMORY_2007, PrintedTree};

/// The bytes of a node, of a method and of a size in the 2007 paper.
const NODE_2007: u64 = 48;
const METHOD_2007: u64 = 6;
const SIZE_2007: u64 = 2;

/// The sizes of the grid of 64 × 64 that the 2007 paper fills up.
const SIZES_2007: u64 = 64 + 64;

/// The bytes of a node in the 2006 paper.
const NODE_2006: u64 = 104;

/// Returns the nodes of a quadtree with this many leaves: each inner node replaces one leaf by four.
const fn nodes(leaves: u64) -> u64 {
    leaves + (leaves - 1) / 3
}

/// Returns the number of methods that the memory of a tree in the 2007 paper implies.
const fn implied_methods(memory: u64, leaves: u64) -> u64 {
    (memory - NODE_2007 * nodes(leaves) - SIZE_2007 * SIZES_2007) / METHOD_2007
}

fn own_nodes(map: &DecisionMap, depth: u32, collapse: bool) -> u64 {
    let quadtree = Quadtree { max_depth: Some(depth), collapse, ..Quadtree::default() };
    let tree = encode::encode(map, &quadtree, Borders::Floor).expect("a quadtree serves every map");
    tree.statistics().encoding.nodes
}

/// Returns the table of nodes and memory of both papers' trees about reduce on Grig.
pub(super) fn table(reduce_2006: &DecisionMap, reduce: &DecisionMap) -> String {
    let mut text = String::from(
        "| table | max depth | nodes: paper | ours | memory, bytes: paper | ours | ratio | methods: implied | ours |\n\
         |---|---:|---:|---:|---:|---:|---:|---:|---:|\n",
    );
    let mut line = |name: &str, row: &PrintedTree, ours: u64, [printed, own]: [u64; 2], methods: &str| {
        // Writing to a string does not fail.
        let _ = writeln!(
            text,
            "| {name} | {} | {} | {ours} | {printed} | {own} | {:.2} | {methods} |",
            row.depth,
            nodes(row.leaves),
            own as f64 / printed as f64
        );
    };
    for (row, memory) in GRIG_REDUCE_2006.iter().zip(MEMORY_2006) {
        let ours = own_nodes(reduce_2006, row.depth, false);
        line("2006, Table 4", row, ours, [memory, NODE_2006 * ours], "– | –");
    }
    let methods = reduce.domain().methods().len() as u64;
    for (row, memory) in GRIG_REDUCE_2007.iter().zip(MEMORY_2007) {
        let ours = own_nodes(reduce, row.depth, true);
        let own = NODE_2007 * ours + METHOD_2007 * methods + SIZE_2007 * SIZES_2007;
        let methods = format!("{} | {methods}", implied_methods(memory, row.leaves));
        line("2007, Table 3", row, ours, [memory, own], &methods);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The printed memory is that of the printed nodes, without a remainder.
    #[test]
    fn the_printed_memory_is_that_of_the_printed_nodes() {
        for (row, memory) in GRIG_REDUCE_2006.iter().zip(MEMORY_2006) {
            assert_eq!(NODE_2006 * nodes(row.leaves), memory);
        }
        for (row, memory) in GRIG_REDUCE_2007.iter().zip(MEMORY_2007) {
            assert_eq!(implied_methods(memory, row.leaves), 36);
            assert_eq!(NODE_2007 * nodes(row.leaves) + METHOD_2007 * 36 + SIZE_2007 * SIZES_2007, memory);
        }
    }
}
