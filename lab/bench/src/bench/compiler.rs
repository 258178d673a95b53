//! What the attribute's check for aliases costs: the instructions of the compiler.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use xtask::files;
use xtask::run::{cargo, printed, root, rustc};

use super::callgrind;

/// The maximum instructions of the compiler with the check, relative to those without it.
const OF_UNCHECKED: f64 = 1.2;

/// A package with the attribute; its macros are optimised, so that their share of the work hides no check.
const MANIFEST: &str = "[package]
name = \"compiled\"
edition = \"2024\"

[lib]
path = \"named.rs\"

[profile.dev.build-override]
opt-level = 3

[workspace]

[dependencies.qtdec]
path = ";

/// Counts the instructions for 50 functions that return an enum of the same file, by its name and as `Self`, which cannot be an alias.
pub(super) fn alias_check(folder: &Path) -> Result<String, String> {
    files::folder(folder)?;
    files::write(folder.join("Cargo.toml"), format!("{MANIFEST}{:?}\n", root().display().to_string()))?;
    let lock = root().join("Cargo.lock");
    fs::copy(&lock, folder.join("Cargo.lock")).map_err(|error| format!("{}: {error}", lock.display()))?;
    let map = root().join("examples/maps/bcast.json");
    fs::copy(&map, folder.join("map.json")).map_err(|error| format!("{}: {error}", map.display()))?;
    for (file, returned) in [("named.rs", "Method"), ("unchecked.rs", "Self")] {
        files::write(folder.join(file), source(returned))?;
    }
    let built = cargo(["check", "--quiet", "--manifest-path"])
        .arg(folder.join("Cargo.toml"))
        .arg("--target-dir")
        .arg(folder.join("target"))
        .status();
    if !built.is_ok_and(|status| status.success()) {
        return Err("a package with the attribute cannot be built".to_owned());
    }
    let (named, unchecked) = (count(folder, "named")?, count(folder, "unchecked")?);
    let share = named / unchecked;
    let reported = format!(
        "instructions of the compiler for 50 functions with an enum of their file: {share:.3} of those without a check for aliases"
    );
    if share <= OF_UNCHECKED { Ok(reported) } else { Err(format!("{reported}; {OF_UNCHECKED} is allowed")) }
}

fn source(returned: &str) -> String {
    let mut text = "#[qtdec::decision_map(\"map.json\")]\npub enum Method {}\n\nimpl Method {\n".to_owned();
    for number in 0..50 {
        let _ = writeln!(text, "    #[qtdec::decision_map(\"map.json\")]");
        let _ = writeln!(text, "    pub fn f{number}(comm_size: usize, msg_size: usize) -> {returned};");
    }
    text + "}\n"
}

/// Counts the instructions for a file of the package.
fn count(folder: &Path, name: &str) -> Result<f64, String> {
    let compiler = Path::new(printed(rustc().args(["--print", "sysroot"]))?.trim()).join("bin/rustc");
    let libraries = folder.join("target/debug/deps");
    let qtdec = fs::read_dir(&libraries)
        .map_err(|error| error.to_string())?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .find(|path| {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            name.starts_with("libqtdec-") && name.ends_with(".rmeta")
        })
        .ok_or("the package was built without qtdec")?;
    let counted = folder.join("callgrind.out");
    let status = Command::new("valgrind")
        .args(["--tool=callgrind", "--quiet"])
        .arg(format!("--callgrind-out-file={}", counted.display()))
        .arg(compiler)
        .args(["--edition=2024", "--crate-type=lib", "--emit=metadata", "--out-dir"])
        .arg(folder)
        .arg("-L")
        .arg(format!("dependency={}", libraries.display()))
        .arg("--extern")
        .arg(format!("qtdec={}", qtdec.display()))
        .arg(folder.join(format!("{name}.rs")))
        .env("CARGO_MANIFEST_DIR", folder)
        .stdin(Stdio::null())
        .status()
        .map_err(|error| error.to_string())?;
    if !status.success() {
        return Err(format!("{name}.rs cannot be compiled under valgrind"));
    }
    callgrind::instructions(&counted)
}
