//! Collectives of a small program under `mpirun`, with a spy in between.

use std::path::{Path, PathBuf};
use std::process::Command;

use qtdec_core::Basis;
use qtdec_mpi_library::catalogue::{Release, natural_basis_or_buffer};
use qtdec_mpi_library::tuning::Written;

use super::installed::Installed;
use super::started::{launcher, succeed};
use xtask::files;
use xtask::run::root;

/// The program and its spy, built for one MPI.
pub(super) struct Program {
    library: Installed,
    folder: PathBuf,
    spy: PathBuf,
    binary: PathBuf,
}

/// Returns the basis in which the program counts the bytes of a collective: those of the buffer, or of one block.
pub(super) fn basis(collective: &str) -> Basis {
    match natural_basis_or_buffer(collective) {
        Basis::Buffer => Basis::Buffer,
        Basis::Block | Basis::Total => Basis::Block,
    }
}

/// A call: MPI's name of the collective in lower case, and the bytes of the buffer or of one block.
pub(super) type Called = (&'static str, u64);

impl Program {
    /// Builds the program with the MPI's compiler, and the spy.
    pub(super) fn build(folder: &Path, library: Installed, spy: &str) -> Result<Self, String> {
        let sources = root().join("lab/engines/src/engines");
        let (preloaded, binary) = (folder.join("spy.so"), folder.join("program"));
        let built = Self { library, folder: folder.to_owned(), spy: preloaded, binary };
        let mut spying = Command::new("cc");
        spying.args(["-O1", "-fno-builtin", "-shared", "-fPIC", "-o"]).arg(&built.spy).arg(sources.join(spy));
        succeed(spying.arg("-ldl"))?;
        let mut compile = Command::new(&built.library.mpicc);
        compile.envs(built.library.variable.clone()).args(["-O2", "-o"]).arg(&built.binary);
        succeed(compile.arg(sources.join("collectives.c")).arg("-ldl"))?;
        Ok(built)
    }

    pub(super) fn release(&self) -> Release {
        self.library.release
    }

    /// Returns the folder of the libraries of a wheel.
    pub(super) fn libraries(&self) -> PathBuf {
        self.library.mpirun.with_file_name("../lib")
    }

    /// Returns the library of the program whose name begins so, as the dynamic linker finds it.
    pub(super) fn library(&self, name: &str) -> Result<PathBuf, String> {
        let output =
            Command::new("ldd").arg(&self.binary).output().map_err(|error| format!("ldd: {error}"))?;
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let path = |line: &str| {
            let (library, path) = line.trim().split_once(" => ")?;
            library.starts_with(name).then(|| path.split(" (").next().map(PathBuf::from))?
        };
        text.lines().find_map(path).ok_or_else(|| format!("the program does not use {name}: {text}"))
    }

    pub(super) fn spy(&self) -> &Path {
        &self.spy
    }

    /// Returns the library's launcher, in a shell that first makes these settings.
    pub(super) fn launcher(&self, settings: &str) -> Command {
        let mut command = launcher(&self.library.mpirun, settings);
        command.envs(self.library.variable.clone());
        command
    }

    /// Returns what the spy saw of each call, rank by rank. `launcher` is the whole command line up to the program, which also
    /// checks that every byte arrives.
    pub(super) fn run(&self, launcher: &mut Command, calls: &[Called]) -> Result<Vec<Vec<String>>, String> {
        let arguments = calls.iter().map(|(collective, size)| format!("{collective}:{size}"));
        launcher.arg(&self.binary).args(arguments).current_dir(&self.folder);
        let output = launcher.output().map_err(|error| error.to_string())?;
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let seen: Vec<Vec<String>> = text
            .lines()
            .filter_map(|line| Some(line.split_once(": ")?.1.split(';').map(str::to_owned).collect()))
            .collect();
        if output.status.success() && seen.len() == calls.len() {
            return Ok(seen);
        }
        let fault = String::from_utf8_lossy(&output.stderr).into_owned();
        let last = text.lines().next_back().unwrap_or("nothing");
        let command = launcher.get_args().take_while(|argument| *argument != self.binary.as_os_str());
        let command: Vec<_> = command.map(|argument| argument.to_string_lossy()).collect();
        Err(format!("{} ended with {} after `{last}`\n{fault}", command.join(" "), output.status))
    }
}

/// Writes a rules file whose name needs quoting in a shell, and returns the settings that `qtdec-mpi emit` prints
/// for it.
pub(super) fn written(folder: &Path, name: &str, written: &Written) -> Result<String, String> {
    let folder = folder.join("it's FILE; touch pwn");
    files::folder(&folder)?;
    let file = folder.join(name);
    files::write(&file, &written.text)?;
    Ok(written.switches.script(Some(&file.display().to_string())))
}
