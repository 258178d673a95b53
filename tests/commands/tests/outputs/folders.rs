//! Commands that write a folder: their files are one set, and nobody else's files are replaced.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::{Child, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;
use serde_json::Value;
use tempfile::TempDir;

use super::{names, qtdec, run, said};

pub(super) const LIST: &str = "qtdec-outputs.json";

/// The number of times that a command is stopped at a random moment.
const STOPS: usize = 16;

/// The contents of the files of a folder.
pub(super) type Contents = BTreeMap<String, Vec<u8>>;

pub(super) fn contents(folder: &Path) -> Contents {
    names(folder).into_iter().map(|name| (name.clone(), fs::read(folder.join(name)).unwrap())).collect()
}

pub(super) fn restore(folder: &Path, contents: &Contents) {
    let _ = fs::remove_dir_all(folder);
    fs::create_dir(folder).unwrap();
    for (name, content) in contents {
        fs::write(folder.join(name), content).unwrap();
    }
}

/// Returns times of a broadcast; `factor` decides where its second method is faster than the default.
fn times(factor: f64) -> String {
    let mut text = "collective,run,comm_size,msg_size,algorithm,time\n".to_owned();
    for run in 1..=4 {
        for msg_size in [64, 4096, 65536] {
            let size = f64::from(msg_size);
            let noise = 1.0 + f64::from(run) / 1000.0;
            let _ = writeln!(text, "bcast,{run},4,{msg_size},default,{}", noise * (20.0 + size / 100.0));
            let _ = writeln!(text, "bcast,{run},4,{msg_size},binomial,{}", noise * (factor + size / 400.0));
        }
    }
    text
}

/// Returns a folder with times that lead to different trees.
pub(super) fn archive() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, factor) in [("a", 25.0), ("b", 60.0), ("c", 10.0), ("never", 1e9)] {
        canonical(folder.path(), &format!("{name}.csv"), &times(factor));
    }
    folder
}

/// Writes canonical times of rows with the columns of [`times`].
fn canonical(folder: &Path, name: &str, rows: &str) {
    let raw = folder.join("raw");
    fs::write(&raw, rows).unwrap();
    let columns = ["--columns", "method=algorithm,run=run", "--time-unit", "us", "--basis=buffer"];
    let made = run(folder, &[&["read", "raw", "-o", name], &columns[..]].concat());
    assert!(made.status.success(), "{}", said(&made));
    fs::remove_file(raw).unwrap();
}

pub(super) fn tune<'a>(times: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    [&["mpi", "tune", times, "-o", "out", "--library", "open-mpi"], more].concat()
}

/// Writes the sets of several times one after the other, and returns their contents.
pub(super) fn sets<const N: usize>(folder: &Path, times: [&str; N]) -> [Contents; N] {
    times.map(|times| {
        let output = run(folder, &tune(times, &[]));
        assert!(output.status.success(), "{}", said(&output));
        contents(&folder.join("out"))
    })
}

/// Returns the contents without the list, which is different in each run.
fn unlisted(mut contents: Contents) -> Contents {
    contents.remove(LIST);
    contents
}

fn list(contents: &Contents) -> Value {
    serde_json::from_slice(&contents[LIST]).unwrap()
}

fn listed(list: &Value) -> Vec<&str> {
    list["files"].as_array().unwrap().iter().filter_map(Value::as_str).collect()
}

#[test]
fn a_set_is_listed() {
    let folder = archive();
    let [set] = sets(folder.path(), ["a.csv"]);
    let list = list(&set);
    assert_eq!(
        (&list["format"], &list["command"], &list["state"]),
        (&"qtdec-outputs/1".into(), &"tune".into(), &"complete".into())
    );
    assert_eq!(listed(&list), set.keys().filter(|name| *name != LIST).collect::<Vec<_>>());
}

