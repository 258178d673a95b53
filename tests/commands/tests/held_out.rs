//! The cost of trees on repeats that they were not built from, for the raw times of Polaris. Every figure is computed
//! a second time from the rows of the archive.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::process::Command;
use std::sync::LazyLock;

use lzma_rust2::XzReader;
use qtdec_core::encode::{self, Quadtree};
use qtdec_core::{Basis, Borders, DecisionMap, DecisionTree, Penalty};
use qtdec_study::hold_out::HoldOut;
use qtdec_study::measurements::{Cleaning, Measurements};
use qtdec_study::notes::Notes;
use qtdec_study::readers::{self, ReadOptions};
use qtdec_study::selection::{Distinction, Gaps, Recipe, TieRule};
use qtdec_study::study::assess::{self, LeaveOut};
use qtdec_study::study::spread::Spread;
use qtdec_study::study::tree_on_map::decisions;

const ARCHIVE: &str =
    concat!(env!("CARGO_MANIFEST_DIR"), "/../../qt-cli/data/polaris-reduce-scatter/raw.tar.xz");

/// The times of each method in seconds, in the order of the rows, by communicator size and bytes of a block.
type Rows = BTreeMap<(u64, u64), BTreeMap<String, Vec<f64>>>;

/// The archive, read without the readers of this crate.
static ROWS: LazyLock<Rows> = LazyLock::new(|| {
    let mut rows = Rows::new();
    let mut archive = tar::Archive::new(XzReader::new(File::open(ARCHIVE).unwrap(), true));
    for entry in archive.entries().unwrap() {
        let mut text = String::new();
        entry.unwrap().read_to_string(&mut text).unwrap();
        for line in text.lines().skip(1) {
            let fields: Vec<&str> = line.split(',').collect();
            let number = |field: usize| fields[field].parse::<u64>().unwrap();
            let method =
                if number(1) == 0 { fields[0].to_owned() } else { format!("{}:k={}", fields[0], fields[1]) };
            assert_eq!((fields[2], fields[6]), ("0", "1"));
            let (ranks, elements) = (number(3), number(4));
            assert_eq!(elements % ranks, 0);
            let point = rows.entry((ranks, 8 * elements / ranks)).or_default();
            point.entry(method).or_default().push(fields[5].parse().unwrap());
        }
    }
    rows
});

static MEASUREMENTS: LazyLock<Measurements> = LazyLock::new(|| {
    let requested =
        ReadOptions { element_size: Some(8), basis: Some(Basis::Block), ..ReadOptions::default() };
    let read = readers::read(&[ARCHIVE.to_owned()], &requested, &mut |_, input| input);
    Cleaning { drop_first: 1, ..Cleaning::default() }.apply(read.unwrap().0)
});

fn map(recipe: &Recipe, measurements: &Measurements) -> DecisionMap {
    recipe.map(measurements, &mut Notes::default()).unwrap()
}

fn exact(map: &DecisionMap) -> DecisionTree {
    encode::encode(map, &Quadtree::default(), Borders::Floor).unwrap()
}

fn tolerance(per_cent: f64) -> Recipe {
    Recipe { ties: Some(TieRule { tolerance: per_cent, distinction: None }), ..Recipe::default() }
}

fn median(times: &[f64]) -> f64 {
    let mut times = times.to_vec();
    times.sort_by(f64::total_cmp);
    f64::midpoint(times[(times.len() - 1) / 2], times[times.len() / 2])
}

fn near(found: f64, expected: f64) -> bool {
    (found - expected).abs() <= 1e-9 * expected.abs().max(1.0)
}

#[test]
fn the_reader_sees_the_rows() {
    assert_eq!((ROWS.len(), ROWS.values().map(BTreeMap::len).sum::<usize>()), (84, 84 * 19));
    let methods: Vec<String> = MEASUREMENTS.labels().collect();
    for (&(comm_size, msg_size), times) in &*ROWS {
        for (number, method) in methods.iter().enumerate() {
            let read = MEASUREMENTS.series(&[comm_size, msg_size], number).unwrap().repeats();
            assert!(read.iter().map(|repeat| repeat.time).eq(times[method][1..].iter().copied()), "{method}");
        }
    }
}

