//! Networks that come with the project: those of the papers' machines, as far as the papers state them. What is assumed
//! stands in each file under `source`.

use std::fmt;

use super::Network;
use crate::similar::did_you_mean;

/// The names and the texts.
const SHIPPED: [(&str, &str); 7] = [
    ("frodo", include_str!("../../networks/frodo.json")),
    ("fugaku", include_str!("../../networks/fugaku.json")),
    ("gige", include_str!("../../networks/gige.json")),
    ("grig", include_str!("../../networks/grig.json")),
    ("icluster-2", include_str!("../../networks/icluster-2.json")),
    ("presto-iii", include_str!("../../networks/presto-iii.json")),
    ("two-clusters", include_str!("../../networks/two-clusters.json")),
];

/// The error of a name that no network has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownNetwork(pub String);

impl fmt::Display for UnknownNetwork {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(name) = self;
        write!(f, "unknown network `{name}`")?;
        if let Some(like) = did_you_mean(name, shipped_names()) {
            write!(f, " (did you mean `{like}`?)")?;
        }
        let names: Vec<&str> = shipped_names().collect();
        write!(f, "; give a file or one of {}", names.join(", "))
    }
}

impl std::error::Error for UnknownNetwork {}

/// Returns the names of the networks that are shipped.
pub fn shipped_names() -> impl Iterator<Item = &'static str> {
    SHIPPED.into_iter().map(|(name, _)| name)
}

/// Returns the shipped network of this name.
///
/// # Errors
///
/// No network has the name.
pub fn shipped(name: &str) -> Result<Network, UnknownNetwork> {
    let found = SHIPPED.into_iter().find(|(known, _)| *known == name);
    let network = found.and_then(|(_, text)| Network::from_json(text.as_bytes()).ok());
    network.ok_or_else(|| UnknownNetwork(name.to_owned()))
}
