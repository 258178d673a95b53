//! The file of MPICH's device leads to nothing exactly where rules force an algorithm of the layer below, and names compositions.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use qtdec_core::encode::{self, Quadtree};
use qtdec_core::{Axis, Basis, Borders, DecisionMap, DecisionTree, Domain, Method, MethodIndex};
use qtdec_mpi_library::catalogue::{Library, Need, SizeUnit, natural_basis_or_buffer};
use qtdec_mpi_library::tuning::mpich::device_file;
use qtdec_mpi_library::tuning::{Format, Job, LibraryRules, RuleOptions, Severity, find_format};

const WHOLE: &[u8] = include_bytes!("commands.in/whole.json");

/// A file of CH4. Two conditions on `comm_size<` are read differently: that of bcast comes before any condition on a call, and that of
/// allreduce after one.
const DEVICE: &str = include_str!("commands.in/ch4.json");

fn mpich() -> &'static Format {
    find_format("mpich").unwrap()
}

/// Returns a tree whose choice is the library's own in every second cell, on one rank of a node and on several.
fn tree(collective: &str, algorithm: &str) -> DecisionTree {
    let basis = Some(match natural_basis_or_buffer(collective) {
        Basis::Buffer => Basis::Buffer,
        _ => Basis::Block,
    });
    let mut axes = vec![Axis::new("comm_size", vec![2, 8, 12]), Axis::new("ppn", vec![1, 4])];
    let mut columns = 1;
    if Library::Mpich.unit(collective) != SizeUnit::Nothing {
        columns = 3;
        axes.push(Axis { basis, ..Axis::new("msg_size", vec![1, 100, 70_000]) });
    }
    let methods = vec![Method { baseline: true, ..Method::new("default") }, Method::new(algorithm)];
    let domain = Domain::new(Some(collective.to_owned()), axes, methods).unwrap();
    let indexes: Vec<MethodIndex> = domain.method_indexes().collect();
    let cells = (0..6).flat_map(|row| (0..columns).map(move |column| Some((row + column) % 2)));
    let cells = cells.map(|cell| cell.map(|cell: usize| indexes[cell])).collect();
    let map = DecisionMap::new(domain, cells).unwrap();
    encode::encode(&map, &Quadtree::default(), Borders::Floor).unwrap()
}

fn rules(tree: &DecisionTree, collective: &str) -> LibraryRules {
    let unit = Library::Mpich.unit(collective);
    LibraryRules::new(tree, Library::Mpich, collective, unit, &RuleOptions::default()).unwrap()
}

