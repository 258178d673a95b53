//! The contents with which ranks end.

use std::rc::Rc;

use super::content::Content;
use super::memory::{History, Memory};
use crate::Schedule;
use crate::fault::{Fault, FaultKind};
use crate::standard::{Expected, results};

/// Checks that every rank ends with what the standard requires.
pub(super) fn check(schedule: &Schedule, memories: Vec<Memory>) -> Result<(), Fault> {
    for (rank, mut memory) in (0..).zip(memories) {
        for Expected { part, origin, sources } in results(schedule.collective, &schedule.request, rank) {
            let required = Content { origin, ranks: Rc::new([sources]) };
            for (run, History { content, .. }) in memory.over(part) {
                let required = required.advanced(run.offset - part.offset);
                if content.as_ref() != Some(&required) {
                    let found = content.as_ref().map_or_else(|| "nothing".to_owned(), Content::to_string);
                    return Err(Fault::alone(FaultKind::Result(rank, run, [found, required.to_string()])));
                }
            }
        }
    }
    Ok(())
}
