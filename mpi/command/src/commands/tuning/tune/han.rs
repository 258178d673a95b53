//! Whether a tuning file is written with one for Open MPI's component HAN, which then keeps the calls without rules.

use qtdec_study::measurements::Measurements;

use super::Arguments;
use qtdec_mpi::switch_cost;
use qtdec_mpi_library::catalogue::Release;
use qtdec_mpi_library::tuning::Format;
use qtdec_mpi_library::tuning::open_mpi::{CLASSIC, HAN};
use qtdec_mpi_library::tuning::open_mpi_han::HAN_FILE;
use qtdec_mpi_run::choice::WITH_HAN;
use qtdec_terminal::output;

/// Returns whether HAN keeps the calls without rules: in a release that reads the file, if the library's own choice was measured so for
/// every collective that HAN serves, and is not excluded. If that alone is missing, a warning says what to do. `inserts` says whether rules
/// are inserted into a file, whose other rules would have no routes; `is_stated` says whether the release is known.
pub(super) fn is_kept(
    arguments: &Arguments,
    (format, release, is_stated): (&Format, Option<Release>, bool),
    every: &[Measurements],
    inserts: bool,
) -> bool {
    let excludes =
        |times: &Measurements| arguments.map.recipe(times).exclude.iter().any(|label| label == WITH_HAN);
    if format.name != CLASSIC.name || every.iter().any(excludes) {
        return false;
    }
    let is_served =
        |times: &&Measurements| times.collective.as_deref().is_none_or(|name| HAN.contains(&name));
    let served: Vec<&Measurements> = every.iter().filter(is_served).collect();
    let (has, lacks): (Vec<_>, Vec<_>) =
        served.into_iter().partition(|times| switch_cost::has(times, WITH_HAN));
    let reads_file = release.is_some_and(|release| HAN_FILE.releases.contains(&release.series()));
    match (reads_file, inserts, &has[..], &lacks[..]) {
        (true, false, [_, ..], []) => return true,
        (_, _, [], []) | (false, _, [], _) => {}
        (false, ..) if is_stated => {}
        (false, ..) => output::warn(&format!(
            "`{WITH_HAN}` was measured, and the release is not known to have HAN: with --release {}, HAN keeps the calls without rules",
            HAN_FILE.releases[0]
        )),
        (true, true, ..) => output::warn(
            "HAN is switched off for all calls, because rules are inserted into a file: without --into, it keeps the calls without rules",
        ),
        (true, false, _, _) => output::warn(&format!(
            "HAN is switched off for all calls, of collectives without rules too: measure `{WITH_HAN}` with the script of qtdec-mpi plan, and \
             HAN keeps the calls without rules"
        )),
    }
    false
}
