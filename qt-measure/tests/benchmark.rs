//! What a benchmark measures, and the map that it writes.

use std::cell::Cell;
use std::time::Duration;

use qtdec_core::Document;
use qtdec_measure::{Benchmark, Error, Point, Statistic};

#[test]
fn the_faster_method_is_chosen_at_every_point() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("maps/wait.json");
    let setting_up = |quick: &'static str| {
        move |point: &Point| {
            let slow = point.label("kind") != quick;
            let call = Duration::from_micros(point["n"] * if slow { 800 } else { 100 });
            move |calls: u64| call * calls as u32
        }
    };
    let measured = Benchmark::new()
        .axis("n", [1, 4])
        .labels("kind", ["even", "odd"])
        .timed_method("of even", setting_up("even"))
        .baseline()
        .timed_method("of odd", setting_up("odd"))
        .rounds(3)
        .warm_up(Duration::ZERO)
        .quiet()
        .measure()
        .unwrap();
    assert!(measured.times().unwrap().header().about.has("baseline", "of even"));
    measured.write_map(&path).unwrap();
    let map = Document::from_json(&std::fs::read(&path).unwrap()).unwrap().into_map().unwrap();
    let chosen: Vec<usize> = map.cells().iter().flatten().map(|method| method.get()).collect();
    assert_eq!(chosen, [0, 1, 0, 1]);
    assert!(!map.is_placeholder() && map.domain().baseline().is_some());
    let source = map.source().unwrap();
    for part in ["\"date\"", "\"cpus\"", "\"target\"", "qtdec-measure", "\"rounds\""] {
        assert!(source.contains(part), "{source}");
    }
    let costs: Vec<Option<f64>> =
        (0..4).map(|cell| map.costs().unwrap().get(cell, map.cells()[cell].unwrap())).collect();
    assert_eq!(costs, [100_000.0, 100_000.0, 400_000.0, 400_000.0].map(Some));
    assert_eq!(std::fs::read_dir(path.parent().unwrap()).unwrap().count(), 1, "no temporary file is left");
}

#[test]
fn what_makes_no_map_is_not_measured() {
    let calls = Cell::new(0);
    let benchmark = || Benchmark::new().method("a", |_| || calls.set(calls.get() + 1)).quiet();
    let refused = benchmark().axis("n", [2, 1]).method("a", |_| || ()).measure();
    let Err(Error::Invalid(problems)) = refused else { panic!("it is refused") };
    assert_eq!(problems.iter().count(), 2, "{problems}");
    assert!(benchmark().measure().is_err(), "there is no axis");
    assert_eq!(calls.get(), 0);
}

#[test]
fn a_test_calls_every_method_once_and_writes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("map.json");
    let calls = Cell::new(0);
    let count = |_: &Point| || calls.set(calls.get() + 1);
    Benchmark::new().axis("n", [1, 2]).method("a", count).method("b", count).write_on_bench(&path).unwrap();
    assert_eq!(calls.get(), 2);
    assert!(!path.exists());
}

#[test]
fn all_times_are_written_as_canonical_times() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("times/all.csv");
    let waiting =
        |micros: u64| move |_: &Point| move |calls: u64| Duration::from_micros(micros) * calls as u32;
    let measured = Benchmark::new()
        .axis("n", [1, 4])
        .labels("kind", ["odd", "even"])
        .timed_method("slow", waiting(200))
        .timed_method("quick", waiting(100))
        .rounds(2)
        .race(false)
        .quiet()
        .measure()
        .unwrap();
    measured.write_times(&path).unwrap();
    let text = std::fs::read_to_string(&path).unwrap();
    let (header, rows) = text.split_once("n,kind,method,launch,repeat,time_ns\n").unwrap();
    for line in [
        "# qtdec-times/1\n",
        "# measured: 2",
        "# tool: qtdec-measure ",
        "# axis kind\n# label kind: odd\n# label kind: even\n",
    ] {
        assert!(header.contains(line), "{header}");
    }
    let rows: Vec<Vec<&str>> = rows.lines().map(|row| row.split(',').collect()).collect();
    assert_eq!(rows.len(), 2 * 2 * 2 * 2);
    let first = [&rows[0][..3], &rows[0][4..]].concat();
    assert_eq!(first, ["1", "odd", "slow", "1", "200000"]);
    let read = qtdec_times::read(&mut text.as_bytes(), |_| ()).unwrap();
    assert_eq!(read, measured.times().unwrap());
}

#[test]
fn the_minimum_forgives_slow_repeats() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("map.json");
    let measured = |statistic: Statistic| {
        let calls = Cell::new(0);
        // Each repeat but the first follows a call that warms up.
        let waiting = |_: u64| {
            calls.set(calls.get() + 1);
            Duration::from_millis(if (calls.get() - 1) / 2 % 2 == 1 { 90 } else { 10 })
        };
        let waiting = &waiting;
        let slow = |_: &Point| |_: u64| Duration::from_secs(1);
        let benchmark = Benchmark::new().axis("n", [1]).timed_method("a", move |_| waiting);
        let benchmark = benchmark
            .timed_method("b", slow)
            .warm_up(Duration::ZERO)
            .race(false)
            .rounds(6)
            .statistic(statistic);
        benchmark.quiet().measure().unwrap()
    };
    let median = measured(Statistic::Median);
    assert_eq!(median.repeats(0, 0), [10.0, 90.0, 10.0, 90.0, 10.0, 90.0].map(|time| time * 1e6));
    assert!(median.disturbance().is_some_and(|reason| reason.contains("at 1 of 1 points")));
    let refused = median.write_map(&path).unwrap_err();
    assert!(matches!(&refused, Error::Disturbed { kept, .. } if kept.ends_with("map.noisy.json")));
    let told = refused.to_string();
    assert!(
        told.contains(".clock(Clock::Processor)") && told.contains(".statistic(Statistic::Min)"),
        "{told}"
    );
    assert!(!path.exists());

    let min = measured(Statistic::Min);
    assert_eq!(min.disturbance(), None);
    min.write_map(&path).unwrap();
    let map = Document::from_json(&std::fs::read(&path).unwrap()).unwrap().into_map().unwrap();
    let costs = map.costs().unwrap();
    assert_eq!(costs.get(0, map.cells()[0].unwrap()), Some(10e6));
    assert_eq!((costs.statistic.as_deref(), map.recipe()), (Some("min"), Some(r#"{"statistic":"min"}"#)));
}

#[test]
fn a_map_that_cannot_be_written_says_where() {
    let measured =
        Benchmark::new().axis("n", [1]).method("a", |_| || ()).rounds(1).force().quiet().measure().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let error = measured.write_map(folder.path()).unwrap_err();
    assert!(error.to_string().starts_with("cannot write `"), "{error}");
    assert!(std::error::Error::source(&error).is_some());
}
