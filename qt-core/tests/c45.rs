//! C4.5 compared with Weka's J48: the same trees, printed in the same way.
//!
//! The trees of J48 are stored in `c45/*.txt`. `cargo xtask ci` runs J48 again; with `SNAPSHOTS=overwrite`, it also rewrites the files.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use qtdec_core::encode::{self, C45, Constants, Encoder, Optimal, Report};
use qtdec_core::{Axis, Borders, DecisionMap, DecisionTree, Domain, Method, MethodIndex, Samples};
use qtdec_testkit::c45::maps;
use qtdec_testkit::maps::{Pattern, Plan};

/// The settings with which every map is encoded: the weight, and the confidence in per cent.
const SETTINGS: [(u32, f64); 14] = [
    (1, 25.0),
    (2, 1.0),
    (2, 5.0),
    (2, 15.0),
    (2, 25.0),
    (2, 50.0),
    (3, 25.0),
    (4, 5.0),
    (4, 25.0),
    (6, 25.0),
    (8, 1.0),
    (8, 25.0),
    (8, 50.0),
    (25, 25.0),
];

fn stored(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/c45").join(format!("{name}.txt"))
}

/// Returns the trees of a map with all settings, one after the other.
fn trees(tree: &mut dyn FnMut(u32, f64) -> String) -> String {
    SETTINGS.iter().fold(String::new(), |mut text, &(weight, confidence)| {
        let _ = writeln!(text, "-m {weight} -c {confidence}\n{}", tree(weight, confidence));
        text
    })
}

fn own(map: &DecisionMap) -> String {
    trees(&mut |weight, confidence| {
        C45 { weight, confidence, constants: Constants::J48 }.report(map, Borders::Ceiling).unwrap().tree
    })
}

#[test]
fn the_trees_are_those_of_j48() {
    assert!(maps().len() * SETTINGS.len() >= 100);
    for (name, map) in maps() {
        let theirs = std::fs::read_to_string(stored(name)).unwrap();
        assert_eq!(own(&map), theirs, "{name}");
    }
}

/// Returns the label that the text of a tree gives for sizes, by following the outcomes that hold.
fn read_off<'t>(text: &'t str, map: &DecisionMap, sizes: &[u64]) -> &'t str {
    let holds = |condition: &str| {
        let [axis, sign, bound] = condition.split(' ').collect::<Vec<_>>()[..] else { panic!("{condition}") };
        let axis = map.domain().axes().iter().position(|known| known.name == axis).unwrap();
        let size = sizes[axis];
        match (sign, &map.domain().axes()[axis].samples) {
            ("=", Samples::Labels(labels)) => labels[size as usize] == bound,
            ("<", _) => size < bound.parse().unwrap(),
            ("<=", _) => size <= bound.parse().unwrap(),
            (">", _) => size > bound.parse().unwrap(),
            (">=", _) => size >= bound.parse().unwrap(),
            _ => panic!("{condition}"),
        }
    };
    let mut depth = 0;
    for line in text.lines() {
        let condition = line.trim_start_matches("|   ");
        let level = (line.len() - condition.len()) / 4;
        let (condition, leaf) =
            condition.split_once(": ").map_or((condition, None), |(of, leaf)| (of, Some(leaf)));
        if condition.is_empty() || (level == depth && holds(condition)) {
            if let Some(leaf) = leaf {
                return leaf.rsplit_once(" (").unwrap().0;
            }
            depth += 1;
        }
    }
    panic!("no outcome holds for {sizes:?} in\n{text}")
}

/// Returns the sizes at which a decision can change, and those next to them.
fn around(tree: &DecisionTree, axis: usize) -> Vec<u64> {
    let samples = &tree.domain().axes()[axis];
    let Samples::Values(values) = &samples.samples else { return (0..samples.len() as u64).collect() };
    let at = (1..values.len()).map(|at| tree.threshold(axis, at));
    let mut sizes: Vec<u64> =
        at.flat_map(|border| [border - 1, border]).chain([values[0], 1 << 40]).collect();
    sizes.extend(values.windows(2).flat_map(|pair| [pair[0] + 1, pair[1] - 1]));
    sizes
}

