//! The methods that something can carry out.

use qtdec_core::similar::did_you_mean;
use qtdec_core::{DecisionMap, Method, Place, Problem, Problems};
use qtdec_mpi_library::catalogue::{Algorithm, FUNCTIONS, Matching};
use qtdec_mpi_run::own;
use qtdec_study::notes::Notes;
use qtdec_study::selection::Recipe;

use super::Task;

/// Removes the methods that nothing can carry out, and limits the library's to where they can run. Returns our own schedules.
pub(super) fn only_known(
    recipe: &mut Recipe,
    all: &DecisionMap,
    collective: &str,
    task: &Task<'_>,
    notes: &mut Notes,
) -> Result<Vec<String>, Problems> {
    let (domain, library) = (all.domain(), task.format.library);
    let matching = Matching::new(domain, library, collective, &task.options.restricted_to(domain).methods)
        .map_err(|fault| Problem::new(Place::File, fault))?;
    let (mut unknown, mut untold, mut own) = (Vec::new(), Vec::new(), Vec::new());
    for method in domain.method_indexes().filter(|&method| !domain.method(method).baseline) {
        let label = domain.method(method).label();
        match matching.get(method) {
            None if own::carries_out(collective, &domain.method(method).name) => own.push(label),
            None => unknown.push(label),
            Some(algorithm) if is_untold(algorithm, domain.method(method), collective, task) => {
                untold.push(label);
            }
            Some(algorithm) => {
                let requires = algorithm.requires().map(|requirement| (label.clone(), requirement));
                recipe.requires.extend(requires);
            }
        }
    }
    let known: Vec<&str> = library.algorithms(collective).iter().map(|known| known.name).collect();
    let meant: Vec<String> = unknown
        .iter()
        .filter_map(|label| Some(format!("{label}={}", did_you_mean(label, known.iter().copied())?)))
        .collect();
    let meant = if meant.is_empty() { String::new() } else { format!(" (perhaps {})", listed(&meant)) };
    if unknown.len() == domain.methods().len() - usize::from(all.domain().baseline().is_some()) {
        let message = format!("none of the methods is an algorithm of {} for {collective}", library.name());
        let help = match &known[..] {
            [] => match did_you_mean(collective, FUNCTIONS) {
                Some(meant) if !FUNCTIONS.contains(&collective) => format!("did you mean `{meant}`?"),
                _ => format!("{} does not choose among algorithms for it", library.name()),
            },
            known => format!("match them with --method METHOD=ALGORITHM{meant}: {}", known.join(", ")),
        };
        return Err(Problem::new(Place::File, message).help(help).into());
    }
    if !untold.is_empty() {
        let are = if untold.len() == 1 { "is" } else { "are" };
        let why = task.companion.map_or(task.format.why_not_by_nodes, |companion| companion.why_not_chosen);
        notes.add(format!("{} {are} excluded: {why}", listed(&untold)));
        recipe.exclude.extend(untold);
    }
    if !unknown.is_empty() {
        notes.add(format!(
            "{} cannot be configured to use {}, which {} excluded: --method METHOD=ALGORITHM matches one to \
                 an algorithm{meant}",
            library.name(),
            listed(&unknown),
            if unknown.len() == 1 { "is" } else { "are" },
        ));
        recipe.exclude.extend(unknown);
    }
    Ok(own)
}

/// Returns whether a method is an algorithm by nodes that the files do not choose.
fn is_untold(algorithm: &Algorithm, method: &Method, collective: &str, task: &Task<'_>) -> bool {
    let has_segments = method.segment_size.is_some();
    let is_told =
        task.companion.is_some_and(|companion| (companion.chooses)(algorithm, collective, has_segments));
    algorithm.is_by_nodes() && !is_told
}

/// Lists the first few names.
fn listed(names: &[String]) -> String {
    match names {
        [first, second, _, _, ..] => format!("{first}, {second} and {} more", names.len() - 2),
        few => few.join(", "),
    }
}
