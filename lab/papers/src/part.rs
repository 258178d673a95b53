//! Maps made from others: with the methods of one paper, or with other times.

use qtdec_core::map::Costs;
use qtdec_core::{Axis, DecisionMap, Domain, MethodIndex, Samples};
use qtdec_papers::experiment::SEGMENTS_2006;

/// Returns the part of a map that is in the 2006 paper: its segment sizes.
pub(crate) fn of_2006(map: &DecisionMap) -> DecisionMap {
    let (domain, costs) = (map.domain(), map.costs().expect("times are simulated"));
    let measured = |index: &MethodIndex| {
        domain.method(*index).segment_size.is_none_or(|size| SEGMENTS_2006.contains(&size))
    };
    let kept: Vec<MethodIndex> = domain.method_indexes().filter(measured).collect();
    let methods = kept.iter().map(|index| domain.method(*index).clone()).collect();
    let part = Domain::new(domain.collective().map(str::to_owned), domain.axes().to_vec(), methods);
    let values =
        (0..map.cells().len()).flat_map(|cell| kept.iter().map(move |&method| costs.get(cell, method)));
    rebuilt(part.expect("a part of a domain is a domain"), values.collect())
}

/// Returns the part of a map without these numbers of ranks.
pub(crate) fn without_ranks(map: &DecisionMap, omitted: &[u64]) -> DecisionMap {
    let (domain, costs) = (map.domain(), map.costs().expect("times are simulated"));
    let [ranks, sizes] = domain.axes() else { panic!("the axes are ranks and sizes") };
    let kept = ranks.values().unwrap_or_default().iter().copied();
    let kept = kept.filter(|ranks| !omitted.contains(ranks)).collect();
    let axes = vec![Axis { samples: Samples::Values(kept), ..ranks.clone() }, sizes.clone()];
    let methods = domain.methods().to_vec();
    let part = Domain::new(domain.collective().map(str::to_owned), axes, methods);
    let values = (0..map.cells().len())
        .filter(|cell| !omitted.contains(&domain.sizes(*cell)[0]))
        .flat_map(|cell| domain.method_indexes().map(move |method| costs.get(cell, method)));
    rebuilt(part.expect("a part of a domain is a domain"), values.collect())
}

/// Returns a map in which ties go to the last method instead of the first.
pub(crate) fn with_last_of_ties(map: &DecisionMap) -> DecisionMap {
    let (domain, costs) = (map.domain(), map.costs().expect("times are simulated"));
    let best = (0..map.cells().len()).map(|cell| {
        let known = domain.method_indexes().filter_map(|method| Some((costs.get(cell, method)?, method)));
        let known: Vec<(f64, MethodIndex)> = known.collect();
        // Of equal elements, `min_by` takes the first.
        known.into_iter().rev().min_by(|one, other| one.0.total_cmp(&other.0)).map(|(_, method)| method)
    });
    let map = DecisionMap::new(domain.clone(), best.collect());
    map.and_then(|map| map.with_costs(costs.clone())).expect("the times of a map make a map")
}

/// Returns a map with the spike of the 2007 paper. At this message size and above three ranks, the methods that a
/// tree chooses there are slower by the factor that the paper reports: 300 us instead of 64.
pub(crate) fn with_spike(map: &DecisionMap, size: u64, taken: &[Option<MethodIndex>]) -> DecisionMap {
    let (domain, costs) = (map.domain(), map.costs().expect("times are simulated"));
    let mut values = Vec::with_capacity(map.cells().len() * domain.methods().len());
    for (cell, taken) in taken.iter().enumerate() {
        let sizes = domain.sizes(cell);
        let is_spike = sizes[0] > 3 && sizes[1] == size;
        values.extend(domain.method_indexes().map(|method| {
            let factor = if is_spike && *taken == Some(method) { 300.0 / 64.0 } else { 1.0 };
            costs.get(cell, method).map(|cost| cost * factor)
        }));
    }
    rebuilt(domain.clone(), values)
}

/// Returns the map of these times. Ties go to the first.
pub(crate) fn rebuilt(domain: Domain, values: Vec<Option<f64>>) -> DecisionMap {
    let indexes: Vec<MethodIndex> = domain.method_indexes().collect();
    let best = values.chunks(indexes.len()).map(|cell| {
        let known = cell.iter().zip(&indexes).filter_map(|(cost, method)| Some(((*cost)?, *method)));
        known.min_by(|one, other| one.0.total_cmp(&other.0)).map(|(_, method)| method)
    });
    let best = best.collect();
    let costs = Costs::new(indexes.len(), values);
    let map = DecisionMap::new(domain, best).and_then(|map| map.with_costs(costs));
    map.expect("the times of a map make a map")
}
