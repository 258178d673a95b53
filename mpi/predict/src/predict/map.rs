//! Maps of predicted times.

use std::fmt;

use qtdec_core::json::{array, object, quoted};
use qtdec_core::map::{Costs, DecisionMap};
use qtdec_core::{Axis, Basis, Domain, Method as MapMethod, Place, Problem, Problems};

use super::{Method, Predictor, Size};
use qtdec_mpi_schedule::collective::Collective;

/// The maximum number of times that are predicted at once.
pub const MAX_TIMES: usize = 1 << 20;

/// The reason why a map cannot be predicted.
#[derive(Debug)]
#[non_exhaustive]
pub enum MapError {
    /// No method has a time for any cell.
    NoTimes,
    /// There are too few or too many ranks, more times than fit in memory, or the axes or methods are not valid in a map.
    Map(Problems),
}

impl fmt::Display for MapError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoTimes => f.write_str("no method has a time anywhere on the grid"),
            Self::Map(problems) => problems.fmt(f),
        }
    }
}

impl std::error::Error for MapError {}

impl MapError {
    fn refused(message: String) -> Self {
        Self::Map(Problem::new(Place::File, message).into())
    }

    fn too_large(cells: usize, methods: usize) -> Self {
        Self::refused(format!(
            "{cells} cells with {methods} methods exceed the maximum of {MAX_TIMES} times; use fewer sizes or segments"
        ))
    }
}

/// Predicts the time of every method on a grid and returns the map of the fastest, with all times in microseconds.
///
/// Ties go to the first method. `done` is called once for each time.
///
/// # Errors
///
/// Fails if the grid is too large, or not valid in a map.
pub fn map(
    predictor: &Predictor<'_>,
    comm_sizes: &[u64],
    msg_sizes: &[u64],
    segments: &[u64],
    done: impl Fn() + Sync,
) -> Result<DecisionMap, MapError> {
    map_with(predictor, comm_sizes, msg_sizes, &predictor.methods(segments), done)
}

/// Searches for the best segment size and radix of every cell, and returns the map of all algorithms without segments and with every
/// size and radix that is best for some cell. `done` is called once for each cell.
///
/// # Errors
///
/// The same as for [`map`].
pub fn map_searched(
    predictor: &Predictor<'_>,
    comm_sizes: &[u64],
    msg_sizes: &[u64],
    done: impl Fn(),
) -> Result<DecisionMap, MapError> {
    if comm_sizes.len().saturating_mul(msg_sizes.len()) > MAX_TIMES {
        let cells = comm_sizes.len().saturating_mul(msg_sizes.len());
        return Err(MapError::too_large(cells, 1));
    }
    let mut methods = predictor.uncut_with_radix();
    for comm_size in served(comm_sizes)? {
        for &msg_size in msg_sizes {
            let mut found = predictor.search(Size { comm_size, msg_size }).into_iter();
            let best = found.find(|found| !predictor.is_model(found.method.algorithm));
            methods.extend(best.map(|best| best.method));
            done();
        }
    }
    // Ties are decided as without a search: by the order of the algorithms, then smaller segments first, then the smaller radix.
    // Compositions follow in the order of their names.
    let place = |method: &Method| predictor.place(method.algorithm).unwrap_or(usize::MAX);
    methods.sort_by_key(|method| (place(method), method.segment_size, method.radix, method.name()));
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
        return Err(MapError::too_large(cells, methods.len()));
    }
    let sizes: Vec<Size> = served(comm_sizes)?
        .into_iter()
        .flat_map(|comm_size| msg_sizes.iter().map(move |&msg_size| Size { comm_size, msg_size }))
        .collect();
    let calls: Vec<(&Method, Size)> =
        sizes.iter().flat_map(|size| methods.iter().map(move |method| (method, *size))).collect();
    let times = predictor.times(&calls, done);
    let rounded = |time: f64| predictor.digits.map_or(time, |digits| rounded(time, digits));
    let mut costs: Vec<Option<f64>> = times.into_iter().map(|time| cost(time).map(rounded)).collect();
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
        .map(|method| MapMethod { segment_size: method.segment_size, ..MapMethod::new(method.name()) });
    let mut axes = vec![Axis::new("comm_size", comm_sizes)];
    axes.extend((predictor.collective() != Collective::Barrier).then_some(bytes));
    let collective = Some(predictor.collective().name().to_owned());
    let domain = Domain::new(collective, axes, named.collect()).map_err(MapError::Map)?;
    build(domain, costs, predictor.time_source.name(), source(predictor, lower_bounds(predictor, &sizes)))
}

