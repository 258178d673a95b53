//! The contents with which ranks end.

use std::rc::Rc;

use super::content::Content;
use super::memory::Memory;
use crate::fault::{Fault, FaultKind};
use crate::standard::{Expected, results};
use crate::{Schedule, Span};

/// Checks that every rank ends with what the standard requires.
pub(super) fn check(schedule: &Schedule, memories: &[Memory]) -> Result<(), Fault> {
    for (rank, memory) in (0..).zip(memories) {
        for Expected { part, origin, sources } in results(schedule.collective, &schedule.request, rank) {
            let expected = Content { origin, ranks: Rc::new([sources]) };
            let mut at = 0;
            for (bytes, found) in memory.runs(part) {
                let expected = expected.advanced(at);
                if found.as_ref() != Some(&expected) {
                    let part = Span { offset: part.offset + at, bytes }.within_buffer(part.buffer);
                    let found = found.map_or_else(|| "nothing".to_owned(), |found| found.to_string());
                    let expected = expected.to_string();
                    return Err(Fault::alone(FaultKind::Result(rank, part, [found, expected])));
                }
                at += bytes;
            }
        }
    }
    Ok(())
}
