//! The limits of generated code: what a compiler translates in about 30 seconds of processor time and a gigabyte.

use std::cell::Cell;

use crate::message::Message;
use crate::problem::{Place, Problem};
use crate::tree::DecisionTree;

/// The maximum number of regions of code in branches.
///
/// For 132000 regions of a map of random answers, rustc takes 17 seconds and 880 MiB with `opt-level=3`; both are in proportion to the
/// regions.
pub const MAX_REGIONS: usize = 1 << 17;

/// The maximum number of methods of a generated enum.
///
/// What rustc takes for `derive(Debug)` grows with the square of the variants: 0.6 GiB for 4096, 1.8 GiB for 8192, 21 GiB for 32768.
pub const MAX_VARIANTS: usize = 1 << 12;

/// Checks that code of so many leaves is small enough, given the regions that were written before, which are counted.
pub(super) fn check_written(
    tree: &DecisionTree,
    leaves: usize,
    written: &Cell<usize>,
) -> Result<(), Problem> {
    written.set(written.get().saturating_add(leaves));
    if written.get() <= MAX_REGIONS { Ok(()) } else { Err(too_many(tree, written.get(), MAX_REGIONS, true)) }
}

/// Checks that a tree is small enough for code in branches in a language without tables; `most` is the maximum number of regions.
///
/// # Errors
///
/// Returns an error for more regions.
pub fn check_regions(tree: &DecisionTree, most: usize) -> Result<(), Problem> {
    let regions = tree.root().leaves();
    if regions <= most { Ok(()) } else { Err(too_many(tree, regions, most, false)) }
}

/// Returns the fault of a tree with too many regions; `tables` is whether the language has tables.
pub(super) fn too_many(tree: &DecisionTree, regions: usize, most: usize, tables: bool) -> Problem {
    let message = format!("code of {regions} regions is too large for a compiler: the maximum is {most}");
    let mut problem = Problem::new(Place::File, message);
    if tables && tree.table_bytes().is_some() {
        problem = problem.help(Message::set("layout", "table"));
    }
    problem.help("set a budget or a maximum depth, which makes the tree smaller")
}

pub(super) fn check_variants(methods: usize) -> Result<(), Problem> {
    if methods <= MAX_VARIANTS {
        return Ok(());
    }
    let message =
        format!("an enum of {methods} methods is too large for a compiler: the maximum is {MAX_VARIANTS}");
    Err(Problem::new(Place::File, message)
        .help("return an integer, which is the id of a method")
        .help("leave out methods that are never chosen"))
}
