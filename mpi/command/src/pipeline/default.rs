//! The method that stands for the library's own choice.

use qtdec_mpi_library::catalogue::{Library, open_mpi as catalogue};
use qtdec_mpi_library::choice::{DEFAULT, OTHERS};
use qtdec_mpi_library::tuning::Companion;
use qtdec_study::measurements::Measurements;
use qtdec_study::readers::collective_name;
use qtdec_study::selection::Recipe;

use super::Task;
use crate::switch_cost;

/// The names by which benchmarks and job scripts refer to the library's own choice, in any case.
const DEFAULTS: [&str; 3] = ["default", "default-default", "library default"];

/// Returns the label of the library's own choice: one of the usual names, otherwise an MPI function, in which nothing was forced.
/// If the library is known, so are the names that its benchmarks use.
pub fn default_of(measurements: &Measurements, library: Option<Library>) -> Option<String> {
    let labels: Vec<String> = measurements.labels().collect();
    let of_library = |label: &str| library == Some(Library::OpenMpi) && catalogue::is_own_choice(label);
    let named =
        |label: &&String| DEFAULTS.iter().any(|name| name.eq_ignore_ascii_case(label)) || of_library(label);
    let function = |label: &&String| label.starts_with("MPI_");
    labels.iter().find(named).or_else(|| labels.iter().find(function)).cloned()
}

/// Returns the collective of times that nothing else names, if the library's own choice is called after a function of MPI.
///
/// It must be known when the times are read, because it determines what their message sizes are converted to.
pub fn collective_of_default(
    measurements: &Measurements,
    baseline: &[String],
    library: Option<Library>,
) -> Option<String> {
    let default = if baseline.is_empty() { default_of(measurements, library) } else { None };
    let function = baseline.iter().chain(&default).find(|name| name.starts_with("MPI_"));
    function.map(|name| collective_name(name))
}

/// Returns which of the library's own choices that job scripts measure will stand for it after a deployment, or `None` if not several of
/// them were measured, or not that one. `companion` is that of a [`Task`].
pub fn own_choice(
    recipe: &Recipe,
    measurements: &Measurements,
    companion: Option<Companion>,
) -> Option<&'static str> {
    let has = |label: &&str| {
        switch_cost::has(measurements, label) && !recipe.exclude.iter().any(|known| known == label)
    };
    match companion {
        Some(companion) if has(&companion.own_choice) => Some(companion.own_choice),
        Some(companion) if companion.unmeasured.is_some() => None,
        _ => Some(DEFAULT).filter(|own| has(own) && OTHERS.iter().any(has)),
    }
}

/// Names the default that was measured as the deployment will be, unless the recipe names one, and excludes the library's own choices under
/// other settings, which no file can choose. Returns a warning if that default was not measured.
pub(super) fn choose_default(
    recipe: &mut Recipe,
    measurements: &Measurements,
    task: &Task<'_>,
) -> Option<&'static str> {
    let own = own_choice(recipe, measurements, task.companion);
    let is_missed = own.is_none() && recipe.baseline.is_empty();
    if recipe.baseline.is_empty() {
        recipe.baseline.extend(own.map(str::to_owned));
    }
    let other = default_of(measurements, Some(task.format.library)).filter(|_| own.is_some());
    let others = OTHERS.into_iter().filter(|label| switch_cost::has(measurements, label));
    let others = others.map(str::to_owned).chain(other).filter(|label| !recipe.baseline.contains(label));
    recipe.exclude.extend(others.collect::<Vec<_>>());
    task.companion.filter(|_| is_missed)?.unmeasured
}
