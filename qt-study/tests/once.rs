//! Files are read once: several collectives in one pass, and maps of canonical times that are those of the files themselves.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::io::{Cursor, Read};
use std::path::Path;

use proptest::prelude::*;
use qtdec_core::DecisionMap;
use qtdec_study::canonical::{Times, from_measurements};
use qtdec_study::measurements::Measurements;
use qtdec_study::notes::Notes;
use qtdec_study::readers::{self, PathPattern, ReadOptions};
use qtdec_study::selection::Recipe;
use tempfile::TempDir;

const DATA: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../qt-cli/data");

fn folder(files: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        fs::write(folder.path().join(name), text).unwrap();
    }
    folder
}

fn paths(folder: &Path) -> Vec<String> {
    vec![folder.to_str().unwrap().to_owned()]
}

fn read_each(paths: &[String], options: &ReadOptions) -> Result<Vec<Measurements>, String> {
    readers::read_each(paths, options, &mut |_, input| input)
        .map(|(all, _)| all)
        .map_err(|failed| failed[0].problems.to_string())
}

fn map(measurements: &Measurements) -> DecisionMap {
    Recipe::default().map(measurements, &mut Notes::default()).unwrap()
}

fn text(times: &Times) -> Vec<u8> {
    let mut text = Vec::new();
    times.write(&mut text).unwrap();
    text
}

/// Returns the maps of files, directly and from their canonical times.
fn both_ways(path: &str, options: &ReadOptions) -> [Vec<String>; 2] {
    let files = [format!("{DATA}/{path}")];
    let direct = read_each(&files, options).unwrap();
    let (times, _) = readers::times(&files, options, &mut |_, input| input).unwrap();
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("times.csv"), text(&times)).unwrap();
    let again = read_each(&paths(folder.path()), &ReadOptions::default()).unwrap();
    let (same, _) =
        readers::times(&paths(folder.path()), &ReadOptions::default(), &mut |_, input| input).unwrap();
    assert_eq!(same, times, "canonical times remain as they are");
    [direct, again].map(|all| all.iter().map(|one| map(one).to_file().unwrap()).collect())
}

#[test]
fn shipped_files_have_the_same_maps_through_canonical_times() {
    let polaris = ReadOptions { element_size: Some(8), ..ReadOptions::default() };
    let [direct, again] = both_ways("polaris-reduce-scatter/raw.tar.xz", &polaris);
    assert_eq!(direct.len(), 1);
    assert!(direct == again, "Polaris");
    let [direct, again] = both_ways("pico-fugaku", &ReadOptions::default());
    assert_eq!(direct.len(), 8);
    assert!(direct == again, "Fugaku");
    for collective in
        ["allgather", "allreduce", "alltoall", "bcast", "gather", "reduce", "reduce_scatter", "scatter"]
    {
        let fugaku = ReadOptions { collective: Some(collective.to_owned()), ..ReadOptions::default() };
        let [direct, again] = both_ways("pico-fugaku", &fugaku);
        assert_eq!(direct.len(), 1, "{collective}");
        assert!(direct == again, "{collective}");
    }
}

prop_compose! {
    /// Rows of a table, with few methods, sizes and times, so that methods tie and collectives see them in different orders.
    fn any_rows()(
        rows in prop::collection::vec((0..3_usize, 0..4_usize, 1..=2_u32, 1..=3_u32, 1..=3_u32, 1..=4_u32), 1..60),
        one in any::<bool>(),
    ) -> [String; 2] {
        let mut files = [(); 2].map(|()| "collective,method,comm_size,msg_size,run,time_us\n".to_owned());
        for (at, (collective, method, comm_size, msg_size, run, time)) in rows.into_iter().enumerate() {
            let collective = ["reduce", "bcast", "gather"][collective];
            let method = ["ring", "linear", "chain", "basic"][method];
            let file = if one { 0 } else { at % 2 };
            let bytes = msg_size * 8;
            writeln!(files[file], "{collective},{method},{comm_size},{bytes},{run},{time}").unwrap();
        }
        files
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, ..ProptestConfig::default() })]

    /// Every collective has the same map through canonical times, which also lists the methods in the same order.
    #[test]
    fn collectives_have_the_same_maps_through_canonical_times(files in any_rows()) {
        let raw = folder(&[("one.csv", &files[0]), ("two.csv", &files[1])]);
        let options = ReadOptions::default();
        let direct = read_each(&paths(raw.path()), &options).unwrap();
        let (times, _) = readers::times(&paths(raw.path()), &options, &mut |_, input| input).unwrap();
        let canonical = folder(&[("times.csv", &String::from_utf8(text(&times)).unwrap())]);
        let again = read_each(&paths(canonical.path()), &options).unwrap();
        prop_assert_eq!(direct.len(), again.len());
        for (direct, again) in direct.iter().zip(&again) {
            prop_assert_eq!(map(direct).to_file().unwrap(), map(again).to_file().unwrap());
            // This collective alone, as `qtdec read --collective` writes it.
            let options = ReadOptions { collective: direct.collective.clone(), ..ReadOptions::default() };
            let (alone, _) = readers::times(&paths(canonical.path()), &options, &mut |_, input| input).unwrap();
            let alone = folder(&[("times.csv", &String::from_utf8(text(&alone)).unwrap())]);
            let alone = read_each(&paths(alone.path()), &ReadOptions::default()).unwrap();
            prop_assert_eq!(map(direct).to_file().unwrap(), map(&alone[0]).to_file().unwrap());
        }
    }
}

