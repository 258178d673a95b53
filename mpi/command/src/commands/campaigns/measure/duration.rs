//! How long a script takes, as far as that is known.

use std::collections::BTreeMap;

use qtdec_core::median;
use qtdec_study::measurements::{Measurements, Statistic, TimeUnit};

use qtdec_mpi::campaign::measure::{Campaign, START};
use qtdec_terminal::counted;

/// The median times of an earlier campaign in seconds, by the method's label, for each number of ranks and size.
type Known = BTreeMap<(u64, u64), BTreeMap<String, f64>>;

/// Returns the duration of a script, which measures the default `by_turns` or everything, in a few words and in a sentence. `earlier` are the
/// times of a file.
pub(super) fn described(
    campaign: &Campaign,
    by_turns: bool,
    earlier: Option<(&str, &[Measurements])>,
) -> (String, String) {
    let starts = campaign.starts(by_turns);
    let starts_of = counted(starts, "start", "starts");
    let each = format!("{starts_of} of the benchmark, each assumed to take {START} s");
    if let Some((file, times)) = earlier {
        let known: BTreeMap<&str, Known> = campaign
            .collectives
            .iter()
            .filter_map(|name| {
                Some((&**name, known(times.iter().find(|times| times.collective.as_ref() == Some(name))?)?))
            })
            .collect();
        let time = |collective: &str, method: &str, ranks: u64, bytes: u64| {
            nearest(known.get(collective)?, ranks, bytes).and_then(|methods| of_method(methods, method))
        };
        if campaign.collectives.iter().all(|name| known.contains_key(&**name)) {
            let takes = format!("about {}", spoken(campaign.seconds(by_turns, &time)));
            let how =
                format!("{each}, with the times of `{file}`, of the nearest sizes where it has no others");
            return (takes.clone(), format!("the script takes {takes}: {how}"));
        }
    }
    let Some(most) = campaign.benchmark.most_seconds else {
        let of =
            if campaign.benchmark.measures_grids() { "method, number of ranks and size" } else { "size" };
        let starts = spoken(START * starts as f64);
        let calls = (campaign.benchmark.calls)(campaign.least);
        let how = format!(
            "how long the script takes is not known: {each}, {starts} in all, with up to {calls} calls of each {of}; it prints how long the \
             rest takes, and --noise makes an estimate from earlier times"
        );
        return (format!("{starts} or more"), how);
    };
    let takes = format!("at most {}", spoken(campaign.seconds(by_turns, &|_, _, _, _| Some(f64::INFINITY))));
    let how = format!("{each}, and at most {most} s for a size; it prints how long the rest takes");
    (takes.clone(), format!("the script takes {takes}: {how}"))
}

/// Returns the medians of a collective's methods, if the unit and the sizes are known.
fn known(times: &Measurements) -> Option<Known> {
    let factor = times.unit?.in_units_of(TimeUnit::Seconds);
    let axis = |name: &str| times.axes().iter().position(|axis| axis.name == name);
    let (ranks, bytes) = (axis("comm_size")?, axis("msg_size"));
    let labels: Vec<String> = times.labels().collect();
    let mut known = Known::new();
    for (sizes, method, series) in times.all_series() {
        if let Some(time) = series.get(Statistic::Median) {
            let cell = known.entry((sizes[ranks], bytes.map_or(0, |axis| sizes[axis]))).or_default();
            cell.insert(labels[method].clone(), time * factor);
        }
    }
    Some(known).filter(|known| !known.is_empty())
}

/// Returns the times of the nearest number of ranks and size, by ratios.
fn nearest(known: &Known, ranks: u64, bytes: u64) -> Option<&BTreeMap<String, f64>> {
    let apart = |one: u64, other: u64| ((one.max(1) as f64) / (other.max(1) as f64)).ln().abs();
    let distance = |cell: &(u64, u64)| apart(cell.0, ranks) + apart(cell.1, bytes);
    known.iter().min_by(|(one, _), (other, _)| distance(one).total_cmp(&distance(other))).map(|(_, all)| all)
}

/// Returns the time of a method, or else the median of those that are known.
fn of_method(methods: &BTreeMap<String, f64>, method: &str) -> Option<f64> {
    let own = methods.get(method).copied();
    own.or_else(|| median(methods.values().copied().collect::<Vec<_>>()))
}

fn spoken(seconds: f64) -> String {
    match seconds {
        _ if seconds < 90.0 => format!("{seconds:.0} s"),
        _ if seconds < 90.0 * 60.0 => format!("{:.0} min", seconds / 60.0),
        _ if seconds < 48.0 * 3600.0 => format!("{:.1} h", seconds / 3600.0),
        _ => format!("{:.1} days", seconds / 86400.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_spoken_in_one_unit() {
        for (seconds, expected) in
            [(12.4, "12 s"), (89.0, "89 s"), (600.0, "10 min"), (9000.0, "2.5 h"), (259_200.0, "3.0 days")]
        {
            assert_eq!(spoken(seconds), expected);
        }
    }

    #[test]
    fn a_point_without_times_takes_those_of_the_nearest() {
        let cell = |time: f64| BTreeMap::from([("default".to_owned(), time), ("linear".to_owned(), 3.0)]);
        let known = Known::from([((2, 64), cell(1.0)), ((8, 64), cell(2.0))]);
        let time =
            |ranks, bytes, method: &str| nearest(&known, ranks, bytes).and_then(|all| of_method(all, method));
        assert_eq!(time(2, 64, "default"), Some(1.0));
        assert_eq!(time(16, 1024, "default"), Some(2.0));
        assert_eq!(time(16, 1024, "linear"), Some(3.0));
        assert_eq!(time(2, 64, "binomial"), Some(2.0), "the middle of the methods that are known");
    }
}
