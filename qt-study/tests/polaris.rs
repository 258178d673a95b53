//! The measurements that are part of the command; the figures are computed a second time from the rows alone.

use std::collections::BTreeMap;

use qtdec_core::encode::{self, Budget, EncodeSettings, LeafRule, Optimal, Quadtree};
use qtdec_core::{Borders, DecisionMap, DecisionTree};
use qtdec_study::notes::Notes;
use qtdec_study::readers::{self, Columns, ReadOptions};
use qtdec_study::selection::{Recipe, TieRule};
use qtdec_study::study::assess::{self, LeaveOut, Unpriced};
use qtdec_study::study::over_default::OverDefault;

const TIMES: &str = include_str!("../../qt-cli/data/polaris-reduce-scatter/cells.csv");
const DEFAULT: &str = "MPI_Reduce_scatter_block";

fn map(recipe: &Recipe) -> DecisionMap {
    let columns = Columns::parse("comm_size=comm_size,msg_size=bytes_per_rank,time=median_us").unwrap();
    let (measurements, _) =
        readers::read_one("cells.csv", TIMES.as_bytes(), &ReadOptions { columns, ..ReadOptions::default() })
            .unwrap();
    recipe.map(&measurements, &mut Notes::default()).unwrap()
}

/// Returns the options that keep the library's default among the candidates.
fn kept() -> Recipe {
    Recipe { baseline: vec![DEFAULT.to_owned()], ..Recipe::default() }
}

/// Returns the options that exclude the library's default from the choice, but keep its costs.
fn left_out() -> Recipe {
    Recipe { no_default: true, ..kept() }
}

fn tree(map: &DecisionMap, quadtree: &Quadtree) -> DecisionTree {
    encode::encode(map, quadtree, Borders::Floor).unwrap()
}

/// Returns the times by point and method, in the order of the rows.
fn rows() -> BTreeMap<(u64, u64), Vec<(String, f64)>> {
    let mut rows: BTreeMap<(u64, u64), Vec<(String, f64)>> = BTreeMap::new();
    let mut lines = TIMES.lines();
    let header: Vec<&str> = lines.next().unwrap().split(',').collect();
    let column = |name: &str| header.iter().position(|column| *column == name).unwrap();
    for line in lines {
        let fields: Vec<&str> = line.split(',').collect();
        let size = |name: &str| fields[column(name)].parse::<u64>().unwrap();
        let time = fields[column("median_us")].parse().unwrap();
        rows.entry((size("comm_size"), size("bytes_per_rank")))
            .or_default()
            .push((fields[column("method")].to_owned(), time));
    }
    rows
}

#[test]
fn the_exact_tree_has_few_conditions() {
    let statistics = tree(&map(&Recipe::default()), &Quadtree::default()).statistics().clone();
    let internal = statistics.encoding.nodes - statistics.encoding.leaves;
    assert_eq!((statistics.encoding.leaves, internal), (103, 34));
    assert!(statistics.conditions <= 40, "{}", statistics.conditions);

    assert_eq!(tree(&map(&kept()), &Quadtree::default()).statistics().encoding.leaves, 103);
    assert_eq!(tree(&map(&left_out()), &Quadtree::default()).statistics().encoding.leaves, 79);
}

#[test]
fn penalties_are_those_of_the_rows() {
    let rows = rows();
    assert_eq!(rows.len(), 84);
    for (recipe, baseline) in [(Recipe::default(), vec![]), (left_out(), vec![DEFAULT.to_owned()])] {
        let map = map(&recipe);
        for quadtree in [
            Quadtree { max_depth: Some(1), ..Quadtree::default() },
            Quadtree { max_depth: Some(3), ..Quadtree::default() },
            Quadtree { max_depth: Some(2), leaf: LeafRule::Cheapest, ..Quadtree::default() },
            Quadtree { threshold: 60.0, ..Quadtree::default() },
        ] {
            let tree = tree(&map, &quadtree);
            let mut mismatches = 0;
            let mut penalties: Vec<f64> = Vec::new();
            let mut misses: Vec<(f64, [u64; 2], String, String)> = Vec::new();
            for ((comm_size, msg_size), times) in &rows {
                let chosen = tree.domain().method(tree.decide(&[*comm_size, *msg_size]).unwrap()).label();
                let choosable = times.iter().filter(|(method, _)| !baseline.contains(method));
                let (best, least) = choosable.min_by(|(_, a), (_, b)| a.total_cmp(b)).unwrap();
                let (_, time) = times.iter().find(|(method, _)| *method == chosen).unwrap();
                mismatches += u64::from(chosen != *best);
                penalties.push(100.0 * (time / least - 1.0));
                if time > least {
                    misses.push((time / least, [*comm_size, *msg_size], chosen.clone(), best.clone()));
                }
            }
            misses.sort_by(|(a, ..), (b, ..)| b.total_cmp(a));
            for (most, msg_size) in [(3, None), (usize::MAX, None), (5, Some(64))] {
                let sizes = msg_size.map(|size| (1, size)).into_iter().collect();
                let leave_out = LeaveOut { sizes, ..LeaveOut::default() };
                let worst = assess::worst(&tree.cells(), &map, &leave_out, most);
                let reported = worst.iter().map(|miss| {
                    let label = |method| map.domain().method(method).label();
                    (map.domain().sizes(miss.cell), label(miss.chosen), label(miss.best))
                });
                let counted = misses.iter().filter(|(_, sizes, ..)| Some(sizes[1]) != msg_size).take(most);
                let expected =
                    counted.map(|(_, sizes, chosen, best)| (sizes.to_vec(), chosen.clone(), best.clone()));
                assert!(reported.eq(expected), "{worst:?}");
            }
            penalties.sort_by(f64::total_cmp);
            let quality = &tree.statistics().encoding.quality;
            let penalty = quality.penalty.as_ref().unwrap();
            let near = |a: f64, b: f64| (a - b).abs() < 1e-9;
            assert_eq!(quality.mismatches, mismatches);
            assert!(near(penalty.mean, penalties.iter().sum::<f64>() / 84.0), "{penalty:?}");
            assert!(near(penalty.median, f64::midpoint(penalties[41], penalties[42])), "{penalty:?}");
            assert!(near(penalty.min, penalties[0]) && near(penalty.max, penalties[83]), "{penalty:?}");
        }
    }
}

