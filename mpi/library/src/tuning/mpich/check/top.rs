//! The conditions above the collectives.

use serde_json::Value;

use crate::tuning::mpich::conditions::Condition;

/// Returns a fault unless a communicator within one group always reaches a list that contains only collectives.
pub(super) fn fault_at_the_top(value: &Value) -> Option<&'static str> {
    const NONE: &str = "conditions on the communicator alone lead to no `collective=`: MPICH aborts at its \
         start";
    let members = value.as_object()?;
    let mut rest = members.iter().map(|(key, value)| (Condition::parse(key), value));
    while let Some((condition, value)) = rest.next() {
        match condition {
            Some(Condition::Collective(_)) => {
                let is_list = rest.all(|(condition, _)| matches!(condition, Some(Condition::Collective(_))));
                return (!is_list).then_some(BEYOND);
            }
            // No communicator within one group takes this branch.
            Some(Condition::Intra(false)) => {}
            Some(
                Condition::Intra(true)
                | Condition::Any("comm_size" | "comm_hierarchy" | "comm_avg_ppn" | "any"),
            ) => return fault_at_the_top(value),
            Some(condition) if condition.is_of_communicator() => match fault_at_the_top(value) {
                None => {}
                fault => return fault,
            },
            _ => return Some(NONE),
        }
    }
    (!members.is_empty()).then_some(NONE)
}

/// The consequence is undefined and differs from run to run.
const BEYOND: &str = "a condition follows `collective=` in the same object: MPICH reads it as a collective, and writes \
         outside of its memory";
