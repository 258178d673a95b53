//! Clusters that end in any way leave nothing behind. Without root, only the message about that is checked.
#![cfg(target_os = "linux")]

use std::collections::BTreeSet;
use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Command, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

fn cluster(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_qtdec-cluster"));
    command.args(["--nodes", "3"]).args(arguments).stdin(Stdio::null());
    command
}

fn output(arguments: &[&str]) -> Output {
    cluster(arguments).output().expect("the program runs")
}

/// Returns whether this machine can have clusters; otherwise says that nothing was checked.
fn is_possible(test: &str) -> bool {
    let found = output(&["--", "true"]);
    let said = String::from_utf8_lossy(&found.stderr).into_owned();
    if found.status.success() {
        return true;
    }
    assert!(
        said.starts_with("cluster: this machine lacks") || said.contains("no namespaces can be made"),
        "{said}"
    );
    eprintln!("{test} was not checked: {said}");
    false
}

/// What a cluster could leave: names of networks, mounts, interfaces, files of launchers, and processes.
fn traces() -> BTreeSet<String> {
    let mut traces = BTreeSet::new();
    for folder in ["/run/netns", "/tmp", "/dev/shm", "/sys/class/net"] {
        let entries = fs::read_dir(folder).into_iter().flatten().flatten();
        let names = entries.map(|entry| entry.path().display().to_string());
        traces.extend(
            names.filter(|name| folder != "/tmp" || name.contains("ompi") || name.contains("qtdec-run")),
        );
    }
    traces.extend(fs::read_to_string("/proc/mounts").unwrap().lines().map(str::to_owned));
    for entry in fs::read_dir("/proc").unwrap().flatten() {
        let line = fs::read(entry.path().join("cmdline")).unwrap_or_default();
        let line = String::from_utf8_lossy(&line).replace('\0', " ");
        if line.contains("qtdec-cluster ") || line.contains(MARK) {
            traces.insert(line);
        }
    }
    traces
}

/// A number of seconds that no other program sleeps.
const MARK: &str = "86399.125";

/// Other tests have clusters at the same time.
fn only_one() -> std::sync::MutexGuard<'static, ()> {
    static ONE: std::sync::Mutex<()> = std::sync::Mutex::new(());
    ONE.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

#[test]
fn nodes_have_names_and_commands_their_exit_codes() {
    let _one = only_one();
    if !is_possible("a cluster's nodes") {
        return;
    }
    let before = traces();
    let found = output(&[
        "--",
        "sh",
        "-c",
        "hostname; for node in qt0 qt2; do $OMPI_MCA_plm_rsh_agent $node hostname; done; exit 7",
    ]);
    assert_eq!(found.status.code(), Some(7), "{found:?}");
    assert_eq!(String::from_utf8_lossy(&found.stdout), "qthead\nqt0\nqt2\n", "{found:?}");
    let found = output(&["--", "sh", "-c", "kill -SEGV $$"]);
    assert_eq!(found.status.code(), Some(128 + 11), "{found:?}");
    let found = output(&["--", "/no/such/program"]);
    assert_eq!(found.status.code(), Some(1), "{found:?}");
    assert!(String::from_utf8_lossy(&found.stderr).contains("/no/such/program: No such file"), "{found:?}");
    assert_eq!(traces(), before);
}

/// Starts a cluster whose nodes all sleep, and returns when they do.
fn sleeping() -> Child {
    let script = format!(
        "for node in qt0 qt1 qt2; do $OMPI_MCA_plm_rsh_agent $node sleep {MARK} & done; echo up; sleep {MARK}"
    );
    let mut child =
        cluster(&["--", "sh", "-c", &script]).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
    if line != "up\n" {
        let mut said = String::new();
        child.stderr.as_mut().unwrap().read_to_string(&mut said).unwrap();
        panic!("no cluster: {said}");
    }
    sleep(Duration::from_millis(200));
    child
}

#[test]
fn signals_end_everything() {
    let _one = only_one();
    if !is_possible("a cluster that is killed") {
        return;
    }
    let before = traces();
    for (signal, code) in [("INT", Some(130)), ("TERM", Some(143)), ("HUP", Some(129)), ("KILL", None)] {
        let mut child = sleeping();
        let lines: Vec<String> = traces().into_iter().filter(|trace| trace.contains(MARK)).collect();
        assert!(lines.len() >= 2, "nothing sleeps: {lines:?}");
        let kill = format!("kill -{signal} {}", child.id());
        assert!(Command::new("sh").args(["-c", &kill]).status().unwrap().success());
        assert_eq!(child.wait().unwrap().code(), code, "{signal}");
        // The kernel ends the processes after the first one.
        let began = Instant::now();
        while traces() != before && began.elapsed() < Duration::from_secs(5) {
            sleep(Duration::from_millis(50));
        }
        assert_eq!(traces(), before, "after SIG{signal}");
    }
}

/// The process that started the cluster may be killed too.
#[test]
fn a_cluster_ends_with_its_parent() {
    let _one = only_one();
    if !is_possible("a cluster whose parent is killed") {
        return;
    }
    let before = traces();
    let program = env!("CARGO_BIN_EXE_qtdec-cluster");
    let script = format!("'{program}' --nodes 1 -- sh -c 'echo up; sleep {MARK}'; true");
    let mut parent = Command::new("sh").args(["-c", &script]).stdout(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(parent.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
    assert_eq!(line, "up\n");
    parent.kill().unwrap();
    parent.wait().unwrap();
    let began = Instant::now();
    while traces() != before && began.elapsed() < Duration::from_secs(5) {
        sleep(Duration::from_millis(50));
    }
    assert_eq!(traces(), before);
}

#[test]
fn without_root_there_is_a_clear_word() {
    let id = Command::new("id").arg("-u").output().unwrap();
    let mut command = if id.stdout == b"0\n" {
        let program = std::env::temp_dir().join(format!("qtdec-cluster-{}", std::process::id()));
        fs::copy(env!("CARGO_BIN_EXE_qtdec-cluster"), &program).unwrap();
        let mut command = Command::new("setpriv");
        command.args(["--reuid=65534", "--regid=65534", "--clear-groups"]).arg(program);
        command
    } else {
        Command::new(env!("CARGO_BIN_EXE_qtdec-cluster"))
    };
    let found = command.args(["--", "true"]).output().unwrap();
    let _ = fs::remove_file(std::env::temp_dir().join(format!("qtdec-cluster-{}", std::process::id())));
    assert_eq!(found.status.code(), Some(1), "{found:?}");
    let said = String::from_utf8_lossy(&found.stderr);
    assert!(said.starts_with("cluster: this machine lacks\n  root's rights"), "{said}");
}
