//! A call of a collective.

use std::ffi::c_int;
use std::fmt;

use qtdec_mpi_schedule::Collective;

use crate::mpi::lengths;
use crate::placement::Placement;

/// A call as `struct qtdec_call` of `c/interposer.h` has it, of whose numbers none of ranks is negative. Apart from `rank`, all ranks have the same values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(C)]
pub(super) struct Call {
    collective: c_int,
    pub(super) ranks: u32,
    pub(super) rank: u32,
    pub(super) root: u32,
    commutative: c_int,
    of_program: c_int,
    placement: c_int,
    /// The bytes that MPI's count stands for.
    pub(super) bytes: u64,
    element_size: u64,
}

impl Call {
    pub(super) fn collective(&self) -> Option<Collective> {
        Collective::ALL.get(usize::try_from(self.collective).ok()?).copied()
    }

    pub(super) fn placement(&self) -> Placement {
        self.placement.into()
    }

    /// Returns the number of ranks on each node, or 0 if it differs or is not known.
    pub(super) fn ranks_per_node(&self) -> u32 {
        self.placement().ranks_per_node(self.ranks)
    }

    pub(super) fn is_commutative(&self) -> bool {
        self.commutative != 0
    }

    /// Returns whether the operation of a reduction is the program's own, which may count on whole operands.
    pub(super) fn is_of_program(&self) -> bool {
        self.of_program != 0
    }

    /// Returns the number of elements that must stay whole, and their size.
    pub(super) fn elements(&self) -> Option<(u64, u64)> {
        let elements = self.bytes.checked_div(self.element_size)?;
        (elements * self.element_size == self.bytes).then_some((elements, self.element_size))
    }

    /// Returns the lengths of what this rank sends and receives; the buffer of a broadcast counts as received.
    pub(super) fn lengths(&self) -> (usize, usize) {
        let Some(collective) = self.collective() else { return (0, 0) };
        let is_root = self.rank == self.root;
        let bytes = self.bytes as usize;
        let extent = (bytes, bytes.saturating_mul(self.ranks as usize));
        let (send, receive, data) = lengths(collective, extent, is_root);
        (send, receive + data)
    }
}

impl fmt::Display for Call {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(collective) = self.collective() else { return f.write_str("a collective") };
        write!(f, "{collective}")?;
        if collective != Collective::Barrier {
            write!(f, " of {} bytes", self.bytes)?;
        }
        write!(f, " on {} ranks", self.ranks)?;
        if collective.is_rooted() { write!(f, " from root {}", self.root) } else { Ok(()) }
    }
}

#[cfg(test)]
impl Call {
    /// Returns a call for tests, of elements of one byte, or four for reductions.
    pub(super) fn new(collective: Collective, (ranks, rank, root): (u32, u32, u32), bytes: u64) -> Self {
        let place = (0..).zip(Collective::ALL).find(|(_, known)| *known == collective).unwrap().0;
        let element_size = if collective.is_reduction() { 4 } else { 1 };
        let (commutative, of_program, placement) = (1, 0, 0);
        Self { collective: place, ranks, rank, root, commutative, of_program, placement, bytes, element_size }
    }

    /// Returns the same call with an operation that does not commute.
    pub(super) fn ordered(self) -> Self {
        Self { commutative: 0, ..self }
    }

    /// Returns the same call of ranks of which so many are on each node, or which so many nodes have in turn if the number is negative.
    pub(super) fn on_nodes_of(self, placement: i32) -> Self {
        Self { placement, ..self }
    }

    /// Returns the same call with an operation of the program.
    pub(super) fn of_program(self) -> Self {
        Self { of_program: 1, ..self }
    }
}