/// The text, `decide` and the code are one tree: the same decision for every size, on and between the samples.
#[test]
fn the_text_decides_like_the_tree() {
    let settings = || Borders::ALL.into_iter().flat_map(|borders| SETTINGS.map(|setting| (borders, setting)));
    for ((name, map), ((called, borders), (weight, confidence))) in
        maps().iter().flat_map(|map| settings().map(move |settings| (map, settings)))
    {
        let c45 = C45 { weight, confidence, ..C45::default() };
        let text = c45.report(map, borders).unwrap().tree;
        let tree = encode::encode(map, &c45, borders).unwrap();
        let sizes: Vec<Vec<u64>> = (0..map.domain().axes().len()).map(|axis| around(&tree, axis)).collect();
        let longest = sizes.iter().map(Vec::len).max().unwrap();
        // Each size of an axis is tried with some sizes of the others.
        for (turn, number) in (0..3).flat_map(|turn| (0..longest).map(move |number| (turn, number))) {
            let size =
                |(axis, sizes): (usize, &Vec<u64>)| sizes[(number + axis * (7 * turn + 3)) % sizes.len()];
            let point: Vec<u64> = sizes.iter().enumerate().map(size).collect();
            let decided = tree.decide(&point).map(|method| map.domain().method(method).label());
            let read = read_off(&text, map, &point);
            assert_eq!(decided.as_deref(), Some(read), "{name}, {called}, {point:?}\n{text}");
        }
    }
}

/// Runs J48 itself. `WEKA` is the class path of Weka.
#[test]
#[ignore = "needs Java and Weka; `cargo xtask ci` runs it"]
fn j48_still_makes_the_stored_trees() {
    let weka = std::env::var("WEKA").expect("WEKA is the class path of weka.jar");
    let overwrite = std::env::var("SNAPSHOTS").is_ok_and(|value| value == "overwrite");
    let folder = tempfile::tempdir().unwrap();
    for (name, map) in maps() {
        let arff = folder.path().join("map.arff");
        std::fs::write(&arff, training_cases(&map)).unwrap();
        let theirs = trees(&mut |weight, confidence| j48(&weka, &arff, weight, confidence));
        if overwrite {
            std::fs::write(stored(name), &theirs).unwrap();
        }
        assert_eq!(std::fs::read_to_string(stored(name)).unwrap(), theirs, "{name}");
        assert_eq!(own(&map), theirs, "{name}");
    }
}

/// Returns the measured cells in Weka's input format.
fn training_cases(map: &DecisionMap) -> String {
    let domain = map.domain();
    let used: Vec<String> = domain
        .method_indexes()
        .filter(|method| map.cells().contains(&Some(*method)))
        .map(|method| format!("'{}'", domain.method(method).label()))
        .collect();
    let mut text = "@relation map\n".to_owned();
    for axis in domain.axes() {
        let kind = match &axis.samples {
            Samples::Values(_) => "numeric".to_owned(),
            Samples::Labels(labels) => format!("{{{}}}", labels.join(",")),
        };
        let _ = writeln!(text, "@attribute {} {kind}", axis.name);
    }
    let _ = writeln!(text, "@attribute method {{{}}}\n@data", used.join(","));
    for (cell, method) in map.cells().iter().enumerate() {
        let Some(method) = method else { continue };
        let sizes = domain.axes().iter().zip(domain.sizes(cell)).map(|(axis, size)| match &axis.samples {
            Samples::Values(_) => size.to_string(),
            Samples::Labels(labels) => labels[size as usize].clone(),
        });
        let sizes: Vec<String> = sizes.collect();
        let _ = writeln!(text, "{},'{}'", sizes.join(","), domain.method(*method).label());
    }
    text
}

fn j48(weka: &str, arff: &Path, weight: u32, confidence: f64) -> String {
    let output = Command::new("java")
        .args(["-Xmx512m", "-cp", weka, "weka.classifiers.trees.J48", "-no-cv", "-C"])
        .arg((confidence / 100.0).to_string())
        .args(["-M", &weight.to_string(), "-t"])
        .arg(arff)
        .output()
        .expect("java runs");
    let text = String::from_utf8(output.stdout).unwrap();
    let lines = text.lines().skip_while(|line| !line.starts_with("----")).skip(1);
    let tree = lines.skip_while(|line| line.is_empty()).take_while(|line| !line.is_empty());
    tree.fold(String::new(), |tree, line| tree + line + "\n")
}

/// On a checkerboard no single test has any gain, but a smallest tree needs a leaf for every square.
#[test]
fn a_checkerboard_is_one_leaf() {
    let map = Plan::new(&[8, 8], Pattern::Checkerboard, 1).map();
    let tree = encode::encode(&map, &C45::default(), Borders::Floor).unwrap();
    let statistics = tree.statistics();
    assert_eq!((statistics.regions, statistics.encoding.quality.mismatches), (1, 32));
    assert_eq!(encode::encode(&map, &Optimal::default(), Borders::Floor).unwrap().statistics().regions, 64);
}

#[test]
fn the_report_is_that_of_the_papers_tables() {
    let map = Plan { methods: 4, ..Plan::new(&[12, 16], Pattern::Smooth, 2) }.map();
    let report = C45::default().report(&map, Borders::Floor).unwrap();
    let encoded = encode::encode(&map, &C45::default(), Borders::Floor).unwrap();
    assert_eq!(report.after.errors, encoded.statistics().encoding.quality.mismatches);
    assert!(report.after.size <= report.before.size && report.after.errors >= report.before.errors);
    assert_eq!((report.after.size, report.after.cases), (2 * report.after.leaves - 1, 192));
    assert!(report.after.predicted > 100.0 * report.after.errors as f64 / 192.0);
    let listed = report.tree.lines().filter(|line| line.ends_with(')')).count();
    assert_eq!(listed as u64, report.after.leaves);
}

