//! Maps of fitted times: where measured times count, where the fit counts, and where the samples of a method do.

use qtdec_core::{Borders, DecisionMap, Method};
use qtdec_study::measurements::{MeasuredAxis, Measurements, Repeat, Statistic};
use qtdec_study::notes::Notes;
use qtdec_study::selection::Recipe;
use qtdec_study::terms::{Filled, Form, Terms};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

/// Records the times of `a` and `b` at each size, for each repeat.
fn measured(sizes: &[u64], repeats: u32, mut times: impl FnMut(u64) -> [f64; 2]) -> Measurements {
    let mut measurements = Measurements::new(vec![MeasuredAxis::named("m")]);
    let method = |name: &str| Method::new(name);
    let methods = ["a", "b"].map(|name| measurements.method(method(name)));
    for &size in sizes {
        for _ in 0..repeats {
            for (method, time) in methods.into_iter().zip(times(size)) {
                measurements.record(&[size], method, Repeat { time, run: 0, file: 0 });
            }
        }
    }
    measurements
}

fn filled(measurements: &Measurements) -> (Filled, DecisionMap) {
    let terms = Terms::parse("1 + m").unwrap();
    let filled = Filled::new(&terms, measurements, Statistic::Median, &[0, 1]).unwrap();
    let recipe = Recipe { terms: Some(terms), ..Recipe::default() };
    (filled, recipe.map(measurements, &mut Notes::default()).unwrap())
}

fn decided(map: &DecisionMap, size: u64) -> String {
    let method = map.decide(&[size], Borders::Floor).unwrap();
    map.domain().method(method).label()
}

fn powers(count: u32) -> Vec<u64> {
    (0..count).map(|power| 1 << power).collect()
}

/// `a` takes 10 + m and `b` 100 + m/2, but at 16, `b` was measured to take 5: it is chosen there, and at no other size below 180.
#[test]
fn measured_times_count_where_there_are_any() {
    let odd = |size: u64| if size == 16 { 5.0 } else { 100.0 + 0.5 * size as f64 };
    let (filled, map) = filled(&measured(&powers(13), 1, |size| [10.0 + size as f64, odd(size)]));
    assert!(!filled.fit_wins && map.is_fitted());
    assert_eq!(filled.measured.len(), 13);
    assert_eq!(decided(&map, 16), "b");
    for size in [1, 5, 8, 11, 23, 32, 64, 100] {
        assert_eq!(decided(&map, size), "a", "at {size}");
    }
    assert_eq!(decided(&map, 4096), "b");
}

/// `b` takes 5 % longer everywhere, and repeats differ by 30 %: the medians of several sizes mislead, and the fit does not.
#[test]
fn the_fit_counts_where_it_decides_better_on_repeats_left_out() {
    let mut chance = Pcg64::seed_from_u64(4);
    let sizes: Vec<u64> = (1..=60).map(|step| 17 * step).collect();
    let mut noisy = |time: f64| time * (1.0 + chance.random_range(-0.3..0.3));
    let times = measured(&sizes, 4, |size| [noisy(100.0 + size as f64), noisy(105.0 + 1.05 * size as f64)]);
    let misled: Vec<u64> = times
        .sorted(Statistic::Median)
        .filter(|(_, sorted)| sorted[0].0.label() == "b")
        .map(|(sizes, _)| sizes[0])
        .collect();
    assert!(misled.len() > 10, "{misled:?}");
    let (filled, map) = filled(&times);
    assert!(filled.fit_wins && filled.measured.is_empty());
    for size in misled {
        assert_eq!(decided(&map, size), "a", "at {size}");
    }
}

/// Every other size has another winner, which no line follows, and repeats agree: with repeats too, measured times count.
#[test]
fn measured_times_count_where_repeats_agree() {
    let is_even = |size: u64| size.ilog2().is_multiple_of(2);
    let (filled, map) =
        filled(&measured(&powers(12), 4, |size| if is_even(size) { [1.0, 2.0] } else { [2.0, 1.0] }));
    assert!(!filled.fit_wins);
    for size in powers(12) {
        assert_eq!(decided(&map, size), if is_even(size) { "a" } else { "b" }, "at {size}");
    }
}

/// The times of `b` are a step, which no line follows, and those of `a` are a line. Between the samples of `b`, the nearest ones count:
/// it wins up to the step, although a line through its times would lose there.
#[test]
fn a_method_that_the_terms_misfit_is_judged_by_its_samples() {
    let step = |size: u64| if size < 512 { 1.0 } else { 1000.0 };
    let sizes: Vec<u64> = (1..=100).map(|step| 10 * step).collect();
    let (filled, map) = filled(&measured(&sizes, 1, |size| [2.0 + size as f64 / 100.0, step(size)]));
    let forms: Vec<&Form> = filled.model.methods().iter().map(|method| &method.form).collect();
    assert!(matches!(forms[..], [Form::Terms(_), Form::Samples]), "{forms:?}");
    for size in [33, 155, 287, 444] {
        assert_eq!(decided(&map, size), "b", "at {size}");
    }
    for size in [555, 777, 999] {
        assert_eq!(decided(&map, size), "a", "at {size}");
    }
}
