//! Maps for the benchmark: 64 communicator sizes and 64 message sizes.

use qtdec_core::{Axis, DecisionMap, Domain, Method, MethodIndex};
use qtdec_testkit::maps::TestRng;

/// A map and its name.
pub(super) struct NamedMap {
    pub(super) name: &'static str,
    pub(super) map: DecisionMap,
}

const SIDE: usize = 64;

/// Returns all maps, from the easiest to the worst possible.
pub(super) fn all() -> Vec<NamedMap> {
    vec![
        NamedMap { name: "smooth", map: model(0.0) },
        NamedMap { name: "noisy", map: model(0.1) },
        NamedMap { name: "random", map: random() },
    ]
}

fn axes() -> Vec<Axis> {
    let comm_sizes: Vec<u64> = (0..SIDE as u64).map(|sample| 2 + 2 * sample).collect();
    let mut least = 0;
    let msg_sizes = (0..SIDE).map(|sample| {
        let size = (2_f64.powf(24.0 * sample as f64 / SIDE as f64).round() as u64).max(least);
        least = size + 1;
        size
    });
    let msg_sizes: Vec<u64> = msg_sizes.collect();
    vec![Axis::new("comm_size", comm_sizes), Axis::new("msg_size", msg_sizes)]
}

fn map(names: &[&str], method: impl FnMut(u64, u64) -> usize) -> DecisionMap {
    let methods = names.iter().map(|name| Method::new(*name)).collect();
    let domain =
        Domain::new(Some("bcast".to_owned()), axes(), methods).expect("the axes and methods are sound");
    let known: Vec<MethodIndex> = domain.method_indexes().collect();
    let mut method = method;
    let cells = (0..domain.cells()).map(|cell| {
        let sizes = domain.sizes(cell);
        Some(known[method(sizes[0], sizes[1])])
    });
    let cells = cells.collect();
    DecisionMap::new(domain, cells).expect("the cells are sound")
}

/// Returns broadcasts on a network after Hockney's model, each time changed by up to half of `noise` in either direction.
fn model(noise: f64) -> DecisionMap {
    let (latency, per_byte, overhead) = (5e-6, 1e-9, 2.5e-10);
    let mut chance = TestRng(64);
    let names = [
        "linear",
        "binomial",
        "binary_8k",
        "binary_32k",
        "pipeline_1k",
        "pipeline_8k",
        "pipeline_128k",
        "chain",
    ];
    map(&names, |ranks, size| {
        let (p, m) = (ranks as f64, size as f64);
        let levels = p.log2().ceil();
        let segments = |segment: f64| (m / segment).ceil().max(1.0);
        let one = |segment: f64| {
            let bytes = m.min(segment);
            latency + per_byte * bytes + overhead * bytes
        };
        let times = [
            (p - 1.0) * (0.6 * latency + per_byte * m),
            levels * (latency + per_byte * m),
            (levels + segments(8192.0) - 1.0) * 2.0 * one(8192.0) * 0.8,
            (levels + segments(32_768.0) - 1.0) * 1.8 * one(32_768.0) * 0.85,
            (p - 2.0 + segments(1024.0)) * one(1024.0),
            (p - 2.0 + segments(8192.0)) * one(8192.0),
            (p - 2.0 + segments(131_072.0)) * one(131_072.0),
            (p / 4.0 + segments(65_536.0)) * 1.4 * one(65_536.0),
        ];
        let off = |time: f64, chance: &mut TestRng| {
            time * (1.0 + noise * (chance.below(1 << 20) as f64 / f64::from(1 << 20) - 0.5))
        };
        let times = times.map(|time| off(time, &mut chance));
        let best = |best: usize, other: usize| if times[other] < times[best] { other } else { best };
        (0..times.len()).fold(0, best)
    })
}

fn random() -> DecisionMap {
    let mut chance = TestRng(10);
    map(&["a", "b", "c", "d", "e", "f", "g", "h", "i", "j"], |_, _| chance.below(10) as usize)
}
