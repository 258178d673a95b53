//! Regeneration of all recorded outputs: `cargo xtask snapshot`.
//!
//! The output of commands, pictures, generated code and error messages are recorded in files of the repository, each checked by a
//! test. This command makes those tests write their files instead of comparing them, so that `git diff` shows the effect of a
//! change. With `--check` a difference is a failure, which proves that a refactoring changes nothing.

use xtask::outcome::Outcome;
use xtask::run::{cargo, printed, program, root};
use xtask::watched::run;

const QTDEC: &str = "--package=qtdec-cli";
const MPI: &str = "--package=qtdec-mpi";
const COMMANDS: &str = "--package=qtdec-commands";

/// The tests that check recorded outputs, and the variable that makes each write them.
const RECORDED: [(&str, &str, &[&str]); 7] = [
    ("generated code", "SNAPSHOTS", &["--package", "qtdec", "--test", "golden"]),
    ("functions in memory", "SNAPSHOTS", &["--package", "qtdec", "--test", "lookup"]),
    ("refusals", "SNAPSHOTS", &["--package", "qtdec-core", "--test", "integration", "refusals"]),
    // The tests of help have Cargo build the programs.
    ("transcripts of the commands", "TRYCMD", &[QTDEC, MPI, COMMANDS, "--test=help", "--test=cli"]),
    ("the guide", "SNAPSHOTS", &[QTDEC, MPI, COMMANDS, "--test=help", "--test=guide"]),
    ("the options of commands", "SNAPSHOTS", &[QTDEC, MPI, "--bins"]),
    ("compiler errors", "TRYBUILD", &["--package", "qtdec", "--test", "ui", "--", "--ignored"]),
];

/// Writes all recorded outputs; with `check`, compares them with the commit afterwards.
pub(crate) fn snapshot(check: bool) -> Result<(), String> {
    if check && !changed()?.is_empty() {
        return Err(
            "recorded outputs have changes that are not committed: commit or restore them first".to_owned()
        );
    }
    let mut failed = Vec::new();
    for (name, variable, arguments) in RECORDED {
        println!("── {name}");
        let mut command = cargo(["test", "--quiet"]);
        let done = command.args(arguments).env(variable, "overwrite").status();
        if !done.is_ok_and(|status| status.success()) {
            failed.push(name);
        }
    }
    println!("── public API");
    let api = program("qtdec-api").and_then(|mut api| run(api.arg("--overwrite")));
    if !matches!(api, Ok(Outcome::Held(_))) {
        failed.push("public API");
    }
    // A test that wrote something may report a failure; a second run of the same test does not.
    let changed = changed()?;
    match (check, changed.as_str()) {
        (_, "") if failed.is_empty() => println!("every recorded output is as it was"),
        (false, changed) if failed.is_empty() => println!("changed; read them with `git diff`:\n{changed}"),
        (true, changed) if !changed.is_empty() => {
            return Err(format!("recorded outputs changed:\n{changed}"));
        }
        (_, _) => return Err(format!("could not be recorded: {}", failed.join(", "))),
    }
    Ok(())
}

/// The folders with recorded outputs.
const FOLDERS: [&str; 10] = [
    "tests/golden",
    "tests/ui",
    "qt-core/tests",
    "qt-lookup/examples",
    "tests/commands/tests",
    "qt-cli/tests",
    "mpi/command/tests",
    "guide/src",
    "lab/results",
    "xtask/api",
];

/// Lists the recorded files that differ from the commit, one per line.
fn changed() -> Result<String, String> {
    let mut git = std::process::Command::new("git");
    let changed = printed(git.args(["status", "--porcelain", "--"]).args(FOLDERS).current_dir(root()))?;
    Ok(changed.trim_end().to_owned())
}
