//! Programs that spawn processes or connect with them: the interposer leaves to the library what may reach them, and the profiler gives
//! each world a file of its own.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use qtdec_mpi_schedule::Collective;

use super::installed::Installed;
use super::interposer::constant;
use super::preloaded::{available, build_qtdec};
use super::started::{launcher, succeed};
use xtask::files;
use xtask::run::{root, target};

/// What Open MPI's launchers need that run as root, with more ranks than cores.
const OF_OPEN_MPI: &[&str] = &["--allow-run-as-root", "--oversubscribe"];

/// What the program does; MPICH 5.0.2 ends by itself when processes connect that are connected already.
const MODES: [&str; 3] = ["freed", "kept", "port"];

/// Our algorithms of the collectives that the program calls.
const CALLED: [(Collective, &str); 3] = [
    (Collective::Allreduce, "own_recursive_doubling"),
    (Collective::Bcast, "own_binomial"),
    (Collective::Barrier, "own_dissemination"),
];

/// A library with its name, the options of its launcher, and the number of modes that it survives.
type Launched = (&'static str, Installed, &'static [&'static str], usize);

/// Returns the libraries under which the program runs.
pub(super) fn libraries() -> Result<[Launched; 3], String> {
    available()?;
    Ok([
        ("Open MPI 4.1", Installed::open_mpi_of_debian()?, OF_OPEN_MPI, 3),
        ("Open MPI 5.0", Installed::open_mpi_5()?, OF_OPEN_MPI, 3),
        ("MPICH 5.0", Installed::mpich_5()?, &[], 2),
    ])
}

pub(super) fn prove(libraries: [Launched; 3]) -> Result<String, String> {
    build_qtdec()?;
    let mut names = Vec::new();
    for (name, installed, options, modes) in libraries {
        let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
        let place = Place { installed, options, folder: folder.path() };
        place.build()?;
        for mode in &MODES[..modes] {
            place
                .interposed(mode)
                .and_then(|()| place.profiled(mode))
                .map_err(|error| format!("{name}: {error}"))?;
        }
        names.push(name);
    }
    Ok(format!(
        "programs that spawn processes had the same results with the interposer, which left to the library what may reach them, and \
         a profile for each world, under {}",
        names.join(", ")
    ))
}

/// A folder with the program and our libraries for an MPI library.
struct Place<'f> {
    installed: Installed,
    options: &'static [&'static str],
    folder: &'f Path,
}

impl Place<'_> {
    fn build(&self) -> Result<(), String> {
        let mut build = Command::new(target().join("debug/qtdec-mpi"));
        build.args(["build", "--mpicc"]).arg(&self.installed.mpicc).arg("--output").arg(self.folder);
        let mut compile = Command::new(&self.installed.mpicc);
        compile.args(["-O1", "-Wall", "-Wextra", "-Werror", "-o"]).arg(self.folder.join("spawn"));
        compile.arg(root().join("lab/engines/src/engines/spawn.c"));
        succeed(&mut build)?;
        succeed(&mut compile)?;
        for (collective, method) in CALLED {
            let file = self.folder.join(format!("{collective}.tree.json"));
            files::write(file, constant(collective, method, None)?)?;
        }
        Ok(())
    }

    /// Runs the program with a library of ours, and returns what it wrote to standard error.
    fn run(&self, mode: &str, library: &str, settings: &[(&str, &str)]) -> Result<String, String> {
        let mut command = launcher(&self.installed.mpirun, "");
        command.envs(self.installed.variable.clone()).args(self.options).args(["-np", "2"]);
        command.arg(self.folder.join("spawn")).arg(mode).current_dir(self.folder);
        command.env("LD_PRELOAD", self.folder.join(library)).envs(settings.iter().copied());
        let Output { status, stdout, stderr } = command.output().map_err(|error| error.to_string())?;
        let (said, told) = (String::from_utf8_lossy(&stdout), String::from_utf8_lossy(&stderr).into_owned());
        if status.success() && said == "all is well\n" {
            return Ok(told);
        }
        Err(format!("spawn.c {mode} with {library} ended with {status}: {said}{told}"))
    }

    /// Checks that ours carry out the calls of each world before it meets another, and after that those of `MPI_COMM_WORLD`, which have
    /// one integer.
    fn interposed(&self, mode: &str) -> Result<(), String> {
        let told = self.run(mode, "libqtdec_mpi.so", &[("QTDEC_TREES", "."), ("QTDEC_TRACE", "1")])?;
        let lines: Vec<&str> =
            told.lines().filter_map(|line| Some(line.split_once("libqtdec_mpi.so: ")?.1)).collect();
        let apart = "communicators of processes that were spawned or connected, and those made after that";
        let (apart, own): (Vec<&str>, Vec<&str>) = lines.iter().partition(|line| line.starts_with(apart));
        let in_a_world =
            own.iter().all(|line| line.contains(" on 2 ranks") && !line.contains(" of 12 bytes"));
        let all = CALLED.iter().all(|(collective, method)| {
            own.iter().any(|line| line.starts_with(collective.name()) && line.ends_with(method))
        });
        if in_a_world && all && !apart.is_empty() {
            return Ok(());
        }
        Err(format!(
            "spawn.c {mode}: the calls of one integer were to be ours, but the interposer said\n{}",
            lines.join("\n")
        ))
    }

    /// Checks that the profile of the first processes has the calls that both worlds have in common, and that of the spawned ones has
    /// not.
    fn profiled(&self, mode: &str) -> Result<(), String> {
        self.run(mode, "libqtdec_profile.so", &[])?;
        let mut profiles = Vec::new();
        for entry in fs::read_dir(self.folder).map_err(|error| error.to_string())? {
            let path = entry.map_err(|error| error.to_string())?.path();
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            if name.starts_with("profile.") && path.extension().is_some_and(|ending| ending == "csv") {
                let text = files::read(&path)?;
                fs::remove_file(&path).map_err(|error| error.to_string())?;
                profiles
                    .push((name, ["allreduce,2,4,,6,", "allreduce,4,12,,6,"].map(|row| text.contains(row))));
            }
        }
        profiles.sort();
        match &profiles[..] {
            [(first, [true, true]), (spawned, [true, false])]
                if first == "profile.csv" && spawned.starts_with("profile.spawned-") =>
            {
                Ok(())
            }
            _ => Err(format!(
                "spawn.c {mode}: a profile of each world was expected, but there are {profiles:?}"
            )),
        }
    }
}
