//! `qtdec completions`: shell completions for commands and options.

use qtdec_terminal::Failure;
use qtdec_terminal::completions;
pub(crate) use qtdec_terminal::completions::Arguments;

use crate::Cli;

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    completions::print::<Cli>(arguments)
}
