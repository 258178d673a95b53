//! Open MPI's silent substitutions of algorithms that cannot serve a call.
//!
//! `ompi/mca/coll/base/coll_base_*.c` of 4.1.4. A benchmark that forces such an algorithm measures the substitute but
//! reports the forced name with the time.

use super::call::power_of_two_not_above;
use super::{Call, Choice};

/// Returns what Open MPI 4.1 runs for a chosen algorithm.
pub fn open_mpi_4_1(collective: &str, choice: Choice, call: &Call) -> Choice {
    let p = call.comm_size;
    let count = call.count(call.buffer());
    let scarce = count < power_of_two_not_above(p) || !call.commutative;
    let instead = match (collective, choice.algorithm) {
        ("allgather", "recursive_doubling") if !call.is_power_of_two() => "bruck",
        ("allgather" | "allgatherv", "neighbor") if p % 2 == 1 => "ring",
        ("allreduce", "ring") if count < p => "recursive_doubling",
        ("allreduce", "segmented_ring") if count < p.saturating_mul(segment_count(choice, call)) => "ring",
        ("allreduce", "rabenseifner") if scarce => "basic_linear",
        ("reduce", "rabenseifner") if scarce => "linear",
        ("bcast", "scatter_allgather" | "scatter_allgather_ring") if count < p => "basic_linear",
        _ => return choice,
    };
    let instead = Choice::new(instead);
    // A ring that replaces the segmented one may in turn be too long for the message.
    open_mpi_4_1(collective, instead, call)
}

/// Returns the elements of a segment: rounded up if more than half of an element is left over, all of them without
/// segments.
fn segment_count(choice: Choice, call: &Call) -> u64 {
    let all = call.count(call.buffer());
    match choice.segment_size {
        Some(size) if size >= call.element_size && size < call.buffer() => {
            let element = call.element_size.max(1);
            size / element + u64::from(size % element > element / 2)
        }
        _ => all,
    }
}
