//! Whether other programs disturbed a measurement, judged by the clocks and by the repeats themselves.

use qtdec_times::{Statistic, is_bimodal};

use crate::rounds::Repeats;

/// The share of a repeat without a processor from which the repeat is disturbed.
const OF_A_REPEAT: f64 = 0.1;

/// The share of disturbed repeats, or of bimodal points, that must be exceeded.
const OF_ALL: f64 = 0.1;

/// Returns how others disturbed a measurement from which this statistic makes a map, or `None` if they did not.
///
/// The minimum only uses the fastest repeats, which are judged alone: slower ones and their modes do not matter.
pub(crate) fn disturbance(repeats: &Repeats, statistic: Statistic) -> Option<String> {
    let reasons: Vec<String> =
        busy(repeats, statistic).into_iter().chain(noisy(repeats, statistic)).collect();
    (!reasons.is_empty()).then(|| reasons.join(", and "))
}

fn busy(repeats: &Repeats, statistic: Statistic) -> Option<String> {
    let series = repeats.times.iter().flatten().zip(repeats.without_processor.iter().flatten());
    let counting: Vec<f64> = match statistic {
        Statistic::Min => series.filter_map(|(times, shares)| of_the_fastest(times, shares)).collect(),
        _ => series.flat_map(|(_, shares)| shares.iter().copied()).collect(),
    };
    let disturbed = counting.iter().filter(|share| **share > OF_A_REPEAT).count();
    let fastest = if statistic == Statistic::Min { "fastest " } else { "" };
    is_much(disturbed, counting.len()).then(|| {
        format!(
            "the machine was busy: in {disturbed} of {} {fastest}repeats, other programs had the processor for over a tenth of the time",
            counting.len()
        )
    })
}

/// Returns the share that belongs to the least time.
fn of_the_fastest(times: &[f64], shares: &[f64]) -> Option<f64> {
    let fastest = times.iter().zip(shares).min_by(|(one, _), (other, _)| one.total_cmp(other));
    fastest.map(|(_, share)| *share)
}

fn noisy(repeats: &Repeats, statistic: Statistic) -> Option<String> {
    let bimodal =
        repeats.times.iter().filter(|methods| best(methods, statistic).is_some_and(is_bimodal)).count();
    let is_noisy = statistic != Statistic::Min && is_much(bimodal, repeats.times.len());
    is_noisy.then(|| {
        format!(
            "the times are noisy: at {bimodal} of {} points, over a fifth of the best method's repeats take over 5 times as long as its fastest",
            repeats.times.len()
        )
    })
}

/// Returns the times of the method with the least statistic at a point.
fn best(methods: &[Vec<f64>], statistic: Statistic) -> Option<&[f64]> {
    let costs = methods.iter().filter_map(|times| Some((statistic.of(times.clone())?, times)));
    costs.min_by(|(one, _), (other, _)| one.total_cmp(other)).map(|(_, times)| times.as_slice())
}

fn is_much(some: usize, all: usize) -> bool {
    some as f64 > OF_ALL * all as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns repeats of one method at ten points, of which those at the first points are given.
    fn repeats(points: usize, times: &[f64], without_processor: &[f64]) -> Repeats {
        let at = |given: &[f64], other: f64| -> Vec<Vec<Vec<f64>>> {
            let series = |point| if point < points { given.to_vec() } else { vec![other; given.len()] };
            (0..10).map(|point| vec![series(point), vec![99.0; given.len()]]).collect()
        };
        let mut without_processor = at(without_processor, 0.0);
        for methods in &mut without_processor {
            methods[1].fill(0.0);
        }
        Repeats { times: at(times, 1.0), without_processor, rounds: times.len() }
    }

    #[test]
    fn a_thread_without_a_processor_is_on_a_busy_machine() {
        let times = [1.0, 1.0];
        let of = |points, shares: &[f64]| disturbance(&repeats(points, &times, shares), Statistic::Median);
        assert_eq!(of(10, &[0.1, 0.1]), None, "a tenth of each repeat");
        assert_eq!(of(2, &[0.9, 0.9]), None, "four of forty repeats");
        let told = of(3, &[0.9, 0.2]).unwrap();
        assert!(told.starts_with("the machine was busy: in 6 of 40 repeats, other programs"), "{told}");
    }

    #[test]
    fn modes_are_those_of_the_best_method() {
        let of = |points, statistic| {
            disturbance(&repeats(points, &[1.0, 9.0, 1.0, 9.0, 1.0], &[0.0; 5]), statistic)
        };
        assert_eq!(of(1, Statistic::Median), None, "one point of ten");
        let told = of(2, Statistic::Median).unwrap();
        assert!(told.starts_with("the times are noisy: at 2 of 10 points"), "{told}");
        assert_eq!(of(10, Statistic::Min), None);
        let mut others = repeats(0, &[1.0; 5], &[0.0; 5]);
        for methods in &mut others.times {
            methods[1] = vec![2.0, 20.0, 20.0, 20.0, 2.0];
        }
        assert_eq!(disturbance(&others, Statistic::Median), None, "a method that is not chosen");
    }

    #[test]
    fn of_the_minimum_the_fastest_repeats_count() {
        let of = |shares: &[f64]| disturbance(&repeats(10, &[3.0, 1.0], shares), Statistic::Min);
        assert_eq!(of(&[0.9, 0.0]), None);
        let told = of(&[0.0, 0.9]).unwrap();
        assert!(told.contains("in 10 of 20 fastest repeats"), "{told}");
    }

    #[test]
    fn both_are_told() {
        let both = repeats(10, &[1.0, 9.0, 1.0, 9.0, 1.0], &[0.0, 0.9, 0.0, 0.9, 0.0]);
        let told = disturbance(&both, Statistic::Median).unwrap();
        assert!(told.contains("busy") && told.contains(", and the times are noisy"), "{told}");
    }
}