#[test]
fn the_smallest_trees_are_a_quarter_of_the_quadtrees() {
    let tied = Recipe { ties: Some(TieRule::default()), ..Recipe::default() };
    let regions = |recipe: &Recipe, budget: &str| {
        let budget = if budget.is_empty() { Budget::default() } else { Budget::parse(budget).unwrap() };
        let terms = EncodeSettings { budget, ..EncodeSettings::default() };
        let tree = encode::encode_with(&map(recipe), &Optimal::default(), &terms).unwrap();
        assert_eq!(tree.statistics().encoding.lower_bound, Some(tree.statistics().regions));
        tree.statistics().regions
    };
    assert_eq!(regions(&Recipe::default(), ""), 27);
    assert_eq!(regions(&kept(), ""), 27);
    assert_eq!(regions(&left_out(), ""), 22);
    assert!(regions(&tied, "") <= 17);
    assert!(regions(&Recipe::default(), "mean 5%") <= 5);
    assert!(regions(&Recipe::default(), "max 10%, mean 5%") <= 14);
}

/// Computes the gain over the library's default from the rows: as a candidate, the default is chosen where it is the
/// fastest; if it is excluded, the tree is slower than it in those cells.
#[test]
fn the_gain_over_the_default_is_that_of_the_rows() {
    let rows = rows();
    for recipe in [kept(), left_out()] {
        let map = map(&recipe);
        for quadtree in [Quadtree::default(), Quadtree { max_depth: Some(2), ..Quadtree::default() }] {
            let tree = tree(&map, &quadtree);
            let (mut gains, mut kept, mut slower) = (Vec::new(), 0, Vec::new());
            for ((comm_size, msg_size), times) in &rows {
                let time = |name: &str| times.iter().find(|(method, _)| method == name).unwrap().1;
                let chosen = tree.domain().method(tree.decide(&[*comm_size, *msg_size]).unwrap()).label();
                let (time, default) = (time(&chosen), time(DEFAULT));
                gains.push(100.0 * (default / time - 1.0));
                kept += u64::from(chosen == DEFAULT);
                if time > default {
                    slower.push((100.0 * (time / default - 1.0), vec![*comm_size, *msg_size]));
                }
            }
            slower.sort_by(|(a, _), (b, _)| b.total_cmp(a));
            let gain = OverDefault::everywhere(&tree.cells(), &map).unwrap();
            let near = |a: f64, b: f64| (a - b).abs() < 1e-9;
            let log = |percent: &f64| (percent / 100.0).ln_1p();
            assert!(near(gain.gain.0.ln_1p(), gains.iter().map(log).sum::<f64>() / 84.0), "{gain:?}");
            assert_eq!((gain.cells, gain.kept), (84, kept));
            assert_eq!(map.domain().method(gain.baseline).label(), DEFAULT);
            let reported = gain.slower.iter().map(|slower| (slower.percent, map.domain().sizes(slower.cell)));
            let reported: Vec<_> = reported.collect();
            assert_eq!(reported.len(), slower.len());
            assert!(reported.iter().zip(&slower).all(|(a, b)| near(a.0, b.0) && a.1 == b.1), "{reported:?}");
            if quadtree.max_depth.is_none() {
                // The default wins 40 of the 84 cells, and is slower elsewhere.
                let expected = if recipe.no_default { (0, 40) } else { (40, 0) };
                assert_eq!((gain.kept, gain.slower.len()), expected);
            }
        }
    }
    let nothing = map(&Recipe::default());
    assert_eq!(OverDefault::everywhere(nothing.cells(), &nothing), None, "no method is the default");
}

/// On request, a decision without a cost gets that of the slowest method of its cell.
#[test]
fn the_unpriced_cost_as_much_as_the_slowest() {
    let map = map(&kept());
    let (mut decisions, cell) = (map.cells().to_vec(), 17);
    decisions[cell] = None;
    let slowest = {
        let costs = map.costs().unwrap();
        map.domain().method_indexes().filter_map(|method| costs.get(cell, method)).fold(0.0, f64::max)
    };
    let best = map.costs().unwrap().get(cell, map.cells()[cell].unwrap()).unwrap();
    let of = |unpriced| {
        assess::assess(&decisions, &map, &LeaveOut { unpriced, ..LeaveOut::default() }).unwrap().penalty
    };
    let (apart, worst) = (of(Unpriced::Apart), of(Unpriced::Worst));
    assert_eq!((apart.cells, apart.unpriced, apart.mean), (83, 1, 0.0));
    assert_eq!((worst.cells, worst.unpriced), (84, 0));
    assert!((worst.mean - 100.0 * (slowest / best - 1.0) / 84.0).abs() < 1e-9, "{worst:?}");
}
