//! Runs: neighbouring cells that have a decision in common.

use std::ops::Range;

use super::sets::{SetId, Sets};

/// Returns the minimum number of runs into which a line of cells can be divided, each as long as possible.
pub(super) fn longest(line: &[SetId], sets: &mut Sets) -> Vec<Range<usize>> {
    let mut runs: Vec<Range<usize>> = Vec::new();
    let mut common = SetId::NONE;
    for (place, &cell) in line.iter().enumerate() {
        let shared = sets.meet(common, cell);
        match runs.last_mut() {
            Some(run) if shared != SetId::NONE => {
                run.end = place + 1;
                common = shared;
            }
            _ => {
                runs.push(place..place + 1);
                common = cell;
            }
        }
    }
    runs
}