#[test]
fn calls_that_are_left_to_the_library_keep_the_choice_of_the_file() {
    let (mut forced, mut left) = (0, 0);
    for known in Library::Mpich.collectives() {
        let algorithm = known
            .algorithms
            .iter()
            .find(|algorithm| algorithm.needs.iter().all(|need| *need == Need::OutOfPlace))
            .unwrap();
        let (collective, algorithm) = (known.name, algorithm.name);
        let tree = tree(collective, algorithm);
        let plan = [rules(&tree, collective)];
        let written = device_file::write(&plan, DEVICE.as_bytes()).unwrap();
        let text = mpich().write(&plan, Some(WHOLE)).unwrap().text;
        for ranks_per_node in [1, 2, 4, 16] {
            let read = |text: &[u8]| mpich().read(text, Job { ranks_per_node }).unwrap();
            let (before, after) = (read(DEVICE.as_bytes()), read(written.text.as_bytes()));
            let (own, ruled) = (read(WHOLE), read(text.as_bytes()));
            for ranks in [2, 3, 4, 5, 7, 8, 9, 12, 16, 64] {
                for bytes in [0, 1, 99, 100, 2000, 69_999, 70_000, 1 << 24] {
                    let basis = [ranks, ranks_per_node.min(ranks), bytes];
                    let method = tree.decide(&basis[..tree.domain().axes().len()]).unwrap();
                    let scale = match known.unit {
                        SizeUnit::TimesRanks | SizeUnit::Total => ranks,
                        _ => 1,
                    };
                    let call =
                        format!("{collective}, {ranks} ranks, {ranks_per_node} on a node, {bytes} bytes");
                    let [before, after, own, ruled] = [&before, &after, &own, &ruled]
                        .map(|selection| selection.decide(collective, ranks, bytes * scale));
                    assert!(!before.is_library(), "{call}");
                    // Nodes that are filled in part have fewer ranks on average, and sizes of all ranks have rules up to the largest number.
                    if ranks % ranks_per_node.min(ranks) == 0 && ranks <= 12 {
                        assert_eq!(after.is_library(), !tree.domain().method(method).baseline, "{call}");
                    }
                    if after.is_library() {
                        assert_eq!(ruled.name.as_deref(), Some(algorithm), "{call}");
                        forced += 1;
                    } else {
                        assert_eq!(after, before, "{call}\n{}", written.text);
                        assert_eq!(ruled, own, "{call}");
                        left += 1;
                    }
                }
            }
        }
        // Collectives without rules keep their sections.
        let [before, after]: [serde_json::Value; 2] =
            [DEVICE, &written.text].map(|text| serde_json::from_str(text).unwrap());
        for (key, section) in before.as_object().unwrap() {
            let has_rules = *key == format!("collective={collective}");
            assert_eq!(after.get(key) != Some(section), has_rules, "{key}");
        }
        assert!(
            mpich().check(written.text.as_bytes(), None).iter().all(|found| found.severity == Severity::Note)
        );
    }
    assert!(forced > 1000 && left > 1000, "{forced} {left}");
}

#[test]
fn the_file_of_the_device_names_compositions() {
    for (collective, method, name) in [
        ("bcast", "ch4:beta", "MPIDI_Bcast_intra_composition_beta"),
        ("allreduce", "ch4:alpha", "MPIDI_Allreduce_intra_composition_alpha"),
    ] {
        let tree = tree(collective, method);
        let plan = rules(&tree, collective);
        let refused = mpich().write(std::slice::from_ref(&plan), Some(WHOLE)).unwrap_err().to_string();
        assert!(
            refused.contains(&format!("`{method}` of {collective} is a composition of MPICH's device CH4")),
            "{refused}"
        );
        assert!(refused.contains("another --into, or libmpich.so"), "{refused}");

        let written = device_file::write(std::slice::from_ref(&plan), DEVICE.as_bytes()).unwrap();
        let text = mpich().write(&[plan.without_nodes()], Some(WHOLE)).unwrap().text;
        let mut composed = 0;
        for ranks_per_node in [1, 2, 4, 16] {
            let read = |text: &[u8]| mpich().read(text, Job { ranks_per_node }).unwrap();
            let (before, after) = (read(DEVICE.as_bytes()), read(written.text.as_bytes()));
            let (own, ruled) = (read(WHOLE), read(text.as_bytes()));
            for (ranks, bytes) in
                [2, 8, 12].into_iter().flat_map(|ranks| [1, 100, 70_000].map(|bytes| (ranks, bytes)))
            {
                let call = format!("{collective}, {ranks} ranks, {ranks_per_node} on a node, {bytes} bytes");
                let [before, after, own, ruled] = [&before, &after, &own, &ruled]
                    .map(|selection| selection.decide(collective, ranks, bytes));
                let chosen = tree.decide(&[ranks, ranks_per_node.min(ranks), bytes]).unwrap();
                let is_composed = !tree.domain().method(chosen).baseline && ranks_per_node > 1;
                if is_composed && ranks % ranks_per_node.min(ranks) == 0 {
                    assert_eq!(after.name.as_deref(), Some(name), "{call}\n{}", written.text);
                    composed += 1;
                } else if !is_composed {
                    assert_eq!(after, before, "{call}\n{}", written.text);
                }
                assert_eq!(ruled, own, "{call}");
            }
        }
        assert!(composed > 8, "{composed}");
        let release = Some("5.0".parse().unwrap());
        let faults = mpich().check(written.text.as_bytes(), release);
        assert!(faults.iter().all(|found| found.severity == Severity::Note), "{faults:?}");
    }
}

