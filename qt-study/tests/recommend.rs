//! The recommended tree on repeats that it was not built from, for the raw times of Polaris.

use qtdec_core::encode::{self, Quadtree};
use qtdec_core::{Basis, Borders, DecisionMap, Method};
use qtdec_study::hold_out::HoldOut;
use qtdec_study::measurements::{MeasuredAxis, Measurements, Repeat};
use qtdec_study::notes::Notes;
use qtdec_study::readers::{self, ReadOptions};
use qtdec_study::selection::Recipe;
use qtdec_study::study::assess::LeaveOut;
use qtdec_study::study::held_out::{HeldOut, Split};
use qtdec_study::study::over_default::OverDefault;
use qtdec_study::study::recommend::{RecommendOptions, Recommendation, recommended, surviving_regions};

const ARCHIVE: &str =
    concat!(env!("CARGO_MANIFEST_DIR"), "/../qt-cli/data/polaris-reduce-scatter/raw.tar.xz");

fn measurements() -> Measurements {
    let requested =
        ReadOptions { element_size: Some(8), basis: Some(Basis::Block), ..ReadOptions::default() };
    readers::read(&[ARCHIVE.to_owned()], &requested, &mut |_, input| input).unwrap().0
}

fn map(measurements: &Measurements) -> DecisionMap {
    let recipe = Recipe { baseline: vec!["MPI_Reduce_scatter_block".to_owned()], ..Recipe::default() };
    recipe.map(measurements, &mut Notes::default()).unwrap()
}

/// Evaluates the recommended tree on a hundred halves of the repeats. On the other half it is within one point of the
/// exact tree. It has less than half of the regions of the exact quadtree, and on its own half no cell is more than 1
/// % slower than the default.
#[test]
fn it_is_near_the_exact_tree_with_fewer_leaves() {
    let measurements = measurements();
    let (mut held_out, mut ratios) = (HeldOut::default(), Vec::new());
    for seed in 1..=100 {
        let (train, test) = HoldOut::Repeats { seed }.split(&measurements).unwrap();
        let (train, test) = (map(&train), map(&test));
        let rated = Recommendation::new(&train, &RecommendOptions::default(), &[]).unwrap();
        let [exact, recommended] = [rated.exact, rated.recommended].map(|rated| rated.choice.tree);
        let quadtree = encode::encode(&train, &Quadtree::default(), Borders::Floor).unwrap();
        let regions = [&recommended, &exact, &quadtree].map(|tree| tree.statistics().regions as f64);
        ratios.push([regions[0] / regions[2], regions[0] / regions[1]]);
        let gain = OverDefault::everywhere(&recommended.cells(), &train).unwrap();
        assert!(gain.slower.iter().all(|slower| slower.percent <= 1.0), "{:?}", gain.slower);
        assert_eq!(gain.cells, 84);
        let split = Split::new(&train, &test).unwrap();
        split.judge(recommended, [&LeaveOut::default(); 2], &mut held_out).unwrap();
    }
    let [of_quadtree, of_smallest] =
        [0, 1].map(|at| ratios.iter().map(|ratio| ratio[at]).sum::<f64>() / 100.0);
    let difference = held_out.to_exact().unwrap();
    println!(
        "{of_quadtree:.3} of the exact quadtree, {of_smallest:.3} of the smallest exact tree; {difference:?}"
    );
    assert!(of_quadtree <= 0.45, "{of_quadtree}");
    assert!(of_smallest <= 0.60, "{of_smallest}");
    assert!(difference.mean <= 1.0 && difference.low < difference.mean, "{difference:?}");
}

/// A limit on the leaves raises the budget for the mean, but no more than necessary.
#[test]
fn a_limit_on_the_leaves_is_kept() {
    let map = map(&measurements());
    let all = recommended(&map, &RecommendOptions::default()).unwrap();
    let mean = |most: u64| {
        let choice = recommended(&map, &RecommendOptions { max_leaves: Some(most) }).unwrap();
        assert!(choice.tree.statistics().regions <= most);
        let gain = OverDefault::everywhere(&choice.tree.cells(), &map).unwrap();
        assert!(gain.slower.iter().all(|slower| slower.percent <= 1.0), "the cap holds all the same");
        choice.tree.statistics().encoding.quality.penalty.as_ref().unwrap().mean
    };
    let leaves = all.tree.statistics().regions;
    assert!(leaves > 6, "{leaves}");
    assert!(mean(leaves) <= 1.0);
    assert!(mean(leaves - 1) > 1.0, "with fewer the mean is above the budget");
    assert!(mean(5) > mean(leaves - 1));
    // A single leaf is within the cap everywhere: it is the default.
    assert!((mean(1) - 100.0 * default_ratio(&map)).abs() < 1e-9);
}

fn default_ratio(map: &DecisionMap) -> f64 {
    let default = map.domain().find_method("MPI_Reduce_scatter_block").unwrap();
    let costs = map.costs().unwrap();
    let ratio = |cell: usize| {
        let best = map.domain().method_indexes().filter_map(|method| costs.get(cell, method));
        costs.get(cell, default).unwrap() / best.fold(f64::INFINITY, f64::min) - 1.0
    };
    (0..84).map(ratio).sum::<f64>() / 84.0
}

/// With two equally fast methods that alternate, each cell is a region, and no border remains with ties.
#[test]
fn borders_of_single_samples_are_distinguished_from_noise() {
    let mut single = Measurements::new(vec![MeasuredAxis::named("msg_size")]);
    let methods = ["a", "b"].map(|name| single.method(Method::new(name)));
    for size in 0..8 {
        for (number, method) in methods.into_iter().enumerate() {
            let time = if size % 2 == number as u64 { 1.0 } else { 1.04 };
            single.record(&[1 << size], method, Repeat { time, run: 0, file: 0 });
        }
    }
    assert!(single.has_single_samples());
    let map = Recipe::default().map(&single, &mut Notes::default()).unwrap();
    assert_eq!(surviving_regions(&map, 5.0).unwrap(), Some((8, 1)));
    assert_eq!(surviving_regions(&map, 3.0).unwrap(), Some((8, 8)));
    single.record(&[1], methods[0], Repeat { time: 1.0, run: 0, file: 0 });
    assert!(!single.has_single_samples());
}

/// Of methods with equal times, the library's own choice is the best, wherever it comes in the list.
#[test]
fn the_default_is_kept_where_nothing_is_better() {
    let mut equal = Measurements::new(vec![MeasuredAxis::named("msg_size")]);
    let methods = ["a", "default", "b"].map(|name| equal.method(Method::new(name)));
    for method in methods {
        equal.record(&[8], method, Repeat { time: 1.0, run: 0, file: 0 });
    }
    let recipe = Recipe { baseline: vec!["default".to_owned()], ..Recipe::default() };
    let map = recipe.map(&equal, &mut Notes::default()).unwrap();
    assert_eq!(map.cells()[0].map(|method| map.domain().method(method).label()), Some("default".to_owned()));
}