/// Checks the purpose of ties: a tree of half the size that is as good on other repeats.
#[test]
fn ties_halve_the_exact_tree_and_hold_on_other_repeats() {
    let (mut ratios, mut means) = (Vec::new(), Vec::new());
    for seed in 1..=100 {
        let (train, test) = HoldOut::Repeats { seed }.split(&MEASUREMENTS).unwrap();
        let leaves = |tree: &DecisionTree| tree.statistics().encoding.leaves as f64;
        let tree = exact(&map(&tolerance(5.0), &train));
        ratios.push(leaves(&tree) / leaves(&exact(&map(&Recipe::default(), &train))));
        let test = map(&Recipe::default(), &test);
        let decisions = decisions(&tree, &test).unwrap();
        // The four worst cells do not count.
        let cells = assess::cells(&decisions, &test, &LeaveOut::default()).unwrap();
        means.push(Penalty::over(&cells[4..]).unwrap().mean);
    }
    let (ratio, mean) = (Spread::new(&ratios).unwrap(), Spread::new(&means).unwrap());
    assert!(ratio.mean <= 0.60, "{ratio:?}");
    assert!(mean.mean <= 0.3, "{mean:?}");
}

/// Computes the table of `sweep` from the rows, for trees that are built from the first half of the repeats and
/// evaluated on the second. A row describes one tree: its leaves and penalties on the first half, its penalties on
/// the second, and the difference from the exact tree there.
#[test]
fn the_sweep_over_depths_is_that_of_the_rows() {
    let halves = |times: &[f64]| {
        let kept = &times[1..];
        let (first, second) = kept.split_at(kept.len().div_ceil(2));
        [median(first), median(second)]
    };
    let costs: BTreeMap<(u64, u64), BTreeMap<&str, [f64; 2]>> = ROWS
        .iter()
        .map(|(point, times)| (*point, times.iter().map(|(name, times)| (&**name, halves(times))).collect()))
        .collect();
    let (train, _) = HoldOut::Blocks.split(&MEASUREMENTS).unwrap();
    let train = map(&Recipe::default(), &train);

    let printed = sweep(["--drop-first", "1"], &["--hold-out", "blocks"]);
    assert_eq!(printed.len(), 4);
    for (row, depth) in printed.iter().zip(1..) {
        let figure = |key: &str| row[key].as_f64().unwrap_or_else(|| panic!("{key} in {row}"));
        assert_eq!(row["max_depth"], depth);
        // Penalties are sorted from the worst; the times are those of the decisions and of the best methods.
        let quadtree = Quadtree { max_depth: Some(depth), ..Quadtree::default() };
        let tree = encode::encode(&train, &quadtree, Borders::Floor).unwrap();
        assert_eq!(row["leaves"], tree.statistics().encoding.leaves);
        let penalties = |judged_by: usize| {
            let (mut penalties, mut chosen_sum, mut best_sum) = (Vec::new(), 0.0, 0.0);
            for (&(comm_size, msg_size), costs) in &costs {
                let method = tree.domain().method(tree.decide(&[comm_size, msg_size]).unwrap()).label();
                let best = costs.values().map(|cost| cost[judged_by]).fold(f64::INFINITY, f64::min);
                let chosen = costs[&*method][judged_by];
                penalties.push(100.0 * (chosen / best - 1.0));
                chosen_sum += chosen;
                best_sum += best;
            }
            penalties.sort_by(|a, b| b.total_cmp(a));
            (penalties, 100.0 * (chosen_sum / best_sum - 1.0))
        };
        let mean = |penalties: &[f64]| penalties.iter().sum::<f64>() / penalties.len() as f64;
        let above = |penalties: &[f64], limit: f64| {
            100.0 * penalties.iter().filter(|&&penalty| penalty > limit).count() as f64 / 84.0
        };
        let (own, time_weighted) = penalties(0);
        assert!(near(figure("penalty_mean"), mean(&own)), "{row}");
        assert!(near(figure("penalty_median"), median(&own)), "{row}");
        assert!(near(figure("penalty_max"), own[0]) && near(figure("penalty_min"), own[83]), "{row}");
        assert!(near(figure("time_weighted"), time_weighted), "{row}");
        for (key, limit) in [("above_5", 5.0), ("above_10", 10.0), ("above_25", 25.0), ("above_50", 50.0)] {
            assert!(near(figure(key), above(&own, limit)), "{key} in {row}");
        }
        let (held_out, time_weighted) = penalties(1);
        assert!(near(figure("held_out_mean"), mean(&held_out)), "{row}");
        assert!(near(figure("held_out_time_weighted"), time_weighted), "{row}");
        assert!(near(figure("held_out_above_5"), above(&held_out, 5.0)), "{row}");
        assert!(near(figure("held_out_above_25"), above(&held_out, 25.0)), "{row}");
        assert!(near(figure("held_out_median"), median(&held_out)), "{row}");
        assert!(near(figure("held_out_max"), held_out[0]), "{row}");
        let differences = costs.iter().zip(train.cells()).map(|((&(comm_size, msg_size), costs), exact)| {
            let method = tree.domain().method(tree.decide(&[comm_size, msg_size]).unwrap()).label();
            let exact = train.domain().method(exact.unwrap()).label();
            100.0 * (costs[&*method][1] / costs[&*exact][1]).ln()
        });
        let difference = differences.sum::<f64>() / 84.0;
        assert!(near(figure("to_exact"), difference), "{row}");
        assert!(figure("to_exact_low") <= difference && difference <= figure("to_exact_high"), "{row}");
    }
}

