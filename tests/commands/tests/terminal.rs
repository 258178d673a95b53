//! The command in a terminal.
#![cfg(target_os = "linux")]

use std::process::Command;

/// Runs the command with a terminal as its standard output, using util-linux's `script`; returns its exit code and
/// output.
fn on_a_terminal(arguments: &str) -> (Option<i32>, String) {
    let command = format!("'{}' {arguments}", qtdec_commands::qtdec());
    let run = Command::new("script")
        .args(["--quiet", "--return", "--command", &command, "/dev/null"])
        .current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/commands.in"))
        .output()
        .expect("script is there");
    (run.status.code(), String::from_utf8_lossy(&run.stdout).into_owned())
}

#[test]
fn bytes_are_not_written_to_a_terminal() {
    let (code, shown) = on_a_terminal("emit map.json --target lookup-table");
    assert!(
        code == Some(2) && shown.contains("standard output is a terminal: name a file with -o"),
        "{shown}"
    );
    let (code, shown) = on_a_terminal("emit map.json --target lookup-table -o /dev/null");
    assert_eq!((code, &*shown), (Some(0), ""));
    let (code, shown) = on_a_terminal("emit map.json --target c");
    assert!(code == Some(0) && shown.contains("#ifndef"), "{shown}");
}

/// The progress is shown, and removed before the result is printed.
#[test]
fn progress_is_shown_on_a_terminal() {
    let (code, shown) = on_a_terminal("sweep polaris.json --over trade-off");
    let result = shown.rfind("quadtree, max depth").expect(&shown);
    let (progress, result) = shown.split_at(shown[..result].rfind('\n').expect(&shown));
    assert!(code == Some(0) && progress.contains(" of ") && progress.contains("optimal"), "{shown:?}");
    assert!(!result.contains(" of "), "{shown:?}");
    let (code, shown) = on_a_terminal("report polaris.json -o /dev/null");
    assert!(code == Some(0) && shown.contains("threshold"), "{shown:?}");
    // Work that is usually fast shows its progress if it takes longer.
    let (code, shown) = on_a_terminal("mpi schedule allreduce ring --comm-size 300 --msg-size 300K");
    let result = shown.find("rounds").expect(&shown);
    assert!(code == Some(0) && shown[..result].contains("the schedule and its proof"), "{shown:?}");
    let (code, shown) = on_a_terminal("mpi schedule allreduce ring --comm-size 4 --msg-size 4K");
    assert!(code == Some(0) && !shown.contains("the schedule and its proof"), "{shown:?}");
    for command in [
        "sweep polaris.json",
        "plot polaris.json -o /dev/null.svg",
        "plot polaris.json --figure curves -o /dev/null.svg",
    ] {
        let (_, shown) = on_a_terminal(command);
        assert!(shown.contains("max depth 1"), "{command}: {shown:?}");
    }
}
