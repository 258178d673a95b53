//! Maps of which every exact tree is too large, found before a tree is made.

use super::Input;
use crate::json::MAX_BYTES;
use crate::message::Message;
use crate::problem::{Place, Problem};

/// The least bytes of a leaf and of a test in the file of a tree: indentation, a name, and a comma with a line break.
const LEAST_BYTES: u64 = 9 + 14;

/// Returns an error if no exact tree of a map fits into a file.
pub(super) fn check(input: &Input<'_>) -> Result<(), Problem> {
    let most = MAX_BYTES as u64 / LEAST_BYTES;
    // A leaf has a cell at least.
    if input.shape.cells() as u64 <= most {
        return Ok(());
    }
    let fewest = fewest(input);
    if fewest <= most {
        return Ok(());
    }
    let message =
        format!("every exact tree of this map has at least {fewest} leaves, and {most} is the limit");
    Err(Problem::new(Place::File, message)
        .help(Message::set("max_depth", "8"))
        .help("measure at fewer sizes, or use the map, which is smaller"))
}

/// Returns a lower bound on the leaves of an exact tree, by the corners of leaves on a plane of two axes: a leaf has four.
///
/// Where four cells meet, no leaf has a corner only if two opposite edges, of which each may be within one leaf, meet there. If no edge
/// may be within a leaf, there are four corners; otherwise two, as in a T.
fn fewest(input: &Input<'_>) -> u64 {
    let &[.., columns] = input.shape.lens() else { return 1 };
    let rows = input.shape.lens().iter().rev().nth(1).copied().unwrap_or(1);
    let share = |one: usize, other: usize| {
        let (one, other) = (input.allowed(one), input.allowed(other));
        one.is_empty() || other.is_empty() || one.iter().any(|method| other.contains(method))
    };
    let corners = |first: usize| {
        let at = |row: usize, column: usize| first + row * columns + column;
        let mut corners = 0;
        for row in 1..rows {
            let mut above = share(at(row - 1, 0), at(row, 0));
            for column in 1..columns {
                let below = share(at(row - 1, column), at(row, column));
                let [upper, lower] = [row - 1, row].map(|row| share(at(row, column - 1), at(row, column)));
                corners += match (above && below) || (upper && lower) {
                    true => 0,
                    false if above || below || upper || lower => 2,
                    false => 4,
                };
                above = below;
            }
        }
        corners
    };
    let planes = (0..input.shape.cells()).step_by(rows * columns);
    planes.map(corners).max().unwrap_or(0) / 4
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{Axis, Domain, Method, MethodIndex};
    use crate::encode::{Budget, Greedy, Optimal, Quadtree, Rle, SearchLimit, encode};
    use crate::{Borders, DecisionMap};

    fn map(rows: u64, columns: u64, method: impl Fn(usize, usize) -> usize) -> DecisionMap {
        let axes = vec![
            Axis::new("m", (1..=rows).collect::<Vec<_>>()),
            Axis::new("n", (1..=columns).collect::<Vec<_>>()),
        ];
        let domain = Domain::new(None, axes, ["a", "b", "c"].map(Method::new).to_vec()).unwrap();
        let columns = columns as usize;
        let cells = (0..domain.cells()).map(|cell| method(cell / columns, cell % columns));
        let cells = cells.map(|method| Some(MethodIndex::new(method))).collect();
        DecisionMap::new(domain, cells).unwrap()
    }

    #[test]
    fn the_bound_is_below_the_smallest_tree() {
        let mut tight = 0;
        for seed in 0..40_usize {
            let map = map(9, 8, |row, column| {
                let mixed = (row * 31 + column * 17 + seed * 101 + row * column * (seed + 3)) % 97;
                if seed % 2 == 0 { mixed % 3 } else { usize::from(mixed % 7 == 0) }
            });
            let smallest = encode(&map, &Optimal::default(), Borders::Floor).unwrap();
            let leaves = smallest.statistics().encoding.leaves;
            let bound = fewest(&Input::new(&map, &Budget::default(), SearchLimit::COMMAND).unwrap());
            assert!(bound <= leaves, "{bound} {leaves}");
            tight += u64::from(2 * bound > leaves);
        }
        assert!(tight > 20, "{tight}");
    }

    /// Trees of four million leaves would take half a minute.
    #[test]
    fn a_map_whose_trees_are_too_large_is_refused_before_a_tree_is_made() {
        let map = map(1800, 1800, |row, column| (row + column) % 2);
        for encoder in [&Quadtree::default() as &dyn crate::encode::Encoder, &Rle, &Greedy] {
            let error = encode(&map, encoder, Borders::Floor).unwrap_err().to_string();
            assert!(error.contains("every exact tree of this map has at least 3236401 leaves"), "{error}");
        }
        let shallow = Quadtree { max_depth: Some(3), ..Quadtree::default() };
        assert!(encode(&map, &shallow, Borders::Floor).is_ok());
    }
}
