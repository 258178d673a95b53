//! Names of files and folders, in which machines are not taken for launches, nor launches for machines.

use std::fs;
use std::path::Path;

use qtdec_study::measurements::Measurements;
use qtdec_study::readers::{self, Columns, PathPattern, ReadOptions};

const HEADER: &str = "comm_size,msg_size,method,time\n";

fn write(folder: &Path, name: &str, text: &str) {
    let file = folder.join(name);
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(file, text).unwrap();
}

fn read(folder: &Path, pattern: Option<&str>, columns: &str) -> Result<Measurements, String> {
    let path = pattern.map(|pattern| PathPattern::parse(pattern).unwrap());
    let columns = if columns.is_empty() { Columns::default() } else { Columns::parse(columns).unwrap() };
    let options = ReadOptions { columns, path, ..ReadOptions::default() };
    let read = readers::read(&[folder.to_str().unwrap().to_owned()], &options, &mut |_, input| input);
    read.map(|(measurements, _)| measurements).map_err(|failed| {
        let texts = failed.iter().flat_map(|failed| failed.problems.iter().map(ToString::to_string));
        texts.collect::<Vec<_>>().join("\n")
    })
}

/// Reads files of these names, each of which has a time of the method `ring` at the same point.
fn pooled(names: &[&str]) -> Result<Measurements, String> {
    let folder = tempfile::tempdir().unwrap();
    for name in names {
        write(folder.path(), name, &format!("{HEADER}4,8,ring,1\n4,8,tree,2\n"));
    }
    read(folder.path(), None, "")
}

#[test]
fn machines_in_the_names_of_files_are_not_pooled() {
    let folder = tempfile::tempdir().unwrap();
    // Ranks, bytes, algorithm and seconds, without names of columns.
    let rows = |ranks: u32, from: u32| {
        let row = |power| format!("{ranks} {} 1 0.0006\n{ranks} {} 2 0.0008\n", from << power, from << power);
        (0..3).map(row).collect::<String>()
    };
    for (name, ranks) in
        [("csi_short_10", 10), ("csi_short_6", 6), ("sonic_short_10", 10), ("sonic_short_10_2", 10)]
    {
        write(folder.path(), name, &rows(ranks, 8192));
    }
    write(folder.path(), "csi_long_10", &rows(10, 1 << 20));
    let columns = "comm_size=1,msg_size=2,method=3,time=4";
    let refused = read(folder.path(), None, columns).unwrap_err();
    assert!(
        refused.contains("may be methods, machines or launches: `csi` (6 times), `sonic` (12 times)"),
        "{refused}"
    );
    assert!(refused.contains("choose one with --path '*csi*' or --path '*sonic*'"), "{refused}");
    assert!(refused.contains("read them as such with --path '{method}_*'"), "{refused}");
    // These are the remedies that the message offers.
    let one = read(folder.path(), Some("*sonic*"), columns).unwrap();
    assert_eq!(one.all_series().count(), 6);
    let launches = read(folder.path(), Some("{run}_*"), columns).unwrap();
    assert_eq!(launches.runs().collect::<Vec<_>>(), ["csi", "sonic"]);
    // A pattern that leaves the words open is no choice.
    let refused = read(folder.path(), Some("*_{ppn}"), "comm_size=1,msg_size=2,method=3,time=4").unwrap_err();
    assert!(refused.contains("launches on one machine, write {run}"), "{refused}");
    fs::remove_file(folder.path().join("csi_short_10")).unwrap();
    assert!(read(folder.path(), None, columns).is_ok(), "the others have no time of the same point");
}

/// Two builds of one program are two methods, and the message offers the pattern that reads them so.
#[test]
fn two_builds_are_not_repeats() {
    for names in [
        ["before.json", "after.json"],
        ["old.json", "new.json"],
        ["v1.json", "v2.json"],
        ["a.json", "b.json"],
        ["test.json", "control.json"],
        ["openmp.json", "no-openmp.json"],
    ] {
        let folder = tempfile::tempdir().unwrap();
        for (name, time) in names.iter().zip([2.0, 1.0]) {
            let one = format!(
                "{{\"name\": \"gemm/64\", \"run_type\": \"iteration\", \"iterations\": 9, \"real_time\": {time}, \"cpu_time\": {time}, \"time_unit\": \"ns\"}}"
            );
            write(
                folder.path(),
                name,
                &format!("{{\"context\": {{\"num_cpus\": 1}}, \"benchmarks\": [{one}]}}"),
            );
        }
        let refused = read(folder.path(), None, "").map(|_| ()).unwrap_err();
        assert!(refused.contains("if they are methods, such as two builds"), "{names:?}: {refused}");
        assert!(refused.contains("--path '{method}.*'"), "{names:?}: {refused}");
        let read = read(folder.path(), Some("{method}.*"), "").unwrap();
        assert_eq!(read.methods().count(), 2, "{names:?}");
    }
}

