//! Parameters fitted to times that were made with known ones, and predictions held against measurements.

use proptest::prelude::*;
use qtdec_mpi::fit::{AlgorithmFit, ContentionOfRanks, Measured, algorithms, contention};
use qtdec_mpi::models::{Call, alltoall_bounds};
use qtdec_mpi::network::shipped;
use qtdec_mpi::trust::{Times, against, correct, curve, next_point};

fn measured(algorithm: &str, ranks: u64, bytes: u64, segment: Option<u64>, seconds: f64) -> Measured {
    Measured { algorithm: algorithm.to_owned(), segment, ranks, bytes, seconds }
}

#[test]
fn the_contention_ratio_is_found_again() {
    let network = shipped("icluster-2").unwrap();
    let times: Vec<Measured> = [(4, 100), (8, 5000), (24, 65_536)]
        .into_iter()
        .map(|(ranks, bytes)| {
            let (lower, upper) = alltoall_bounds(&Call::new(&network, ranks, bytes));
            measured("direct", ranks, bytes, None, lower + 0.37 * (upper - lower))
        })
        .collect();
    let fit = contention(&network, &times).unwrap();
    assert!((fit.parameters - 0.37).abs() < 1e-9);
    assert!(fit.error().unwrap().1 < 1e-9 && fit.undetermined.is_empty(), "{fit:?}");
    // One point tells the ratio, but not whether it is the same elsewhere.
    assert_eq!(contention(&network, &times[..1]).unwrap().undetermined.len(), 2);
    assert_eq!(contention(&network, &[]), None);
    let fast = [measured("direct", 8, 5000, None, 1e-9)];
    assert_eq!(contention(&network, &fast).unwrap().parameters, 0.0);
}

/// Times of each algorithm with parameters of its own.
fn times_of(parameters: &[AlgorithmFit], gamma: &ContentionOfRanks) -> Vec<Measured> {
    let mut times = Vec::new();
    for fit in parameters {
        for ranks in [2, 3, 5, 8, 16] {
            for (bytes, segment) in [(100, None), (65_536, None), (65_536, Some(8192))] {
                let seconds = fit.seconds(gamma, ranks, bytes, segment).unwrap();
                times.push(measured(&fit.algorithm, ranks, bytes, segment, seconds));
            }
        }
    }
    times
}

#[test]
fn the_parameters_of_each_algorithm_are_found_again() {
    // γ(3) = 1.11 and γ(16) = 3, from linear broadcasts.
    let linear = |ranks, seconds| measured("linear", ranks, 8192, None, seconds);
    let gamma = ContentionOfRanks::of_linear(&[linear(2, 1e-4), linear(3, 1.11e-4), linear(16, 3e-4)]);
    assert!((gamma.at(3) - 1.11).abs() < 1e-12 && (gamma.at(16) - 3.0).abs() < 1e-12 && gamma.at(2) == 1.0);
    assert!(gamma.at(5) > gamma.at(3) && gamma.at(5) < gamma.at(16) && gamma.at(64) > gamma.at(16));
    let given: Vec<AlgorithmFit> = ["binary", "binomial", "linear", "pipeline"]
        .iter()
        .zip(1..)
        .map(|(name, n)| AlgorithmFit {
            algorithm: (*name).to_owned(),
            alpha: 1e-5 * f64::from(n),
            beta: 1e-9 / f64::from(n),
        })
        .collect();
    let fits = algorithms(&times_of(&given, &gamma), &gamma);
    for (fit, given) in fits.iter().zip(&given) {
        let found = &fit.parameters;
        assert_eq!(found.algorithm, given.algorithm);
        assert!((found.alpha / given.alpha - 1.0).abs() < 1e-6, "{found:?}");
        assert!((found.beta / given.beta - 1.0).abs() < 1e-6, "{found:?}");
        assert!(fit.error().unwrap().1 < 1e-6 && fit.undetermined.is_empty(), "{fit:?}");
    }
    assert_eq!(fits.len(), 4);
}