#[test]
fn each_file_is_opened_once_and_collectives_are_as_if_read_alone() {
    let rows = |method: &str, scale: u32| -> String {
        let head = "collective,comm_size,msg_size,method,time_us\n".to_owned();
        let row =
            |(at, collective): (u32, &str)| format!("{collective},4,1024,{method},{}\n", at * scale + 1);
        head + &(0..60)
            .zip(["bcast", "gather", "reduce_scatter"].into_iter().cycle())
            .map(row)
            .collect::<String>()
    };
    let folder = folder(&[("one.csv", &rows("ring", 1)), ("two.csv", &rows("linear", 2))]);
    let mut opened: BTreeMap<String, u32> = BTreeMap::new();
    let mut watch = |name: &str, input: Box<dyn Read>| {
        *opened.entry(name.to_owned()).or_default() += 1;
        input
    };
    let options = ReadOptions::default();
    let (all, _) = readers::read_each(&paths(folder.path()), &options, &mut watch).unwrap();
    assert_eq!(all.len(), 3);
    for one in &all {
        let alone = ReadOptions { collective: one.collective.clone(), ..ReadOptions::default() };
        let alone = read_each(&paths(folder.path()), &alone).unwrap();
        assert_eq!(map(one).to_file().unwrap(), map(&alone[0]).to_file().unwrap());
        assert_eq!(
            text(&from_measurements(std::slice::from_ref(one)).unwrap()),
            text(&from_measurements(&alone).unwrap())
        );
    }
    let (times, _) = readers::times(&paths(folder.path()), &options, &mut watch).unwrap();
    assert_eq!(times.rows().len(), 120);
    assert_eq!(opened.values().collect::<Vec<_>>(), [&2, &2], "once by each of the two calls");
}

#[test]
fn collectives_may_have_different_axes_but_not_in_one_file() {
    let folder = folder(&[
        ("barrier_np4.txt", "# OSU MPI Barrier Latency Test v7.3\n# Avg Latency(us)\n             12.50\n"),
        ("bcast_np4.txt", "# OSU MPI Broadcast Latency Test v7.3\n# Size       Avg Latency(us)\n1024 3.5\n"),
    ]);
    let path = PathPattern::parse("{collective}_np{comm_size}.txt").unwrap();
    let fixed = BTreeMap::from([("method".to_owned(), "ring".to_owned())]);
    let options = ReadOptions { path: Some(path), fixed, ..ReadOptions::default() };
    let all = read_each(&paths(folder.path()), &options).unwrap();
    let axes: Vec<usize> = all.iter().map(|one| one.axes().len()).collect();
    assert_eq!(axes, [1, 2]);
    let refused = readers::times(&paths(folder.path()), &options, &mut |_, input| input).unwrap_err();
    let refused = refused[0].problems.to_string();
    assert!(refused.contains("different axes") && refused.contains("--collective"), "{refused}");
}

#[test]
fn times_of_no_collective_among_several_are_refused() {
    let folder = folder(&[
        ("a.csv", "collective,comm_size,msg_size,method,time_us\nbcast,4,8,ring,1\ngather,4,8,ring,2\n"),
        ("b.csv", "comm_size,msg_size,method,time_us\n4,8,ring,3\n"),
    ]);
    let refused = read_each(&paths(folder.path()), &ReadOptions::default()).unwrap_err();
    assert!(
        refused.contains("b.csv` does not name its collective") && refused.contains("--collective"),
        "{refused}"
    );
}

#[test]
fn a_column_of_machines_is_a_key_of_canonical_times() {
    let table = |machines: [&str; 2]| {
        let [one, other] = machines;
        format!("machine,comm_size,msg_size,method,time_us\n{one},4,8,ring,1\n{other},8,8,ring,2\n")
    };
    let times = |machines: [&str; 2]| {
        let folder = folder(&[("times.csv", &table(machines))]);
        readers::times(&paths(folder.path()), &ReadOptions::default(), &mut |_, input| input)
            .map(|(times, _)| String::from_utf8(text(&times)).unwrap())
            .map_err(|failed| failed[0].problems.to_string())
    };
    let written = times(["Polaris", "Polaris"]).unwrap();
    assert!(written.contains("\n# machine: Polaris\n"), "{written}");
    let (again, _) =
        readers::read_one("times.csv", Cursor::new(written.into_bytes()), &ReadOptions::default()).unwrap();
    assert!(again.about.has("machine", "Polaris"));
    assert!(times(["Polaris", "Aurora"]).unwrap_err().contains("2 machines"));
}
