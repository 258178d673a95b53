//! Maps of predicted times.

use std::fmt;

use qtdec_core::json::quoted;
use qtdec_core::map::{Costs, DecisionMap};
use qtdec_core::{Axis, Basis, Domain, Method as MapMethod, Problems};

use super::{Method, Predictor, Size};
use crate::collective::Collective;
use crate::trust::Times;

/// The most times of one map.
const MAX_TIMES: usize = 1 << 24;

/// Why there is no map.
#[derive(Debug)]
#[non_exhaustive]
pub enum MapError {
    /// Fewer than two ranks: nothing is sent.
    TooFewRanks,
    /// More times than are kept in memory.
    TooLarge {
        /// The number of cells.
        cells: usize,
        /// The number of methods.
        methods: usize,
    },
    /// No method has a time anywhere.
    NoTimes,
    /// The axes or methods are not those of a map.
    Map(Problems),
}

impl fmt::Display for MapError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooFewRanks => {
                f.write_str("a collective of fewer than 2 ranks takes no time; begin with 2")
            }
            Self::TooLarge { cells, methods } => write!(
                f,
                "{cells} cells of {methods} methods are more than {MAX_TIMES} times; give fewer sizes or segments"
            ),
            Self::NoTimes => f.write_str("no method has a time anywhere on the grid"),
            Self::Map(problems) => problems.fmt(f),
        }
    }
}

impl std::error::Error for MapError {}

/// Predicts the time of every method on a grid and returns the map of the fastest, with all times in microseconds.
///
/// Of equal times the method that stands first wins. `done` is called once for each time.
///
/// # Errors
///
/// The grid is too large, or not one of a map.
pub fn map(
    predictor: &Predictor<'_>,
    comm_sizes: &[u64],
    msg_sizes: &[u64],
    segments: &[u64],
    done: impl Fn() + Sync,
) -> Result<DecisionMap, MapError> {
    map_with(predictor, comm_sizes, msg_sizes, &predictor.methods(segments), done)
}

/// Searches the best segment size of every cell, and returns the map of all algorithms whole and with the sizes that are best
/// somewhere.
///
/// # Errors
///
/// As [`map`].
pub fn map_searched(
    predictor: &Predictor<'_>,
    comm_sizes: &[u64],
    msg_sizes: &[u64],
) -> Result<DecisionMap, MapError> {
    if comm_sizes.len().saturating_mul(msg_sizes.len()) > MAX_TIMES {
        let cells = comm_sizes.len().saturating_mul(msg_sizes.len());
        return Err(MapError::TooLarge { cells, methods: 1 });
    }
    let mut methods = predictor.methods(&[]);
    for &comm_size in comm_sizes {
        let comm_size = u32::try_from(comm_size).unwrap_or(u32::MAX);
        for &msg_size in msg_sizes {
            let best = predictor.search(Size { comm_size, msg_size }).into_iter().next();
            methods.extend(best.map(|best| best.method).filter(|method| method.segment_size.is_some()));
        }
    }
    // The order of the algorithms, smaller segments first, decides ties as it does without a search.
    let place = |method: &Method| predictor.place(method.algorithm);
    methods.sort_by_key(|method| (place(method), method.segment_size));
    methods.dedup();
    map_with(predictor, comm_sizes, msg_sizes, &methods, || ())
}

fn map_with(
    predictor: &Predictor<'_>,
    comm_sizes: &[u64],
    msg_sizes: &[u64],
    methods: &[Method],
    done: impl Fn() + Sync,
) -> Result<DecisionMap, MapError> {
    let cells = comm_sizes.len().saturating_mul(msg_sizes.len());
    if cells.saturating_mul(methods.len()) > MAX_TIMES {
        return Err(MapError::TooLarge { cells, methods: methods.len() });
    }
    if comm_sizes.iter().any(|&size| size < 2) {
        return Err(MapError::TooFewRanks);
    }
    let mut calls: Vec<(&Method, Size)> = Vec::with_capacity(cells * methods.len());
    for &comm_size in comm_sizes {
        // More ranks than any schedule serves have no time.
        let comm_size = u32::try_from(comm_size).unwrap_or(u32::MAX);
        for &msg_size in msg_sizes {
            calls.extend(methods.iter().map(|method| (method, Size { comm_size, msg_size })));
        }
    }
    let times = predictor.times(&calls, done);
    let rounded = |time: f64| predictor.digits.map_or(time, |digits| rounded(time, digits));
    let mut costs: Vec<Option<f64>> = times.into_iter().map(|time| microseconds(time).map(rounded)).collect();
    if predictor.every_segment {
        costs
            .chunks_mut(methods.len())
            .zip(calls.chunks(methods.len()))
            .for_each(|(costs, calls)| fill(costs, calls));
    }
    let mut bytes = Axis::new("msg_size", msg_sizes);
    bytes.unit = Some("bytes".to_owned());
    bytes.basis = Some(basis(predictor.collective()));
    let named = methods
        .iter()
        .map(|method| MapMethod { segment_size: method.segment_size, ..MapMethod::new(method.algorithm) });
    let axes = vec![Axis::new("comm_size", comm_sizes), bytes];
    let collective = Some(predictor.collective().name().to_owned());
    let domain = Domain::new(collective, axes, named.collect()).map_err(MapError::Map)?;
    build(domain, costs, predictor.way.name(), source(predictor, 0))
}