/// Returns the table of a map with this option and value, and of the canonical times that it was made from.
fn sweep(of_map: [&str; 2], options: &[&str]) -> Vec<serde_json::Value> {
    let folder = tempfile::tempdir().unwrap();
    let run = |arguments: &[&str]| {
        let mut command = Command::new(qtdec_commands::qtdec());
        let output = command.args(arguments).current_dir(folder.path()).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        output.stdout
    };
    run(&["read", ARCHIVE, "--element-size", "8", "--basis", "block", "-o", "times.csv"]);
    run(&[&["map", "times.csv", "-o", "map.json"], &of_map[..]].concat());
    let sweep = ["sweep", "map.json", "--times", "times.csv", "--json"];
    serde_json::from_slice(&run(&[&sweep[..], options].concat())).unwrap()
}

/// Ties are exactly the methods within the tolerance; with the test, only those that it cannot distinguish from the
/// best.
#[test]
fn ties_are_those_of_the_rows() {
    for per_cent in [0.0, 2.0, 5.0, 50.0] {
        let plain = map(&tolerance(per_cent), &MEASUREMENTS);
        let told_apart = Recipe {
            ties: Some(TieRule { tolerance: per_cent, distinction: Some(Distinction { level: 0.05 }) }),
            ..Recipe::default()
        };
        let tested = map(&told_apart, &MEASUREMENTS);
        let mut fewer = 0;
        for (cell, (point, times)) in ROWS.iter().enumerate() {
            assert_eq!(plain.domain().sizes(cell), [point.0, point.1]);
            let medians: BTreeMap<&str, f64> =
                times.iter().map(|(name, times)| (&**name, median(&times[1..]))).collect();
            let best = medians.values().copied().fold(f64::INFINITY, f64::min);
            let label = |method: &qtdec_core::MethodIndex| plain.domain().method(*method).label();
            let mut tied: Vec<String> = plain.acceptable_methods(cell).iter().map(label).collect();
            tied.sort();
            let within = medians.iter().filter(|(_, time)| **time <= best * (1.0 + per_cent / 100.0));
            assert_eq!(tied, within.map(|(name, _)| (*name).to_owned()).collect::<Vec<_>>(), "{point:?}");
            let still = tested.acceptable_methods(cell);
            assert!(still.contains(&tested.cells()[cell].unwrap()));
            assert!(still.iter().all(|method| plain.acceptable_methods(cell).contains(method)));
            fewer += tied.len() - still.len();
        }
        assert_eq!(fewer > 0, per_cent > 0.0, "{per_cent} %: the test tells {fewer} apart");
    }
}

