//! What is tuned, and for what: the times, the format of the tuning file, and the files that rules are inserted into.

use std::path::Path;

use indexmap::IndexSet;
use qtdec_core::similar::suggestion;
use qtdec_core::{Basis, Place, Problem};
use qtdec_mpi_library::catalogue::{Release, natural_basis_or_buffer};
use qtdec_mpi_library::choice::{self, DEFAULT};
use qtdec_mpi_library::tuning::companion::Circumstances;
use qtdec_study::measurements::Measurements;
use qtdec_study::profile::names_collectives;

use super::{Arguments, final_measurement};
use crate::commands::tuning_files::into_files::IntoFiles;
use qtdec_mpi::pipeline::{Task, collective_of_default, own_choice};
use qtdec_mpi::switch_cost;
use qtdec_mpi_library::tuning::{Companion, Format, RuleOptions, without_collective};
use qtdec_study::study::recommend::RecommendOptions;
use qtdec_terminal::subject::SPLITS;
use qtdec_terminal::{Failure, Input, Outputs, reports, times};

/// What is tuned, and for what. All that the command line or the files lack is reported before anything is decided.
pub(super) struct Inputs<'a> {
    pub(super) arguments: &'a Arguments,
    pub(super) format: &'static Format,
    /// The release that the tuning file is for, or `None` if it makes no difference.
    pub(super) release: Option<Release>,
    /// Whether the release is stated by the user or by the times.
    is_stated: bool,
    pub(super) into: IntoFiles,
    profile: Option<Input>,
    /// The absolute path of the tuning file.
    pub(super) rules_path: String,
    /// The file beside the tuning file, if one is written.
    pub(super) companion: Option<Companion>,
    /// Why none is written, if users can change that.
    pub(super) no_companion: Option<String>,
    /// The name of the benchmark that made the times, if they state one that a job script runs.
    pub(super) benchmark: Option<&'static str>,
}

impl<'a> Inputs<'a> {
    /// Opens and checks all inputs, and returns them with the times of each collective.
    pub(super) fn open(arguments: &'a Arguments) -> Result<(Self, Vec<Measurements>), Failure> {
        let format = arguments.library;
        let tuning_file = file_name(format);
        let path = Path::new(&arguments.output).join(&tuning_file);
        let rules_path = absolute(&arguments.output, &tuning_file)?;
        if path.exists() {
            // The same is checked for every file when all of them are known, which may take minutes.
            outputs(arguments).add_entry(&path)?;
        }
        let into = IntoFiles::open(&arguments.into, format)?;
        let profile = arguments.profile.as_deref().map(Input::open).transpose()?;
        arguments.release.resolve(format)?;
        let every = read(arguments, format)?;
        check_methods(arguments, &every)?;
        if let Some(profile) = &profile {
            check_profile(profile, &every)?;
        }
        let (release, is_stated) = arguments.release.resolve_for(format, &every)?;
        let (companion, no_companion) = companion(arguments, (release, is_stated), &every, &into);
        check_baseline(arguments, &every, companion)?;
        let benchmark = final_measurement::benchmark(&every);
        let inputs = Self {
            arguments,
            format,
            release,
            is_stated,
            into,
            profile,
            rules_path,
            companion,
            no_companion,
            benchmark,
        };
        Ok((inputs, every))
    }

    pub(super) fn task(&self, measurements: &Measurements) -> Task<'_> {
        let (methods, extend) = (self.arguments.method.clone(), self.arguments.extend.extend);
        // A rule for few ranks would reach communicators of the library too.
        let guard = self.companion.is_some_and(|companion| companion.has_communicators);
        let release = self.release;
        let options = RuleOptions { methods, extend, guard, release, ..RuleOptions::default() };
        Task {
            recipe: self.arguments.map.recipe(measurements),
            recommend: RecommendOptions { max_leaves: self.arguments.max_leaves },
            format: self.format,
            options,
            companion: self.companion,
            profile: self.profile.as_ref().map(Input::bytes),
            splits: SPLITS,
        }
    }

    pub(super) fn stated_release(&self) -> Option<Release> {
        self.release.filter(|_| self.is_stated)
    }

    pub(super) fn files(&self) -> String {
        self.arguments.files.join(", ")
    }

    pub(super) fn tuning_file(&self) -> String {
        file_name(self.format)
    }
}

