//! Network files: what is accepted, written and rejected, and the schema.

use std::fs;
use std::path::PathBuf;

use annotate_snippets::Renderer;
use jsonschema::Validator;
use proptest::prelude::*;
use qtdec_core::{Place, Problem, SourceFile, Syntax};
use qtdec_mpi_predict::network::{
    Between, Description, Level, Network, Overheads, Placement, Point, ReceivePort, SizeFactor, Unit,
    WithinNode, import, shipped, shipped_names,
};
use snapbox::{Data, assert_data_eq};

fn files(folder: &str) -> Vec<PathBuf> {
    let mut files: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "json"));
    files.sort();
    assert!(!files.is_empty(), "{folder} is read");
    files
}

fn schema() -> Validator {
    let text = fs::read_to_string("schema/qtdec-network-1.schema.json").unwrap();
    let schema = serde_json::from_str(&text).unwrap();
    assert!(jsonschema::meta::is_valid(&schema));
    jsonschema::validator_for(&schema).unwrap()
}

fn valid(schema: &Validator, text: &str) -> bool {
    serde_json::from_str(text).is_ok_and(|value| schema.is_valid(&value))
}

#[test]
fn invalid_files_are_rejected_with_their_places() {
    for path in files("tests/refusals") {
        let name = path.file_name().unwrap().to_string_lossy();
        let bytes = fs::read(&path).unwrap();
        let problems = Network::from_json(&bytes).expect_err(&name);
        let source = SourceFile::read(name, &bytes[..]).unwrap();
        let said = source.reports(&problems, Syntax::Command, &Renderer::plain()).join("\n\n") + "\n";
        assert_data_eq!(said, Data::read_from(&path.with_extension("txt"), None).raw());
    }
}

/// Rejected files whose faults only show when parts of the file are compared.
const BEYOND_SCHEMAS: [&str; 2] = ["decreasing-sizes", "straddled-node"];

#[test]
fn the_schema_takes_what_the_reader_takes() {
    let schema = schema();
    for path in files("tests/accepted").into_iter().chain(files("networks")) {
        let text = fs::read_to_string(&path).unwrap();
        assert!(Network::from_json(text.as_bytes()).is_ok() && valid(&schema, &text), "{}", path.display());
    }
    for path in files("tests/refusals") {
        let name = path.file_stem().unwrap().to_string_lossy();
        let taken = valid(&schema, &fs::read_to_string(&path).unwrap());
        assert_eq!(taken, BEYOND_SCHEMAS.contains(&&*name), "{name}");
    }
}

#[test]
fn every_key_is_read() {
    let network = Network::from_json(&fs::read("tests/accepted/every-key.json").unwrap()).unwrap();
    let description = Description {
        name: Some("all of it".to_owned()),
        rails: 2,
        contention: Some(0.4),
        receive: ReceivePort::Shared,
        overheads: Overheads::Outside,
        eager_limit: Some(131_072),
        header_bytes: 16,
        ranks_per_node: 4,
        placement: Placement::Cyclic,
        reduce_per_byte: 0.25,
        copy_per_byte: 0.1,
        size_factors: vec![
            SizeFactor { bytes: 0, latency: 2.0, gap: 1.1 },
            SizeFactor { bytes: 1024, latency: 1.0, gap: 0.9 },
        ],
        within_node: Some(WithinNode {
            latency: 200.0,
            points: vec![point(1, 50.0, 0.0, 0.0), point(65_536, 1e4, 0.0, 0.0)],
        }),
        between: Some(Between {
            cluster_sizes: vec![16],
            latency: 1e7,
            points: vec![point(1, 1000.0, 0.0, 0.0), point(65_536, 1e6, 0.0, 0.0)],
        }),
        source: Some("{ \"latency\": \"stated\", \"gap\": [\"assumed\", null] }".to_owned()),
        ..Description::new(
            Unit::Nanoseconds,
            1500.5,
            vec![point(0, 300.1, 100.0, 120.0), point(4096, 1000.0, 110.0, 130.0)],
        )
    };
    assert_eq!(*network.description(), description);
}

fn point(bytes: u64, gap: f64, send: f64, receive: f64) -> Point {
    Point { bytes, gap, send, receive }
}