#[test]
fn the_section_of_a_collective() {
    let map = r#"{ "format": "qtdec-map/1", "collective": "gather",
        "axes": [{ "name": "comm_size", "values": [2, 8] }],
        "methods": [{ "name": "default", "baseline": true }, { "name": "binomial" }], "cells": [0, 1] }"#;
    let Ok(qtdec_core::Document::Map(map)) = qtdec_core::Document::from_json(map.as_bytes()) else {
        panic!("it is a map");
    };
    let tree = encode::encode(&map, &Quadtree::default(), Borders::Floor).unwrap();
    let written = device_file::write(&[rules(&tree, "gather")], DEVICE.as_bytes()).unwrap();
    let all: serde_json::Value = serde_json::from_str(&written.text).unwrap();
    let composition = serde_json::json!({ "composition=MPIDI_Gather_intra_composition_alpha": {} });
    let ours = serde_json::json!({
        "comm_size<=7": composition,
        "comm_size<=8": { "comm_type=inter": composition },
        "comm_size=any": composition,
    });
    let expected = serde_json::json!({
        "comm_type=intra": {
            "comm_avg_ppn<=4096": {
                "comm_hierarchy=parent": ours, "comm_hierarchy=flat": ours, "comm_hierarchy=any": composition,
            },
            "comm_size=any": composition,
        },
    });
    assert_eq!(all["collective=gather"].to_string(), expected.to_string());
    let script = written.switches.script(Some("/a/ch4.json"));
    assert_eq!(script, "export MPIR_CVAR_CH4_COLL_SELECTION_TUNING_JSON_FILE=/a/ch4.json\n");
}

#[test]
fn files_that_would_take_the_device_from_others_are_refused() {
    let refused = |text: &str| device_file::write(&[], text.as_bytes()).unwrap_err().to_string();
    let own = String::from_utf8_lossy(WHOLE);
    assert!(refused(&own).starts_with("this file does not choose compositions of CH4"), "{}", refused(&own));
    let without = DEVICE.replace("collective=scan", "collective=iscan");
    assert!(refused(&without).contains("no longer serves a collective that its file lacks: scan"));
}

#[test]
fn compositions_are_those_of_a_release() {
    let of_5 = DEVICE.replace("Alltoall_intra_composition_alpha", "Alltoall_intra_composition_beta");
    let found = |text: &str, release: &str| -> Vec<String> {
        let found = mpich().check(text.as_bytes(), Some(release.parse().unwrap())).into_iter();
        let faults = found.filter(|finding| finding.severity != Severity::Note);
        faults.map(|finding| finding.problem.message.to_string()).collect()
    };
    assert_eq!(found(&of_5, "5.0"), [""; 0]);
    let lacks = "MPICH 4.0 has no `MPIDI_Alltoall_intra_composition_beta`, and aborts at its start: 5.0 is the first release that has it";
    assert_eq!(found(&of_5, "4.0"), [lacks]);
    let unknown = DEVICE.replace("Scan_intra_composition_alpha", "Scan_intra_composition_omega");
    assert_eq!(
        found(&unknown, "5.0"),
        ["MPICH has no `MPIDI_Scan_intra_composition_omega`, and aborts at its start"]
    );
    let other = DEVICE.replace("Scan_intra_composition_alpha", "Barrier_intra_composition_alpha");
    assert_eq!(
        found(&other, "5.0"),
        ["`MPIDI_Barrier_intra_composition_alpha` does not run scan: MPICH aborts in the call"]
    );
}

fn qtdec(arguments: &[&str], folder: &Path) -> Output {
    Command::new(qtdec_commands::qtdec()).args(arguments).current_dir(folder).output().unwrap()
}