#[test]
fn options_out_of_range_are_refused() {
    let mut c45 = C45::default();
    for (option, value) in [
        ("weight", "0"),
        ("weight", "1.5"),
        ("confidence", "0"),
        ("confidence", "101"),
        ("confidence", "0.25"),
        ("constants", "r7"),
    ] {
        assert!(c45.set(option, value).is_err(), "{option} = {value}");
    }
    assert_eq!(c45, C45::default());
}

/// Returns a broadcast by the Hockney model, without noise: the time is a + b · bytes, with a = 5 µs and b = 1 ns.
fn hockney(rows: usize, columns: usize) -> DecisionMap {
    let spread = |most: f64, place: usize, places: usize| most * place as f64 / (places - 1) as f64;
    let ranks: Vec<u64> = (0..rows).map(|row| 2 + spread(126.0, row, rows).round() as u64).collect();
    let bytes: Vec<u64> =
        (0..columns).map(|column| spread(23.0, column, columns).exp2().round() as u64).collect();
    let names = ["linear", "binomial", "binary", "splitted binary", "pipeline"];
    let axes = vec![Axis::new("comm_size", ranks.clone()), Axis::new("msg_size", bytes.clone())];
    let domain = Domain::new(None, axes, names.map(Method::new).to_vec()).unwrap();
    let indexes: Vec<MethodIndex> = domain.method_indexes().collect();
    let best = |ranks: u64, bytes: u64| {
        let (a, b, p, m) = (5e-6, 1e-9, ranks as f64, bytes as f64);
        let levels = p.log2().ceil();
        let segments = |size: f64| ((m / size).ceil(), a + b * m.min(size));
        let (eighths, of_eighth) = ((m / 8192.0).ceil(), 0.8 * a + b * m.min(8192.0));
        let (quarters, of_quarter) = segments(32_768.0);
        let (whole, of_whole) = segments(131_072.0);
        let costs = [
            (p - 1.0) * (0.6 * a + b * m),
            levels * (a + b * m),
            (levels + eighths - 1.0) * 2.0 * of_eighth,
            (levels + quarters / 2.0 - 0.5) * 2.0 * of_quarter + a + b * m / 2.0,
            (p - 1.0 + whole - 1.0) * of_whole,
        ];
        let least = costs.iter().copied().fold(f64::INFINITY, f64::min);
        costs.iter().position(|&cost| cost == least).map(|method| indexes[method])
    };
    let cells = ranks.iter().flat_map(|&ranks| bytes.iter().map(move |&bytes| best(ranks, bytes)));
    DecisionMap::new(domain.clone(), cells.collect()).unwrap()
}

/// Compares sizes and errors before and after pruning with those that Release 8 printed for these maps.
#[test]
fn sizes_and_errors_are_those_of_release_8() {
    let small = hockney(8, 12);
    let large = hockney(32, 32);
    let printed = [
        (&small, 2, 25.0, [13, 1, 13, 1]),
        (&small, 2, 15.0, [13, 1, 9, 3]),
        (&large, 2, 5.0, [37, 3, 29, 7]),
        (&large, 2, 1.0, [37, 3, 33, 5]),
        (&large, 25, 25.0, [9, 64, 9, 64]),
    ];
    for (map, weight, confidence, expected) in printed {
        let Report { before, after, .. } =
            C45 { weight, confidence, ..C45::default() }.report(map, Borders::Floor).unwrap();
        let found = [before.size, before.errors, after.size, after.errors];
        assert_eq!(found, expected, "-m {weight} -c {confidence}");
    }
}

/// 65 535 methods at as many sizes once took 34 GB, because each method was counted at each size.
#[test]
fn a_method_for_every_size_is_refused_with_the_work_it_takes() {
    let count = MethodIndex::MAX_METHODS;
    let methods = (0..count).map(|number| Method::new(format!("m{number}"))).collect();
    let axes = vec![Axis::new("msg_size", (1..=count as u64).collect::<Vec<_>>())];
    let domain = Domain::new(None, axes, methods).unwrap();
    let cells = domain.method_indexes().map(Some).collect();
    let map = DecisionMap::new(domain, cells).unwrap();
    let said = encode::encode(&map, &C45::default(), Borders::Floor).unwrap_err().to_string();
    assert!(
        said.starts_with("C4.5's tree of 65535 different rows and columns takes 34 billion steps")
            && said.contains("encoding = \"greedy\""),
        "{said}"
    );
}