#[test]
fn the_cost_of_a_message_depends_on_its_size_level_and_header() {
    let network = Network::from_json(&fs::read("tests/accepted/every-key.json").unwrap()).unwrap();
    let close = |one: f64, other: f64| (one - other).abs() <= 1e-12 * other.abs();
    // 2032 bytes and a header of 16 are halfway between the points.
    let cost = network.cost(Level::Within, 2032);
    assert!(close(cost.latency, 1500.5e-9) && close(cost.gap, 0.9 * 650.05e-9), "{cost:?}");
    assert!(close(cost.send, 105e-9) && close(cost.receive, 125e-9), "{cost:?}");
    let cost = network.cost(Level::Between, 1);
    assert!(close(cost.latency, 2.0 * 1e-2), "{cost:?}");
    let cost = network.cost(Level::Node, 1);
    assert!(close(cost.latency, 2.0 * 200e-9), "{cost:?}");
    let levels = [(0, 3), (3, 4), (0, 15), (15, 16)].map(|(one, other)| network.level(one, other));
    assert_eq!(levels, [Level::Node, Level::Within, Level::Within, Level::Between]);
    assert!(close(network.reduce(8), 2e-9) && close(network.copy(10), 1e-9));
}

#[test]
fn sizes_far_beyond_the_points_are_warned_about() {
    let network = Network::from_json(&fs::read("tests/accepted/least.json").unwrap()).unwrap();
    assert_eq!(network.extrapolation(131_072), None);
    let said = network.extrapolation(131_073).unwrap().to_string();
    let expected = "points: a message of 131073 bytes is far beyond the last point, 65536 bytes (its gap is extrapolated along \
                    the line through the last two points; measure up to 131073 bytes)";
    assert_eq!(said, expected);
    assert!(network.extrapolation(u64::MAX).is_some() && network.gap(u64::MAX).is_finite());
}

#[test]
fn doubtful_networks_are_warned_about() {
    let noisy = vec![point(1, 5.0, 10.0, 4.0), point(2, 6.0, 10.0, 7.0), point(3, 60.0, 1.0, 1.0)];
    let mut description = Description::new(Unit::Microseconds, 1.0, noisy);
    description.contention = Some(1.5);
    let said: Vec<String> = Network::new(description.clone())
        .unwrap()
        .warnings()
        .iter()
        .map(|warning| format!("{warning}").split(" (").next().unwrap().to_owned())
        .collect();
    let expected = [
        "points[0].gap: at size 1 the gap, 5, is below the overhead `send`, 10, and at 1 other size",
        "points[1].gap: at size 2 the gap, 6, is below the overhead `receive`, 7",
        "points[2].gap: from 2 to 3 bytes the gap rises more than twice as steeply as before",
        "contention: a contention ratio of 1.5 is above 1",
    ];
    assert_eq!(said, expected);
    description.overheads = Overheads::Outside;
    assert_eq!(Network::new(description).unwrap().warnings().len(), 2);
}

#[test]
fn files_of_logp_mpi_are_read_as_they_are() {
    let bytes = fs::read("tests/measured/logp_mpi.txt").unwrap();
    let read = import(&bytes).unwrap();
    let expected = [
        point(0, 0.000_009_5, 0.000_003_1, 0.000_004_2),
        point(512, 0.000_025_1, 0.000_010_1, 0.000_011_3),
        point(1024, 0.000_044_3, 0.000_019_7, 0.000_019_8),
    ];
    let description = read.network.description();
    assert_eq!((description.unit, description.latency), (Unit::Seconds, 0.000_001_2));
    assert_eq!(description.points, expected);
    assert_eq!(read.notes, []);

    // The columns are found by name, in any order.
    let text = String::from_utf8(bytes).unwrap();
    let swapped =
        text.replace("os_min    os_cnfint", "os_cnfint os_min").replace("os ", "g ").replace(" g\n", " os\n");
    let swapped = import(swapped.as_bytes()).unwrap();
    assert_eq!(swapped.network.description().points[2], point(1024, 0.000_019_7, 0.000_044_3, 0.000_019_8));
}