#[test]
fn what_cannot_be_told_apart_is_named() {
    let gamma = ContentionOfRanks::default();
    let times = [measured("pipeline", 4, 1000, None, 1e-3), measured("pipeline", 8, 1000, None, 2e-3)];
    let fits = algorithms(&times, &gamma);
    assert_eq!(fits[0].undetermined, ["α and β of pipeline: all of its steps have 1000 bytes"]);
    let fits = algorithms(
        &[measured("binary", 4, 1000, None, 1e-3), measured("binary", 4, 9000, None, 2e-3)],
        &gamma,
    );
    assert!(fits[0].undetermined[0].starts_with("γ(P) of binary"), "{fits:?}");
    assert_eq!(algorithms(&[measured("unheard_of", 4, 1000, None, 1e-3)], &gamma), []);
}

fn times(rows: &[(u64, u64, [Option<f64>; 2])]) -> Times {
    Times {
        points: rows.iter().map(|&(ranks, bytes, _)| vec![ranks, bytes]).collect(),
        methods: 2,
        times: rows.iter().flat_map(|(.., times)| *times).collect(),
    }
}

#[test]
fn errors_winners_and_penalties() {
    let measured = times(&[
        (2, 8, [Some(10.0), Some(20.0)]),
        (4, 8, [Some(30.0), Some(20.0)]),
        (8, 8, [Some(10.0), Some(12.0)]),
        (16, 8, [None, Some(5.0)]),
        (32, 8, [None, None]),
    ]);
    let predicted = times(&[
        (2, 8, [Some(11.0), Some(30.0)]),
        (4, 8, [Some(33.0), Some(20.0)]),
        (8, 8, [Some(15.0), Some(12.0)]),
        (16, 8, [Some(1.0), Some(5.0)]),
        (32, 8, [Some(1.0), Some(2.0)]),
    ]);
    let found = against(&predicted, &measured);
    let errors: Vec<_> =
        found.errors.iter().map(|error| (error.points, error.median, error.percentile_90)).collect();
    assert_eq!(errors, [(3, 0.1, 0.5), (4, 0.0, 0.5)]);
    // 8 ranks: method 1 is chosen, at 12 instead of 10. 16 ranks: only method 1 can be priced.
    assert_eq!((found.points, found.agree), (4, 3));
    assert!((found.mean_penalty().unwrap() - 5.0).abs() < 1e-9, "{found:?}");
}

/// A grid on which method 0 is measured to take three times what is predicted.
fn biased() -> (Times, Times) {
    let mut rows = Vec::new();
    for ranks in [2, 4, 8, 16, 32, 64] {
        for bytes in [1, 16, 256, 4096, 65_536] {
            let (p, m) = (ranks as f64, bytes as f64);
            rows.push((ranks, bytes, [Some(p * 10.0 + m / 10.0), Some(60.0 + p + m / 8.0)]));
        }
    }
    let predicted = times(&rows);
    let mut measured = predicted.clone();
    measured.times.iter_mut().step_by(2).for_each(|time| *time = time.map(|time| 3.0 * time));
    (predicted, measured)
}

#[test]
fn one_measured_point_mends_a_constant_bias() {
    let (predicted, measured) = biased();
    let curve = curve(&predicted, &measured, 3);
    let penalties: Vec<f64> = curve.steps.iter().map(|step| step.mean_penalty().unwrap()).collect();
    assert!(penalties[0] > 5.0 && penalties[1..].iter().all(|penalty| *penalty < 1e-9), "{penalties:?}");
    assert_eq!(curve.order.len(), 3);
}

proptest! {
    #[test]
    fn all_points_measured_leave_nothing_to_choose(seed in prop::collection::vec(0.1..10.0_f64, 60)) {
        let (predicted, mut measured) = biased();
        for (time, factor) in measured.times.iter_mut().zip(seed) {
            *time = time.map(|time| time * factor);
        }
        let all: Vec<usize> = (0..measured.points.len()).collect();
        prop_assert_eq!(&correct(&predicted, &measured, &all).times, &measured);
        let curve = curve(&predicted, &measured, usize::MAX);
        let mut order = curve.order;
        prop_assert_eq!(next_point(&measured, &order), None);
        order.sort_unstable();
        prop_assert_eq!(order, all);
        prop_assert_eq!(curve.steps.last().unwrap().mean_penalty(), Some(0.0));
    }
}

#[test]
fn a_correction_by_no_points_changes_nothing() {
    let (predicted, measured) = biased();
    assert_eq!(correct(&predicted, &measured, &[]).times, predicted);
}