/// Returns a folder with both files and a tree.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("whole.json"), WHOLE).unwrap();
    fs::write(folder.path().join("ch4.json"), DEVICE).unwrap();
    fs::write(folder.path().join("bcast.tree.json"), tree("bcast", "smp").to_json()).unwrap();
    folder
}

const INTO: [&str; 4] = ["--into", "ch4.json", "--into", "whole.json"];

#[test]
fn emit_writes_both_files_and_leaves_the_device_its_calls() {
    let folder = folder();
    let emit = |more: &[&str]| {
        let command = [&["mpi", "emit", "bcast.tree.json", "--target", "mpich"], &INTO[..], more].concat();
        let output = qtdec(&command, folder.path());
        (output.status.code(), String::from_utf8(output.stderr).unwrap())
    };
    let (code, told) = emit(&["-o", "rules.json"]);
    assert_eq!(code, Some(0), "{told}");
    for (setting, is_told) in [
        ("MPIR_CVAR_CH4_COLL_SELECTION_TUNING_JSON_FILE=", true),
        ("/rules-ch4.json", true),
        ("MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE=", true),
        ("/rules.json", true),
        ("note: `smp` of bcast calls collectives on the ranks of a node, which the device serves here", true),
        ("DEVICE_COLLECTIVE", false),
    ] {
        assert_eq!(told.contains(setting), is_told, "{setting}: {told}");
    }
    for name in ["rules.json", "rules-ch4.json"] {
        assert_eq!(qtdec(&["mpi", "check", name], folder.path()).status.code(), Some(0), "{name}");
    }
    fs::write(folder.path().join("bcast.tree.json"), tree("bcast", "ch4:alpha").to_json()).unwrap();
    let (code, refused) = emit(&["-o", "composed.json"]);
    assert_eq!(code, Some(1), "{refused}");
    assert!(
        refused.contains("MPICH 4.0 has no `ch4:alpha` for bcast: 5.0 is the first release"),
        "{refused}"
    );
    let (old, new) =
        ("\"algorithm=MPIR_Barrier_intra_dissemination\"", "\"algorithm=MPIR_Barrier_allcomm_nb\"");
    let of_5 = String::from_utf8_lossy(WHOLE).replace(old, new);
    fs::write(folder.path().join("whole.json"), of_5).unwrap();
    let (code, told) = emit(&["-o", "composed.json", "--release", "5.0"]);
    assert_eq!(code, Some(0), "{told}");
    assert!(told.contains("/composed-ch4.json") && !told.contains("DEVICE_COLLECTIVE"), "{told}");
    let composed = fs::read_to_string(folder.path().join("composed-ch4.json")).unwrap();
    assert!(composed.contains("composition=MPIDI_Bcast_intra_composition_alpha"), "{composed}");
    fs::write(folder.path().join("bcast.tree.json"), tree("bcast", "smp").to_json()).unwrap();
    for (more, expected) in [
        (&[][..], "name that with --output"),
        (&["--into", "ch4.json", "-o", "x.json"], "--into names both `ch4.json` and `ch4.json`"),
    ] {
        let (code, refused) = emit(more);
        assert_eq!(code, Some(2), "{refused}");
        assert!(refused.contains(expected), "{refused}");
    }
}

