//! The attribute turns a measured map into a function of this program.

use qtdec::decision_map;

/// The measured algorithms. The attribute adds a variant for each of them, and must come before the derives.
#[decision_map("examples/maps/bcast.json")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Method {}

/// Returns the best algorithm for a broadcast of `msg_size` bytes to `comm_size` ranks.
#[decision_map("examples/maps/bcast.json")]
const fn select(comm_size: usize, msg_size: usize) -> Method;

/// Returns the number of the algorithm, for a library that uses numbers. The tree has one level of the quadtree, so
/// at most four regions.
#[decision_map("examples/maps/bcast.json", max_depth = 1)]
fn coarse(comm_size: i32, msg_size: u64) -> u32;

fn main() {
    // If the sizes are known at compile time, so is the decision.
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