#[test]
fn files_of_somebody_else_are_replaced_by_force_only() {
    let folder = archive();
    let out = folder.path().join("out");
    let demo = ["demo", "-o", "out"].to_vec();
    for (command, own) in [
        (tune("a.csv", &[]), &["bcast.rs", "open-mpi.conf", "report.html", "switches.sh"][..]),
        (demo, &["map.json", "report.html"]),
    ] {
        let mut mine: Contents = own.iter().map(|name| ((*name).to_owned(), b"mine".to_vec())).collect();
        mine.insert("notes.txt".to_owned(), b"mine".to_vec());
        restore(&out, &mine);
        let refused = run(folder.path(), &command);
        assert_eq!(refused.status.code(), Some(2), "{}", said(&refused));
        for name in own {
            assert!(
                said(&refused).contains(&format!("`{name}` was not written by qtdec")),
                "{}",
                said(&refused)
            );
        }
        assert!(said(&refused).contains("--force") && !said(&refused).contains("notes.txt"));
        assert_eq!(contents(&out), mine, "{command:?}");

        let forced = run(folder.path(), &[&command[..], &["--force"]].concat());
        assert!(forced.status.success(), "{}", said(&forced));
        let written = contents(&out);
        assert_eq!(written["notes.txt"], b"mine");
        assert!(own.iter().all(|name| written[*name] != b"mine") && written.len() > mine.len());
        // The second run replaces its own files, also those that were edited or removed.
        fs::write(out.join(own[0]), "edited").unwrap();
        fs::remove_file(out.join(own[1])).unwrap();
        assert!(run(folder.path(), &command).status.success());
        assert_eq!(unlisted(contents(&out)), unlisted(written));
    }
}

#[test]
fn a_list_of_somebody_else_is_replaced_by_force_only() {
    let folder = archive();
    let out = folder.path().join("out");
    for (list, why) in [
        ("mine", "not JSON"),
        ("{}", "not of the format"),
        (r#"{"format": "qtdec-outputs/2"}"#, "which another version of qtdec wrote"),
    ] {
        restore(&out, &[(LIST.to_owned(), list.as_bytes().to_vec())].into());
        let refused = run(folder.path(), &tune("a.csv", &[]));
        assert_eq!(refused.status.code(), Some(2));
        assert!(said(&refused).contains(why) && said(&refused).contains("--force"), "{}", said(&refused));
        assert_eq!(names(&out), [LIST]);
    }
    assert!(run(folder.path(), &tune("a.csv", &["--force"])).status.success());
}

/// Files that an earlier run wrote and this one does not stay.
#[test]
fn files_of_earlier_runs_stay() {
    let folder = archive();
    let out = folder.path().join("out");
    let both = times(25.0) + &times(10.0).replace("bcast,", "allreduce,").replace(",binomial,", ",ring,");
    let both = both.replace("collective,run,comm_size,msg_size,algorithm,time\n", "");
    let both =
        format!("collective,run,comm_size,msg_size,algorithm,time\n{}", both.replace("allreduce,run,", ""));
    canonical(folder.path(), "both.csv", &both);
    let [whole, part] = sets(folder.path(), ["both.csv", "a.csv"]);
    assert!(whole.keys().eq(part.keys()), "{:?}", part.keys());
    assert!(!listed(&list(&part)).contains(&"allreduce.rs"));
    assert!(list(&part)["earlier"].as_array().unwrap().contains(&"allreduce.rs".into()));
    assert_eq!(part["allreduce.rs"], whole["allreduce.rs"]);
    assert!(run(folder.path(), &tune("both.csv", &[])).status.success());
    assert_eq!(unlisted(contents(&out)), unlisted(whole));
}

/// The tuning file that others are kept from has comments, which the new one does not have.
#[test]
fn a_tuning_file_is_not_extended_in_place() {
    let folder = archive();
    let out = folder.path().join("out");
    let [set] = sets(folder.path(), ["a.csv"]);
    let commented = [b"# mine\n", &set["open-mpi.conf"][..]].concat();
    fs::write(out.join("open-mpi.conf"), &commented).unwrap();
    symlink("out/open-mpi.conf", folder.path().join("link")).unwrap();
    let before = contents(&out);
    for (into, forced) in
        [("out/open-mpi.conf", &["--force"][..]), ("./out/../link", &["--force"]), ("link", &[])]
    {
        let refused = run(folder.path(), &tune("b.csv", &[&["--into", into], forced].concat()));
        assert_eq!(refused.status.code(), Some(2), "{}", said(&refused));
        assert!(said(&refused).contains("whose content would be lost"), "{}", said(&refused));
        assert_eq!(contents(&out), before);
    }
    // Every file is an output, not only the tuning file.
    let mut mine = set.clone();
    let rules = mine.insert("switches.sh".to_owned(), commented.clone()).unwrap();
    assert!(!rules.is_empty());
    restore(&out, &mine);
    let refused = run(folder.path(), &tune("b.csv", &["--into", "out/switches.sh", "--force"]));
    assert!(said(&refused).contains("whose content would be lost"), "{}", said(&refused));
    assert_eq!(contents(&out), mine);
}

#[test]
fn names_of_folders_are_checked_before_anything_is_created() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;

    let folder = archive();
    let before = names(folder.path());
    for (name, why) in [(&b"\xff"[..], "not UTF-8"), (b"", "the name is empty")] {
        for command in [tune("a.csv", &[]), ["demo", "-o", "out"].to_vec(), ["man", "out"].to_vec()] {
            let arguments = command
                .iter()
                .map(|word| if *word == "out" { OsStr::from_bytes(name) } else { OsStr::new(word) });
            let mut qtdec = qtdec(folder.path(), &[]);
            let refused = qtdec.args(arguments).output().unwrap();
            assert_eq!(refused.status.code(), Some(2), "{command:?}");
            assert!(said(&refused).contains(why), "{}", said(&refused));
            assert_eq!(names(folder.path()), before);
        }
    }
    // The absolute path is part of the script.
    let odd = folder.path().join(OsStr::from_bytes(b"\xff"));
    fs::create_dir(&odd).unwrap();
    fs::rename(folder.path().join("a.csv"), odd.join("a.csv")).unwrap();
    let refused = run(&odd, &tune("a.csv", &[]));
    assert_eq!(refused.status.code(), Some(2));
    assert!(said(&refused).contains("give the whole path"), "{}", said(&refused));
    assert_eq!(names(&odd), ["a.csv"]);
}

