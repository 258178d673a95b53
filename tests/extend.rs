//! The claims of ARCHITECTURE.md that what is added is one new file, with its `mod` line, and one line in a list. Each file
//! of `tests/extend/` is a patch that makes one of these additions. All are applied to a copy of the sources, which is
//! built once, and `uses.rs` finds each by its name.
//!
//! If a patch no longer applies, make it again with `diff -U1`.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The packages that are copied.
const PACKAGES: [&str; 16] = [
    "qt-build",
    "qt-cli",
    "qt-core",
    "qt-lookup",
    "qt-macro",
    "qt-measure",
    "qt-report",
    "qt-study",
    "qt-terminal",
    "qt-times",
    "mpi/command",
    "mpi/library",
    "mpi/predict",
    "mpi/run",
    "mpi/schedule",
    "tests/kit",
];

/// The manifest of the program that uses the additions.
const MANIFEST: &str = "[package]
name = \"qtdec-extended\"
version = \"0.0.0\"
edition = \"2024\"

[dependencies]
qtdec-build.workspace = true
qtdec-core.workspace = true
qtdec-study.workspace = true
qtdec-mpi-library.workspace = true
qtdec-mpi-predict.workspace = true
qtdec-mpi-schedule.workspace = true
";

/// Files by their paths.
type Tree = BTreeMap<PathBuf, Vec<u8>>;

#[test]
#[ignore = "builds the packages once more: the step `additions` of cargo xtask test --all"]
fn one_file_and_one_line_add_each() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let patches = patches(root);
    let mut sources = Tree::new();
    for package in PACKAGES {
        collect(root, Path::new(package), &mut sources);
    }
    for patch in &patches {
        apply(&fs::read_to_string(patch).unwrap(), &mut sources)
            .unwrap_or_else(|reason| panic!("{}: {reason}", patch.display()));
    }
    // The copy has a folder of its own; otherwise Cargo would take the copied packages for the originals.
    let mut files = Tree::new();
    for (path, text) in sources {
        let text = if path.ends_with("Cargo.toml") { adapted(&text) } else { text };
        files.insert(Path::new("sources").join(path), text);
    }
    files.insert("Cargo.toml".into(), workspace(root).into());
    files.insert("uses/Cargo.toml".into(), MANIFEST.into());
    for name in ["uses.rs", "ladder.rs"] {
        let path = if name == "uses.rs" { "uses/src/main.rs" } else { "uses/src/ladder.rs" };
        files.insert(path.into(), fs::read(root.join("tests/extend").join(name)).unwrap());
    }
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("extend");
    write(&folder, &files);
    fs::copy(root.join("Cargo.lock"), folder.join("Cargo.lock")).unwrap();
    cargo(&folder, &["build", "--package", "qtdec-cli", "--package", "qtdec-mpi"]);
    cargo(&folder, &["run", "--package", "qtdec-extended"]);
}

