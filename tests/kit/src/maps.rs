//! Maps for tests: shapes like those of measured maps, and shapes that are hard for encoders.

use proptest::prelude::*;
use qtdec_core::{Axis, Calls, Costs, DecisionMap, Domain, Method, MethodIndex, Requirement, Ties};

/// A pattern of colours for the cells of a map.
#[derive(Clone, Copy, Debug)]
pub enum Pattern {
    /// Every cell has a random colour.
    Noise,
    /// Bands with slanted borders.
    Bands,
    /// Bands, with some cells of other colours.
    Smooth,
    /// Rows of one colour.
    Stripes,
    /// Two colours, alternating on every axis.
    Checkerboard,
    /// One colour except for a corner.
    Corner,
    /// One colour.
    Equal,
    /// All cells have different colours.
    Different,
}

/// A description of a map.
#[expect(clippy::struct_excessive_bools, reason = "each is a part that a map may have or not")]
#[derive(Clone, Debug)]
pub struct Plan {
    /// The number of samples on each axis.
    pub shape: Vec<usize>,
    /// The pattern of the cells.
    pub pattern: Pattern,
    /// The number of methods, if the pattern does not determine it.
    pub methods: usize,
    /// The percentage of empty cells.
    pub nulls: u64,
    /// Whether every method has a cost in every cell, with the lowest for the method of the cell.
    pub costs: bool,
    /// Whether some cells have several acceptable methods.
    pub ties: bool,
    /// Whether every third method may only run at some sizes.
    pub requires: bool,
    /// Whether the number of calls of every cell is known; some are 0.
    pub calls: bool,
    /// The random seed.
    pub seed: u64,
}

impl Plan {
    /// Creates the description of a map with this shape and pattern, six methods, and nothing else.
    pub fn new(shape: &[usize], pattern: Pattern, seed: u64) -> Self {
        Self {
            shape: shape.to_vec(),
            pattern,
            methods: 6,
            nulls: 0,
            costs: false,
            ties: false,
            requires: false,
            calls: false,
            seed,
        }
    }

    /// Creates the map.
    ///
    /// # Panics
    ///
    /// Panics if no map can have this shape.
    pub fn map(&self) -> DecisionMap {
        let mut rng = TestRng(self.seed);
        let cells: usize = self.shape.iter().product();
        let count = match self.pattern {
            Pattern::Different => cells,
            Pattern::Checkerboard | Pattern::Corner => 2,
            _ => self.methods,
        };
        let axes: Vec<Axis> =
            self.shape.iter().enumerate().map(|(axis, &len)| an_axis(axis, len, &mut rng)).collect();
        let requires = |index: usize| match index % 6 {
            1 if self.requires => vec![Requirement::PowerOfTwo],
            4 if self.requires => vec![Requirement::CountAtLeastCommSize],
            _ => Vec::new(),
        };
        let methods = (0..count).map(|index| Method {
            id: Some(100 + index as u64),
            requires: requires(index),
            ..Method::new(format!("method {index}"))
        });
        let domain = Domain::new(None, axes, methods.collect()).expect("a plan makes valid domains");
        let indexes: Vec<MethodIndex> = domain.method_indexes().collect();
        let may_run = |method: MethodIndex, cell: usize| domain.may_run(method, &domain.sizes(cell));
        let cells: Vec<Option<MethodIndex>> = (0..cells)
            .map(|cell| {
                let method = indexes[self.colour(cell, &mut rng) % count];
                let method = if may_run(method, cell) { method } else { indexes[0] };
                (rng.below(100) >= self.nulls).then_some(method)
            })
            .collect();
        let mut map = DecisionMap::new(domain.clone(), cells.clone()).expect("a plan makes valid maps");
        if self.costs {
            let costs = cells.iter().flat_map(|best| {
                // Hundredths, which are no exact `f64`: oracles count them in whole numbers.
                let price = |method: &MethodIndex| {
                    if Some(*method) == *best { 1.0 } else { 1.0 + rng.below(900) as f64 / 100.0 }
                };
                indexes.iter().map(price).map(|cost| best.map(|_| cost)).collect::<Vec<_>>()
            });
            let costs: Vec<Option<f64>> = costs.collect();
            map = map.with_costs(Costs::new(count, costs)).expect("a plan makes valid costs");
        }
        if self.ties {
            let domain = map.domain();
            let ties = cells.iter().enumerate().map(|(cell, best)| {
                let mut tied: Vec<MethodIndex> = best.iter().copied().collect();
                if best.is_some() && rng.below(3) == 0 {
                    tied.push(indexes[rng.below(count as u64) as usize]);
                }
                tied.retain(|&method| domain.may_run(method, &domain.sizes(cell)));
                tied
            });
            let ties: Vec<Vec<MethodIndex>> = ties.collect();
            map = map.with_ties(Ties::new(ties)).expect("a plan makes valid ties");
        }
        if self.calls {
            // At least one measured cell must be called.
            let first = cells.iter().position(Option::is_some);
            let calls = (0..cells.len())
                .map(|cell| (rng.below(5).saturating_sub(1) + u64::from(Some(cell) == first)) as f64);
            let calls: Vec<f64> = calls.collect();
            map = map.with_calls(Calls::new(calls)).expect("a plan makes valid calls");
        }
        map
    }

