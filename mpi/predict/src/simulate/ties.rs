//! Whether the order of simultaneous events could differ between ranks that stand for each other.

use super::{Observer, Time};
use qtdec_mpi_schedule::Symmetry;

/// An observer of a simulation of the first block of a symmetry. It looks for ties between events of one block which the simulation of all
/// ranks could decide in another way for another block.
///
/// Simultaneous events happen in the order in which they were scheduled. Those that were scheduled at different moments, or by ranks of one
/// block, have the same order in every block. Those that ranks of different blocks scheduled at the same moment are in the order of these
/// ranks, which is not the same everywhere: a circle has an end.
#[derive(Debug)]
pub(super) struct Ties {
    symmetry: Symmetry,
    /// The current moment, and what is scheduled then: when it happens and the number of blocks from where it is scheduled.
    now: Time,
    foreseen: Vec<(Time, u32)>,
    found: bool,
}

impl Ties {
    pub(super) fn new(symmetry: Symmetry) -> Self {
        Self { symmetry, now: Time::ZERO, foreseen: Vec::new(), found: false }
    }

    pub(super) fn found(mut self) -> bool {
        self.end_moment();
        self.found
    }

    fn end_moment(&mut self) {
        self.foreseen.sort_unstable();
        let is_tie = |pair: &[(Time, u32)]| pair[0].0 == pair[1].0 && pair[0].1 != pair[1].1;
        self.found |= self.foreseen.windows(2).any(is_tie);
        self.foreseen.clear();
    }
}

impl Observer for Ties {
    fn foreseen(&mut self, now: Time, at: Time, to: Option<u32>) {
        if now != self.now {
            self.end_moment();
            self.now = now;
        }
        let blocks = to.map_or(0, |rank| rank / self.symmetry.unit());
        // What another block causes at once would come before or after what else happens at this moment.
        self.found |= blocks > 0 && at == now;
        self.foreseen.push((at, blocks));
    }
}
