//! The command as users run it: every console block of `commands/*.md` is run and its output compared.
//! `TRYCMD=overwrite` rewrites the recorded outputs.

use std::fs;
use std::path::Path;
use std::process::Command;

use walkdir::WalkDir;

/// The folders of the files that the blocks name; all blocks are run in the same temporary folder.
const FILES: [(&str, &str); 5] = [
    ("tests/commands.in", ""),
    ("tests/mistakes.in", ""),
    ("tests/releases.in", "releases"),
    ("../../qt-cli/data", "data"),
    ("../../qt-study/tests/data/observed", "observed"),
];

#[test]
fn every_block_prints_its_recorded_output() {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = tempfile::tempdir().unwrap();
    for (from, to) in FILES {
        copy(&package.join(from), &folder.path().join(to));
    }
    std::env::set_current_dir(folder.path()).unwrap();
    let qtdec = Path::new(qtdec_commands::qtdec());
    trycmd::TestCases::new()
        .register_bin("qtdec", qtdec)
        .register_bin("qtdec-mpi", &*qtdec.with_file_name("qtdec-mpi"))
        .case(package.join("tests/commands/*.md"));
    // The folder must not be the current one when it is removed.
    std::env::set_current_dir(package).unwrap();
}

/// Copies the contents of a folder, and checks that no file exists already.
fn copy(from: &Path, to: &Path) {
    for entry in WalkDir::new(from).into_iter().map(Result::unwrap) {
        let target = to.join(entry.path().strip_prefix(from).unwrap());
        if entry.file_type().is_dir() {
            fs::create_dir_all(target).unwrap();
        } else {
            assert!(!target.exists(), "two folders have a file {}", target.display());
            fs::copy(entry.path(), target).unwrap();
        }
    }
}

/// Returns the commands on the help page of a program.
fn commands(program: &Path) -> Vec<String> {
    let output = Command::new(program).arg("--help").output().unwrap();
    let help = String::from_utf8(output.stdout).unwrap();
    let (_, grouped) = help.split_once("Usage: ").unwrap();
    let (grouped, _) = grouped.split_once("\nOptions:\n").unwrap();
    let lines = grouped.lines().filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    lines.filter_map(|line| Some(line.split_whitespace().next()?.to_owned())).collect()
}

#[test]
fn every_command_has_its_file() {
    let qtdec = Path::new(qtdec_commands::qtdec());
    let mut commands = [commands(qtdec), commands(&qtdec.with_file_name("qtdec-mpi"))].concat();
    commands.sort_unstable();
    commands.dedup();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/commands");
    let mut files: Vec<String> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path().file_stem().unwrap().to_string_lossy().into_owned())
        .collect();
    files.sort_unstable();
    assert_eq!(files, commands);
}
