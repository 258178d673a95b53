//! A choice of a number of threads: whether threads pay off depends on the number of elements and on the work for each of them.

use std::hint::black_box;
use std::thread;

use qtdec::decision_map;
use qtdec_core::{Axis, DecisionMap, Problems};
use qtdec_example_general::{least_time, measured, run};

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

/// Times every number of threads at every point.
fn measure() -> Result<DecisionMap, Problems> {
    let lengths: Vec<u64> = (8..=20).step_by(2).map(|power| 1 << power).collect();
    let axes = vec![Axis::new("len", lengths), Axis::new("rounds", [1, 4, 16, 64])];
    measured(axes, &Threads::NAMES, |point, method| {
        let (len, rounds, threads) = (point[0] as usize, point[1] as u32, Threads::ALL[method.get()]);
        let mut elements = vec![1; len];
        least_time(3, || (), |()| threads.scramble(black_box(&mut elements), rounds))
    })
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    for (len, rounds) in [(100, 1), (10_000, 1), (10_000, 64), (1_000_000, 1), (1_000_000, 64)] {
        let threads = fastest(len, rounds);
        let (mut elements, mut expected) = (vec![1; len], vec![1; len]);
        threads.scramble(&mut elements, rounds);
        scramble(&mut expected, rounds);
        assert!(elements == expected, "threads do not change the result");
        println!("{len:>7} elements, {rounds:>2} rounds: {threads:?}");
    }
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/maps/threads.json");
    run(path, include_bytes!("../../maps/threads.json"), measure, |point| {
        let chosen = fastest(point[0] as usize, point[1] as u32);
        Threads::ALL.iter().position(|threads| *threads == chosen).expect("ALL has all")
    })
}
