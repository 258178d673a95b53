//! Rules in the place of a complete file's own for the same collectives.

use qtdec_core::{Place, Problem};
use serde_json::{Map, Value};

use super::conditions::Condition;
use super::writer::{Forced, Writer};
use crate::tuning::LibraryRules;

/// Communicators within one group, the only ones that rules are for.
const INTRA: &str = "comm_type=intra";

/// Inserts rules into a file, and returns notes about them. `forced` is how the file names an algorithm.
pub(super) fn insert(
    file: &mut Value,
    all_rules: &[LibraryRules],
    forced: Forced,
) -> Result<Vec<String>, Problem> {
    let mut notes = Vec::new();
    for rules in all_rules {
        let key = format!("collective={}", rules.collective);
        let section = file.get_mut(&key).and_then(Value::as_object_mut).ok_or_else(|| {
            Problem::new(Place::File, format!("the file has no `{key}` at its top"))
                .help("give a complete file of MPICH with --into")
        })?;
        let whole = Value::Object(section.clone());
        let original = section.get(INTRA).unwrap_or(&whole);
        let ours = Writer::new(rules, exact(original, false), forced).rules(&mut notes);
        if !section.contains_key(INTRA) {
            *section = Map::from_iter([("comm_type=inter".to_owned(), whole)]);
        }
        section.insert(INTRA.to_owned(), ours);
    }
    Ok(notes)
}

/// Replaces `comm_size<N`, which MPICH reads as `comm_size<=N` from the first condition on a call on, by a condition that means the same
/// everywhere. `searching` says whether there was such a condition.
fn exact(value: &Value, mut searching: bool) -> Value {
    let Value::Object(members) = value else { return value.clone() };
    let mut exact_members = Map::new();
    for (key, value) in members {
        let condition = Condition::parse(key);
        searching |= condition.as_ref().is_some_and(|condition| !condition.is_of_communicator());
        let key = match condition {
            Some(Condition::CommSizeBelow(size)) if !searching => format!("comm_size<={}", size - 1),
            Some(Condition::CommSizeBelow(size)) => format!("comm_size<={size}"),
            _ => key.clone(),
        };
        exact_members.insert(key, exact(value, searching));
    }
    Value::Object(exact_members)
}
