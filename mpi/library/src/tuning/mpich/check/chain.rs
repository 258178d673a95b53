//! Conditions that follow each other.

use crate::tuning::mpich::conditions::Condition;

/// Returns whether all calls that match the second condition match the first.
pub(super) fn covers(first: &Condition, second: &Condition) -> bool {
    use Condition::{Any, CommSizeBelow, CommSizeUpTo, CountUpTo, MessageUpTo};
    match (first, second) {
        (Any(_), _) => true,
        (CommSizeUpTo(a), CommSizeUpTo(b))
        | (CommSizeBelow(a), CommSizeBelow(b))
        | (CountUpTo(a), CountUpTo(b)) => a >= b,
        (CommSizeUpTo(a), CommSizeBelow(b)) => *a >= b - 1,
        (CommSizeBelow(a), CommSizeUpTo(b)) => *a > *b,
        (MessageUpTo { key: one, limit: a }, MessageUpTo { key: other, limit: b }) => one == other && a >= b,
        _ => first == second,
    }
}

/// Returns whether one of the conditions matches every call that the others leave.
pub(super) fn is_exhaustive(conditions: &[Condition]) -> bool {
    conditions.iter().any(|condition| match condition {
        Condition::Any(_) => true,
        Condition::Property(name, yes) => conditions.contains(&Condition::Property(name, !yes)),
        Condition::Intra(intra) => conditions.contains(&Condition::Intra(!intra)),
        Condition::Consecutive(yes) => conditions.contains(&Condition::Consecutive(!yes)),
        _ => false,
    })
}
