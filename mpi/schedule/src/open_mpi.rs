//! What the segmented broadcasts of Open MPI wait for.
//!
//! Our own schedules send a segment as soon as it is there. Open MPI waits: a rank begins to send a segment when the one before has been
//! sent, and it has at most two receives, of which it posts the next one when it has passed on the segment of the last but one. A message
//! above the eager limit is not sent before its receive is posted, so both show there.
//! Source: `coll_base_bcast.c` of release 4.1.4.

use super::{Buffer, Builder, Request, Span, TooLarge};

/// How a rank sends a segment to its children.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sends {
    /// To all at once, as in `ompi_coll_base_bcast_intra_generic`.
    Together,
    /// To one after the other, as in `ompi_coll_base_bcast_intra_split_bintree`, whose leaves have one receive at a time.
    InTurn,
}

/// Sends a part of the message from a parent to children, and makes what follows wait until the last segment has been passed on.
pub(super) fn pass_on(
    request: &Request,
    (parent, children): (Option<u32>, &[u32]),
    span: Span,
    sends: Sends,
    ops: &mut Builder,
) -> Result<(), TooLarge> {
    let is_leaf = children.is_empty();
    // What ends the work on the last segment but one, and on the last one.
    let (mut before, mut last) = (Vec::new(), Vec::new());
    for segment in request.segments(span) {
        let part = segment.within_buffer(Buffer::Data);
        let mut done = Vec::new();
        if let Some(parent) = parent {
            let one_at_a_time = is_leaf && sends == Sends::InTurn;
            ops.hold(if one_at_a_time { &last } else { &before }.iter().copied());
            done.push(ops.len());
            ops.receive(request.to_rank(parent), part)?;
        }
        ops.hold(last.iter().copied());
        for (index, &child) in children.iter().enumerate() {
            if index == 0 || sends == Sends::InTurn {
                done.clear();
            }
            done.push(ops.len());
            ops.send(request.to_rank(child), part)?;
            if sends == Sends::InTurn {
                ops.hold(done.iter().copied());
            }
        }
        before = std::mem::replace(&mut last, done);
    }
    ops.hold(last);
    Ok(())
}

#[cfg(test)]
mod tests {
    use crate::Collective;
    use crate::{Action, Library, RankSchedule, Request, Schedule, Variant, find};

    /// Returns what each operation waits for, with `<` and the peer for receives and `>` and the peer for sends.
    fn listed(rank: &RankSchedule) -> String {
        let of = |action: &Action| match action {
            Action::Receive { peer, .. } => format!("<{peer}"),
            Action::Send { peer, .. } => format!(">{peer}"),
            _ => "?".to_owned(),
        };
        let all = rank.operations.iter().map(|operation| {
            let after: Vec<String> = operation.after.iter().map(ToString::to_string).collect();
            format!("{}({})", of(&operation.action), after.join(" "))
        });
        all.collect::<Vec<_>>().join(" ")
    }

    fn ranks(name: &str, ranks: u32, bytes: u64, segment: u64) -> Vec<String> {
        let variant = Variant { library: Some(Library::OpenMpi), ..Variant::default() };
        let request = Request::new(ranks, bytes).and_then(|request| request.segment(Some(segment)));
        let request = request.and_then(|request| request.variant(variant)).unwrap();
        let schedule = Schedule::build(find(Collective::Bcast, name).unwrap(), &request).unwrap();
        schedule.ranks.iter().map(listed).collect()
    }

    #[test]
    fn a_segment_waits_until_the_one_before_has_been_sent() {
        let [root, middle, leaf] = &ranks("pipeline", 3, 4, 1)[..] else { panic!("three ranks") };
        assert_eq!(root, ">1() >1(0) >1(1) >1(2)");
        // Operations 0, 2, 4, 6 are receives. The third is posted when the first segment has been passed on.
        assert_eq!(middle, "<0() >2(0) <0() >2(1 2) <0(1) >2(3 4) <0(3) >2(5 6)");
        assert_eq!(leaf, "<1() <1() <1(0) <1(1)");
    }

    #[test]
    fn halves_are_sent_to_one_child_after_the_other() {
        let ranks = ranks("split_binary", 5, 4, 1);
        assert_eq!(ranks[0], ">1() >2(0) >1(1) >2(2)");
        // The neighbour gets the whole half, which the receives 0 and 2 wrote, after the last send.
        assert_eq!(ranks[1], "<0() >3(0) <0() >3(1 2) >2(0 2 3) <2(3)");
        // A leaf has one receive at a time, and then exchanges halves.
        assert_eq!(ranks[3], "<1() <1(0) >4(0 1) <4(1)");
    }

    #[test]
    fn halves_smaller_than_a_segment_are_not_made() {
        assert_eq!(ranks("split_binary", 4, 10, 6), ranks("pipeline", 4, 10, 6));
        assert_ne!(ranks("split_binary", 4, 10, 5), ranks("pipeline", 4, 10, 5));
    }
}
