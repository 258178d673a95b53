//! A choice of a number of threads: whether threads pay off depends on the number of elements and on the work for each of them.

use std::thread;

use qtdec::decision_map;

/// The number of threads, one for each method of the map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Threads {
    /// The calling thread alone.
    One,
    /// The calling thread and another one.
    Two,
    /// The calling thread and three others.
    Four,
}

/// Returns the fastest number of threads for `len` elements with this many rounds of arithmetic for each.
#[decision_map("maps/threads.json")]
pub const fn fastest(len: usize, rounds: u32) -> Threads;

impl Threads {
    /// All numbers of threads with their names in the map.
    pub const ALL: [(&str, Self); 3] = [("one", Self::One), ("two", Self::Two), ("four", Self::Four)];

    /// Scrambles every element with this many rounds of arithmetic.
    pub fn scramble(self, elements: &mut [u32], rounds: u32) {
        let parts = [1, 2, 4][self as usize];
        let mut chunks = elements.chunks_mut(elements.len().div_ceil(parts).max(1));
        let Some(first) = chunks.next() else { return };
        thread::scope(|scope| {
            for chunk in chunks {
                scope.spawn(move || scramble(chunk, rounds));
            }
            scramble(first, rounds);
        });
    }
}

fn scramble(elements: &mut [u32], rounds: u32) {
    for element in elements {
        for _ in 0..rounds {
            *element = (*element ^ (*element >> 15)).wrapping_mul(0x2C1B_3C6D).wrapping_add(1);
        }
    }
}

/// Prints some decisions.
///
/// # Panics
///
/// Panics if threads change the result.
pub fn run() {
    for (len, rounds) in [(100, 1), (10_000, 1), (10_000, 64), (1_000_000, 1), (1_000_000, 64)] {
        let threads = fastest(len, rounds);
        let (mut elements, mut expected) = (vec![1; len], vec![1; len]);
        threads.scramble(&mut elements, rounds);
        scramble(&mut expected, rounds);
        assert!(elements == expected, "threads do not change the result");
        println!("{len:>7} elements, {rounds:>2} rounds: {threads:?}");
    }
}
