//! What stands in a folder of outputs and was not written there: links, pipes, and files with names like our own.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use qtdec_testkit::sample::one_in;
use serde_json::{Value, json};

use super::folders::{LIST, archive, contents, restore, sets, tune, verify};
use super::{names, qtdec, run, said};

fn pipe(path: &Path) {
    assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
}

/// Runs a command that must end: a pipe without a writer would keep it forever.
fn ended(folder: &Path, arguments: &[&str]) -> Output {
    let mut child = qtdec(folder, arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let began = Instant::now();
    while child.try_wait().unwrap().is_none() {
        if began.elapsed() > Duration::from_secs(60) {
            child.kill().unwrap();
            panic!("{arguments:?} does not end");
        }
        sleep(Duration::from_millis(20));
    }
    child.wait_with_output().unwrap()
}

#[test]
fn links_in_a_folder_are_never_followed() {
    let folder = archive();
    let path = |name: &str| folder.path().join(name);
    let [set] = sets(folder.path(), ["a.csv"]);
    fs::create_dir(path("far")).unwrap();
    fs::write(path("far/kept"), &set["bcast.rs"]).unwrap();
    for target in ["../far/kept", "../far/new", "../far"] {
        restore(&path("out"), &set);
        fs::remove_file(path("out/bcast.rs")).unwrap();
        symlink(target, path("out/bcast.rs")).unwrap();
        let refused = run(folder.path(), &tune("b.csv", &[]));
        assert_eq!(refused.status.code(), Some(2), "{target}: {}", said(&refused));
        assert!(said(&refused).contains("`bcast.rs` is a symbolic link"), "{}", said(&refused));
        assert!(said(&refused).contains("--force"), "{}", said(&refused));
        assert!(path("out/bcast.rs").is_symlink());
        // The link is replaced, and not what it leads to.
        let forced = run(folder.path(), &tune("b.csv", &["--force"]));
        assert!(forced.status.success(), "{target}: {}", said(&forced));
        assert!(path("out/bcast.rs").symlink_metadata().unwrap().is_file());
        assert_eq!(names(&path("far")), ["kept"]);
        assert_eq!(fs::read(path("far/kept")).unwrap(), set["bcast.rs"]);
    }
}

#[test]
fn a_linked_list_is_no_list() {
    let folder = archive();
    let path = |name: &str| folder.path().join(name);
    let [set] = sets(folder.path(), ["a.csv"]);
    fs::rename(path("out").join(LIST), path("list")).unwrap();
    symlink("../list", path("out").join(LIST)).unwrap();
    let refused = run(folder.path(), &tune("b.csv", &[]));
    assert_eq!(refused.status.code(), Some(2), "{}", said(&refused));
    assert!(said(&refused).contains("it is a symbolic link"), "{}", said(&refused));
    assert_eq!(verify(folder.path(), "out").status.code(), Some(1));
    let forced = run(folder.path(), &tune("b.csv", &["--force"]));
    assert!(forced.status.success(), "{}", said(&forced));
    assert_eq!(fs::read(path("list")).unwrap(), set[LIST]);
    assert!(path("out").join(LIST).symlink_metadata().unwrap().is_file());
}

/// Replacing a name does not write to the file, which may have other names.
#[test]
fn other_names_of_a_file_keep_its_content() {
    let folder = archive();
    let path = |name: &str| folder.path().join(name);
    let [set, _] = sets(folder.path(), ["a.csv", "b.csv"]);
    restore(&path("out"), &set);
    fs::hard_link(path("out/bcast.rs"), path("mine.rs")).unwrap();
    assert!(run(folder.path(), &tune("b.csv", &[])).status.success());
    assert_eq!(fs::read(path("mine.rs")).unwrap(), set["bcast.rs"]);
    assert_ne!(fs::read(path("out/bcast.rs")).unwrap(), set["bcast.rs"]);
}

#[test]
fn a_folder_may_be_a_link_itself() {
    let folder = archive();
    let path = |name: &str| folder.path().join(name);
    fs::create_dir(path("far")).unwrap();
    symlink("far", path("out")).unwrap();
    let [set] = sets(folder.path(), ["a.csv"]);
    assert!(path("out").is_symlink());
    assert_eq!(contents(&path("far")), set);
    assert!(verify(folder.path(), "out").status.success());
}

#[test]
fn a_list_names_files_of_its_folder_alone() {
    let folder = archive();
    let path = |name: &str| folder.path().join(name);
    let [set] = sets(folder.path(), ["a.csv"]);
    fs::write(path("mine"), "mine").unwrap();
    let outside = path("mine").display().to_string();
    for name in ["../mine", "./bcast.rs", "a/b", "..", "", &outside] {
        let mut list: Value = serde_json::from_slice(&set[LIST]).unwrap();
        list["earlier"] = json!([name]);
        fs::write(path("out").join(LIST), list.to_string()).unwrap();
        for refused in [run(folder.path(), &tune("b.csv", &[])), verify(folder.path(), "out")] {
            assert!(!refused.status.success());
            assert!(said(&refused).contains("which is not the name of a file"), "{name}: {}", said(&refused));
        }
    }
}

#[test]
fn pipes_and_devices_are_never_opened() {
    let folder = archive();
    let out = folder.path().join("out");
    let [set] = sets(folder.path(), ["a.csv"]);
    assert!(verify(folder.path(), "out").status.success());
    let names = [LIST, "bcast.rs", "bcast.tree.json", "report.html", "gone.rs"];
    let all = names.into_iter().flat_map(|name| [(name, true), (name, false)]);
    for (name, is_pipe) in all.step_by(one_in(5)) {
        let mut list: Value = serde_json::from_slice(&set[LIST]).unwrap();
        list["earlier"] = json!(["gone.rs"]);
        restore(&out, &set);
        fs::write(out.join(LIST), list.to_string()).unwrap();
        let _ = fs::remove_file(out.join(name));
        if is_pipe {
            pipe(&out.join(name));
        } else {
            symlink("/dev/zero", out.join(name)).unwrap();
        }
        let tuned = ended(folder.path(), &tune("b.csv", &[]));
        if name == "gone.rs" {
            assert!(tuned.status.success(), "{}", said(&tuned));
        } else {
            assert!(!tuned.status.success(), "{name}: {}", said(&tuned));
            assert!(said(&tuned).contains(name), "{name}: {}", said(&tuned));
        }
        assert!(!out.join(name).symlink_metadata().unwrap().is_file());
        let verified = |deployed| {
            ended(folder.path(), &["verify", "default.csv", "default.csv", "--deployed", deployed])
        };
        let of_folder = verified("out");
        let is_refused = [LIST, "bcast.tree.json"].contains(&name);
        assert_eq!(of_folder.status.success(), !is_refused, "{name}: {}", said(&of_folder));
        if name != "bcast.tree.json" {
            assert!(verified("out/bcast.tree.json").status.success(), "{name}");
        }
    }
}

/// Files that a command looks for beside those that it was given.
#[test]
fn pipes_beside_inputs_are_never_opened() {
    let folder = archive();
    let path = |name: &str| folder.path().join(name);
    let [_] = sets(folder.path(), ["a.csv"]);
    fs::remove_file(path("out/switches.sh")).unwrap();
    pipe(&path("out/switches.sh"));
    let checked = ended(folder.path(), &["mpi", "check", "out/open-mpi.conf", "--release", "5.0"]);
    assert!(checked.status.success(), "{}", said(&checked));

    let samples = path("criterion/sort/merge/64/new");
    fs::create_dir_all(&samples).unwrap();
    fs::write(
        samples.join("sample.json"),
        r#"{"sampling_mode":"Flat","iters":[1.0,1.0],"times":[10.0,11.0]}"#,
    )
    .unwrap();
    pipe(&samples.join("benchmark.json"));
    let read = ended(folder.path(), &["read", "criterion", "-o", "criterion.csv"]);
    assert!(read.status.success(), "{}", said(&read));
}
