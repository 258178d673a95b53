//! A choice of a number of threads: whether threads pay off depends on the number of elements and on the work for each of them.

use std::hint::black_box;
use std::thread;

use qtdec::decision_map;
use qtdec_time::Benchmark;

use crate::compare;

/// The number of threads, one for each method of the map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Threads {
    One,
    Two,
    Four,
}

/// Returns the fastest number of threads for `len` elements with this many rounds of arithmetic for each.
#[decision_map("maps/threads.json", borders = "geometric")]
const fn fastest(len: usize, rounds: u32) -> Threads;

impl Threads {
    const ALL: [Self; 3] = [Self::One, Self::Two, Self::Four];
    const NAMES: [&str; 3] = ["one", "two", "four"];

    /// Scrambles every element with this many rounds of arithmetic.
    fn scramble(self, elements: &mut [u32], rounds: u32) {
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

/// Returns the benchmark of every number of threads at every point.
pub fn benchmark() -> Benchmark<'static> {
    let lengths: Vec<u64> = (8..=20).step_by(2).map(|power| 1 << power).collect();
    let grid = Benchmark::new().axis("len", lengths).axis("rounds", [1, 4, 16, 64]);
    Threads::ALL.into_iter().zip(Threads::NAMES).fold(grid, |benchmark, (threads, name)| {
        benchmark.method(name, move |point| {
            let (mut elements, rounds) = (vec![1; point["len"] as usize], point["rounds"] as u32);
            move || threads.scramble(black_box(&mut elements), rounds)
        })
    })
}

/// Prints some decisions and what all of them gain.
///
/// # Errors
///
/// Returns an error if the map cannot be read.
///
/// # Panics
///
/// Panics if threads change the result.
pub fn run() -> Result<(), Box<dyn std::error::Error>> {
    for (len, rounds) in [(100, 1), (10_000, 1), (10_000, 64), (1_000_000, 1), (1_000_000, 64)] {
        let threads = fastest(len, rounds);
        let (mut elements, mut expected) = (vec![1; len], vec![1; len]);
        threads.scramble(&mut elements, rounds);
        scramble(&mut expected, rounds);
        assert!(elements == expected, "threads do not change the result");
        println!("{len:>7} elements, {rounds:>2} rounds: {threads:?}");
    }
    compare(include_bytes!("../maps/threads.json"), |point| {
        let chosen = fastest(point[0] as usize, point[1] as u32);
        Threads::ALL.iter().position(|threads| *threads == chosen).expect("ALL has all")
    })
}
