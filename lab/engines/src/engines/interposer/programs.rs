//! Unmodified programs of Debian, with and without the interposer: they find the same results.

use std::fs;
use std::path::Path;
use std::process::Command;

use super::super::preloaded::{self, LIBRARIES};
use super::{Place, carried_out};
use xtask::files;
use xtask::machine;

/// A program of Debian.
struct Real {
    /// The ending of the commands of its MPI library.
    library: &'static str,
    ranks: u32,
    program: &'static str,
    arguments: &'static [&'static str],
    /// What lines with results contain; others have times.
    results: &'static [&'static str],
    /// The file with the results, if they are not printed.
    file: Option<&'static str>,
}

/// A test of `ScaLAPACK`.
const fn test(library: &'static str, ranks: u32, program: &'static str) -> Real {
    Real { library, ranks, program, arguments: &[], results: &["tests completed"], file: None }
}

const SCALAPACK: &str = "/usr/lib/x86_64-linux-gnu/scalapack";

/// Programs in Fortran, and one in C. MPICH's ranks wait without letting others run, so that there are as many as cores.
const PROGRAMS: [Real; 7] = [
    Real {
        library: "openmpi",
        ranks: 4,
        program: "/usr/bin/pw.x",
        arguments: &["-ndiag", "1", "-in", "h2.in"],
        results: &["total energy"],
        file: None,
    },
    Real {
        library: "openmpi",
        ranks: 4,
        program: "/usr/bin/hpcc",
        arguments: &[],
        results: &["errors in", "residual checks", "_Errors=", "PTRANS_residual=", "Success="],
        file: Some("hpccoutf.txt"),
    },
    test("openmpi", 4, "openmpi-tests/xdlu"),
    test("openmpi", 4, "openmpi-tests/xdllt"),
    test("mpich", 2, "mpich-tests/xdllt"),
    test("mpich", 2, "mpich-tests/xdlu"),
    test("mpich", 2, "mpich-tests/xdqr"),
];

/// A molecule of hydrogen for pw.x of Quantum ESPRESSO.
const MOLECULE: &str = include_str!("h2.in");

/// Where Debian's package has the atom of hydrogen.
const ATOM: &str = "/usr/share/doc/quantum-espresso/examples/CPV/EXX-wf-example/H_HSCV_PBE-1.0.UPF.gz";

/// Where Debian's package has the input of hpcc, for a matrix of 1 000 rows.
const MATRIX: &str = "/usr/share/doc/hpcc/examples/_hpccinf.txt";

/// Ensures that the programs are installed.
pub(in super::super) fn available() -> Result<(), String> {
    preloaded::available()?;
    for name in ["pw.x", "hpcc", "xdlu"] {
        let path = PROGRAMS.iter().find(|known| known.program.ends_with(name)).map(path_of);
        machine::files(&[&path.unwrap_or_default()])?;
    }
    Ok(())
}

pub(in super::super) fn prove() -> Result<String, String> {
    let mut told = Vec::new();
    for library in &LIBRARIES {
        let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
        let place = Place::new(library, folder.path())?;
        inputs(folder.path())?;
        for real in PROGRAMS.iter().filter(|real| real.library == library.ending) {
            told.push(same(&place, real)?);
        }
    }
    Ok(told.join("; "))
}

fn path_of(real: &Real) -> String {
    // An absolute path takes the place of the folder.
    Path::new(SCALAPACK).join(real.program).display().to_string()
}

/// Writes what the programs read.
fn inputs(folder: &Path) -> Result<(), String> {
    files::write(folder.join("h2.in"), MOLECULE)?;
    let script = format!(
        "zcat {ATOM} > H.UPF && cp /usr/share/scalapack/*.dat . && sed 's/^1000 /256 /' {MATRIX} > hpccinf.txt"
    );
    let done = Command::new("sh").args(["-c", &script]).current_dir(folder).status();
    if done.is_ok_and(|status| status.success()) {
        Ok(())
    } else {
        Err("the inputs of the programs cannot be copied".to_owned())
    }
}

/// Runs a program without and with our schedules, and describes what it found both times.
fn same(place: &Place<'_>, real: &Real) -> Result<String, String> {
    let name = Path::new(real.program).file_name().unwrap_or_default().to_string_lossy();
    let run = |settings: &[(&str, &str)]| {
        let mut command = place.library.run(real.ranks, Path::new(&path_of(real)), "");
        command.args(real.arguments).current_dir(&place.folder).env("OMP_NUM_THREADS", "1");
        let file = real.file.map(|file| place.folder.join(file));
        if let Some(file) = &file {
            // Otherwise results are added to those of the run before.
            let _ = fs::remove_file(file);
        }
        let output = command.envs(settings.iter().copied()).output().map_err(|error| error.to_string())?;
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        if !output.status.success() {
            return Err(format!("{name} under {} ended with {}: {said}{told}", real.library, output.status));
        }
        let written = file.map(fs::read_to_string).transpose().map_err(|error| format!("{name}: {error}"))?;
        let is_result = |line: &&str| real.results.iter().any(|part| line.contains(part));
        let text = written.as_deref().unwrap_or(&said);
        let results: Vec<String> = text.lines().filter(is_result).map(str::to_owned).collect();
        Ok((results, told.lines().filter_map(carried_out).count()))
    };
    let library = place.folder.join("libqtdec_mpi.so").display().to_string();
    let trees = place.trees(0).display().to_string();
    let (plain, _) = run(&[])?;
    let (own, calls) = run(&[("LD_PRELOAD", &library), ("QTDEC_TREES", &trees), ("QTDEC_TRACE", "1")])?;
    if plain.is_empty() || plain != own || calls == 0 {
        return Err(format!(
            "{name} under {} found {plain:?}, and {own:?} with {calls} calls of ours",
            real.library
        ));
    }
    Ok(format!("{name} on {} ranks of {}: the same with {calls} decisions of ours", real.ranks, real.library))
}