fn file_name(format: &Format) -> String {
    format!("{}.{}", format.name, format.ending)
}

pub(super) fn absolute(folder: &str, name: &str) -> Result<String, Failure> {
    let path = std::path::absolute(Path::new(folder).join(name)).ok();
    path.and_then(|path| path.into_os_string().into_string().ok()).ok_or_else(|| {
        Failure::usage(
            "the path of the current folder is not UTF-8: give the whole path of another folder with -o",
        )
    })
}

/// Returns the outputs, which are none of the inputs.
pub(super) fn outputs(arguments: &Arguments) -> Outputs {
    let inputs = arguments.files.iter().chain(&arguments.into).chain(&arguments.profile);
    Outputs::new(inputs.map(String::as_str))
}

/// Reads the times of each collective, or reports at once all that they and the command line lack.
fn read(arguments: &Arguments, format: &Format) -> Result<Vec<Measurements>, Failure> {
    // A file that is complete in itself needs nothing.
    let incomplete = format.lacks_whole_file.map(|fault| fault()).filter(|_| arguments.into.is_empty());
    let collective_of = |measurements: &Measurements| {
        collective_of_default(measurements, &arguments.map.baseline, Some(format.library))
    };
    let every = times::each_where(&arguments.files, &arguments.values, collective_of)
        .map_err(|failure| and_incomplete(failure, arguments, incomplete.as_ref()))?;
    let every: Vec<Measurements> =
        every.into_iter().map(|read| arguments.map.cleaning().apply(read).in_units(arguments.jobs)).collect();
    let (problems, lacks) = lacking(&every, incomplete.is_some());
    if problems.is_empty() {
        return Ok(every);
    }
    let files = arguments.files.join(", ");
    let all = problems.into_iter().flat_map(|problem| reports(&files, &problem.into())).collect();
    let failure = times::to_be_read(Failure::Input(all), &arguments.files, Some(lacks));
    Err(and_incomplete(failure, arguments, incomplete.as_ref()))
}

/// Adds what a tuning file lacks to what is wrong with the times.
fn and_incomplete(failure: Failure, arguments: &Arguments, incomplete: Option<&Problem>) -> Failure {
    match (failure, incomplete) {
        (Failure::Input(mut all), Some(problem)) => {
            all.extend(reports(&arguments.files.join(", "), &problem.clone().into()));
            Failure::Input(all)
        }
        (failure, _) => failure,
    }
}

/// Returns what the times lack to write a tuning file, and the options of `qtdec read` that say it.
fn lacking(every: &[Measurements], is_incomplete: bool) -> (Vec<Problem>, Vec<String>) {
    let (mut problems, mut lacks) = (Vec::new(), Vec::new());
    let nameless = every.iter().any(|measurements| measurements.collective.is_none());
    if nameless {
        problems.push(Problem::new(Place::File, "the collective is not specified"));
        lacks.push("--collective NAME".to_owned());
    }
    if every.iter().any(|measurements| lacks_basis(measurements, is_incomplete)) {
        let message =
            "nothing specifies which bytes the message sizes count, which matters for most collectives";
        let help = "--basis-in block is for the bytes of one rank, and --basis-in total for those of all";
        problems.push(Problem::new(Place::File, message).help(help));
        lacks.push("--basis-in block".to_owned());
    }
    (problems, lacks)
}

