//! Launchers, which start the ranks.

use std::path::Path;
use std::str::FromStr;

use super::job::Job;
use super::library::MeasuredLibrary;
use super::template::quoted;

/// A program that starts the ranks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Launcher {
    kind: Kind,
    /// The name of the program, or its path.
    program: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Srun,
    Mpirun,
}

impl FromStr for Launcher {
    type Err = String;

    /// Returns the launcher with this name or path, whose kind is the beginning of its name: Debian calls MPICH's `mpirun.mpich`.
    fn from_str(program: &str) -> Result<Self, String> {
        let kinds = [("srun", Kind::Srun), ("mpirun", Kind::Mpirun), ("mpiexec", Kind::Mpirun)];
        let name = Path::new(program).file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let known = kinds.iter().find(|(kind, _)| {
            let rest = name.strip_prefix(kind);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '-', '_']))
        });
        match known {
            Some((_, kind)) if !program.contains(char::is_control) => {
                Ok(Self { kind: *kind, program: program.to_owned() })
            }
            _ => Err("the name of a launcher begins with srun, mpirun or mpiexec, as /opt/mpi/bin/mpirun and mpirun.mpich".to_owned()),
        }
    }
}

impl Launcher {
    /// Returns the name or path.
    pub(super) fn program(&self) -> &str {
        &self.program
    }

    /// Returns the name or path, as a word of a shell.
    pub(super) fn word(&self) -> String {
        quoted(&self.program)
    }

    /// Returns whether a script has directives of a scheduler. A job with `mpirun` may run without one, so its script has them only if
    /// options are set.
    pub fn is_scheduled(&self, job: &Job) -> bool {
        self.kind == Kind::Srun || !job.is_empty()
    }

    /// Returns the scheduler directives that follow the first line of a script, for as many jobs one after the other, if it has any.
    pub(super) fn resources(&self, (ranks, jobs): (u64, u64), ranks_per_node: &[u64], job: &Job) -> String {
        if !self.is_scheduled(job) {
            return String::new();
        }
        let nodes = ranks_per_node.iter().min().map(|&fewest| ranks.div_ceil(fewest));
        let size = match nodes {
            None => format!("#SBATCH --ntasks={ranks}\n"),
            Some(nodes) => format!("#SBATCH --nodes={nodes}\n#SBATCH --exclusive\n"),
        };
        let array = if jobs > 1 { format!("#SBATCH --array=1-{jobs}%1\n") } else { String::new() };
        format!("#SBATCH --job-name=qtdec\n{array}{size}{}", job.directives())
    }

    /// Returns the beginning of a command line that starts `$ranks` ranks, `$ppn` of them per node if it is set.
    pub(super) fn command(&self, library: &MeasuredLibrary, has_ppn: bool) -> String {
        let options = match (self.kind, has_ppn) {
            (Kind::Srun, false) => "--ntasks=\"$ranks\"".to_owned(),
            (Kind::Srun, true) => {
                "--nodes=\"$(((ranks + ppn - 1) / ppn))\" --ntasks=\"$ranks\" --ntasks-per-node=\"$ppn\""
                    .to_owned()
            }
            (Kind::Mpirun, false) => "-np \"$ranks\"".to_owned(),
            (Kind::Mpirun, true) => format!("-np \"$ranks\" {}", library.ranks_per_node),
        };
        format!("{} {options}", self.word())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_launcher_may_have_a_path_and_a_longer_name() {
        let command = |program: &str| {
            program.parse::<Launcher>().map(|launcher| launcher.command(&super::super::mpich::MPICH, false))
        };
        assert_eq!(command("srun").unwrap(), "srun --ntasks=\"$ranks\"");
        assert_eq!(command("mpirun.mpich").unwrap(), "mpirun.mpich -np \"$ranks\"");
        assert_eq!(command("/my mpi/bin/mpiexec-5.0").unwrap(), "'/my mpi/bin/mpiexec-5.0' -np \"$ranks\"");
        for wrong in ["", "mpirunner", "/opt/mpirun/aprun", "mpirun\n"] {
            assert!(command(wrong).unwrap_err().contains("begins with srun"), "{wrong}");
        }
    }
}
