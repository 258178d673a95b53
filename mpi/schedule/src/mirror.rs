//! Reductions as broadcasts run backwards.
//!
//! Where a broadcast sends a segment down a tree, its mirror receives what the subtree has combined, combines it with
//! its own data and sends it up. It works for every broadcast in which a rank receives each byte once, and takes as many
//! rounds.

use std::collections::HashMap;

use super::algorithm::{Algorithm, Entry, Plan};
use super::partial::{Partial, Side, Slots};
use super::{Action, Buffer, Part, Request, Span};

/// Returns the mirror of a broadcast, with the result in the receive buffer of the root.
pub(super) fn reduce(broadcast: &Entry, request: &Request) -> Plan {
    let (root, result) = (request.root_rank(), request.message().within_buffer(Buffer::Receive));
    reduce_into(broadcast, request, move |rank| (rank == root).then_some(result))
}

/// Returns the mirror of a broadcast that combines where `into` says of each rank, or in scratch memory.
pub(super) fn reduce_into(
    broadcast: &Entry,
    request: &Request,
    into: impl Fn(u32) -> Option<Part> + 'static,
) -> Plan {
    let (down, bytes) = (broadcast.plan(request), request.bytes());
    Box::new(move |rank, ops| {
        let down = ops.inner(rank, |inner| down(rank, inner))?.operations;
        let mut longest: HashMap<(u32, u32), u64> = HashMap::new();
        for operation in &down {
            if let Action::Send { peer, rail, .. } = operation.action {
                let longest = longest.entry((peer, rail)).or_default();
                *longest = operation.action.bytes().max(*longest);
            }
        }
        let into = into(rank).unwrap_or_else(|| {
            // A leaf combines nothing.
            ops.scratch(if longest.is_empty() { 0 } else { bytes })
        });
        let mut partial = Partial::new(into);
        let mut slots: HashMap<(u32, u32), Slots> =
            longest.into_iter().map(|(channel, longest)| (channel, Slots::new(longest))).collect();
        for operation in down.iter().rev() {
            match &operation.action {
                Action::Receive { peer, rail, parts } => {
                    let sent: Vec<Part> = parts.iter().flat_map(|&part| partial.parts(span(part))).collect();
                    ops.send_on(*rail, *peer, sent)?;
                }
                Action::Send { peer, rail, parts } => {
                    let Some(slots) = slots.get_mut(&(*peer, *rail)) else { continue };
                    let slot = slots.next(operation.action.bytes(), ops);
                    ops.receive_on(*rail, *peer, slot)?;
                    let mut at = 0;
                    for &part in parts {
                        partial.absorb(span(part), slot.slice(at, part.bytes), Side::Right, ops)?;
                        at += part.bytes;
                    }
                }
                Action::Reduce { .. } | Action::Copy { .. } => {
                    debug_assert!(false, "a broadcast neither combines nor copies");
                }
            }
        }
        Ok(())
    })
}

const fn span(part: Part) -> Span {
    Span { offset: part.offset, bytes: part.bytes }
}
