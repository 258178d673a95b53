//! `qtdec-mpi man`: the manual pages.

use qtdec_terminal::Failure;
use qtdec_terminal::man;
pub(crate) use qtdec_terminal::man::Arguments;

use crate::Cli;

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    man::write::<Cli>(arguments)
}
