//! What rules for borders cost between samples, computed a second time from the times, and which rule is preferred.

use qtdec_core::{Axis, Borders, DecisionMap, DecisionTree, Document, Method, Options, Problems};
use qtdec_study::study::border_choice::BorderChoice;

fn crossing(map: &DecisionMap) -> Result<DecisionTree, Problems> {
    Options::parse(&[("borders", "crossing")])?.tree(Document::Map(map.clone()))
}

fn choice(map: &DecisionMap) -> Result<BorderChoice, String> {
    BorderChoice::new(map, crossing)
}

/// A map with two methods on one axis.
fn map(sizes: &[u64], time: impl Fn(usize, usize) -> f64) -> DecisionMap {
    let at = |size: u64| sizes.iter().position(|known| *known == size).unwrap();
    let methods = ["a", "b"].map(Method::new).to_vec();
    DecisionMap::from_costs(vec![Axis::new("n", sizes)], methods, |point, method| {
        time(at(point[0]), method.get())
    })
    .unwrap()
}

fn excess(choice: &BorderChoice, rule: Borders) -> f64 {
    choice.rules.iter().find(|(known, _)| *known == rule).unwrap().1.mean
}

fn powers(len: u32) -> Vec<u64> {
    (0..len).map(|at| 16 << at).collect()
}

/// `b` halves its time relative to `a` with each doubling, from eight times to an eighth: they meet halfway between the fifth and the
/// sixth size. Whatever is left out, straight lines cross where they cross.
#[test]
fn straight_times_cost_nothing_where_they_cross() {
    let found = choice(&map(&powers(10), |at, method| [1.0, 2.0_f64.powf(4.5 - at as f64)][method])).unwrap();
    assert!(excess(&found, Borders::Crossing).abs() < 1e-9, "{found:?}");
    assert_eq!(found.preferred, Borders::Crossing);
    assert_eq!(found.by_cost()[0].0, Borders::Crossing);
    assert!(excess(&found, Borders::Geometric) < excess(&found, Borders::Floor), "{found:?}");
}

/// The costs of `floor` in the same world. With gaps of two and of three sizes, what is kept decides `a` up to the first kept size at
/// which `b` is faster, and the times of the two differ by `|4.5 − at|` doublings at a size.
#[test]
fn the_costs_of_floor_are_those_of_a_second_computation() {
    let sizes = powers(10);
    let found = choice(&map(&sizes, |at, method| [1.0, 2.0_f64.powf(4.5 - at as f64)][method])).unwrap();
    let mut means = [(0.0, 0.0); 2];
    for (step, (sum, points)) in [2, 3].into_iter().zip(&mut means) {
        for phase in 0..step {
            let kept: Vec<usize> = (phase..10).step_by(step).collect();
            let first_of_b = *kept.iter().find(|at| **at > 4).unwrap();
            for gap in kept[0]..kept[kept.len() - 1] {
                // Just above the lower end, and just below the upper one.
                for at in [gap, gap + 1] {
                    let is_wrong = gap < first_of_b && at > 4;
                    *sum += if is_wrong { (at as f64 - 4.5) * 2.0_f64.ln() } else { 0.0 };
                    *points += 1.0;
                }
            }
        }
    }
    let [(two, of_two), (three, of_three)] = means;
    // The costs of all rules together give the exponent, which is between 1 and 2.
    let cost = |exponent: f64| {
        let sum = two * 2.0_f64.powf(-exponent) + three * 3.0_f64.powf(-exponent);
        100.0 * (sum / (of_two + of_three)).exp_m1()
    };
    let floor = excess(&found, Borders::Floor);
    assert!(cost(2.0) <= floor + 1e-9 && floor <= cost(1.0) + 1e-9, "{floor} {} {}", cost(2.0), cost(1.0));
    assert!(
        (cost(2.0) - floor).abs() < 1e-9,
        "times that grow apart have the exponent 2: {floor} {}",
        cost(2.0)
    );
}

/// The methods take turns of three sizes. The slower one takes 1 % more, and ten times as long at the last size of a turn, which no
/// straight line between other sizes shows. Borders halfway on the linear scale, and those at the upper sample, lie behind it.
#[test]
fn another_rule_is_preferred_where_it_is_clearly_better() {
    let time = |at: usize, method: usize| match (at / 3 % 2 == method, at % 3) {
        (true, _) => 1.0,
        (false, 2) => 10.0,
        (false, _) => 1.01,
    };
    let found = choice(&map(&powers(24), time)).unwrap();
    assert_eq!(found.preferred, Borders::Arithmetic, "{found:?}");
    assert!(excess(&found, Borders::Floor) < excess(&found, Borders::Crossing) - 1.0, "{found:?}");
    let json = found.to_json();
    assert_eq!(json["preferred"], "arithmetic");
    assert_eq!(json["rules"][0]["borders"], "arithmetic");
    // Two blocks of gaps are too few to tell.
    assert_eq!(choice(&map(&powers(7), time)).unwrap().preferred, Borders::Crossing);
}

#[test]
fn nothing_is_said_without_sizes_between() {
    let steps = |at: usize, method: usize| [1.0, 8.0 - at as f64][method];
    let next_to_each_other: Vec<u64> = (1..=8).collect();
    let unknown = choice(&map(&next_to_each_other, steps)).unwrap_err();
    assert!(unknown.starts_with("0 of 0 decisions"), "{unknown}");
    let unknown = choice(&map(&[1, 2, 4], steps)).unwrap_err();
    assert!(unknown.starts_with("no axis has 4 sizes or more"), "{unknown}");
}

/// A tree of one leaf has no border, so what it costs at the samples is what it costs between them, whatever was left out.
#[test]
fn what_decisions_cost_at_samples_does_not_shrink_with_the_gaps() {
    let map = map(&powers(12), |at, method| if (at < 6) == (method == 0) { 1.0 } else { 1.1 });
    let one_leaf = |map: &DecisionMap| {
        Options::parse(&[("borders", "crossing"), ("budget", "max 20%")])?.tree(Document::Map(map.clone()))
    };
    let found = BorderChoice::new(&map, one_leaf).unwrap();
    for (rule, excess) in found.rules {
        assert!((excess.mean - 100.0 * (1.1_f64.sqrt() - 1.0)).abs() < 0.5, "{} {excess:?}", rule.name());
    }
    assert_eq!(found.preferred, Borders::Crossing);
}