    fn colour(&self, cell: usize, rng: &mut TestRng) -> usize {
        let mut rest = cell;
        let mut samples: Vec<usize> = self
            .shape
            .iter()
            .rev()
            .map(|len| {
                let sample = rest % len;
                rest /= len;
                sample
            })
            .collect();
        samples.reverse();
        match self.pattern {
            Pattern::Noise => rng.below(self.methods as u64) as usize,
            Pattern::Smooth if rng.below(20) == 0 => rng.below(self.methods as u64) as usize,
            Pattern::Smooth | Pattern::Bands => {
                let far =
                    samples.iter().zip(&self.shape).map(|(sample, len)| 100 * sample / len).sum::<usize>();
                self.methods * far / (100 * self.shape.len())
            }
            Pattern::Stripes => samples[0],
            Pattern::Checkerboard => samples.iter().sum(),
            Pattern::Corner => {
                usize::from(samples.iter().zip(&self.shape).all(|(sample, len)| 2 * sample < *len))
            }
            Pattern::Equal => 0,
            Pattern::Different => cell,
        }
    }
}

/// Returns a cost of a plan in hundredths, whose sums are exact.
///
/// # Panics
///
/// Panics if it is not a whole number of hundredths.
pub fn hundredths(cost: f64) -> u64 {
    let count = (100.0 * cost).round();
    assert!((100.0 * cost - count).abs() < 1e-9, "a cost of a plan has two decimals: {cost}");
    count as u64
}

fn an_axis(axis: usize, len: usize, rng: &mut TestRng) -> Axis {
    let mut value = rng.below(3);
    let mut values = Vec::with_capacity(len);
    for sample in 0..len {
        values.push(value);
        // Some samples are adjacent and some far apart, which round differently at borders.
        value += 1 + if sample % 3 == 0 { 0 } else { rng.below(1000) };
    }
    Axis::new(["comm_size", "msg_size", "ppn"][axis], values)
}

/// Returns a strategy for maps of one to three axes.
pub fn plans(longest: usize) -> impl Strategy<Value = Plan> {
    let shape = prop_oneof![
        1 => prop::collection::vec(1..=longest, 1),
        4 => prop::collection::vec(1..=longest, 2),
        1 => prop::collection::vec(1..=longest.min(8), 3),
    ];
    let pattern = prop_oneof![
        3 => Just(Pattern::Noise),
        1 => Just(Pattern::Bands),
        2 => Just(Pattern::Smooth),
        1 => Just(Pattern::Stripes),
        1 => Just(Pattern::Checkerboard),
        1 => Just(Pattern::Corner),
        1 => Just(Pattern::Equal),
        1 => Just(Pattern::Different),
    ];
    let nulls = prop_oneof![3 => Just(0_u64), 1 => 1..100_u64, 1 => Just(100_u64)];
    (shape, pattern, 1..8_usize, nulls, any::<[bool; 4]>(), any::<u64>()).prop_map(
        |(shape, pattern, methods, nulls, [costs, ties, requires, calls], seed)| Plan {
            shape,
            pattern,
            methods,
            nulls,
            costs,
            ties,
            requires,
            calls,
            seed,
        },
    )
}

/// A random number generator: `splitmix64`.
#[derive(Clone, Debug)]
pub struct TestRng(pub u64);

impl TestRng {
    /// Returns a number below `end`.
    pub fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (mixed ^ (mixed >> 31)) % end
    }
}
