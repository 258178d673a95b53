//! The members of objects.

use std::collections::HashMap;

use super::raw::Raw;

/// A member of an object.
pub(super) struct Member<'t> {
    pub(super) name: String,
    /// The number of members before this one with the same name.
    pub(super) nth: usize,
    pub(super) value: Raw<'t>,
}

/// Returns the members of an object in file order; `None` if it is not an object.
pub(super) fn named_members(raw: Raw<'_>) -> Option<Vec<Member<'_>>> {
    let mut seen = HashMap::<String, usize>::new();
    let mut members: Vec<Member<'_>> = Vec::new();
    for (key, value) in raw.members()? {
        let name = key.string().unwrap_or_default();
        let before = seen.insert(name.clone(), members.len());
        let nth = before.map_or(0, |before| members[before].nth + 1);
        members.push(Member { name, nth, value });
    }
    Some(members)
}
