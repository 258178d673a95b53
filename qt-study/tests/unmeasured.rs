//! What decisions cost at sizes that were left out, computed a second time from the costs.

use qtdec_core::{
    Axis, Calls, DecisionMap, DecisionTree, Document, Method, MethodIndex, Options, Problems, Samples,
};
use qtdec_study::selection::{Gaps, Recipe, Recorded};
use qtdec_study::study::{left_out::LeftOut, unmeasured::Unmeasured};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

/// The border at the upper sample, with which decisions at other sizes are easy to compute by hand.
const FLOOR: &[(&str, &str)] = &[("borders", "floor")];

fn tree(map: &DecisionMap, options: &[(&str, &str)]) -> Result<DecisionTree, Problems> {
    Options::parse(options)?.tree(Document::Map(map.clone()))
}

fn figure(map: &DecisionMap, options: &[(&str, &str)]) -> Result<Unmeasured, String> {
    LeftOut::new(map)?.figure(|rest| tree(rest, options))
}

/// Below 4, `a` takes 1 and `b` 2; from there on, `a` takes 3 and `b` 1.
fn crossing() -> DecisionMap {
    let axes = vec![Axis::new("n", [1, 2, 4, 8])];
    DecisionMap::from_costs(axes, ["a", "b"].map(Method::new).to_vec(), |point, method| {
        if point[0] < 4 { [1.0, 2.0][method.get()] } else { [3.0, 1.0][method.get()] }
    })
    .unwrap()
}

fn near(found: f64, expected: f64) {
    assert!((found - expected).abs() < 1e-9, "{found} {expected}");
}

fn percent(ratio: f64) -> f64 {
    100.0 * (ratio - 1.0)
}

/// With the border at the upper sample, 2 and 8 still decide `a` for 4, which is three times as slow; nothing else is wrong. `b` is the
/// best single method of both halves. With the border at the lower sample, 1 and 4 decide `b` for 2.
#[test]
fn every_size_is_decided_from_the_other_half() {
    let found = figure(&crossing(), FLOOR).unwrap();
    near(found.excess.mean, percent(3.0_f64.powf(0.25)));
    assert_eq!((found.worst.cell, found.worst.chosen.get(), found.points, found.unpriced), (2, 0, 4, 0));
    near(found.worst.percent, 200.0);
    near(found.one_method.unwrap(), percent(2.0_f64.sqrt()));
    near(found.one_threshold.unwrap(), percent(3.0_f64.powf(0.25)));
    assert_eq!((found.default, found.gain), (None, None));
    near(figure(&crossing(), &[("borders", "ceiling")]).unwrap().excess.mean, percent(2.0_f64.powf(0.25)));
}

#[test]
fn points_are_weighted_by_their_calls() {
    let map = crossing().with_calls(Calls::new([0.0, 1.0, 2.0, 1.0])).unwrap();
    near(figure(&map, FLOOR).unwrap().excess.mean, percent(3.0_f64.powf(0.5)));
}

/// Half of these sizes have the same products as all of them, so a half shows the rule that is right everywhere. No single size does.
#[test]
fn the_best_threshold_of_a_half_may_be_one_of_a_product() {
    let sizes = [1, 2, 4, 8, 16, 32];
    let axes = vec![Axis::new("m", sizes), Axis::new("n", sizes)];
    let map = DecisionMap::from_costs(axes, ["a", "b"].map(Method::new).to_vec(), |point, method| {
        if (point[0] * point[1] < 32) == (method.get() == 0) { 1.0 } else { 2.0 }
    });
    let found = figure(&map.unwrap(), &[]).unwrap();
    near(found.one_threshold.unwrap(), 0.0);
    assert!(found.excess.mean > 1.0 && found.one_method.unwrap() > 1.0, "{found:?}");
}

/// Twenty copies of each point say no more about other sizes than one.
#[test]
fn more_points_of_the_same_sizes_do_not_narrow_the_interval() {
    let (one, mut axes) = (crossing(), vec![Axis::new("n", [1, 2, 4, 8])]);
    let labels = Samples::Labels((0..20).map(|label| format!("label {label}")).collect());
    axes.push(Axis { samples: labels, ..Axis::new("copy", []) });
    let methods = one.domain().methods().to_vec();
    let costs = one.costs().unwrap();
    let cell = |point: &[u64]| (0..4).find(|cell| one.domain().sizes(*cell)[0] == point[0]).unwrap();
    let copies =
        DecisionMap::from_costs(axes, methods, |point, method| costs.get(cell(point), method)).unwrap();
    let [one, copies] = [&one, &copies].map(|map| figure(map, &[]).unwrap().excess);
    near(one.low, copies.low);
    near(one.high, copies.high);
    assert!(one.low < one.mean && one.mean < one.high, "{one:?}");
}