#[test]
fn runs_dates_sizes_and_methods_are_no_machines() {
    for names in [
        &["run1.csv", "run2.csv", "run_03.csv"][..],
        &["ring.csv", "tree.csv"],
        &["ring_4_2025-03-26.csv", "ring_4_2025-04-01.csv"],
        &["bcast-np4-20250326T101112Z.csv", "bcast-np4-20250327T101112Z.csv.old"],
        &["slurm-1406935.out", "slurm-1406936.out"],
        &["first/a.csv", "second/a.csv"],
        &["allreduce_ring.csv", "ring.csv"],
        &["hawk_1.csv", "hawk_2.csv", "hawk_2_again.csv"],
    ] {
        if let Err(refused) = pooled(names) {
            panic!("{names:?}: {refused}");
        }
    }
}

#[test]
fn words_that_are_not_understood_are_asked_for() {
    for (names, told) in [
        (&["hawk_1.csv", "jean_1.csv"][..], "`hawk` (2 times), `jean` (2 times)"),
        (
            &["results.csv", "results_aurora.csv"],
            "`results.csv` without such a word (2 times), `aurora` (2 times)",
        ),
        (&["cluster1_ring.csv", "cluster2_ring.csv"], "`cluster1` (2 times), `cluster2` (2 times)"),
        (&["mpich_polaris.csv", "custom_polaris.csv"], "`custom` (2 times), `mpich` (2 times)"),
        (&["a100.csv", "h100.csv"], "`a` (2 times), `h` (2 times)"),
    ] {
        let refused = pooled(names).map(|_| ()).unwrap_err();
        assert!(refused.contains(told), "{names:?}: {refused}");
    }
}

/// The first file decides nothing: its folder may only number a run.
#[test]
fn machines_in_folders_are_seen_behind_folders_of_runs() {
    let refused = pooled(&["1/a.csv", "aurora/b.csv", "polaris/c.csv"]).unwrap_err();
    assert!(refused.contains("folders with different names"), "{refused}");
    assert!(refused.contains("`aurora`, `polaris`"), "{refused}");
    assert!(pooled(&["1/a1.csv", "aurora/a2.csv", "aurora/a3.csv"]).is_ok());
}

/// Of statistics, only the first ones of a method and point are used.
#[test]
fn statistics_of_several_machines_are_not_dropped_in_silence() {
    let osu = "# OSU MPI Broadcast Latency Test v7.4\n# Size       Avg Latency(us)\n1    1.50\n2    1.60\n";
    let folder = tempfile::tempdir().unwrap();
    for name in ["bcast_hawk.txt", "bcast_jean.txt"] {
        write(folder.path(), name, osu);
    }
    let pattern = "*_*.txt";
    let options = ReadOptions {
        fixed: [("comm_size", "4"), ("method", "ring")]
            .map(|(key, value)| (key.to_owned(), value.to_owned()))
            .into(),
        ..ReadOptions::default()
    };
    let read = |pattern: Option<&str>| {
        let path = pattern.map(|pattern| PathPattern::parse(pattern).unwrap());
        let options = ReadOptions { path, ..options.clone() };
        readers::read(&[folder.path().to_str().unwrap().to_owned()], &options, &mut |_, input| input)
    };
    for pattern in [None, Some(pattern)] {
        let failed = read(pattern).unwrap_err();
        let told: Vec<String> =
            failed.iter().flat_map(|failed| failed.problems.iter().map(ToString::to_string)).collect();
        assert!(told[0].contains("`hawk` (2 times), `jean` (2 times)"), "{told:?}");
    }
    let (launches, _) = read(Some("*_{run}.*")).unwrap();
    assert_eq!(launches.runs().collect::<Vec<_>>(), ["hawk", "jean"]);
}

/// Canonical times that name their machine are of one machine, whatever their files are called.
#[test]
fn files_that_name_their_machine_need_no_choice() {
    let folder = tempfile::tempdir().unwrap();
    let text = |about: &str| {
        format!(
            "# qtdec-times/1\n{about}# axis n\nn,method,launch,repeat,time_us\n4,ring,LAUNCH,1,1\n4,tree,LAUNCH,1,2\n"
        )
    };
    for (name, launch) in [("own.csv", "1"), ("forced.csv", "2")] {
        write(folder.path(), name, &text("# machine: hawk\n").replace("LAUNCH", launch));
    }
    assert_eq!(read(folder.path(), None, "").unwrap().runs().count(), 2);
    for (name, launch) in [("own.csv", "1"), ("forced.csv", "2")] {
        write(folder.path(), name, &text("").replace("LAUNCH", launch));
    }
    assert!(read(folder.path(), None, "").unwrap_err().contains("`forced` (2 times), `own` (2 times)"));
}
