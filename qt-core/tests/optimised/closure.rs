//! The reduced form of a miscompilation (rust-lang/rust#155241): a closure that changes an argument of more than two
//! words changes the caller's copy, so the second call sees the changed value.
//!
//! `rustc -C opt-level=1` of 1.95 prints `closure [3, 5, 5]` instead of `[4, 5, 5]`.

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

/// Does the same as the function in `qt-core/src/encode/greedy/tiling.rs`.
fn before(cell: [usize; 3], axis: usize) -> [usize; 3] {
    std::array::from_fn(|other| cell[other] - usize::from(other == axis))
}

fn main() {
    println!("function {:?}", by_function(black_box([5, 5, 5])));
    println!("closure {:?}", by_closure(black_box([5, 5, 5])));
}
