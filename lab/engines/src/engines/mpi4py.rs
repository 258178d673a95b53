//! mpi4py's own tests, on four ranks under the profiler, the interposer and both: they find what they find without them.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use qtdec_mpi_schedule::Collective;
use xtask::files;
use xtask::run::{printed, target};

use super::installed::Installed;
use super::interposer::constant;
use super::preloaded::build_qtdec;
use super::started::succeed;

/// The release whose wheels load any MPI library, and whose source has the tests.
const RELEASE: &str = "mpi4py==4.1.2";

/// The tests: collectives within and between groups, and spawned processes.
const TESTS: [&str; 2] = ["cco", "spawn"];

/// The seconds that one run may take. MPICH's ranks wait without letting others run.
const SECONDS: &str = "1800";

/// What is preloaded, for a test that must not notice.
const PRELOADED: [&[&str]; 3] =
    [&["libqtdec_profile.so"], &["libqtdec_mpi.so"], &["libqtdec_profile.so", "libqtdec_mpi.so"]];

/// Our algorithms that carry out the calls of the tests.
const CALLED: [(Collective, &str); 3] = [
    (Collective::Allreduce, "own_recursive_doubling"),
    (Collective::Bcast, "own_binomial"),
    (Collective::Barrier, "own_dissemination"),
];

/// A library, its name for mpi4py, and the options of its launcher.
type Library = (&'static str, Installed, &'static [&'static str]);

/// Returns the libraries, and the Python with the tests.
pub(super) fn available() -> Result<([Library; 2], PathBuf), String> {
    let of_open_mpi: &[&str] = &["--allow-run-as-root", "--oversubscribe"];
    let libraries =
        [("openmpi", Installed::open_mpi_of_debian()?, of_open_mpi), ("mpich", Installed::mpich_5()?, &[])];
    Ok((libraries, tests()?))
}

/// Installs mpi4py and its tests, and returns their folder.
fn tests() -> Result<PathBuf, String> {
    let folder = target().join("mpi4py");
    let (pip, source) = (folder.join("bin/pip"), folder.join("source"));
    if source.join("test").is_dir() {
        return Ok(folder);
    }
    printed(Command::new("python3").args(["-m", "venv"]).arg(&folder))?;
    printed(Command::new(&pip).args(["install", "--quiet", RELEASE]))?;
    let mut download = Command::new(&pip);
    download
        .args(["download", "--quiet", "--no-deps", "--no-binary", "mpi4py", RELEASE, "--dest"])
        .arg(&folder);
    printed(&mut download)?;
    let packed = folder.join(RELEASE.replace("==", "-") + ".tar.gz");
    files::folder(&source)?;
    printed(Command::new("tar").arg("-xzf").arg(packed).arg("-C").arg(&source).arg("--strip-components=1"))?;
    Ok(folder)
}

pub(super) fn prove((libraries, tests): ([Library; 2], PathBuf)) -> Result<String, String> {
    build_qtdec()?;
    let mut ran = Vec::new();
    for library in &libraries {
        let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
        let mut build = Command::new(target().join("debug/qtdec-mpi"));
        succeed(build.args(["build", "--mpicc"]).arg(&library.1.mpicc).arg("--output").arg(folder.path()))?;
        for (collective, method) in CALLED {
            let file = folder.path().join(format!("{collective}.tree.json"));
            files::write(file, constant(collective, method, None)?)?;
        }
        for preloaded in PRELOADED {
            let said = run(library, &tests, folder.path(), preloaded)?;
            let count = said.lines().find(|line| line.starts_with("Ran ")).unwrap_or_default();
            ran.push(format!("{} with {}: {count}", library.0, preloaded.join(" and ")));
        }
    }
    Ok(ran.join("; "))
}

/// Runs the tests, and returns what they print; fails if one of them does.
fn run(library: &Library, tests: &Path, folder: &Path, preloaded: &[&str]) -> Result<String, String> {
    let (abi, installed, options) = library;
    let paths: Vec<String> = preloaded.iter().map(|name| folder.join(name).display().to_string()).collect();
    let mut command = Command::new("timeout");
    command.args(["-k", "5", SECONDS]).arg(&installed.mpirun).args(*options).args(["-np", "4"]);
    command.arg(tests.join("bin/python")).arg(tests.join("source/test/main.py"));
    command.args(TESTS.iter().flat_map(|test| ["-i", test])).current_dir(folder);
    command.env("MPI4PY_MPIABI", abi).env("LD_PRELOAD", paths.join(":")).env("QTDEC_TREES", folder);
    command.envs(installed.variable.clone());
    if let Some(root) = installed.mpicc.parent().and_then(Path::parent) {
        command.env("LD_LIBRARY_PATH", root.join("lib"));
    }
    let output = command.output().map_err(|error| error.to_string())?;
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    if output.status.success() && said.contains("\nOK") {
        return Ok(said);
    }
    let log = target().join("mpi4py.log");
    fs::write(&log, &said).map_err(files::named(&log))?;
    let end: Vec<&str> = said.lines().rev().take(12).collect();
    let end: Vec<&str> = end.into_iter().rev().collect();
    Err(format!(
        "{abi} with {}: {}\n{}\n{} has all of it",
        preloaded.join(" and "),
        output.status,
        end.join("\n"),
        log.display()
    ))
}
