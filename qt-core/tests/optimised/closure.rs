//! The reduced form of a miscompilation (rust-lang/rust#155241): a closure that changes an argument of more than two words
//! changes its caller's copy, so that the second call sees what the first one left.
//!
//! `rustc -C opt-level=1` of 1.95 prints `closure [3, 5, 5]`; what is meant is `[4, 5, 5]`.

use std::hint::black_box;

fn by_closure(cell: [usize; 3]) -> [usize; 3] {
    let before = |mut cell: [usize; 3]| {
        cell[0] -= 1;
        cell
    };
    let _ = before(cell);
    before(cell)
}

fn by_function(cell: [usize; 3]) -> [usize; 3] {
    let _ = before(cell, 0);
    before(cell, 0)
}

/// As `qt-core/src/encode/greedy/tiling.rs` has it.
fn before(cell: [usize; 3], axis: usize) -> [usize; 3] {
    std::array::from_fn(|other| cell[other] - usize::from(other == axis))
}

fn main() {
    println!("function {:?}", by_function(black_box([5, 5, 5])));
    println!("closure {:?}", by_closure(black_box([5, 5, 5])));
}
