//! `qtdec mpi-build`: programs that call an MPI library, compiled for it.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

use clap::Args;
use qtdec_run::rim::{FILES, LIBRARY};

use super::destination::Outputs;
use super::folder::{self, FileSet, ForceArgument};
use super::{Failure, output};

/// The program that measures.
const BENCH: &str = "qtdec-bench";

/// Compile the benchmark `qtdec-bench` for an MPI library
///
/// The C code that calls MPI is written to the folder, compiled with the library's compiler, and linked with the static library
/// `libqtdec_run.a`, which knows no MPI.
#[derive(Debug, Args)]
#[command(
    after_help = "Example:\n  qtdec mpi-build --mpicc mpicc -o bench\n  mpirun -np 8 bench/qtdec-bench --help"
)]
pub(super) struct Arguments {
    /// Compile with this command, which may have options, such as `mpicc` or `mpicc_abi -march=native`
    #[arg(long, value_name = "COMMAND", default_value = "mpicc")]
    mpicc: String,

    /// Write the program and its source to this folder
    #[arg(short, long, value_name = "FOLDER", value_parser = folder::name())]
    output: String,

    /// Link this static library [default: libqtdec_run.a in the folder of this program, or where Cargo builds]
    #[arg(long, value_name = "FILE")]
    runtime: Option<PathBuf>,

    #[command(flatten)]
    force: ForceArgument,
}

pub(super) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let words = shlex::split(&arguments.mpicc).filter(|words| !words.is_empty());
    let Some(words) = words else {
        return Err(Failure::Usage(format!("--mpicc `{}` is not a command", arguments.mpicc)));
    };
    let runtime = match &arguments.runtime {
        Some(named) if named.is_file() => named.clone(),
        Some(named) => return Err(Failure::input(format!("there is no file `{}`", named.display()))),
        None => found()?,
    };
    let mut files = FileSet::new("mpi-build");
    for (name, text) in FILES {
        files.add(name, text);
    }
    files.write(&arguments.output, Outputs::new([]), &arguments.force)?;
    let folder = Path::new(&arguments.output);
    // A program that runs cannot be written, but replaced.
    let program = folder.join(BENCH);
    let compiled = folder.join(".qtdec-bench.new");
    let mut compiler = Command::new(&words[0]);
    compiler
        .args(&words[1..])
        .args(["-std=gnu11", "-O2", "-Wall", "-Wextra", "-Werror", "-o"])
        .arg(&compiled);
    for (name, _) in FILES.iter().filter(|(name, _)| Path::new(name).extension() == Some("c".as_ref())) {
        compiler.arg(folder.join(name));
    }
    compiler.arg(&runtime).args(LINKED);
    let done = compiler.output().map_err(|error| {
        Failure::input(format!(
            "`{}` cannot be run: {error}; name the compiler of the MPI library with --mpicc, or install it (Debian: \
             libopenmpi-dev or libmpich-dev)",
            words[0]
        ))
    })?;
    if !done.status.success() {
        let said = String::from_utf8_lossy(&done.stderr);
        let _ = std::fs::remove_file(&compiled);
        return Err(Failure::input(format!(
            "`{}` could not compile the sources in `{}`, with `{}`:\n{}",
            arguments.mpicc,
            arguments.output,
            runtime.display(),
            said.trim_end()
        )));
    }
    std::fs::rename(&compiled, &program)
        .map_err(|error| Failure::input(format!("cannot write `{}`: {error}", program.display())))?;
    output::note(&format!("{} is ready: mpirun -np 8 {0} --help", program.display()));
    Ok(())
}

/// What Rust's standard library needs of the system's, and what keeps unused parts out.
#[cfg(target_os = "macos")]
const LINKED: [&str; 2] = ["-Wl,-dead_strip", "-lm"];
#[cfg(not(target_os = "macos"))]
const LINKED: [&str; 4] = ["-Wl,--gc-sections", "-lpthread", "-ldl", "-lm"];

/// Finds the static library: in releases it lies beside the command, and Cargo builds it into the same folder.
fn found() -> Result<PathBuf, Failure> {
    let program = env::current_exe().and_then(|program| program.canonicalize());
    let program =
        program.map_err(|error| Failure::input(format!("this program cannot be found: {error}")))?;
    let folder = program.parent().unwrap_or(Path::new("."));
    // `cargo test` starts programs from the folder `deps`.
    let folders = [folder.to_owned(), folder.join("../lib"), folder.join("..")];
    let found = folders.iter().map(|folder| folder.join(LIBRARY)).find(|path| path.is_file());
    found.ok_or_else(|| {
        Failure::input(format!(
            "there is no {LIBRARY} in `{}`: name it with --runtime; release archives have it, and in a checkout `cargo build` \
             makes it",
            folder.display()
        ))
    })
}
