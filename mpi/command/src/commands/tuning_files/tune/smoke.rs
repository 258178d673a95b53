//! The script that tests deployed files before production.

use qtdec_mpi::campaign::measure::fill;
use qtdec_mpi_library::tuning::{Bands, LibraryRules};
use qtdec_terminal::folder::{self, NOTHING_TO_TEST};

/// Returns the script for the rules of a tuning file, with its name and text, and for the file beside it.
pub(super) fn script(
    rules: &[LibraryRules],
    (tuning_file, text): &(String, String),
    beside: Option<&str>,
) -> String {
    let ruled = rules.iter().filter_map(|rules| Some((&*rules.collective, least(rules)?)));
    let ruled: Vec<(&str, u64)> = ruled.collect();
    if ruled.is_empty() {
        return NOTHING_TO_TEST.to_owned();
    }
    let ruled: Vec<String> = ruled.iter().map(|(name, least)| format!("{name}:{least}")).collect();
    let files = [Some(&**tuning_file), beside].into_iter().flatten();
    let files: Vec<String> = files.map(|name| format!("--smoke \"$folder/{name}\"")).collect();
    let values = [
        ("tuning_file", &**tuning_file),
        ("files", &files.join(" ")),
        ("ruled", &ruled.join(",")),
        ("hash", &folder::hash(text.as_bytes())),
    ];
    fill(include_str!("smoke.sh"), &values)
}

/// Returns the least number of ranks for which rules force an algorithm, if they force one.
fn least(rules: &LibraryRules) -> Option<u64> {
    let placed = rules.by_ranks_per_node.iter().map(|(_, bands)| bands);
    let communicators = placed.chain([&rules.bands]).flat_map(Bands::communicators);
    let forced =
        communicators.filter(|(_, settings)| settings.iter().any(|(_, setting)| setting.algorithm.is_some()));
    forced.map(|(from, _)| *from).min()
}
