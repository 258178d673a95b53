//! Checks of single operations.

use crate::fault::{Fault, FaultKind};
use crate::standard::buffer_bytes;
use crate::{Action, Buffer, MAX_RAILS, Part, Schedule};

/// Checks ranks, peers, places and parts.
pub(super) fn check(schedule: &Schedule) -> Result<(), Fault> {
    let comm_size = schedule.request.comm_size();
    let listed = schedule.ranks.iter().map(|rank| rank.rank);
    if !listed.eq(0..comm_size) {
        return Err(Fault::alone(FaultKind::Ranks(schedule.ranks.len(), comm_size)));
    }
    let found = schedule.request.counts().map(<[u64]>::len);
    let needed = schedule.collective.counts(comm_size);
    if needed != found {
        return Err(Fault::alone(FaultKind::Counts(needed.unwrap_or(0), found.unwrap_or(0))));
    }
    for rank in &schedule.ranks {
        for (index, operation) in rank.operations.iter().enumerate() {
            let fault = |kind| Fault::at(schedule, rank.rank, index, kind);
            if let Some(&after) = operation.after.iter().find(|&&after| after as usize >= index) {
                return Err(fault(FaultKind::After(after)));
            }
            of_action(schedule, rank.rank, &operation.action).map_err(fault)?;
        }
    }
    Ok(())
}

fn of_action(schedule: &Schedule, rank: u32, action: &Action) -> Result<(), FaultKind> {
    for &part in action.parts().iter().chain(action.writes()) {
        of_part(schedule, rank, part)?;
    }
    if let Some(&part) = action.writes().iter().find(|part| part.buffer == Buffer::Send) {
        return Err(FaultKind::WritesInput(part));
    }
    match action {
        Action::Send { peer, .. } | Action::Receive { peer, .. }
            if *peer == rank || *peer >= schedule.request.comm_size() =>
        {
            return Err(FaultKind::Peer(*peer));
        }
        Action::Send { rail, .. } | Action::Receive { rail, .. } if *rail >= MAX_RAILS => {
            return Err(FaultKind::Rail(*rail));
        }
        Action::Send { .. } => {}
        Action::Receive { parts, .. } => {
            let mut sorted = parts.clone();
            sorted.sort_by_key(|part| (part.buffer, part.offset));
            if let Some(pair) = sorted.windows(2).find(|pair| pair[0].overlaps(pair[1])) {
                return Err(FaultKind::Overlap(pair[0], pair[1]));
            }
        }
        Action::Reduce { parts, .. } | Action::Copy { parts, .. } if parts.is_empty() => {
            return Err(FaultKind::NoOperands);
        }
        Action::Reduce { parts, into } => {
            if let Some(part) = parts.iter().find(|part| part.bytes != into.bytes) {
                return Err(FaultKind::Lengths(part.bytes, into.bytes));
            }
            if let Some(&part) = parts.iter().find(|&&part| part != *into && part.overlaps(*into)) {
                return Err(FaultKind::Overlap(part, *into));
            }
        }
        Action::Copy { parts, into } => {
            let operand = parts.iter().fold(0_u64, |sum, part| sum.saturating_add(part.bytes));
            if operand != into.bytes {
                return Err(FaultKind::Lengths(operand, into.bytes));
            }
            if let Some(&part) = parts.iter().find(|part| part.overlaps(*into)) {
                return Err(FaultKind::Overlap(part, *into));
            }
        }
    }
    Ok(())
}

fn of_part(schedule: &Schedule, rank: u32, part: Part) -> Result<(), FaultKind> {
    let element_size = schedule.request.bytes_per_element();
    let bytes = match part.buffer {
        Buffer::Scratch => u64::MAX,
        buffer => buffer_bytes(schedule.collective, &schedule.request, rank, buffer),
    };
    if part.bytes == 0 {
        return Err(FaultKind::Empty(part));
    }
    if part.offset.checked_add(part.bytes).is_none_or(|end| end > bytes) {
        return Err(FaultKind::Outside(part, bytes));
    }
    if !part.offset.is_multiple_of(element_size) || !part.bytes.is_multiple_of(element_size) {
        return Err(FaultKind::CutsElement(part, element_size));
    }
    Ok(())
}