/// On random costs, the exact tree chooses the best method of the greatest size that is kept and not above the one left out, or of the
/// least one.
#[test]
fn two_axes_agree_with_looking_at_the_samples_kept() {
    let mut chance = Pcg64::seed_from_u64(31);
    for _ in 0..20 {
        let lens = [chance.random_range(4..8), chance.random_range(1..6)];
        let axes = [("p", lens[0]), ("m", lens[1])]
            .map(|(name, len)| Axis::new(name, (0..len).map(|at| 3 * at + 1).collect::<Vec<u64>>()));
        let mut methods = ["a", "b", "c"].map(Method::new).to_vec();
        methods[2].baseline = true;
        let map =
            DecisionMap::from_costs(axes.to_vec(), methods, |_, _| chance.random_range(1.0..2.0)).unwrap();
        let costs = map.costs().unwrap();
        let cost = |at: [usize; 2], method: usize| {
            let method = map.domain().method_indexes().nth(method).unwrap();
            costs.get(at[0] * lens[1] as usize + at[1], method).unwrap()
        };
        let is_chosen = map.cells().iter().flatten().any(|method| method.get() == 2);
        let of_all = if is_chosen { 3 } else { 2 };
        let best = |at: [usize; 2], methods: usize| {
            (0..methods).map(|method| (cost(at, method), method)).min_by(|a, b| a.0.total_cmp(&b.0)).unwrap()
        };
        let (mut sum, mut default, mut points) = (0.0, 0.0, 0);
        for (axis, &len) in lens.iter().enumerate().filter(|(_, len)| **len >= 4) {
            for at in (0..lens[0] as usize).flat_map(|p| (0..lens[1] as usize).map(move |m| [p, m])) {
                let mut from = at;
                from[axis] = if at[axis] == 0 { 1 } else { at[axis] - 1 };
                assert!(from[axis] < len as usize);
                let decided = best(from, 3).1;
                sum += (cost(at, decided) / best(at, of_all).0).ln();
                default += (cost(at, 2) / best(at, of_all).0).ln();
                points += 1;
            }
        }
        let found = figure(&map, FLOOR).unwrap();
        assert_eq!(found.points, points);
        near(found.excess.mean, percent((sum / points as f64).exp()));
        near(found.default.unwrap(), percent((default / points as f64).exp()));
        let gain = found.gain.unwrap();
        near(gain.mean, ((default - sum) / points as f64).exp_m1());
        assert!(gain.low <= gain.mean && gain.mean <= gain.high);
        assert!(found.excess.low <= found.excess.mean && found.excess.mean <= found.excess.high);
    }
}

fn reason(map: &DecisionMap, options: &[(&str, &str)]) -> String {
    figure(map, options).unwrap_err()
}

#[test]
fn what_is_unknown_is_said_with_its_reason() {
    let methods = || ["a", "b"].map(Method::new).to_vec();
    let short = DecisionMap::from_costs(vec![Axis::new("n", [1, 2, 4])], methods(), |_, _| 1.0).unwrap();
    assert_eq!(
        reason(&short, &[]),
        "no axis has 4 sizes or more, of which every other one could be left out"
    );
    let winners = DecisionMap::new(crossing().domain().clone(), crossing().cells().to_vec()).unwrap();
    assert_eq!(reason(&winners, &[]), "the map has no costs");
    let recipe = Recipe { gaps: Gaps::Interpolate, ..Recipe::default() };
    let filled = crossing().with_recipe(Recorded { recipe, ..Recorded::default() }.to_json()).unwrap();
    assert_eq!(reason(&filled, &[]), "some times of the map were not measured");
    // Each method was measured at every other pair of sizes, so neither half knows the times of the other.
    let apart = DecisionMap::from_costs(
        vec![Axis::new("n", [1, 2, 4, 8])],
        methods(),
        |point, method: MethodIndex| (([1, 4].contains(&point[0])) == (method.get() == 0)).then_some(1.0),
    );
    assert_eq!(
        reason(&apart.unwrap(), &[]),
        "4 of 4 decisions at sizes left out are methods that were not measured there"
    );
    let refused = reason(&crossing(), &[("fallback", "c")]);
    assert!(refused.starts_with("no tree can be made of half of the sizes: "), "{refused}");
}