/// Runs Cargo in the copy.
fn cargo(folder: &Path, arguments: &[&str]) {
    let output = Command::new(std::env::var_os("CARGO").unwrap_or("cargo".into()))
        .args(arguments)
        .args(["--quiet", "--offline"])
        // Unchanged dependencies are not built again.
        .arg("--target-dir")
        .arg(Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap())
        .current_dir(folder)
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// Returns the patches.
fn patches(root: &Path) -> Vec<PathBuf> {
    let paths = fs::read_dir(root.join("tests/extend")).unwrap().map(|entry| entry.unwrap().path());
    paths.filter(|path| path.extension().is_some_and(|extension| extension == "patch")).collect()
}

/// Returns the manifest of the copied packages.
fn workspace(root: &Path) -> String {
    let manifest = fs::read_to_string(root.join("Cargo.toml")).unwrap();
    let (shared, _) = manifest.split_once("\n[package]\n").unwrap();
    let lines =
        shared.lines().filter(|line| !line.starts_with("default-members") && !line.starts_with("exclude"));
    let lines = lines.map(|line| {
        if line.starts_with("members") {
            "members = [\"sources/mpi/*\", \"sources/qt-*\", \"uses\"]".to_owned()
        } else {
            // What is built is run once.
            line.replace("path = \"", "path = \"sources/").replace("opt-level = 1", "opt-level = 0")
        }
    });
    lines.map(|line| line + "\n").collect()
}

/// Returns a manifest without the tables of tests, whose files are not copied, and with other names for the programs: in the folder
/// of targets they stand next to the originals.
fn adapted(manifest: &[u8]) -> Vec<u8> {
    let mut text = String::from_utf8_lossy(manifest).into_owned();
    for (key, name) in
        [("[[bin]]\nname", "qtdec"), ("[[bin]]\nname", "qtdec-mpi"), ("\ndefault-run", "qtdec")]
    {
        text = text.replace(&format!("{key} = \"{name}\""), &format!("{key} = \"extended-{name}\""));
    }
    let tables = text.split_inclusive("\n\n");
    tables.filter(|table| !table.starts_with("[[test]]")).collect::<String>().into_bytes()
}

/// Collects the files of a package, without its tests.
fn collect(root: &Path, folder: &Path, sources: &mut Tree) {
    for entry in fs::read_dir(root.join(folder)).unwrap().map(Result::unwrap) {
        let path = folder.join(entry.file_name());
        if !entry.file_type().unwrap().is_dir() {
            sources.insert(path.clone(), fs::read(root.join(path)).unwrap());
        } else if entry.file_name() != "tests" {
            collect(root, &path, sources);
        }
    }
}

/// Writes changed files, and removes those that no longer exist; unchanged ones are not built again.
fn write(folder: &Path, files: &Tree) {
    let mut there = Tree::new();
    fs::create_dir_all(folder).unwrap();
    collect(folder, Path::new(""), &mut there);
    for path in there.keys().filter(|path| !files.contains_key(*path)) {
        fs::remove_file(folder.join(path)).unwrap();
    }
    for (path, text) in files.iter().filter(|(path, text)| there.get(*path) != Some(text)) {
        let path = folder.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
}

/// Every claim names its patch and the folder of the new file, and every patch proves a claim.
#[test]
fn every_claim_has_its_patch() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let text = fs::read_to_string(root.join("ARCHITECTURE.md")).unwrap();
    let (_, claims) = text.split_once("\n## Where new code goes\n").unwrap();
    let mut claimed = Vec::new();
    for row in claims.lines().filter(|line| line.starts_with("| ") && line.contains(".patch` |")) {
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        let [_, _, place, _, patch, _] = cells[..] else { panic!("{row}") };
        let [place, patch] = [place, patch].map(|cell| cell.split('`').nth(1).unwrap());
        let patch_text = fs::read_to_string(root.join("tests/extend").join(patch)).unwrap();
        let added = if place.ends_with('/') { "--- /dev/null\n+++ b/" } else { "\n+++ b/" };
        assert!(
            format!("\n{patch_text}").contains(&format!("{added}{place}")),
            "{patch} adds nothing in {place}"
        );
        claimed.push(patch.to_owned());
    }
    claimed.sort();
    let names =
        patches(root).into_iter().map(|path| path.file_name().unwrap().to_string_lossy().into_owned());
    let mut names: Vec<String> = names.collect();
    names.sort();
    assert_eq!(claimed, names);
}

/// Applies a unified diff that adds one line, and at most one file, which has a `mod` line if it is of Rust.
fn apply(patch: &str, sources: &mut Tree) -> Result<(), String> {
    let (mut new_files, mut new_modules) = (0, 0);
    let mut lines_in_others: Vec<&str> = Vec::new();
    let sections = patch.split("--- ").skip(1);
    for section in sections {
        let (names, hunks) = section.split_once("\n@@ ").ok_or("a file without a hunk")?;
        let (before, after) = names.split_once("\n+++ b/").ok_or("no name after `+++`")?;
        let path = PathBuf::from(after);
        for hunk in hunks.split("\n@@ ") {
            let lines: Vec<&str> = hunk.lines().skip(1).collect();
            let with = |marks: [char; 2]| -> String {
                let lines = lines.iter().filter_map(|line| line.strip_prefix(marks));
                lines.flat_map(|line| [line, "\n"]).collect()
            };
            if lines.iter().any(|line| !line.starts_with([' ', '+'])) {
                return Err(format!("a line of {after} is taken out"));
            }
            if before == "/dev/null" {
                new_files += 1;
                new_modules += usize::from(path.extension().is_some_and(|extension| extension == "rs"));
                sources.insert(path.clone(), with(['+', '+']).into());
                continue;
            }
            lines_in_others.extend(lines.iter().filter_map(|line| line.strip_prefix('+')));
            let known = sources.get_mut(&path).ok_or_else(|| format!("there is no {after}"))?;
            let text = String::from_utf8_lossy(known).into_owned();
            let (context, patched) = (with([' ', ' ']), with([' ', '+']));
            if text.matches(&context).count() != 1 {
                return Err(format!("{after} does not hold, or more than once:\n{context}"));
            }
            *known = text.replacen(&context, &patched, 1).into();
        }
    }
    let beginnings = ["mod ", "pub mod ", "pub(crate) mod "];
    let is_module = |line: &&&str| beginnings.iter().any(|beginning| line.starts_with(beginning));
    let modules = lines_in_others.iter().filter(is_module).count();
    let (lines, names) = (lines_in_others.len(), "new files, those of Rust, `mod` lines and lines in all");
    let is_one = new_files <= 1 && modules == new_modules && lines == modules + 1;
    is_one.then_some(()).ok_or_else(|| format!("{names}: {:?}", (new_files, new_modules, modules, lines)))
}
