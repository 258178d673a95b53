//! The selection file of MVAPICH 4: the format of MPICH, with algorithms of its own.

use crate::catalogue::{Library, Release};
use qtdec_core::{Place, Problem, Problems};

use super::check::{self, Names};
use super::read::Rules;
use crate::tuning::{Beginning, Finding, Format, Job, LibraryRules, Selection, Written};

/// The selection file of MVAPICH 4, which has algorithms of its own.
pub struct Mvapich;

impl Format for Mvapich {
    fn name(&self) -> &'static str {
        "mvapich"
    }

    fn about(&self) -> &'static str {
        "a selection file of MVAPICH 4"
    }

    fn is_written(&self) -> bool {
        false
    }

    fn library(&self) -> Library {
        Library::Mpich
    }

    fn recognises(&self, beginning: &Beginning<'_>) -> bool {
        beginning.is_json() && beginning.holds("\"collective=") && beginning.holds_anywhere("_osu_")
    }

    fn write(&self, _: &[LibraryRules], _: Option<&[u8]>) -> Result<Written, Problems> {
        let problem = Problem::new(Place::File, "selection files of MVAPICH can be read, but not written");
        Err(problem.help("--target mpich writes the same format, with the algorithms of MPICH").into())
    }

    fn read(&self, bytes: &[u8], job: Job) -> Result<Box<dyn Selection>, Problems> {
        Ok(Box::new(Rules::new(bytes, job, Names::Any)?))
    }

    fn check(&self, bytes: &[u8], _: Option<Release>) -> Vec<Finding> {
        check::check(bytes, Names::Any)
    }
}
