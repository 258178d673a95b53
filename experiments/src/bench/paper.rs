//! The papers' forms: a quadtree as printed, and one of nodes and pointers.
//!
//! Pješivac-Grbović, Fagg, Angskun, Bosilca and Dongarra, "MPI collective algorithm selection and quadtree encoding", 2006,
//! Figure 3 and Section 4; the exact tree, nothing merged.

use std::fmt::Write;

use qtdec_core::{Borders, DecisionMap};

/// A quadtree over a square with sides of 2^k samples.
enum Quadtree {
    Leaf(usize),
    /// NW, NE, SW, SE, and the first sample of the lower and of the right half.
    Quadrants(Box<[Quadtree; 4]>, [usize; 2]),
}

/// The sides of a square, from the first sample to the one after the last.
type Square = [(usize, usize); 2];

fn encode(map: &DecisionMap, square: Square) -> Quadtree {
    let [(top, bottom), (left, right)] = square;
    let side = map.domain().axes()[1].len();
    let method =
        |row: usize, column: usize| map.cells()[row * side + column].expect("the maps are full").get();
    let first = method(top, left);
    if (top..bottom).all(|row| (left..right).all(|column| method(row, column) == first)) {
        return Quadtree::Leaf(first);
    }
    let middle = [usize::midpoint(top, bottom), usize::midpoint(left, right)];
    Quadtree::Quadrants(Box::new(quadrants(square, middle).map(|quadrant| encode(map, quadrant))), middle)
}

fn quadrants([(top, bottom), (left, right)]: Square, [row, column]: [usize; 2]) -> [Square; 4] {
    [
        [(top, row), (left, column)],
        [(top, row), (column, right)],
        [(row, bottom), (left, column)],
        [(row, bottom), (column, right)],
    ]
}

fn whole(map: &DecisionMap) -> Square {
    let shape = map.domain().shape();
    assert!(shape[0].is_power_of_two() && shape[0] == shape[1], "the papers' shapes are made of squares");
    [(0, shape[0]), (0, shape[1])]
}

/// Returns every quadrant as a condition with both borders on both axes.
pub(super) fn branches(map: &DecisionMap) -> String {
    let square = whole(map);
    let mut source = String::from("pub fn decide(comm_size: u64, msg_size: u64) -> u32 {\n");
    write_branches(map, &encode(map, square), square, &mut source);
    source + "}\n"
}

fn write_branches(map: &DecisionMap, tree: &Quadtree, square: Square, source: &mut String) {
    match tree {
        Quadtree::Leaf(method) => writeln!(source, "{method}"),
        Quadtree::Quadrants(subtrees, middle) => {
            for (quadrant, subtree) in quadrants(square, *middle).into_iter().zip(&**subtrees) {
                writeln!(source, "if {} {{", condition(map, quadrant))
                    .expect("writing to a string cannot fail");
                write_branches(map, subtree, quadrant, source);
                source.push_str("} else ");
            }
            writeln!(source, "{{ 0 }}")
        }
    }
    .expect("writing to a string cannot fail");
}

fn condition(map: &DecisionMap, square: Square) -> String {
    let sides = map.domain().axes().iter().zip(["comm_size", "msg_size"]).zip(square);
    let conditions = sides.flat_map(|((axis, name), (from, end))| {
        let lower = (from > 0).then(|| format!("{name} >= {}", axis.threshold(from, Borders::Floor)));
        let upper = (end < axis.len()).then(|| format!("{name} < {}", axis.threshold(end, Borders::Floor)));
        [lower, upper]
    });
    conditions.flatten().collect::<Vec<_>>().join(" && ")
}

/// Returns nodes that point to their four quadrants.
pub(super) fn pointers(map: &DecisionMap) -> String {
    let mut source = String::from(
        "pub enum Node { Leaf(u32), Quadrants { comm_size: u64, msg_size: u64, quadrants: [&'static Node; 4] } }\n\
         pub fn decide(comm_size: u64, msg_size: u64) -> u32 {\n    let mut node = &N0;\n    loop {\n        match node {\n            \
         Node::Leaf(method) => return *method,\n            \
         Node::Quadrants { comm_size: rows, msg_size: columns, quadrants } => {\n                \
         node = quadrants[2 * (comm_size >= *rows) as usize + (msg_size >= *columns) as usize];\n            }\n        }\n    }\n}\n",
    );
    write_pointers(map, &encode(map, whole(map)), &mut 0, &mut source);
    source
}

/// Writes a node after its descendants, and returns its number.
fn write_pointers(map: &DecisionMap, tree: &Quadtree, next: &mut usize, source: &mut String) -> usize {
    let number = *next;
    *next += 1;
    match tree {
        Quadtree::Leaf(method) => writeln!(source, "static N{number}: Node = Node::Leaf({method});"),
        Quadtree::Quadrants(subtrees, middle) => {
            let numbers = subtrees.each_ref().map(|subtree| write_pointers(map, subtree, next, source));
            let borders: Vec<u64> = map
                .domain()
                .axes()
                .iter()
                .zip(middle)
                .map(|(axis, &at)| axis.threshold(at, Borders::Floor))
                .collect();
            let quadrants = numbers.map(|number| format!("&N{number}")).join(", ");
            let (rows, columns) = (borders[0], borders[1]);
            writeln!(
                source,
                "static N{number}: Node = Node::Quadrants {{ comm_size: {rows}, msg_size: {columns}, quadrants: [{quadrants}] }};"
            )
        }
    }
    .expect("writing to a string cannot fail");
    number
}