#[test]
fn doubtful_values_in_files_of_logp_mpi_are_reported() {
    let text = fs::read_to_string("tests/measured/logp_mpi.txt").unwrap();
    let said = |text: &str| match import(text.as_bytes()) {
        Ok(import) => import.notes.iter().map(placed).collect::<Vec<_>>(),
        Err(problems) => problems.iter().map(placed).collect(),
    };
    let cases = [
        (text.replace("0.0000012", "12.5"), "2: a latency of 12.5 s is longer than that of any network"),
        (text.replace("0.0000012", "none"), "2: `none` is not a latency in seconds"),
        (text.replace("0.0000012", "0.0"), "the latency is 0"),
        (text.replace("# Latency", "# Latenz"), "the line `# Latency = …` is missing"),
        (text.replace(" or ", " o_r "), "the third line has no column `or`"),
        (text.replace("     512 ", "     many "), "5: column 2, bytes, is `many`, which is not a number"),
        (
            text.replace("0.0000251", "0.0000000"),
            "5: points without a gap above 0 or without overheads are omitted",
        ),
        (
            text.replace("0.0000251", "nan"),
            "5: points without a gap above 0 or without overheads are omitted",
        ),
        (text.replace("0.0000101", "-0.0000001"), "5: a negative overhead is replaced by 0"),
        (text.replace("0.0000095", "0.0000045"), "4: a gap of 0.0000045 s is only accurate to 0.1 µs"),
        (text.replace("    1024 ", "     512 "), "5: the size is repeated: the last of its lines is used"),
        (text.replace("       0 ", "    2048 "), "the sizes were not in order, and have been sorted"),
        (text.replace(" 0.0000001 0.0000443", ""), "6: the line has 7 of 9 columns"),
        (text.trim_end_matches("443\n").to_owned(), "the last line does not end with a line break"),
        (text.lines().take(3).collect::<Vec<_>>().join("\n"), "points: there are no points"),
        (text.lines().take(4).collect::<Vec<_>>().join("\n"), "points: there is only one point"),
    ];
    for (text, expected) in cases {
        assert!(said(&text).iter().any(|said| said == expected), "{expected}: {:?}", said(&text));
    }
}

fn placed(problem: &Problem) -> String {
    match problem.place {
        Place::Line(line) => format!("{line}: {}", problem.message),
        Place::At(ref path) => format!("{path}: {}", problem.message),
        _ => problem.message.to_string(),
    }
}

#[test]
fn files_of_netgauge_are_read_as_they_are() {
    let read = import(&fs::read("tests/measured/netgauge.txt").unwrap()).unwrap();
    let description = read.network.description();
    // g = (PRTT(n) − PRTT(1)) / 9; L = 5.0 / 2 − 0.4, not the 2.5 of the file.
    let expected = [(1, 0.4, 0.5, 0.6), (1025, 0.5, 0.5, 0.6), (2049, 1.0, 0.7, 0.8)];
    assert_eq!(description.unit, Unit::Microseconds);
    assert!((description.latency - 2.1).abs() < 1e-9);
    for (point, (bytes, gap, send, receive)) in description.points.iter().zip(expected) {
        assert!(point.bytes == bytes && (point.gap - gap).abs() < 1e-9, "{point:?}");
        assert_eq!((point.send, point.receive), (send, receive));
    }
    assert_eq!(description.points.len(), 3);
    let said: Vec<String> = read.notes.iter().map(placed).collect();
    let expected = [
        "6: points without a gap above 0 or without overheads are omitted",
        "7: a negative overhead is replaced by 0",
        "7: the size is repeated: the last of its lines is used",
    ];
    assert_eq!(said[..3], expected);
    assert_eq!(read.notes[3..], read.network.warnings());
}

#[test]
fn trains_of_one_message_and_negative_latencies_are_reported() {
    let text = fs::read_to_string("tests/measured/netgauge.txt").unwrap();
    let refused = import(text.replace("1 10 5.0", "1 1 5.0").as_bytes()).unwrap_err();
    assert_eq!(placed(refused.iter().next().unwrap()), "4: a train of 1 messages does not determine the gap");
    let read = import(text.replace("8.600000", "59.00000").as_bytes()).unwrap();
    assert_eq!(read.network.description().latency, 0.0);
    assert!(
        read.notes.iter().any(|note| note.message.to_string().starts_with("the computed latency is -3.500"))
    );
}

#[test]
fn other_files_are_refused() {
    for text in ["", "time,size\n1,2\n", "# size n\n1 2 3\n", "\u{0}"] {
        let problems = import(text.as_bytes()).unwrap_err();
        assert!(problems.to_string().starts_with("the file has no known format"), "{problems}");
    }
}

#[test]
fn shipped_networks_are_sound() {
    for name in shipped_names() {
        let network = shipped(name).unwrap();
        assert_eq!(network.description().name.as_deref(), Some(name));
        assert_eq!(network.warnings(), [], "{name}");
        let text = fs::read_to_string(format!("networks/{name}.json")).unwrap();
        let file: serde_json::Map<String, serde_json::Value> = serde_json::from_str(&text).unwrap();
        let known = ["stated: ", "assumed: ", "fitted: "];
        let values = file.keys().map(String::as_str).chain(["machine"]);
        for value in values.filter(|value| !["format", "name", "unit", "source"].contains(value)) {
            let source = file["source"][value].as_str().unwrap_or_default();
            assert!(known.iter().any(|known| source.starts_with(known)), "{name}: {value}: {source}");
        }
    }
    let said = shipped("griq").unwrap_err();
    let expected = "`griq` is neither a file nor the name of a shipped network (did you mean `grig`?); these are frodo, fugaku, gige, \
                    grid-2x16, grig, grig-fitted, icluster-2, multirail-32, nano, polaris";
    assert_eq!(said, expected);
}