/// What is written with the library is what is written with the two files in it.
#[test]
fn the_library_holds_both_files() {
    let folder = folder();
    let compact = |file: &[u8]| serde_json::from_slice::<serde_json::Value>(file).unwrap().to_string();
    let library = format!("\x7fELF\x02 {}\0{}\0", compact(WHOLE), compact(DEVICE.as_bytes()));
    fs::write(folder.path().join("libmpich.so"), library).unwrap();
    fs::write(folder.path().join("libmpi.so"), "\x7fELF\x02").unwrap();
    let emit = |into: &[&str], output: &str| {
        let command = ["mpi", "emit", "bcast.tree.json", "--target", "mpich", "-o", output];
        let output = qtdec(&[&command, into].concat(), folder.path());
        (output.status.code(), String::from_utf8(output.stderr).unwrap())
    };
    let library = ["--into", "libmpich.so"];
    for (into, output) in [(&INTO[..], "files.json"), (&library, "library.json")] {
        let (code, told) = emit(into, output);
        assert_eq!(code, Some(0), "{told}");
    }
    let read = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap();
    assert_eq!(read("library.json"), read("files.json"));
    assert_eq!(read("library-ch4.json"), read("files-ch4.json"));
    for (into, expected) in [
        (&["--into", "libmpi.so"][..], "this library has no selection file of MPICH"),
        (&["--into", "libmpich.so", "--into", "whole.json"], "which are of one kind"),
    ] {
        let (code, refused) = emit(into, "refused.json");
        assert!(code != Some(0) && refused.contains(expected), "{refused}");
    }
}

/// The untouched library is faster than the one without its device, and than the ring for short messages.
#[test]
fn the_default_is_the_untouched_library_if_the_device_keeps_its_calls() {
    let folder = folder();
    let mut text = "collective,method,comm_size,msg_size,run,time\n".to_owned();
    for (msg_size, ring, untouched) in [(64, 30.0, 10.0), (65_536, 50.0, 70.0)] {
        for run in 0..4 {
            for (method, time) in
                [("ring", ring), ("default", 90.0), ("untouched", untouched), ("recursive_doubling", 80.0)]
            {
                let time = time * (1.0 + 0.01 * f64::from(run));
                let _ = writeln!(text, "allgather,{method},8,{msg_size},{run},{time}");
            }
        }
    }
    fs::write(folder.path().join("times.csv"), &text).unwrap();
    let reduced: Vec<&str> = text.lines().filter(|line| !line.contains("untouched")).collect();
    fs::write(folder.path().join("alone.csv"), reduced.join("\n")).unwrap();
    let tune = |file: &str, into: &[&str]| {
        let _ = fs::remove_dir_all(folder.path().join("tuned"));
        let read = ["read", file, "-o", "canonical.csv", "--time-unit", "us", "--basis-in", "block"];
        assert_eq!(qtdec(&read, folder.path()).status.code(), Some(0));
        let command = ["mpi", "tune", "canonical.csv", "--library", "mpich", "-o", "tuned", "--verbose"];
        let output = qtdec(&[&command, into].concat(), folder.path());
        let told = [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap()).concat();
        assert_eq!(output.status.code(), Some(0), "{told}");
        let read = |name: &str| fs::read_to_string(folder.path().join("tuned").join(name));
        (told, read("switches.sh").unwrap(), read("allgather.map.json").unwrap(), read("mpich-ch4.json"))
    };
    let (told, switches, map, device) = tune("times.csv", &INTO);
    assert!(!told.contains("the switches of the deployment alone"), "{told}");
    assert!(told.contains("over `untouched`"), "{told}");
    assert!(map.contains("\"untouched\"") && !map.contains("\"default\""), "{map}");
    assert!(switches.contains("/mpich-ch4.json\n") && !switches.contains("DEVICE_COLLECTIVE"), "{switches}");
    let device = mpich().read(device.unwrap().as_bytes(), Job::default()).unwrap();
    let is_forced = |size: u64| device.decide("allgather", 8, 8 * size).is_library();
    assert_eq!([64, 65_536].map(is_forced), [false, true]);

    let (told, ..) = tune("alone.csv", &INTO);
    assert!(told.contains("`untouched` was not measured"), "{told}");
    let (told, switches, map, device) = tune("times.csv", &INTO[2..]);
    assert!(told.contains("the switches of the deployment alone"), "{told}");
    assert!(!map.contains("\"untouched\""), "{map}");
    assert!(switches.contains("MPIR_CVAR_ALLGATHER_DEVICE_COLLECTIVE=0"), "{switches}");
    assert!(device.is_err(), "there is none");
}
