//! The times that are tuned, and what the command line lacks for them.

use indexmap::IndexSet;
use qtdec_core::similar::suggestion;
use qtdec_core::{Basis, Place, Problem};
use qtdec_mpi_library::catalogue::natural_basis_or_buffer;
use qtdec_mpi_run::choice::{self, DEFAULT, UNTOUCHED, WITH_HAN};
use qtdec_study::measurements::Measurements;
use qtdec_study::profile::names_collectives;
use qtdec_study::selection::Recipe;

use super::Arguments;
use qtdec_mpi::tune::{collective_of_default, own_choice};
use qtdec_mpi_library::tuning::{Format, without_collective};
use qtdec_terminal::Failure;
use qtdec_terminal::input::Input;
use qtdec_terminal::lacking::completed;
use qtdec_terminal::reports::reports;

/// Reads the times of each collective, or reports at once all that the command line lacks for that.
pub(super) fn read(
    arguments: &Arguments,
    format: &dyn Format,
    files: &str,
) -> Result<Vec<Measurements>, Failure> {
    let of_default = |measurements: &Measurements, baseline: &[String]| {
        collective_of_default(measurements, baseline, Some(format.library()))
    };
    match arguments.measure.read_each(&arguments.files, of_default) {
        Ok(every) => {
            let (problems, lacks) = lacking(arguments, format, &every);
            // A single one is reported where it is needed, after the faults of the measurements.
            if problems.len() > 1 {
                let all = problems.into_iter().flat_map(|problem| reports(files, &problem.into()));
                let failure = Failure::Input(all.collect());
                return Err(completed(failure, files, &lacks));
            }
            Ok(every)
        }
        Err(Failure::Input(mut all)) => {
            let (mut lacks, read) = arguments
                .measure
                .lacking_options(&arguments.files)
                .map_or_else(Default::default, |(lacks, read)| (lacks, vec![read]));
            // Times of several collectives are no fault here: each is tuned.
            lacks.retain(|lack| !lack.starts_with("--collective "));
            let (problems, more) = lacking(arguments, format, &read);
            lacks.extend(more);
            all.extend(problems.into_iter().flat_map(|problem| reports(files, &problem.into())));
            let failure = Failure::Input(all);
            Err(if lacks.len() > 1 { completed(failure, files, &lacks) } else { failure })
        }
        Err(failure) => Err(failure),
    }
}

/// Checks that a profile says which collective its calls are of, if there are several.
pub(super) fn check_profile(profile: &Input, every: &[Measurements]) -> Result<(), Failure> {
    if every.len() < 2 || names_collectives(profile.bytes()) {
        return Ok(());
    }
    let message = "there is no column `collective`, and the times are of several";
    let problem = Problem::new(Place::Line(1), message).help("add one with MPI's names, such as bcast");
    Err(Failure::Input(profile.reports(&problem.into())))
}

/// Checks that a given baseline is not one of the library's own choices under settings that the deployment does not have: a gain over it
/// would not be that of the deployment.
pub(super) fn check_baseline(
    arguments: &Arguments,
    every: &[Measurements],
    keeps_han: bool,
    keeps_device: bool,
) -> Result<(), Failure> {
    every.iter().try_for_each(|times| {
        check_baseline_of(&arguments.measure.recipe(times), times, keeps_han, keeps_device)
    })
}

fn check_baseline_of(
    recipe: &Recipe,
    measurements: &Measurements,
    keeps_han: bool,
    keeps_device: bool,
) -> Result<(), Failure> {
    let own = own_choice(recipe, measurements, keeps_han, keeps_device);
    let Some(own) = own.filter(|own| recipe.baseline.iter().all(|label| label != own)) else { return Ok(()) };
    let is_other = |label: &&String| own != DEFAULT || choice::ALL.contains(&label.as_str());
    let Some(other) = recipe.baseline.iter().find(is_other) else { return Ok(()) };
    let why = match own {
        WITH_HAN => {
            "after this deployment HAN keeps the calls without rules, so that it replaces `default-han`: leave out --baseline, or \
             switch HAN off for all calls with --exclude default-han"
        }
        UNTOUCHED => {
            "after this deployment MPICH's device keeps the calls without rules, so that it replaces `untouched`: leave out \
             --baseline, or the --into of the device"
        }
        _ => {
            "the settings of this deployment also change what serves the calls without rules, so that it replaces `default`, which was \
             measured with them: leave out --baseline"
        }
    };
    Err(Failure::Usage(format!("--baseline {other}: {why}")))
}

/// Checks that each method with a given algorithm was measured.
pub(super) fn check_methods(arguments: &Arguments, every: &[Measurements]) -> Result<(), Failure> {
    let is_of = |measurements: &Measurements, method: &str| {
        let own =
            without_collective(method, measurements.collective.as_deref().or(arguments.measure.collective()));
        let is = |known: &str| known == method || Some(known) == own;
        measurements.methods().any(|known| is(&known.name) || is(&known.label()))
    };
    let unknown = arguments
        .method
        .iter()
        .find(|(method, _)| !every.iter().any(|measurements| is_of(measurements, method)));
    let Some((method, _)) = unknown else { return Ok(()) };
    let known: IndexSet<String> =
        every.iter().flat_map(Measurements::methods).map(|known| known.label()).collect();
    let known = suggestion(method, "methods", known.iter().map(String::as_str));
    Err(Failure::Usage(format!("there is no method `{method}`: {known}")))
}

/// Returns what the command line lacks to write a tuning file of these measurements, and the options that say it.
fn lacking(
    arguments: &Arguments,
    format: &dyn Format,
    every: &[Measurements],
) -> (Vec<Problem>, Vec<String>) {
    let (mut problems, mut lacks) = (Vec::new(), Vec::new());
    let mut lack = |problem: Problem, option: &str| {
        if !lacks.iter().any(|known| known == option) {
            lacks.push(option.to_owned());
            problems.push(problem);
        }
    };
    // A file that is complete in itself needs nothing.
    let incomplete = format.lacks_whole_file().filter(|_| arguments.into.is_empty());
    for measurements in every {
        let collective = arguments.measure.collective().map(str::to_owned);
        let collective = collective.or_else(|| measurements.collective.clone());
        let collective =
            collective.or_else(|| collective_of_default(measurements, &[], Some(format.library())));
        if collective.is_none() {
            let problem = Problem::new(Place::File, "the collective is not specified");
            lack(problem.help("name it with --collective"), "--collective NAME");
        }
        let basis = measurements.axes().iter().find(|axis| axis.name == "msg_size").map(|axis| axis.basis);
        let counts_buffers =
            collective.as_deref().is_some_and(|name| natural_basis_or_buffer(name) == Basis::Buffer);
        if basis == Some(None) && !counts_buffers && (collective.is_none() || incomplete.is_some()) {
            let message =
                "nothing specifies which bytes the message sizes count, which matters for most collectives";
            let help = "add --basis-in block for the bytes of one rank, or --basis-in total for those of all";
            lack(Problem::new(Place::File, message).help(help), "--basis-in block");
        }
    }
    if let Some(problem) = incomplete {
        lack(problem, "--into generic.json");
    }
    (problems, lacks)
}
