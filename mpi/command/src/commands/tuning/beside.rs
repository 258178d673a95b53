//! A file that is written beside the tuning file, so that a part of the library keeps the calls which the rules leave to the library.

use qtdec_mpi_library::tuning::mpich::device_file;
use qtdec_mpi_library::tuning::{LibraryRules, Switches, Written, open_mpi_han};
use qtdec_terminal::{Failure, Input};

/// The file, which is not that of the rules.
pub(crate) struct Beside {
    /// The file, and the settings that make the library read it.
    pub(crate) written: Written,
    /// Removes the settings that would take all calls from the part of the library.
    kept_by: fn(Switches) -> Switches,
}

impl Beside {
    /// Returns the file of Open MPI's component HAN.
    pub(crate) fn of_han(written: Written) -> Self {
        Self { written, kept_by: open_mpi_han::kept_by }
    }

    /// Returns the file of MPICH's device, made from its own one.
    pub(crate) fn of_device(all_rules: &[LibraryRules], into: &Input) -> Result<Self, Failure> {
        let written = into.check(device_file::write(all_rules, into.bytes()))?;
        Ok(Self { written, kept_by: device_file::kept_by })
    }

    /// Returns the shell lines for this file and for that of the rules, which have these settings, by their absolute paths.
    pub(crate) fn script(&self, path: Option<&str>, rules: Switches, rules_path: Option<&str>) -> String {
        self.written.switches.script(path) + &(self.kept_by)(rules).script(rules_path)
    }
}
