//! Parameters of algorithms in tuning files, written after a name as in `chain:fanout=4`.

/// The known parameters.
const PARAMETERS: [&str; 3] = ["fanout", "channels", "reqs"];

/// Returns the number of a parameter after a name.
pub fn parameter(name: &str, key: &str) -> Option<u64> {
    let mut parts = name.split(':').filter_map(|part| part.split_once('='));
    parts.find(|(found, _)| *found == key)?.1.parse().ok()
}

/// Returns a text without the known parameters at its end.
pub fn without_parameters(text: &str) -> &str {
    let is_known = |part: &str| PARAMETERS.iter().any(|key| parameter(part, key).is_some());
    match text.rsplit_once(':') {
        Some((rest, last)) if is_known(last) => without_parameters(rest),
        _ => text,
    }
}
