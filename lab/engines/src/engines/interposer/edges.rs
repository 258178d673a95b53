//! Programs at the edges of MPI: what the library refuses, many communicators, communicators that end, and threads.

use super::Place;

impl Place<'_> {
    /// Checks that such a program ends as it does without the interposer, which says that it has not all of the communicators.
    pub(super) fn edges(&self) -> Result<(), String> {
        let ranks = if self.library.ending == "openmpi" { 3 } else { 2 };
        for set in 0..2 {
            let trees = self.trees(set).display().to_string();
            let full = "256 communicators have collectives of ours, which are as many as may";
            self.one_line(("edges.c", ranks, &[]), "", &[("QTDEC_TREES", &*trees)], full)?;
        }
        Ok(())
    }
}
