//! The attribute: a measured map becomes a function of this program.

use qtdec::decision_map;

/// The algorithms that were measured. The attribute fills in a variant for each, and stands above the derives.
#[decision_map("examples/maps/bcast.json")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Method {}

/// The best algorithm for a broadcast of `msg_size` bytes to `comm_size` ranks.
#[decision_map("examples/maps/bcast.json")]
const fn select(comm_size: usize, msg_size: usize) -> Method;

/// One level of the quadtree, which is four regions at the most, and plain numbers for a library that wants them.
#[decision_map("examples/maps/bcast.json", max_depth = 1)]
fn coarse(comm_size: i32, msg_size: u64) -> u32;

fn main() {
    // The decision is known at compile time where the sizes are.
    const SMALL: Method = select(4, 8);
    println!("8 bytes to 4 ranks: {}", SMALL.name());

    for comm_size in [2, 6, 100] {
        for msg_size in [512, 100_000, 4 << 20] {
            let method = select(comm_size, msg_size);
            let segments =
                method.segment_size().map_or(String::new(), |size| format!(" in segments of {size}"));
            println!("{msg_size:>8} bytes to {comm_size:>3} ranks: {}{segments}", method.algorithm());
        }
    }
    println!("coarsely, 100 000 bytes to 6 ranks: algorithm {}", coarse(6, 100_000));
}
