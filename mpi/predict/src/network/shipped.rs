//! Networks that come with the project: those of the papers' machines, as far as the papers describe them. In each file,
//! `source` says for every value whether it is stated in a paper, assumed or fitted.

use qtdec_core::similar::did_you_mean;

use super::Network;

/// The names and file texts.
const SHIPPED: &[(&str, &str)] = &[
    ("frodo", include_str!("../../networks/frodo.json")),
    ("fugaku", include_str!("../../networks/fugaku.json")),
    ("gige", include_str!("../../networks/gige.json")),
    ("grid-2x16", include_str!("../../networks/grid-2x16.json")),
    ("grig", include_str!("../../networks/grig.json")),
    ("grig-fitted", include_str!("../../networks/grig-fitted.json")),
    ("icluster-2", include_str!("../../networks/icluster-2.json")),
    ("multirail-32", include_str!("../../networks/multirail-32.json")),
    ("nano", include_str!("../../networks/nano.json")),
    ("polaris", include_str!("../../networks/polaris.json")),
];

/// Returns the names of the shipped networks.
pub fn shipped_names() -> impl Iterator<Item = &'static str> {
    SHIPPED.iter().map(|(name, _)| *name)
}

/// Returns the shipped network with a name.
///
/// # Errors
///
/// Fails if no network has the name.
pub fn shipped(name: &str) -> Result<Network, String> {
    let found = SHIPPED.iter().find(|(known, _)| *known == name);
    let network = found.and_then(|(_, text)| Network::from_json(text.as_bytes()).ok());
    network.ok_or_else(|| {
        let like = meant(name, shipped_names());
        let names: Vec<&str> = shipped_names().collect();
        format!(
            "`{name}` is neither a file nor the name of a shipped network{like}; these are {}",
            names.join(", ")
        )
    })
}

/// Returns the known name that was meant, as a question in parentheses behind a space, or nothing.
pub(crate) fn meant<'k>(name: &str, known: impl IntoIterator<Item = &'k str>) -> String {
    did_you_mean(name, known).map_or_else(String::new, |like| format!(" (did you mean `{like}`?)"))
}