fn lacks_basis(measurements: &Measurements, is_incomplete: bool) -> bool {
    let counts_buffers = |name: &String| natural_basis_or_buffer(name) == Basis::Buffer;
    let size = measurements.axes().iter().find(|axis| axis.name == "msg_size");
    let is_needed = match &measurements.collective {
        None => true,
        Some(name) => is_incomplete && !counts_buffers(name),
    };
    size.is_some_and(|axis| axis.basis.is_none()) && is_needed
}

/// Checks that a profile says which collective its calls are of, if there are several.
fn check_profile(profile: &Input, every: &[Measurements]) -> Result<(), Failure> {
    if every.len() < 2 || names_collectives(profile.bytes()) {
        return Ok(());
    }
    let message = "there is no column `collective`, and the times are of several";
    let problem = Problem::new(Place::Line(1), message).help("add one with MPI's names, such as bcast");
    Err(Failure::Input(profile.reports(&problem.into())))
}

/// Returns the file beside the tuning file, if one is written, or how users can change that it is not.
fn companion(
    arguments: &Arguments,
    (release, is_stated): (Option<Release>, bool),
    every: &[Measurements],
    into: &IntoFiles,
) -> (Option<Companion>, Option<String>) {
    let Some(companion) = arguments.library.companion else { return (None, None) };
    let own = companion.own_choice;
    let is_excluded =
        every.iter().any(|times| arguments.map.recipe(times).exclude.iter().any(|label| label == own));
    let is_served =
        |times: &&Measurements| times.collective.as_deref().is_none_or(|name| (companion.serves)(name));
    let served = every.iter().filter(|times| !is_excluded && is_served(times));
    let (measured, unmeasured): (Vec<_>, Vec<_>) = served.partition(|times| switch_cost::has(times, own));
    let is_written = (companion.is_written)(&Circumstances {
        release,
        is_stated,
        inserts: into.whole.is_some(),
        has_own_file: into.device.is_some(),
        measured: (measured.len(), unmeasured.len()),
    });
    match is_written {
        Ok(is_written) => (is_written.then_some(companion), None),
        Err(reason) => (None, Some(reason)),
    }
}

/// Checks that a given baseline is not one of the library's own choices under settings that the deployment does not have: a gain over it
/// would not be that of the deployment.
fn check_baseline(
    arguments: &Arguments,
    every: &[Measurements],
    companion: Option<Companion>,
) -> Result<(), Failure> {
    let wrong = every.iter().find_map(|times| {
        let recipe = arguments.map.recipe(times);
        let own = own_choice(&recipe, times, companion)?;
        let is_other = |label: &String| own != DEFAULT || choice::ALL.contains(&label.as_str());
        let is_named = recipe.baseline.iter().any(|label| label == own);
        Some((own, recipe.baseline.into_iter().find(is_other).filter(|_| !is_named)?))
    });
    let Some((own, other)) = wrong else { return Ok(()) };
    let why = companion.filter(|companion| companion.own_choice == own).map_or(
        "the settings of this deployment also change what serves the calls without rules, so that it replaces `default`, which was \
         measured with them: leave out --baseline",
        |companion| companion.why_own_choice,
    );
    Err(Failure::usage(format!("--baseline {other}: {why}")))
}

fn has(measurements: &Measurements, method: &str) -> bool {
    let own = without_collective(method, measurements.collective.as_deref());
    let is = |known: &str| known == method || Some(known) == own;
    measurements.methods().any(|known| is(&known.name) || is(&known.label()))
}

fn check_methods(arguments: &Arguments, every: &[Measurements]) -> Result<(), Failure> {
    let is_unknown =
        |(method, _): &&(String, String)| !every.iter().any(|measurements| has(measurements, method));
    let Some((method, _)) = arguments.method.iter().find(is_unknown) else { return Ok(()) };
    let known: IndexSet<String> = every.iter().flat_map(Measurements::labels).collect();
    let known = suggestion(method, "methods", known.iter().map(String::as_str));
    Err(Failure::usage(format!("there is no method `{method}`: {known}")))
}
