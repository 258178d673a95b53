//! Maps of simulated times, as `qtdec-mpi tune` makes them of files.

use qtdec_core::{Axis, Costs, DecisionMap, Domain, Method, MethodIndex};
use qtdec_study::measurements::Statistic;
#[cfg(test)]
use qtdec_study::measurements::{MeasuredAxis, Measurements, Repeat};
use qtdec_study::study::launch_times::LaunchTimes;

use super::noise::{Campaign, Times};

/// Returns the domain of a campaign.
///
/// # Panics
///
/// Does not panic: the sizes increase, and the names differ.
pub(super) fn domain(campaign: &Campaign) -> Domain {
    let [mut ranks, mut sizes] = [const { Vec::new() }; 2];
    for [rank, size] in campaign.sizes() {
        ranks.push(rank);
        sizes.push(size);
    }
    for axis in [&mut ranks, &mut sizes] {
        axis.sort_unstable();
        axis.dedup();
    }
    let method = |number: usize| match number {
        0 => Method { baseline: true, ..Method::new("default") },
        _ => Method::new(format!("method{number}")),
    };
    let axes = vec![Axis::new("comm_size", ranks), Axis::new("msg_size", sizes)];
    Domain::new(Some("bcast".to_owned()), axes, (0..campaign.methods).map(method).collect())
        .expect("the domain is valid")
}

/// Returns the map of some launches of a campaign: in each cell, the method with the smallest median, or the default if it is as fast
/// and may be chosen.
///
/// # Panics
///
/// Does not panic: the times are positive.
pub(super) fn map(times: &Times, domain: &Domain, is_in: impl Fn(u16) -> bool) -> DecisionMap {
    map_of(times, domain, true, is_in)
}

/// Returns the same map with or without the default among the methods that may be chosen.
///
/// # Panics
///
/// Does not panic: the times are positive.
pub(super) fn map_of(
    times: &Times,
    domain: &Domain,
    has_default: bool,
    is_in: impl Fn(u16) -> bool,
) -> DecisionMap {
    let campaign = times.campaign;
    let mut values: Vec<Option<f64>> = vec![None; domain.cells() * campaign.methods];
    let mut repeats = Vec::with_capacity(campaign.launches.into());
    for cell in 0..campaign.cells {
        for method in 0..campaign.methods {
            repeats.clear();
            repeats.extend(
                times.sorted(method, cell).filter(|(launch, _)| is_in(*launch)).map(|(_, time)| time),
            );
            values[cell * campaign.methods + method] = Statistic::Median.of_sorted(&repeats);
        }
    }
    let costs = Costs::new(campaign.methods, values);
    let methods: Vec<MethodIndex> = domain.method_indexes().skip(usize::from(!has_default)).collect();
    let best = |cell| costs.cheapest(cell, methods.iter().copied());
    let cells = (0..domain.cells()).map(best).collect();
    DecisionMap::new(domain.clone(), cells).and_then(|map| map.with_costs(costs)).expect("the map is valid")
}

/// Returns the times of a method at all cells.
pub(super) fn launch_times(times: &Times, method: usize) -> LaunchTimes {
    let mut found = LaunchTimes::default();
    for launch in times.launches() {
        for (cell, sizes) in times.campaign.sizes().enumerate() {
            found.add(&sizes, launch, times.get(launch, method, cell));
        }
    }
    found
}

/// Returns the times as measurements, as if they were read from files.
#[cfg(test)]
pub(super) fn measurements(times: &Times) -> Measurements {
    let campaign = times.campaign;
    let mut measurements = Measurements::new(["comm_size", "msg_size"].map(MeasuredAxis::named).to_vec());
    measurements.collective = Some("bcast".to_owned());
    let names = domain(&campaign).methods().to_vec();
    let methods: Vec<usize> =
        names.into_iter().map(|method| measurements.method(Method::new(method.name))).collect();
    for launch in times.launches() {
        let run = measurements.run(&launch.to_string());
        for (number, &method) in methods.iter().enumerate() {
            for (cell, sizes) in campaign.sizes().enumerate() {
                let time = times.get(launch, number, cell);
                measurements.record(&sizes, method, Repeat { time, run, file: 0 });
            }
        }
    }
    measurements
}
