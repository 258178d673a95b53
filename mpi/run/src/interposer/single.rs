//! Schedules in which a rank has one message, such as a leaf of a tree: they need no requests.

use qtdec_mpi_schedule::{Action, Operation, Part};

use super::buffers::Buffers;
use crate::mpi::{Channel, Failure, Memory};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Single {
    sends: bool,
    /// The peer and the rail.
    other: (u32, u32),
    part: Part,
}

impl Single {
    /// Returns the only operation of a rank, if it is a message in one part.
    pub(super) fn of(operations: &[Operation]) -> Option<Self> {
        let [Operation { action, .. }] = operations else { return None };
        let (sends, peer, rail, parts) = match action {
            Action::Send { peer, rail, parts } => (true, peer, rail, parts),
            Action::Receive { peer, rail, parts } => (false, peer, rail, parts),
            _ => return None,
        };
        let [part] = parts[..] else { return None };
        Some(Self { sends, other: (*peer, *rail), part })
    }

    pub(super) fn carry_out(self, buffers: &mut Buffers, channel: &Channel) -> Result<(), Failure> {
        let outside = || Failure::Broken(format!("{} lies outside its buffer", self.part));
        if self.sends {
            channel.send(buffers.read(self.part).ok_or_else(outside)?, self.other)
        } else {
            channel.receive(buffers.write(self.part).ok_or_else(outside)?, self.other)
        }
    }
}

#[cfg(test)]
mod tests {
    use qtdec_mpi_schedule::Collective;
    use qtdec_mpi_schedule::{Algorithm, Request, find};

    use super::*;

    #[test]
    fn a_rank_has_one_message_or_several() {
        let entry = find(Collective::Bcast, "binomial").unwrap();
        let single = |ranks, rank| {
            let request = Request::new(ranks, 100).unwrap();
            Single::of(&entry.rank(&request, rank).unwrap().operations)
        };
        let (root, leaf) = (single(2, 0).unwrap(), single(2, 1).unwrap());
        assert_eq!((root.sends, root.other, root.part.bytes), (true, (1, 0), 100));
        assert_eq!((leaf.sends, leaf.other, leaf.part.bytes), (false, (0, 0), 100));
        assert_eq!(single(4, 0), None);
        assert!(single(4, 3).is_some());
    }
}
