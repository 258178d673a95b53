//! Predictions for the points and methods of a measured map.

use std::collections::BTreeMap;

use qtdec_core::Axis;
use qtdec_core::map::DecisionMap;

use super::{Method, Predictor, Size, TimeSource, split};
use crate::fit::Measured;
use crate::trust::Times;
use qtdec_mpi_library::catalogue::Library;
use qtdec_mpi_schedule::TwoLevel;
use qtdec_mpi_schedule::collective::Collective;
use qtdec_times::collective::BARRIER;

/// Measured times and the times predicted for the same points and methods, both in seconds.
#[derive(Clone, Debug, PartialEq)]
pub struct Paired {
    /// The predicted times.
    pub predicted: Times,
    /// The measured times of those methods that can be predicted.
    pub measured: Times,
    /// The map's indices of the methods without a prediction.
    pub unknown: Vec<usize>,
}

/// Returns the measured times of a map, in seconds.
///
/// # Errors
///
/// Fails if the map has no times for points of `comm_size` and `msg_size`.
pub fn measured(map: &DecisionMap) -> Result<Times, String> {
    let no_costs = "the map has no costs; make it with qtdec map";
    let no_unit = "the unit of the map's costs is not s, ms, us or ns; make the map with --time-unit";
    let axes = "the map needs the axes comm_size and msg_size, in this order, and no others";
    let costs = map.costs().ok_or(no_costs)?;
    let mut units = crate::network::Unit::ALL.into_iter();
    let unit = units.find(|(name, _)| costs.unit.as_deref() == Some(name)).ok_or(no_unit)?.1;
    let barrier = Axis::new("msg_size", [0]);
    let (ranks, bytes) = match map.domain().axes() {
        [ranks, bytes] => (ranks, bytes),
        [ranks] if map.domain().collective() == Some(BARRIER) => (ranks, &barrier),
        _ => return Err(axes.to_owned()),
    };
    let (Some(ranks_values), Some(bytes_values), "comm_size", "msg_size") =
        (ranks.values(), bytes.values(), &*ranks.name, &*bytes.name)
    else {
        return Err(axes.to_owned());
    };
    let points: Vec<Vec<u64>> = ranks_values
        .iter()
        .flat_map(|&ranks| bytes_values.iter().map(move |&bytes| vec![ranks, bytes]))
        .collect();
    let methods = map.domain().method_indexes();
    let count = methods.len();
    let cells =
        (0..points.len()).flat_map(|cell| map.domain().method_indexes().map(move |method| (cell, method)));
    let times =
        cells.map(|(cell, method)| costs.get(cell, method).map(|cost| cost * unit.seconds())).collect();
    Ok(Times { points, methods: count, times })
}

/// Returns the measured times of a map one by one, as fits need them.
///
/// # Errors
///
/// The same as for [`measured`].
pub fn rows(map: &DecisionMap) -> Result<Vec<Measured>, String> {
    let times = measured(map)?;
    let mut rows = Vec::new();
    for (cell, point) in times.points.iter().enumerate() {
        for time in times.at(cell) {
            rows.extend(time.map(|seconds| Measured { ranks: point[0], bytes: point[1], seconds }));
        }
    }
    Ok(rows)
}

/// Returns the library whose algorithms were measured, if the map's source says so and its forms of the algorithms are known.
fn library(map: &DecisionMap) -> Option<qtdec_mpi_schedule::Library> {
    let source: serde_json::Value = serde_json::from_str(map.source()?).ok()?;
    let stated = source["times"]["library"].as_str()?;
    [
        (Library::OpenMpi, qtdec_mpi_schedule::Library::OpenMpi),
        (Library::Mpich, qtdec_mpi_schedule::Library::Mpich),
    ]
    .into_iter()
    .find_map(|(library, forms)| stated.starts_with(library.name()).then_some(forms))
}

/// Returns whether an MPI library calls one algorithm of a collective by both names.
fn is_same(collective: Collective, one: &str, other: &str) -> bool {
    Library::ALL.iter().any(|library| {
        let names = [one, other].map(|name| library.find(collective.name(), name).map(|known| known.name));
        names[0].is_some() && names[0] == names[1]
    })
}

/// Predicts the times of a measured map. Names of MPI libraries are known: Open MPI's `split_binary_tree` is `split_binary`. `names`
/// gives the algorithms of methods that have another name. Where the map's source names Open MPI or MPICH, that library's forms of the
/// algorithms are simulated.
///
/// # Errors
///
/// The same as for [`measured`]; also if the map is of another collective, the basis of the sizes differs, or a name is not
/// that of a method.
pub fn paired(
    predictor: &Predictor<'_>,
    map: &DecisionMap,
    names: &BTreeMap<String, String>,
) -> Result<Paired, String> {
    let mut measured = measured(map)?;
    let expected = predictor.collective();
    if let Some(found) = map.domain().collective().filter(|found| *found != expected.name()) {
        return Err(format!("the times are of {found}, but predictions are for {expected}"));
    }
    let expected = super::map::basis(expected);
    if let Some(found) =
        map.domain().axes().get(1).and_then(|axis| axis.basis).filter(|found| *found != expected)
    {
        let [found, expected] = [found, expected].map(qtdec_core::Basis::name);
        return Err(format!(
            "the map's message sizes have the basis {found}, but predictions need the basis {expected}; make the map with \
             --basis {expected}"
        ));
    }
    let of_map = map.domain().methods();
    if let Some(name) = names.keys().find(|name| of_map.iter().all(|method| method.name != **name)) {
        let mut known: Vec<String> = of_map.iter().map(|method| method.name.clone()).collect();
        known.dedup();
        let known = qtdec_core::listing::listed(&known);
        return Err(format!("the map has no method `{name}`; its methods are {known}"));
    }
    let segments: Vec<u64> = of_map.iter().filter_map(|method| method.segment_size).collect();
    let known = predictor.methods(&segments);
    let found: Vec<Option<Method>> = of_map
        .iter()
        .map(|method| {
            let name = names.get(&method.name).unwrap_or(&method.name);
            if let Some(levels) = TwoLevel::named(predictor.collective(), name).ok()? {
                return (predictor.time_source == TimeSource::Simulated).then(|| Method::composed(levels));
            }
            let (name, radix, chains) = split(name);
            let mut known = known.iter().filter(|known| known.segment_size == method.segment_size);
            let exact = known.clone().find(|known| known.algorithm == name);
            let known =
                exact.or_else(|| known.find(|known| is_same(predictor.collective(), name, known.algorithm)));
            known.map(|known| Method { radix, chains, ..known.clone() })
        })
        .collect();
    let mut calls = Vec::new();
    for point in &measured.points {
        let comm_size = u32::try_from(point[0])
            .map_err(|_| format!("{} ranks exceed the maximum of {}", point[0], u32::MAX))?;
        let size = Size { comm_size, msg_size: point[1] };
        calls.extend(found.iter().flatten().map(|method| (method, size)));
    }
    let mut times = predictor.times_in(library(map), &calls, || ()).into_iter();
    let mut predicted = Times { times: Vec::with_capacity(measured.times.len()), ..measured.clone() };
    predicted.times.clear();
    for _ in &measured.points {
        predicted
            .times
            .extend(found.iter().map(|method| method.as_ref().and_then(|_| times.next().flatten())));
    }
    for (time, method) in measured.times.iter_mut().zip(found.iter().cycle()) {
        *time = time.filter(|_| method.is_some());
    }
    let unknown = (0..found.len()).filter(|&method| found[method].is_none()).collect();
    Ok(Paired { predicted, measured, unknown })
}
