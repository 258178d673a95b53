//! Libraries of ours that were compiled for another MPI library, whose constants mean something else.

use super::{LIBRARIES, Place};

impl Place<'_> {
    /// Checks that a program with such a library ends with a line that names both MPI libraries.
    pub(super) fn foreign(&self) -> Result<(), String> {
        let other = LIBRARIES.iter().find(|library| library.ending != self.library.ending);
        let other = other.ok_or("there is no other MPI library")?;
        let folder = self.folder.join("foreign");
        other.build(&folder, "interposer", &[])?;
        let (compiled, runs) =
            if other.ending == "openmpi" { ("Open MPI", "MPICH") } else { ("MPICH", "Open MPI") };
        for name in ["libqtdec_mpi.so", "libqtdec_profile.so"] {
            let preloaded = folder.join(name).display().to_string();
            let output = self.run(("few.c", 2, &[]), "", &[("LD_PRELOAD", &preloaded)])?;
            let told = String::from_utf8_lossy(&output.stderr);
            let lines: Vec<&str> = told.lines().filter(|line| line.contains(name)).collect();
            let is_said = matches!(lines[..], [line] if line.contains(&format!("compiled for {compiled}"))
                && line.contains(&format!("runs with {runs}")));
            if output.status.success() || !is_said {
                return Err(format!("{name} of {} under {}: {told}", other.ending, self.library.ending));
            }
        }
        Ok(())
    }
}