/// Checks the numbers of ranks.
fn served(comm_sizes: &[u64]) -> Result<Vec<u32>, MapError> {
    if comm_sizes.iter().any(|&size| size < 2) {
        let message = "a collective of fewer than 2 ranks takes no time; start with 2 ranks";
        return Err(MapError::refused(message.to_owned()));
    }
    let too_many = |ranks| {
        MapError::refused(format!("{ranks} ranks exceed the maximum of {}; use fewer ranks", u32::MAX))
    };
    comm_sizes.iter().map(|&ranks| u32::try_from(ranks).map_err(|_| too_many(ranks))).collect()
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

/// Converts seconds to microseconds, to the picosecond.
fn microseconds(seconds: f64) -> f64 {
    (seconds * 1e12).round() / 1e6
}

/// Returns the cost of a method that takes these seconds, or `None` unless it is above 0, as costs must be.
pub(super) fn cost(seconds: Option<f64>) -> Option<f64> {
    seconds.map(microseconds).filter(|&time| time > 0.0)
}

/// Gives methods whose segment is not smaller than the message the cost of the same algorithm without segments.
fn fill(costs: &mut [Option<f64>], calls: &[(&Method, Size)]) {
    for (at, (method, size)) in calls.iter().enumerate() {
        if method.segment_size.is_some() && !method.is_cut(*size) {
            let uncut = Method { segment_size: None, ..(*method).clone() };
            let whole = calls.iter().position(|(other, _)| **other == uncut);
            costs[at] = whole.and_then(|whole| costs[whole]);
        }
    }
}

/// Rounds a positive number to a number of significant digits.
pub(super) fn rounded(number: f64, digits: u32) -> f64 {
    // Round in decimal text, so that the written number is the rounded one.
    let places = digits.saturating_sub(1).min(16) as usize;
    format!("{number:.places$e}").parse().unwrap_or(number)
}

/// Returns the basis of a collective's sizes.
pub(super) fn basis(collective: Collective) -> Basis {
    match collective {
        Collective::Bcast | Collective::Reduce | Collective::Allreduce | Collective::Barrier => Basis::Buffer,
        _ => Basis::Block,
    }
}

/// Describes the lower bounds of any algorithm in microseconds, cell by cell, with the terms that give them: those who read the map know no
/// network. They do not hold for times with noise.
fn lower_bounds(predictor: &Predictor<'_>, sizes: &[Size]) -> Option<String> {
    let super::Noise { messages, runs, .. } = predictor.noise;
    if !predictor.time_source.is_bounded() || messages != 0.0 || runs != 0.0 {
        return None;
    }
    let bounds = sizes.iter().map(|size| {
        let bound = predictor.bound(*size);
        format!("[{}, {}]", microseconds(bound.seconds), quoted(bound.term.name()))
    });
    Some(array(bounds))
}

/// Describes the source of the times, with everything that determines them.
fn source(predictor: &Predictor<'_>, lower_bounds: Option<String>) -> String {
    let super::Noise { seed, messages, runs } = predictor.noise;
    let network = predictor.network.to_json();
    let element_size = predictor.element_size.get();
    object([
        ("form", Some(quoted(predictor.time_source.name()))),
        ("every_segment", predictor.every_segment.then(|| true.to_string())),
        ("element_size", (element_size > 1).then(|| element_size.to_string())),
        ("digits", predictor.digits.map(|digits| digits.to_string())),
        ("measured_points", Some("0".to_owned())),
        ("ties", Some(quoted("the method that stands first"))),
        ("noise", Some(format!("{{ \"seed\": {seed}, \"messages\": {messages}, \"runs\": {runs} }}"))),
        ("skew", (!predictor.arrivals.is_none()).then(|| quoted(&predictor.arrivals.to_string()))),
        ("lower_bounds", lower_bounds),
        ("network", Some(network.trim_end().replace('\n', "\n  "))),
    ])
}
