//! The method that stands for the library's own choice.

use qtdec_measure::measurements::Measurements;
use qtdec_measure::readers::collective_name;
use qtdec_measure::selection::Recipe;
use qtdec_mpi::catalogue::{Library, open_mpi as catalogue};
use qtdec_run::choice::{UNTOUCHED, WITH_HAN};

use super::Task;
use crate::switch_cost;

/// The names by which benchmarks and job scripts refer to the library's own choice, in any case.
const DEFAULTS: [&str; 3] = ["default", "default-default", "library default"];

/// Returns the label of the library's own choice: one of the usual names, otherwise an MPI function, in which nothing was forced.
/// If the library is known, so are the names that its benchmarks use.
pub fn default_of(measurements: &Measurements, library: Option<Library>) -> Option<String> {
    let labels: Vec<String> = measurements.methods().map(|method| method.label()).collect();
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

/// Names the default that was measured as the deployment will be, unless the recipe names one, and excludes the others. Returns a warning
/// if that default was not measured.
pub(super) fn choose_default(
    recipe: &mut Recipe,
    measurements: &Measurements,
    task: &Task<'_>,
) -> Option<String> {
    if !recipe.baseline.is_empty() {
        return None;
    }
    let other = || default_of(measurements, Some(task.format.library()));
    let is_measured = |label: &str| switch_cost::has(measurements, label);
    if task.keeps_device {
        if !is_measured(UNTOUCHED) {
            return Some(format!(
                "`{UNTOUCHED}` was not measured, and the library that was measured lacks the device, which keeps the calls without rules: \
                 measure `{UNTOUCHED}` with the script of qtdec plan"
            ));
        }
        recipe.exclude.extend(other());
        recipe.baseline.push(UNTOUCHED.to_owned());
    } else if is_measured(WITH_HAN) {
        if task.keeps_han {
            recipe.exclude.extend(other());
            recipe.baseline.push(WITH_HAN.to_owned());
        } else {
            recipe.exclude.push(WITH_HAN.to_owned());
        }
    }
    None
}