prop_compose! {
    fn curves()(
        sizes in prop::collection::btree_set(0..1_u64 << 40, 2..8),
        times in prop::collection::vec((1e-9..1e9, 0.0..1e3, 0.0..1e3), 8),
    ) -> Vec<Point> {
        sizes.into_iter().zip(times).map(|(bytes, (gap, send, receive))| point(bytes, gap, send, receive)).collect()
    }
}

prop_compose! {
    fn networks()(
        (latency, points, far) in (0.0..1e6, curves(), prop::option::of((prop::collection::vec(1..100_u64, 1..4), 0.0..1e9, curves()))),
        near in prop::option::of((0.0..1e3, curves())),
        (rails, contention, header_bytes, ranks_per_node) in (1..65_u32, prop::option::of(0.0..2.0), 0..100_u64, 1..9_u64),
        (shared, is_cyclic, overheads, unit) in (any::<bool>(), any::<bool>(), 0..3_usize, 0..4_usize),
        (eager_limit, name) in (prop::option::of(any::<u64>()), prop::option::of("\\PC*")),
    ) -> Network {
        let between = far.map(|(nodes, latency, points)| {
            Between { cluster_sizes: nodes.into_iter().map(|nodes| nodes * ranks_per_node).collect(), latency, points }
        });
        Network::new(Description {
            name, rails, contention, header_bytes, ranks_per_node, eager_limit, between,
            within_node: near.map(|(latency, points)| WithinNode { latency, points }),
            receive: if shared { ReceivePort::Shared } else { ReceivePort::Fifo },
            placement: if is_cyclic { Placement::Cyclic } else { Placement::Consecutive },
            overheads: [Overheads::Ignored, Overheads::Inside, Overheads::Outside][overheads],
            ..Description::new(Unit::ALL[unit].1, latency, points)
        }).unwrap()
    }
}

proptest! {
    #[test]
    fn what_is_written_can_be_read(network in networks()) {
        let text = network.to_json();
        prop_assert_eq!(Network::from_json(text.as_bytes()).unwrap(), network);
        prop_assert!(valid(&schema(), &text));
    }

    #[test]
    fn gaps_never_fall_beyond_the_points(network in networks(), bytes in any::<u64>()) {
        let last = network.description().points.last().unwrap();
        let bytes = bytes.max(last.bytes);
        prop_assert!(network.gap(bytes) >= network.gap(last.bytes) * (1.0 - 1e-12));
    }

    #[test]
    fn no_bytes_make_a_reader_panic(text in "\\PC*|# LogP.*\n# Latency = 0\\.1\n(.*\n)*|# PRTT\\(1,0,s\\)\n([0-9. ]*\n)*") {
        let _ = import(text.as_bytes());
    }
}

#[test]
fn clusters_follow_each_other_and_the_last_size_repeats() {
    for sizes in [vec![1], vec![16], vec![8, 16, 4], vec![1, 2, 3, 1], vec![u64::MAX, 5]] {
        let points = vec![point(1, 1.0, 0.0, 0.0), point(2, 2.0, 0.0, 0.0)];
        let between = Between { cluster_sizes: sizes.clone(), latency: 1.0, points: points.clone() };
        let description =
            Description { between: Some(between), ..Description::new(Unit::Microseconds, 1.0, points) };
        let network = Network::new(description).unwrap();
        let all = sizes.iter().chain(std::iter::repeat(&sizes[sizes.len() - 1])).enumerate();
        let expected: Vec<u64> = all
            .flat_map(|(cluster, &size)| (0..size.min(100)).map(move |_| cluster as u64))
            .take(100)
            .collect();
        for (rank, cluster) in expected.iter().enumerate() {
            assert_eq!(network.cluster(rank as u64), *cluster, "{sizes:?} {rank}");
            let same = *cluster == expected[(rank * 7) % 100];
            let level = if same { Level::Within } else { Level::Between };
            assert_eq!(network.level(rank as u64, (rank as u64 * 7) % 100), level);
            let runs = network.clusters(rank as u64 + 1);
            let found = runs.into_iter().flat_map(|(count, size)| (0..count).map(move |_| size));
            let members: Vec<u64> = found
                .enumerate()
                .flat_map(|(cluster, size)| (0..size).map(move |_| cluster as u64))
                .collect();
            assert_eq!(members, expected[..=rank], "{sizes:?} {rank}");
        }
    }
}