/// Counts the cells in which more than a fifth of the winner's repeats take over five times as long as the fastest.
#[test]
fn cells_of_two_modes_are_counted() {
    let two_modes = |times: &BTreeMap<String, Vec<f64>>| {
        let winner = times.values().min_by(|a, b| median(&a[1..]).total_cmp(&median(&b[1..]))).unwrap();
        let fastest = winner[1..].iter().copied().fold(f64::INFINITY, f64::min);
        winner[1..].iter().filter(|&&time| time > 5.0 * fastest).count() as f64 > 0.2 * 49.0
    };
    let expected = ROWS.values().filter(|times| two_modes(times)).count();
    let mut notes = Notes::default();
    Recipe::default().map(&MEASUREMENTS, &mut notes).unwrap();
    let reported = notes.lines().find(|line| line.contains("bimodal")).unwrap();
    assert!(reported.starts_with(&format!("{expected} of 84 cells are bimodal")), "{reported}");
    assert!(reported.ends_with("try --statistic geomean, else min"), "{reported}");
    assert!("warning: ".len() + reported.len() <= 200, "two lines of a terminal: {reported}");
}

/// Fugaku's grid is incomplete: gaps stay, or are filled.
#[test]
fn gaps_of_a_ragged_grid() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../qt-cli/data/pico-fugaku")
        .to_str()
        .unwrap()
        .to_owned();
    let requested = ReadOptions { collective: Some("allgather".to_owned()), ..ReadOptions::default() };
    let (measurements, _) = readers::read(&[folder], &requested, &mut |_, input| input).unwrap();
    let measured = measurements
        .all_series()
        .map(|(sizes, ..)| sizes.to_vec())
        .collect::<std::collections::BTreeSet<_>>();
    let of = |gaps| map(&Recipe { gaps, ..Recipe::default() }, &measurements);
    let empty = of(Gaps::Empty);
    let missing = empty.cells().len() - measured.len();
    assert!(missing > 0);
    assert_eq!(empty.cells().iter().filter(|cell| cell.is_none()).count(), missing);

    let nearest = of(Gaps::Nearest);
    assert!(nearest.cells().iter().all(Option::is_some));
    let interpolated = of(Gaps::Interpolate);
    let priced = |map: &DecisionMap| {
        let costs = map.costs().unwrap();
        let cell =
            |cell| map.domain().method_indexes().filter(move |&method| costs.get(cell, method).is_some());
        (0..map.cells().len()).flat_map(cell).count()
    };
    assert_eq!(priced(&nearest), priced(&empty), "a method is carried over, not its time");
    assert!(priced(&interpolated) > priced(&empty));
    for (cell, method) in
        empty.cells().iter().enumerate().filter_map(|(cell, method)| Some((cell, (*method)?)))
    {
        assert_eq!(nearest.cells()[cell], Some(method), "what was measured stays");
        assert_eq!(interpolated.costs().unwrap().get(cell, method), empty.costs().unwrap().get(cell, method));
    }
}

/// Choices and costs can use different statistics: the tree is built from medians, its penalties are those of means,
/// and only the first repeats count.
#[test]
fn decisions_are_charged_by_another_statistic() {
    let printed = sweep(["--first", "9"], &["--price", "mean", "--values", "2"]);
    let first = |times: &Vec<f64>| {
        let times = &times[..9];
        [median(times), times.iter().sum::<f64>() / 9.0]
    };
    let measurements = {
        let requested =
            ReadOptions { element_size: Some(8), basis: Some(Basis::Block), ..ReadOptions::default() };
        let read = readers::read(&[ARCHIVE.to_owned()], &requested, &mut |_, input| input).unwrap().0;
        Cleaning { first: Some(9), ..Cleaning::default() }.apply(read)
    };
    let map = map(&Recipe::default(), &measurements);
    let quadtree = Quadtree { max_depth: Some(2), ..Quadtree::default() };
    let tree = encode::encode(&map, &quadtree, Borders::Floor).unwrap();
    let penalty = |(&(comm_size, msg_size), times): (&(u64, u64), &BTreeMap<String, Vec<f64>>)| {
        let method = tree.domain().method(tree.decide(&[comm_size, msg_size]).unwrap()).label();
        let best = times.values().map(|times| first(times)[1]).fold(f64::INFINITY, f64::min);
        100.0 * (first(&times[&method])[1] / best - 1.0)
    };
    let mean = ROWS.iter().map(penalty).sum::<f64>() / 84.0;
    assert!(near(printed[0]["penalty_mean"].as_f64().unwrap(), mean), "{mean} in {}", printed[0]);
    assert_eq!(printed[0]["priced"], 84);
}