/// Checks that a folder is one of the sets, or a part of the second on the first that is marked.
fn check_left(left: &Contents, old: &Contents, new: &Contents) {
    let is = |set: &Contents| unlisted(left.clone()) == unlisted(set.clone());
    if list(left)["state"] == "complete" {
        assert!(is(old) || is(new), "a set that is said to be complete is not");
        return;
    }
    for (name, content) in unlisted(left.clone()) {
        assert!([old, new].iter().any(|set| set.get(&name) == Some(&content)), "{name} has other content");
    }
}

#[test]
fn a_set_that_is_stopped_is_old_or_new_or_marked() {
    let folder = archive();
    let out = folder.path().join("out");
    let [old, new] = sets(folder.path(), ["a.csv", "b.csv"]);
    let command = tune("b.csv", &[]);
    let began = Instant::now();
    assert!(run(folder.path(), &command).status.success());
    let whole_time = began.elapsed();
    let mut random = Pcg64::seed_from_u64(1);
    for signal in ["KILL", "TERM", "INT", "HUP"].into_iter().cycle().take(STOPS) {
        restore(&out, &old);
        let mut child =
            qtdec(folder.path(), &command).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        sleep(whole_time.mul_f64(random.random_range(0.5..1.2)).min(Duration::from_secs(5)));
        send(signal, &child);
        child.wait().unwrap();
        let mut left = contents(&out);
        left.retain(|name, _| !name.starts_with(".qtdec-"));
        check_left(&left, &old, &new);
        assert!(run(folder.path(), &command).status.success());
        let mut left = contents(&out);
        left.retain(|name, _| !name.starts_with(".qtdec-"));
        assert_eq!(unlisted(left), unlisted(new.clone()), "{signal}");
    }
}

#[test]
fn an_incomplete_set_is_not_deployed_and_is_replaced() {
    let folder = archive();
    let out = folder.path().join("out");
    let [old, new] = sets(folder.path(), ["a.csv", "b.csv"]);
    let mut marked = list(&new);
    marked["state"] = "incomplete".into();
    let mut left = old;
    left.insert(LIST.to_owned(), marked.to_string().into_bytes());
    restore(&out, &left);
    for deployed in ["out", "out/bcast.tree.json"] {
        let refused = verify(folder.path(), deployed);
        assert_eq!(refused.status.code(), Some(1), "{}", said(&refused));
        assert!(said(&refused).contains("incomplete"), "{}", said(&refused));
        assert!(said(&refused).contains("run qtdec-mpi tune again"), "{}", said(&refused));
    }
    let replaced = run(folder.path(), &tune("b.csv", &[]));
    assert!(replaced.status.success(), "{}", said(&replaced));
    assert_eq!(unlisted(contents(&out)), unlisted(new));
    assert_eq!(list(&contents(&out))["state"], "complete");
}

/// Compares the times of the default with themselves.
pub(super) fn verify(folder: &Path, deployed: &str) -> Output {
    let made = run(folder, &["read", "a.csv", "-o", "default.csv", "--where", "method=default"]);
    assert!(made.status.success(), "{}", said(&made));
    run(folder, &["verify", "default.csv", "default.csv", "--deployed", deployed])
}

