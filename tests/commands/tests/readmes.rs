//! The console blocks of the READMEs, run as they are printed, with stubs of Cargo and of what a cluster has.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

const READMES: [&str; 5] = [
    "README.md",
    "examples/general/README.md",
    "examples/kernels/README.md",
    "qt-cli/README.md",
    "mpi/command/README.md",
];

/// The folders whose files the commands read and replace.
const FILES: [&str; 2] = ["examples/general/maps", "examples/kernels/data"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

#[test]
fn readmes_run_as_they_are_printed() {
    for readme in READMES {
        let commands = commands(&fs::read_to_string(root().join(readme)).unwrap());
        assert!(!commands.is_empty(), "{readme}");
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("target")).unwrap();
        for files in FILES {
            fs::create_dir_all(folder.path().join(files)).unwrap();
            for entry in fs::read_dir(root().join(files)).unwrap().map(Result::unwrap) {
                fs::copy(entry.path(), folder.path().join(files).join(entry.file_name())).unwrap();
            }
        }
        let stubs = root().join("tests/commands/tests/readmes/stubs");
        let programs = Path::new(qtdec_commands::qtdec()).parent().unwrap().to_owned();
        let path = env::var_os("PATH").unwrap_or_default();
        let path = env::join_paths([stubs, programs].into_iter().chain(env::split_paths(&path))).unwrap();
        let mut shell = Command::new("bash");
        shell.args(["-e", "-x", "-c", &commands.join("\n")]).current_dir(folder.path()).env("PATH", path);
        let output = shell.output().unwrap();
        assert!(output.status.success(), "{readme}: {}", String::from_utf8_lossy(&output.stderr));
    }
}

/// Returns the folders of a list of packages in the manifest of the workspace.
fn packages(list: &str) -> Vec<String> {
    let manifest = fs::read_to_string(root().join("Cargo.toml")).unwrap();
    let list = manifest.lines().find_map(|line| line.strip_prefix(list)?.strip_prefix(" = [")).unwrap();
    list.trim_end_matches(']').split(", ").map(|folder| folder.trim_matches('"').to_owned()).collect()
}

/// With two programs to run by default, or with none, Cargo would ask which.
#[test]
fn cargo_run_is_the_command() {
    let has_default = |folder: &String| {
        let manifest = fs::read_to_string(root().join(folder).join("Cargo.toml")).unwrap();
        manifest.lines().any(|line| line.starts_with("default-run = "))
    };
    let found: Vec<String> = packages("default-members").into_iter().filter(has_default).collect();
    assert_eq!(found, ["qt-cli"]);
}

#[test]
fn every_readme_with_commands_is_run() {
    for member in packages("members") {
        let readme = format!("{member}/README.md");
        let text = fs::read_to_string(root().join(&readme)).unwrap_or_default();
        assert!(!text.contains("```console") || READMES.contains(&&*readme), "{readme} is not in the list");
    }
}

/// Returns the commands of all console blocks: the lines that begin with a prompt.
fn commands(text: &str) -> Vec<String> {
    let mut commands = Vec::new();
    let mut is_console = false;
    for line in text.lines() {
        if let Some(language) = line.strip_prefix("```") {
            is_console = !is_console && language.starts_with("console");
        } else if let (true, Some(command)) = (is_console, line.strip_prefix("$ ")) {
            commands.push(command.to_owned());
        }
    }
    commands
}

#[test]
fn only_prompts_in_console_blocks_are_commands() {
    let text = "$ no\n```console\n$ one --two\nits output\n$ three\n```\n```rust\n$ no\n```\n";
    assert_eq!(commands(text), ["one --two", "three"]);
}
