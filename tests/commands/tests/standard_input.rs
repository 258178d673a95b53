//! Times and maps from standard input give the same results as from a file.

use std::fs::File;
use std::process::{Command, Stdio};

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/commands.in");

/// Returns the output of the command with a file as its standard input.
fn printed(arguments: &[&str], input: Option<&str>) -> String {
    let input = input.map_or(Stdio::null(), |name| File::open(format!("{FOLDER}/{name}")).unwrap().into());
    let mut command = Command::new(qtdec_commands::qtdec());
    let run = command.args(arguments).current_dir(FOLDER).stdin(input).output().unwrap();
    assert!(run.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&run.stderr));
    String::from_utf8(run.stdout).unwrap()
}

#[test]
fn standard_input_holds_a_map_or_times() {
    let commands: [&[&str]; 3] = [
        &["sweep", "--over", "depth", "--json"],
        &["sweep", "--over", "encoding", "--json"],
        &["report", "--title", "t", "-o", "-"],
    ];
    for command in commands {
        for file in ["canonical-bcast.csv", "map.json"] {
            let of_file = printed(&[command, &[file]].concat(), None);
            let piped = printed(&[command, &["-"]].concat(), Some(file));
            // A page contains the name of its file.
            if command[0] != "report" {
                assert_eq!(of_file, piped, "{command:?} {file}");
            }
            assert!(piped.len() > 100, "{piped}");
        }
    }
}