/// Makes the map of times in seconds that were predicted for the points and methods of a measured map and corrected by as
/// many of its points.
///
/// # Errors
///
/// No method has a time anywhere.
pub fn map_of(
    measured: &DecisionMap,
    times: &Times,
    predictor: &Predictor<'_>,
    points: usize,
) -> Result<DecisionMap, MapError> {
    let costs = times.times.iter().copied().map(microseconds).collect();
    build(measured.domain().clone(), costs, "corrected", source(predictor, points))
}

fn build(
    domain: Domain,
    costs: Vec<Option<f64>>,
    statistic: &str,
    source: String,
) -> Result<DecisionMap, MapError> {
    if costs.iter().all(Option::is_none) {
        return Err(MapError::NoTimes);
    }
    let mut priced = Costs::new(domain.methods().len(), costs);
    let best = (0..domain.cells()).map(|cell| priced.cheapest(cell, domain.method_indexes())).collect();
    priced.unit = Some("us".to_owned());
    priced.statistic = Some(statistic.to_owned());
    let map = DecisionMap::new(domain, best).and_then(|map| map.with_costs(priced));
    map.and_then(|map| map.with_source(source)).map_err(MapError::Map)
}

/// Returns seconds as microseconds, to the picosecond; none that are not above 0, as no cost may be.
fn microseconds(seconds: Option<f64>) -> Option<f64> {
    seconds.map(|seconds| (seconds * 1e12).round() / 1e6).filter(|&time| time > 0.0)
}

/// Gives methods whose segment is not smaller than the message the cost of the same algorithm without segments.
fn fill(costs: &mut [Option<f64>], calls: &[(&Method, Size)]) {
    let mut whole = None;
    for (cost, (method, size)) in costs.iter_mut().zip(calls) {
        if method.segment_size.is_none() {
            whole = *cost;
        } else if !method.is_cut(*size) {
            *cost = whole;
        }
    }
}

/// Returns the number of as many digits that is next to a positive number.
fn rounded(number: f64, digits: u32) -> f64 {
    // The digits are those of the decimal text, so that what is written is what was rounded.
    let places = digits.saturating_sub(1).min(16) as usize;
    format!("{number:.places$e}").parse().unwrap_or(number)
}

/// Whose bytes the sizes of a collective count.
pub(super) fn basis(collective: Collective) -> Basis {
    match collective {
        Collective::Bcast | Collective::Reduce | Collective::Allreduce | Collective::Barrier => Basis::Buffer,
        _ => Basis::Block,
    }
}

/// What the times come from: all that decides them.
fn source(predictor: &Predictor<'_>, measured_points: usize) -> String {
    let super::Noise { seed, messages, runs } = predictor.noise;
    let network = predictor.network.to_json();
    let noise = format!("{{ \"seed\": {seed}, \"messages\": {messages}, \"runs\": {runs} }}");
    let every_segment = if predictor.every_segment { "\"every_segment\": true, " } else { "" };
    let digits = predictor.digits.map_or_else(String::new, |digits| format!("\"digits\": {digits}, "));
    format!(
        "{{ \"form\": {}, {every_segment}{digits}\"measured_points\": {measured_points}, \"ties\": {}, \"noise\": {noise}, \"network\": {} }}",
        quoted(predictor.way.name()),
        quoted("the method that stands first"),
        network.trim_end().replace('\n', "\n  ")
    )
}
