//! Checks before packages are published: `cargo xtask publish` and `cargo xtask semver`.

use std::path::Path;
use std::process::Command;

use clap::Args;
use serde_json::Value;

use xtask::outcome::Outcome;
use xtask::run::{cargo, printed, root};

/// The maximum size of a package on crates.io, in bytes. Packed files are smaller than the sum that is compared with it.
const MAX_BYTES: u64 = 10_000_000;

/// Folders and files that users of a package do not need.
const NOT_PUBLISHED: [&str; 6] = [".ci", ".github", "lab", "target", "tests", "xtask"];

/// The libraries whose API is compared with that of a release. Any release may change those of the others, whose READMEs say so.
const COMPARED: [&str; 3] = ["qtdec", "qtdec-build", "qtdec-lookup"];

/// The comparison of the API with that of a release.
#[derive(Args, Clone, Debug)]
pub(crate) struct Semver {
    /// The tag or commit of the release
    #[arg(long)]
    baseline: String,
}

/// Checks the packages, and then packs and builds each as `cargo publish` would.
pub(crate) fn publish() -> Result<(), String> {
    if let Outcome::Held(held) = check()? {
        println!("{held}");
    }
    run(&mut cargo(["publish", "--workspace", "--dry-run", "--allow-dirty"]), "cargo publish --dry-run")
}

/// Runs `cargo semver-checks` for the libraries with a stable API.
pub(crate) fn semver(arguments: &Semver) -> Result<(), String> {
    let mut command = cargo(["semver-checks", "--baseline-rev", &*arguments.baseline]);
    run(command.args(COMPARED.iter().flat_map(|library| ["--package", library])), "cargo semver-checks")
}

fn run(command: &mut Command, name: &str) -> Result<(), String> {
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        _ => Err(format!("failed: {name}")),
    }
}

/// Checks the manifest, the README and the files of every published package.
pub(crate) fn check() -> Result<Outcome, String> {
    let published = published()?;
    let mut faults = Vec::new();
    for package in &published {
        let name = package["name"].as_str().unwrap_or_default();
        let manifest = Path::new(package["manifest_path"].as_str().unwrap_or_default());
        let folder = manifest.parent().ok_or("a manifest without a folder")?;
        let files = files(name)?;
        let bytes = files.iter().filter_map(|file| folder.join(file).metadata().ok()).map(|file| file.len());
        let readme = package["readme"].as_str().unwrap_or_default();
        let readme = std::fs::read_to_string(folder.join(readme)).unwrap_or_default();
        let found = [said(package), contents(&files, bytes.sum()), links(&readme)].concat();
        faults.extend(found.into_iter().map(|fault| format!("{name}: {fault}")));
    }
    if faults.is_empty() {
        Ok(Outcome::Held(format!("{} packages can be published", published.len())))
    } else {
        Err(faults.join("\n"))
    }
}

pub(crate) fn published() -> Result<Vec<Value>, String> {
    let mut packages = packages(&["--no-deps"])?;
    packages.retain(|package| package["publish"].is_null());
    Ok(packages)
}

pub(crate) fn packages(options: &[&str]) -> Result<Vec<Value>, String> {
    let metadata = printed(cargo(["metadata", "--format-version=1"]).args(options))?;
    let mut metadata: Value =
        serde_json::from_str(&metadata).map_err(|error| format!("cargo metadata: {error}"))?;
    match metadata["packages"].take() {
        Value::Array(packages) => Ok(packages),
        _ => Err("cargo metadata lists no packages".to_owned()),
    }
}

/// Returns the files of a package, relative to its folder.
fn files(package: &str) -> Result<Vec<String>, String> {
    let mut command = cargo(["package", "--list", "--quiet", "--allow-dirty", "--package", package]);
    Ok(printed(command.current_dir(root()))?.lines().map(str::to_owned).collect())
}

fn said(package: &Value) -> Vec<String> {
    let count = |key: &str| package[key].as_array().map_or(0, Vec::len);
    let mut faults = Vec::new();
    for key in ["description", "license", "readme", "documentation", "rust_version"] {
        if package[key].as_str().is_none_or(str::is_empty) {
            faults.push(format!("the manifest has no `{}`", key.replace('_', "-")));
        }
    }
    if !(1..=5).contains(&count("keywords")) {
        faults.push(format!("the manifest has {} keywords, and crates.io accepts 1 to 5", count("keywords")));
    }
    if !(1..=5).contains(&count("categories")) {
        faults.push(format!(
            "the manifest has {} categories, and crates.io accepts 1 to 5",
            count("categories")
        ));
    }
    if !package["metadata"]["docs"]["rs"].is_object() {
        faults.push("the manifest has no `package.metadata.docs.rs`".to_owned());
    }
    faults
}

/// Returns the faults of the files: those that do not belong in a package, and too large a size.
fn contents(files: &[String], bytes: u64) -> Vec<String> {
    let mut faults: Vec<String> = Vec::new();
    for file in files {
        let first = file.split(['/', '\\']).next().unwrap_or_default();
        if NOT_PUBLISHED.contains(&first) {
            faults.push(format!("`{file}` is in the package: `include` of the manifest is too wide"));
        }
    }
    for license in ["LICENSE-APACHE", "LICENSE-MIT"] {
        if !files.iter().any(|file| file == license) {
            faults.push(format!("`{license}` is not in the package"));
        }
    }
    if bytes > MAX_BYTES {
        faults.push(format!("the files have {bytes} bytes, and crates.io accepts {MAX_BYTES}"));
    }
    faults
}

/// Returns the links of a README that work only in the repository.
fn links(readme: &str) -> Vec<String> {
    let targets = readme.split("](").skip(1).filter_map(|rest| rest.split(')').next());
    let relative = targets.filter(|target| !target.starts_with("https://") && !target.starts_with('#'));
    relative
        .map(|target| format!("the README links to `{target}`, which does not exist on crates.io"))
        .collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{contents, links, said};

    #[test]
    fn a_manifest_says_what_crates_io_asks_for() {
        let mut package = json!({"description": "d", "license": "MIT", "readme": "README.md", "documentation": "d",
            "rust_version": "1.88", "keywords": ["mpi"], "categories": ["science"], "metadata": {"docs": {"rs": {}}}});
        assert_eq!(said(&package), [""; 0]);
        package["keywords"] = json!(["1", "2", "3", "4", "5", "6"]);
        package["rust_version"] = json!(null);
        let faults = [
            "the manifest has no `rust-version`",
            "the manifest has 6 keywords, and crates.io accepts 1 to 5",
        ];
        assert_eq!(said(&package), faults);
    }

    #[test]
    fn files_of_the_repository_stay_there() {
        let licenses = ["LICENSE-APACHE", "LICENSE-MIT"].map(str::to_owned);
        assert_eq!(contents(&licenses, 10), [""; 0]);
        let faults = contents(&[".github/workflows/ci.yml".to_owned(), licenses[0].clone()], 20_000_000);
        assert_eq!(
            faults,
            [
                "`.github/workflows/ci.yml` is in the package: `include` of the manifest is too wide",
                "`LICENSE-MIT` is not in the package",
                "the files have 20000000 bytes, and crates.io accepts 10000000",
            ]
        );
    }

    #[test]
    fn links_of_a_readme_leave_the_repository() {
        assert_eq!(links("[a](https://docs.rs/qtdec), [b](#license)"), [""; 0]);
        let fault = "the README links to `guide/src/mpi.md`, which does not exist on crates.io";
        assert_eq!(links("See [the guide](guide/src/mpi.md)."), [fault]);
    }
}