#[test]
fn a_complete_set_is_deployed() {
    let folder = archive();
    let [set] = sets(folder.path(), ["a.csv"]);
    let [of_folder, of_tree] = ["out", "out/bcast.tree.json"].map(|deployed| verify(folder.path(), deployed));
    assert!(of_folder.status.success(), "{}", said(&of_folder));
    assert_eq!(of_folder.stdout, of_tree.stdout);
    fs::create_dir(folder.path().join("empty")).unwrap();
    let refused = verify(folder.path(), "empty");
    assert!(said(&refused).contains("has no `qtdec-outputs.json`"), "{}", said(&refused));
    // A tree elsewhere has no set.
    fs::write(folder.path().join("empty/tree.json"), &set["bcast.tree.json"]).unwrap();
    assert!(verify(folder.path(), "empty/tree.json").status.success());
    let demo = run(folder.path(), &["demo", "-o", "demo"]);
    assert!(demo.status.success());
    let refused = verify(folder.path(), "demo");
    assert!(said(&refused).contains("has no deployed trees"), "{}", said(&refused));
}

#[test]
fn several_writers_leave_the_set_of_one_or_say_so() {
    let folder = archive();
    let out = folder.path().join("out");
    let times = ["a.csv", "b.csv", "c.csv", "never.csv"];
    let sets = sets(folder.path(), times).map(unlisted);
    for _ in 0..6 {
        let _ = fs::remove_dir_all(&out);
        let writers = times.map(|times| {
            qtdec(folder.path(), &tune(times, &[]))
                .stdout(Stdio::null())
                .stderr(Stdio::piped())
                .spawn()
                .unwrap()
        });
        let mut is_said = false;
        for writer in writers {
            let ended = writer.wait_with_output().unwrap();
            let one = "another command wrote to `out` at the same time: run one of them again";
            assert!(
                ended.status.success() || said(&ended).contains(one) || said(&ended).contains("--force"),
                "{}",
                said(&ended)
            );
            is_said |= !ended.status.success();
        }
        let left = contents(&out);
        assert!(is_said || sets.contains(&unlisted(left.clone())), "a mixture: {:?}", left.keys());
    }
}

#[test]
fn a_full_disk_leaves_the_old_set() {
    let folder = archive();
    let out = folder.path().join("out");
    let [old] = sets(folder.path(), ["a.csv"]);
    let script = "trap '' XFSZ; ulimit -f 8; exec \"$0\" \"$@\"";
    let mut shell = std::process::Command::new("bash");
    shell.args(["-c", script, *super::QTDEC]).args(tune("b.csv", &[])).current_dir(folder.path());
    let output = shell.output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{}", said(&output));
    assert!(said(&output).contains("cannot write `out/report.html`"), "{}", said(&output));
    assert!(said(&output).contains("nothing was replaced"), "{}", said(&output));
    assert_eq!(contents(&out), old);
}

#[test]
fn where_the_default_wins_everywhere_nothing_is_deployed() {
    let folder = archive();
    let output = run(folder.path(), &tune("never.csv", &["--verbose"]));
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(printed.contains("Nothing has to be deployed"), "{printed}");
    assert!(!printed.contains("makes the library use it") && !printed.contains("qtdec verify"), "{printed}");
    let script = fs::read_to_string(folder.path().join("out/switches.sh")).unwrap();
    assert!(script.lines().all(|line| line.starts_with('#')), "{script}");
    // Rules that the user's file had before are the user's to deploy.
    let kept = "1 # collectives\n2 # allreduce\n1\n0\n1\n0 4 0 0\n";
    fs::write(folder.path().join("rules.conf"), kept).unwrap();
    let output = run(folder.path(), &tune("never.csv", &["--into", "rules.conf", "--verbose"]));
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(printed.contains("out/open-mpi.conf adds no rule to rules.conf"), "{printed}{}", said(&output));
}

/// Sends a signal to a process, which keeps its number until it is waited for.
fn send(signal: &str, child: &Child) {
    let number = child.id().to_string();
    let sent = std::process::Command::new("kill").args([&format!("-{signal}"), &number]).status();
    assert!(sent.unwrap().success());
}

/// Files are opened to be written only after all names are checked.
#[test]
fn an_output_that_cannot_be_written_is_found_before_the_first() {
    let folder = archive();
    let out = folder.path().join("out");
    let [mut old] = sets(folder.path(), ["a.csv"]);
    // The last file that is written is a folder.
    fs::remove_file(out.join("switches.sh")).unwrap();
    fs::create_dir(out.join("switches.sh")).unwrap();
    old.remove("switches.sh");
    let refused = run(folder.path(), &tune("b.csv", &["--force"]));
    assert_eq!(refused.status.code(), Some(1));
    assert!(said(&refused).contains("cannot write `out/switches.sh`"), "{}", said(&refused));
    fs::remove_dir(out.join("switches.sh")).unwrap();
    assert_eq!(contents(&out), old);
}
