//! `qtdec-mpi build`: programs that call an MPI library, compiled for it.

mod runtime;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use clap::Args;
use qtdec_mpi_run::rim::{RIMS, Rim, TREES, trees_in_c};

use qtdec_terminal::{Failure, FileSet, ForceArgument, Outputs, folder, output};

/// Compile the benchmark, the profiler and the interposer
///
/// They are `qtdec-bench`, `libqtdec_profile.so` and `libqtdec_mpi.so`, for one MPI library.
///
/// The C code that calls MPI is written to the folder, compiled with the library's compiler, and linked with the static library
/// `libqtdec_mpi_run.a`, which knows no MPI. Any program that runs with the profiler in `LD_PRELOAD` writes its calls of collectives to
/// `profile.csv`, which `qtdec weigh` reads. With the interposer in `LD_PRELOAD`, the trees of the folder `QTDEC_TREES` decide which
/// collectives our own schedules carry out; with `--trees` they are compiled in, and `QTDEC_TREES` is not needed. Both are for Linux.
#[derive(Debug, Args)]
#[command(
    after_help = "Example:\n  qtdec-mpi build --mpicc mpicc -o bench\n  mpirun -np 8 bench/qtdec-bench --help"
)]
pub(crate) struct Arguments {
    /// Compile with this command, which may have options, such as `mpicc` or `mpicc_abi -march=native`
    #[arg(long, value_name = "COMMAND", default_value = "mpicc")]
    mpicc: String,

    /// Write the program, the libraries and their sources to this folder
    #[arg(short, long, value_name = "FOLDER", value_parser = folder::name())]
    output: String,

    /// Link this static library [default: libqtdec_mpi_run.a in the folder of this program, or where Cargo builds]
    #[arg(long, value_name = "FILE")]
    runtime: Option<PathBuf>,

    /// Compile the trees of this folder into the interposer, such as `bcast.tree.json`, so that it reads no file when programs run
    #[arg(long, value_name = "FOLDER")]
    trees: Option<PathBuf>,

    #[command(flatten)]
    force: ForceArgument,
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let words = shlex::split(&arguments.mpicc).filter(|words| !words.is_empty());
    let Some(words) = words else {
        return Err(Failure::usage(format!("--mpicc `{}` is not a command", arguments.mpicc)));
    };
    let runtime = runtime::find(arguments.runtime.as_deref())?;
    let mut files = FileSet::new("mpi-build");
    // Some have headers in common.
    let texts: BTreeMap<_, _> =
        RIMS.iter().flat_map(|rim| rim.files.iter().chain(&rim.exported)).copied().collect();
    let trees = arguments.trees.as_deref().map(trees_in_c).transpose();
    let trees = trees.map_err(|error| Failure::input(format!("--trees {error}")))?;
    for (name, text) in texts {
        files.add(name, trees.as_deref().filter(|_| name == TREES).unwrap_or(text));
    }
    files.write(&arguments.output, Outputs::new([]), Some(&arguments.force))?;
    let folder = Path::new(&arguments.output);
    for rim in RIMS {
        compile(rim, &arguments.mpicc, &words, folder, &runtime)?;
        let path = folder.join(rim.name);
        output::note(&match rim.exported {
            None => format!("{} is ready: mpirun -np 8 {0} --help", path.display()),
            Some(_) => {
                format!("{} is ready: LD_PRELOAD={} mpirun -np 8 PROGRAM", path.display(), absolute(&path))
            }
        });
    }
    Ok(())
}

fn absolute(path: &Path) -> String {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned()).display().to_string()
}

/// Compiles a program or library in its folder, which has its files.
fn compile(rim: &Rim, mpicc: &str, words: &[String], folder: &Path, runtime: &Path) -> Result<(), Failure> {
    // A program that runs cannot be written, but replaced.
    let compiled = folder.join(format!(".{}.new", rim.name));
    let mut compiler = Command::new(&words[0]);
    compiler
        .args(&words[1..])
        .args(["-std=gnu11", "-O2", "-Wall", "-Wextra", "-Werror", "-o"])
        .arg(&compiled);
    for (name, _) in rim.files.iter().filter(|(name, _)| Path::new(name).extension() == Some("c".as_ref())) {
        compiler.arg(folder.join(name));
    }
    if let Some((script, _)) = rim.exported {
        compiler.args(["-shared", "-fPIC", "-Wl,--strip-debug"]);
        compiler.arg(format!("-Wl,--version-script={}", folder.join(script).display()));
    }
    compiler.arg(runtime).args(LINKED);
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
            "`{mpicc}` could not compile the sources of {} in `{}`, with `{}`:\n{}",
            rim.name,
            folder.display(),
            runtime.display(),
            said.trim_end()
        )));
    }
    let program = folder.join(rim.name);
    std::fs::rename(&compiled, &program)
        .map_err(|error| Failure::input(format!("cannot write `{}`: {error}", program.display())))
}

/// What Rust's standard library needs of the system's, and what keeps unused parts out.
#[cfg(target_os = "macos")]
const LINKED: [&str; 2] = ["-Wl,-dead_strip", "-lm"];
#[cfg(not(target_os = "macos"))]
const LINKED: [&str; 4] = ["-Wl,--gc-sections", "-lpthread", "-ldl", "-lm"];
