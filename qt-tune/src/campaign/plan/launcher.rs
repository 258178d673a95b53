//! Launchers, which start the ranks.

use super::job::Job;

/// A program that starts the ranks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Launcher {
    /// Slurm's launcher.
    Srun,
    /// The MPI library's launcher.
    Mpirun,
}

impl Launcher {
    /// Every launcher and its name in options.
    pub const ALL: [(&'static str, Self); 2] = [("srun", Self::Srun), ("mpirun", Self::Mpirun)];

    /// Returns the name in options.
    pub(super) fn name(self) -> &'static str {
        Self::ALL.iter().find(|(_, known)| *known == self).map_or("", |(name, _)| name)
    }

    /// Returns the scheduler directives that follow the first line of a script. A job with `mpirun` may run without a
    /// scheduler, so it has directives only if options are set.
    pub(super) fn resources(self, ranks: u64, ranks_per_node: &[u64], job: &Job) -> String {
        let nodes = ranks_per_node.iter().min().map(|&fewest| ranks.div_ceil(fewest));
        let size = match (self, nodes) {
            (Self::Mpirun, _) if job.is_empty() => return String::new(),
            (_, None) => format!("#SBATCH --ntasks={ranks}\n"),
            (_, Some(nodes)) => format!("#SBATCH --nodes={nodes}\n#SBATCH --exclusive\n"),
        };
        format!("#SBATCH --job-name=qtdec\n{size}{}", job.directives())
    }

    /// Returns the command that submits a script.
    pub(super) fn submission(self) -> &'static str {
        match self {
            Self::Srun => "sbatch SCRIPT",
            Self::Mpirun => "bash SCRIPT",
        }
    }

    /// Returns the beginning of a command line that starts `$ranks` ranks, `$ppn` of them per node if it is set.
    pub(super) fn command(self, library: &str, has_ppn: bool) -> &'static str {
        match (self, has_ppn, library) {
            (Self::Srun, false, _) => "srun --ntasks=\"$ranks\"",
            (Self::Srun, true, _) => {
                "srun --nodes=\"$(((ranks + ppn - 1) / ppn))\" --ntasks=\"$ranks\" --ntasks-per-node=\"$ppn\""
            }
            (Self::Mpirun, false, _) => "mpirun -np \"$ranks\"",
            (Self::Mpirun, true, "mpich") => "mpirun -np \"$ranks\" -ppn \"$ppn\"",
            (Self::Mpirun, true, _) => "mpirun -np \"$ranks\" --map-by \"ppr:$ppn:node\"",
        }
    }
}
