//! Products of two integers by each algorithm of num-bigint, and factorials that use them.

use std::process::ExitCode;
use std::sync::atomic::Ordering::Relaxed;

use adopted::{DECIDED, Run};
use num_bigint::{BigUint, rule};
use qtdec_measure::{Benchmark, Method, Point};

/// The ways to compute a product.
const WAYS: [(&str, u8); 6] = [
    (Method::BASELINE, rule::PRESENT),
    ("long", rule::LONG),
    ("half_karatsuba", rule::HALF_KARATSUBA),
    ("karatsuba", rule::KARATSUBA),
    ("toom3", rule::TOOM_3),
    (DECIDED, rule::DECIDED),
];

fn main() -> ExitCode {
    every_way_has_the_same_product();
    adopted::measure(|run| match run {
        Run::First => products(&WAYS[..5], SHORT, PERCENT),
        Run::Second => products(&WAYS, SHORT, PERCENT),
        Run::Between => products(&WAYS, &[14, 28, 40, 80, 112, 160, 224, 320, 448], &[112, 175, 250, 600]),
        Run::Program => factorials(),
    })
}

/// The digits of the shorter factor, of 64 bits each.
const SHORT: &[u64] = &[12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512];

/// The length of the longer factor in per cent of the shorter one.
const PERCENT: &[u64] = &[100, 125, 150, 200, 300, 400, 800];

fn products(ways: &'static [(&str, u8)], short: &[u64], percent: &[u64]) -> Benchmark<'static> {
    let benchmark = Benchmark::new().axis("short", short).axis("percent", percent);
    ways.iter().fold(benchmark, |benchmark, &(name, way)| {
        benchmark.method(name, move |point: &Point| {
            let short = point["short"] as usize;
            let (x, y) = (number(short), number(short * point["percent"] as usize / 100));
            move || product(&x, &y, way)
        })
    })
}

fn product(x: &BigUint, y: &BigUint, way: u8) -> BigUint {
    rule::RULE.store(way, Relaxed);
    x * y
}

/// Returns a number of this many digits.
fn number(digits: usize) -> BigUint {
    let digits = (1..=2 * digits as u32).map(|index| index.wrapping_mul(2_654_435_761) | 1);
    BigUint::new(digits.collect())
}

fn factorials() -> Benchmark<'static> {
    let benchmark = Benchmark::new().axis("factorial", [200, 500, 1000, 2000, 4000, 8000, 16_000, 32_000]);
    [WAYS[0], WAYS[5]].into_iter().fold(benchmark, |benchmark, (name, way)| {
        benchmark.method(name, move |point: &Point| {
            let n = point["factorial"];
            move || {
                rule::RULE.store(way, Relaxed);
                product_of(1, n)
            }
        })
    })
}

/// Returns the product of all numbers from one to another.
fn product_of(first: u64, last: u64) -> BigUint {
    if last - first < 8 {
        return (first..=last).map(BigUint::from).product();
    }
    let middle = first.midpoint(last);
    product_of(first, middle) * product_of(middle + 1, last)
}

fn every_way_has_the_same_product() {
    for (x, y) in [(12, 12), (33, 80), (100, 130), (300, 301), (40, 900)] {
        let (x, y) = (number(x), number(y));
        let products = WAYS.map(|(_, way)| product(&x, &y, way));
        assert!(products.iter().all(|product| *product == products[0]));
    }
}
