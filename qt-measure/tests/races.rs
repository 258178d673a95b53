//! Simulated benchmarks in which one repeat in twenty is slow.

use std::cell::Cell;
use std::time::Duration;

use qtdec_measure::{Benchmark, Measured, Point};

const SIZES: u64 = 4;
const METHODS: [&str; 5] = ["a", "b", "c", "d", "e"];

/// Random numbers: splitmix64.
struct Noise(Cell<u64>);

impl Noise {
    /// Returns a number from 0 to 1.
    fn share(&self) -> f64 {
        self.0.set(self.0.get().wrapping_add(0x9e37_79b9_7f4a_7c15));
        let mixed = (self.0.get() ^ (self.0.get() >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Returns the factor of a time: the sum of twelve shares is nearly normal, with a standard deviation of 1.
    fn factor(&self) -> f64 {
        let usual = 1.0 + 0.03 * ((0..12).map(|_| self.share()).sum::<f64>() - 6.0);
        let is_slow = self.share() < 0.05;
        usual * if is_slow { 2.0 + 28.0 * self.share() } else { 1.0 }
    }
}

/// Returns the true times of the methods at each size, and what a benchmark measures of them.
fn simulated(seed: u64) -> (Vec<Vec<f64>>, Measured) {
    let noise = Noise(Cell::new(seed));
    let noise = &noise;
    // The times of a size lie within a factor of four.
    let times = || METHODS.iter().map(|_| 4.0_f64.powf(noise.share())).collect();
    let truth: Vec<Vec<f64>> = (0..SIZES).map(|_| times()).collect();
    let mut benchmark = Benchmark::new().axis("n", (1..=SIZES).collect::<Vec<u64>>());
    for (method, name) in METHODS.iter().enumerate() {
        let truth = &truth;
        benchmark = benchmark.timed_method(*name, move |point: &Point| {
            let time = truth[point["n"] as usize - 1][method];
            move |_: u64| Duration::from_secs_f64(time * noise.factor())
        });
    }
    let measured = benchmark.warm_up(Duration::ZERO).quiet().measure().unwrap();
    (truth, measured)
}

/// Returns the position of the least number.
fn least(numbers: &[f64]) -> usize {
    (0..numbers.len()).min_by(|&one, &other| numbers[one].total_cmp(&numbers[other])).unwrap()
}

#[test]
fn a_slow_repeat_loses_no_best_method() {
    let (mut cells, mut dropped, mut missed, mut cost) = (0.0, 0.0, 0.0, 0.0);
    for seed in 0..200 {
        let (truth, measured) = simulated(seed);
        let map = measured.map().unwrap();
        for (cell, truth) in truth.iter().enumerate() {
            let best = least(truth);
            let most = (0..METHODS.len()).map(|method| measured.repeats(cell, method).len()).max();
            let chosen = map.cells()[cell].unwrap().get();
            cells += 1.0;
            dropped += f64::from(measured.repeats(cell, best).len() < most.unwrap());
            missed += f64::from(chosen != best);
            cost += truth[chosen] / truth[best] - 1.0;
        }
    }
    assert!(dropped <= 0.01 * cells, "dropped in {dropped} of {cells} cells");
    // Some methods differ by less than the noise of a hundred repeats.
    assert!(missed <= 0.02 * cells && cost <= 0.001 * cells, "{missed} of {cells} cells, {cost}");
}
