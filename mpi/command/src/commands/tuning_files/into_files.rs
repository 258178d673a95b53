//! The files that rules are inserted into.

use std::path::Path;

use qtdec_mpi_library::tuning::mpich::built_in::{BuiltIn, is_library};
use qtdec_mpi_library::tuning::mpich::{MPICH, device_file};
use qtdec_mpi_library::tuning::{Companion, Format};
use qtdec_terminal::{Failure, Input};

/// The files of `--into`.
#[derive(Default)]
pub(crate) struct IntoFiles {
    /// The file with the library's choices among its algorithms.
    pub(crate) whole: Option<Input>,
    /// That of MPICH's device, which is recognised by its content.
    pub(crate) device: Option<Input>,
}

impl IntoFiles {
    /// Opens the files. MPICH's shared library holds both.
    pub(crate) fn open(names: &[String], format: &Format) -> Result<Self, Failure> {
        let mut files = Self::default();
        let is_for_mpich = format.name == MPICH.name;
        for name in names {
            let file = Input::open(name)?;
            if is_for_mpich && is_library(file.bytes()) {
                let BuiltIn { whole, ch4 } = file.check(BuiltIn::of_library(file.bytes()))?;
                keep(&mut files.whole, file.part("selection file", whole))?;
                if let Some(ch4) = ch4 {
                    keep(&mut files.device, file.part("selection file of CH4", ch4))?;
                }
            } else if is_for_mpich && device_file::is_for_device(file.bytes()) {
                keep(&mut files.device, file)?;
            } else {
                keep(&mut files.whole, file)?;
            }
        }
        Ok(files)
    }
}

/// Keeps a file, which must be the only one of its kind.
fn keep(place: &mut Option<Input>, file: Input) -> Result<(), Failure> {
    if let Some(other) = place {
        return Err(Failure::usage(format!(
            "--into names both `{}` and `{}`, which are of one kind: rules are inserted into one of them",
            other.name(),
            file.name()
        )));
    }
    *place = Some(file);
    Ok(())
}

/// Returns the name of the file beside a tuning file.
pub(crate) fn name_beside(companion: &Companion, tuning_file: &str) -> Result<String, Failure> {
    if tuning_file == "-" {
        return Err(Failure::usage(
            "the file of the device is written beside the tuning file: name that with --output",
        ));
    }
    let path = Path::new(tuning_file);
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    Ok(path.with_file_name(format!("{stem}{}", companion.ending)).to_string_lossy().into_owned())
}
