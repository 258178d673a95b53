//! GOAL text with the comments of this crate, which state what GOAL does not: the call, and the bytes of every operation.

use qtdec_core::{Place, Problem, Problems};

use super::super::{Imported, Origin};
use super::{Listed, Listing, Verb, channel};
use crate::goal::{HEADER, NO_BYTES};
use crate::{Action, Buffer, Operation, Part, RankSchedule, Schedule};

/// Reads a file completely, or returns `None` if an operation has no comment, or an order that no schedule has.
pub(super) fn read(text: &str, file: &[Listing]) -> Result<Option<Imported>, Problems> {
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    let Some((place, header)) =
        lines.iter().enumerate().find_map(|(place, line)| Some((place, line.strip_prefix(HEADER)?)))
    else {
        return Ok(None);
    };
    let call = format!("{}, \"ranks\": []}}", header.trim().trim_end_matches('}'));
    let mut schedule = Schedule::from_json(&call).map_err(|problems| {
        let message = problems.iter().next().map(ToString::to_string).unwrap_or_default();
        Problem::new(Place::Line(place as u64 + 1), format!("the comment of qtdec is damaged: {message}"))
    })?;
    let mut origins = Vec::new();
    for (rank, listing) in (0..).zip(file) {
        let mut operations = Vec::with_capacity(listing.operations.len());
        for listed in &listing.operations {
            let comment = lines.get(listed.line as usize - 2).and_then(|line| line.strip_prefix("// "));
            let Some(action) = comment.and_then(|comment| action(comment, listed, rank)) else {
                return Ok(None);
            };
            if action.bytes() != listed.bytes {
                let message = format!(
                    "rank {rank}: the operation has {} bytes, but its comment {}",
                    listed.bytes,
                    action.bytes()
                );
                return Err(Problem::new(Place::Line(listed.line), message).into());
            }
            operations.push(Operation { action, after: Vec::new() });
        }
        for &(later, earlier, complete, _) in &listing.dependencies {
            let of = |index: u32| &listing.operations[index as usize];
            let same = of(later).verb == of(earlier).verb
                && of(later).verb != Verb::Calc
                && channel(rank, of(later)) == channel(rank, of(earlier));
            if later <= earlier || !complete && !same {
                return Ok(None);
            }
            if complete {
                operations[later as usize].after.push(earlier);
            }
        }
        origins
            .push(listing.operations.iter().map(|listed| Origin { line: listed.line, step: None }).collect());
        schedule.ranks.push(RankSchedule { rank, operations });
    }
    let holds = format!("{} among {} ranks, written by qtdec", schedule.collective, schedule.ranks.len());
    Ok(Some(Imported { origins, ..Imported::new("GOAL", schedule, holds) }))
}

fn action(comment: &str, listed: &Listed, rank: u32) -> Option<Action> {
    let words: Vec<&str> = comment.split_whitespace().collect();
    let parts = |words: &[&str]| words.iter().map(|word| part(word)).collect::<Option<Vec<Part>>>();
    let (peer, rail) = (listed.peer, listed.tag);
    debug_assert!(listed.verb == Verb::Calc || peer != rank, "the reader has checked peers");
    Some(match (listed.verb, &words[..]) {
        (Verb::Calc, [verb, operands @ .., "into", into]) => {
            let (parts, into) = (parts(operands)?, part(into)?);
            match *verb {
                "reduce" => Action::Reduce { parts, into },
                "copy" => Action::Copy { parts, into },
                _ => return None,
            }
        }
        (Verb::Calc, _) => return None,
        (verb, words) => {
            let parts = if comment == NO_BYTES { Vec::new() } else { parts(words)? };
            match verb {
                Verb::Send => Action::Send { peer, rail, parts },
                _ => Action::Receive { peer, rail, parts },
            }
        }
    })
}

/// Returns a part in the form of its `Display`: `receive[0..8]`.
fn part(text: &str) -> Option<Part> {
    let (name, range) = text.strip_suffix(']')?.split_once('[')?;
    let buffer = Buffer::ALL.into_iter().find(|buffer| buffer.name() == name)?;
    let (start, end) = range.split_once("..")?;
    let (offset, end): (u64, u64) = (start.parse().ok()?, end.parse().ok()?);
    Some(Part { buffer, offset, bytes: end.checked_sub(offset)? })
}
