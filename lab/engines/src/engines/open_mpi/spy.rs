//! What the spy says of an algorithm.

use qtdec_mpi_library::catalogue::TunedCollective;
use qtdec_mpi_library::rules::Choice;

/// Returns what the spy says of a choice.
pub(super) fn observed(known: &TunedCollective, choice: &Choice) -> String {
    let chains = choice.fan_out.map(|children| format!(" of {children}")).unwrap_or_default();
    let limit = choice.requests.map(|requests| format!(" with {requests} requests")).unwrap_or_default();
    format!("{} {}/{}{chains}{limit}", known.name, choice.algorithm, choice.segment_size.unwrap_or(0))
}
