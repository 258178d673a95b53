//! `qtdec-mpi tune`: from raw measurements to a deployable tuning file, in one command.

mod claims;
mod final_measurement;
mod han;
mod interposer;
mod pages;
mod reading;
mod results;
mod sources;

use std::path::Path;

use clap::Args;
use clap::builder::PossibleValuesParser;
use qtdec_core::Domain;
use qtdec_mpi_library::catalogue::{Library, Release};
use qtdec_study::measurements::Measurements;
use qtdec_study::study::claim::Claim;
use qtdec_study::study::recommend::RecommendOptions;

use self::claims::last_words;
use self::pages::add_pages;
use self::reading::{check_baseline, check_methods, check_profile, read};
use self::results::print_results;
use self::sources::{add_sources, marks};
use crate::commands::tuning::beside::Beside;
use crate::commands::tuning::compare::pair;
use crate::commands::tuning::into_files::{IntoFiles, device_name};
use crate::commands::tuning::tuning_file::{ExtendArgument, NO_SWITCHES, ReleaseArgument, SWITCHES, value};
use crate::commands::tuning::written::check_written;
use qtdec_mpi::tune::{Task, TuneFault, Tuned, tune};
use qtdec_mpi_library::tuning::open_mpi_han::Han;
use qtdec_mpi_library::tuning::{self, Format, LibraryRules, RuleOptions, provenance};
use qtdec_report::page::opening;
use qtdec_terminal::folder;
use qtdec_terminal::folder::{FileSet, ForceArgument};
use qtdec_terminal::input::Input;
use qtdec_terminal::measure::MeasureArguments;
use qtdec_terminal::progress::Progress;
use qtdec_terminal::reports::{reported, reports};
use qtdec_terminal::subject::SPLITS;
use qtdec_terminal::{Failure, gain, output, single_samples};

const EXAMPLES: &str = "\
Example:
  Tune Open MPI with the results of a job script of qtdec-mpi plan:
    qtdec-mpi tune qtdec-results --library open-mpi -o tuned \\
      --path '{collective}/{method}_seg{segment_size}_np{comm_size}_run{run}.txt'";

/// Generate a tuning file, source code and a report from raw measurements
///
/// For each collective in the files, this writes the map of the algorithms that the library can be configured to use, the
/// recommended tree, a report, and functions in Rust and C. One tuning file covers all collectives. The recommended tree is the
/// smallest one that costs at most 1 % on average, and in no cell more than 1 % over the default. Where the library's own
/// choice is the best one, the tuning file leaves the choice to the library. The gain over the default is that on launches (runs)
/// that were held out. A collective whose gain has a 95 % interval that is not above zero gets no rules. With one launch the gain
/// is unknown; the rules are written and marked. If our own schedules were measured (`own_ring`, …), the trees choose among them too,
/// for the interposer of `qtdec-mpi build` and the tuning file together: the file has the library's algorithms among the decisions. The files form one set, which qtdec-outputs.json lists with hashes: a file that
/// was edited, or that qtdec did not write, is replaced only with --force.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// Read times from these files, folders or archives
    #[arg(required = true, value_name = "FILE")]
    files: Vec<String>,

    /// Write a tuning file for this library, in this format
    #[arg(long, value_name = "LIBRARY", value_parser = PossibleValuesParser::new(libraries()))]
    library: String,

    /// Write all files to this folder
    #[arg(short, long, value_name = "FOLDER", value_parser = folder::name())]
    output: String,

    #[command(flatten)]
    force: ForceArgument,

    /// Recommend trees of at most this many leaves
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    max_leaves: Option<u64>,

    /// Match a method of the files to an algorithm of the library; methods without this option are matched by name. The prefix
    /// COLLECTIVE: limits it to one collective
    #[arg(long, value_name = "[COLLECTIVE:]METHOD=ALGORITHM", value_parser = pair)]
    method: Vec<(String, String)>,

    /// Keep the other collectives of this tuning file. For MPICH, a second --into can name the file of its device, CH4: then that keeps the
    /// calls without rules, and the default is `untouched`
    #[arg(long, value_name = "FILE")]
    into: Vec<String>,

    /// Add the speed-up in the time that the calls in this file take: CSV with a column for each axis, `count` and, if the times are of
    /// several collectives, `collective`
    #[arg(long, value_name = "FILE")]
    profile: Option<String>,

    /// Exit with 3 if no collective has a gain whose 95 % interval is above zero; an unknown gain counts as nothing
    #[arg(long)]
    fail_if_nothing: bool,

    #[command(flatten)]
    extend: ExtendArgument,

    #[command(flatten)]
    release: ReleaseArgument,

    #[command(flatten)]
    measure: MeasureArguments,
}

fn libraries() -> Vec<clap::builder::PossibleValue> {
    tuning::formats().iter().copied().filter(|format| format.is_written()).map(value).collect()
}

/// Returns the name of the tuning file of a format.
fn file_name(format: &dyn Format) -> String {
    format!("{}.{}", format.name(), format.ending())
}

/// Returns the absolute path of a file in a folder.
fn absolute(folder: &str, name: &str) -> Result<String, Failure> {
    let path = std::path::absolute(Path::new(folder).join(name)).ok();
    path.and_then(|path| path.into_os_string().into_string().ok()).ok_or_else(|| {
        Failure::Usage(
            "the path of the current folder is not UTF-8: give the whole path of another folder with -o"
                .to_owned(),
        )
    })
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let files = arguments.files.join(", ");
    let format = tuning::find_format(&arguments.library).ok_or_else(|| {
        Failure::Usage(format!("there is no format `{}` of tuning files", arguments.library))
    })?;
    let tuning_file = file_name(format);
    let path = Path::new(&arguments.output).join(&tuning_file);
    let rules_path = absolute(&arguments.output, &tuning_file)?;
    let inputs: Vec<String> =
        arguments.files.iter().chain(&arguments.into).chain(&arguments.profile).cloned().collect();
    if path.exists() {
        // The same is checked for every file when all of them are known, which may take minutes.
        arguments.measure.outputs(&inputs).add_entry(&path)?;
    }
    let IntoFiles { whole: into, device } = IntoFiles::open(&arguments.into, format)?;
    let profile = arguments.profile.as_deref().map(Input::open).transpose()?;
    arguments.release.resolve(format)?;
    let every = read(arguments, format, &files)?;
    check_methods(arguments, &every)?;
    if let Some(profile) = &profile {
        check_profile(profile, &every)?;
    }
    let (release, is_stated) = arguments.release.resolve_for(format, &every)?;
    let keeps_han = han::is_kept(arguments, (format, release, is_stated), &every, into.is_some());
    check_baseline(arguments, &every, keeps_han, device.is_some())?;
    let (methods, extend) = (arguments.method.clone(), arguments.extend.extend);
    let options = RuleOptions { methods, extend, release, ..RuleOptions::default() };
    let task = |measurements: &Measurements| Task {
        recipe: arguments.measure.recipe(measurements),
        recommend: RecommendOptions { max_leaves: arguments.max_leaves },
        format,
        options: han::options(options.clone(), keeps_han),
        keeps_han,
        keeps_device: device.is_some(),
        profile: profile.as_ref().map(Input::bytes),
        splits: SPLITS,
    };
    let progress = Progress::new(every.len() + 1);
    let benchmark = final_measurement::benchmark(&every);
    let all = tune_each(every, task, arguments, &progress)?;
    let claims = Claim::of_all(&all.iter().map(|(tuned, ..)| &tuned.gains).collect::<Vec<_>>());
    let claimed = || all.iter().map(|(tuned, ..)| tuned).zip(&claims);
    let rules = claimed().map(|(tuned, claim)| tuned.rules_if(claim.is_written()));
    // The library may have no algorithms for a collective of which our own schedules were measured.
    let has_algorithms = |rules: &&LibraryRules| !format.library().algorithms(&rules.collective).is_empty();
    let all_rules: Vec<LibraryRules> = rules.filter(has_algorithms).cloned().collect();
    let written = tuning::write(format, &all_rules, into.as_ref().map(Input::bytes));
    let written = match &into {
        Some(into) => into.check(written)?,
        None => reported(&files, written)?,
    };

    let is_deployed = all_rules.iter().any(|rules| rules.forced() > 0);
    let beside = match &device {
        _ if !is_deployed => None,
        Some(device) => {
            let beside = Beside::of_device(&all_rules, device)?;
            Some((device_name(&tuning_file)?, beside))
        }
        None => han::routes(claimed(), &files)?.map(|beside| (han::FILE.to_owned(), beside)),
    };

    progress.begin("sources and reports");
    let mut set = FileSet::new("tune");
    let marks = marks(arguments, &all, &claims);
    let remarks = remarks(claimed());
    let comments = provenance::comments(&[marks.concat(), remarks.clone()].concat(), "# ", "");
    let script = match &beside {
        Some((name, beside)) => {
            let path = absolute(&arguments.output, name)?;
            beside.script(Some(&path), written.switches, Some(&rules_path))
        }
        None => written.switches.script(Some(&rules_path)),
    };
    let switches = if is_deployed { format!("{comments}{script}") } else { NO_SWITCHES.to_owned() };
    let marked =
        |text: &str| if format.has_comments() { format!("{comments}{text}") } else { text.to_owned() };
    let rules = marked(&written.text);
    let beside = beside.map(|(name, beside)| (name, marked(&beside.written.text)));
    check_files((format, release), (&tuning_file, &rules, into.as_ref()), beside.as_ref(), device.as_ref())?;
    let mut deployed = vec![(&*tuning_file, &*rules), (SWITCHES, &*switches)];
    deployed.extend(beside.as_ref().map(|(name, text)| (&**name, &**text)));
    let unreached = is_deployed.then(|| unreached(format, &tuning_file)).flatten();
    let interposed = interposer::described(&claimed().collect::<Vec<_>>(), &arguments.output);
    let switches_of = interposed.switches(&format!("{}/{SWITCHES}", arguments.output), is_deployed);
    let sentences = last_words(&claimed().collect::<Vec<_>>(), &switches_of);
    let remarks = [&remarks[..], unreached.as_slice()].concat();
    let opening = opening(&[&sentences[..], &interposed.lines, &remarks].concat(), &switches);
    add_pages(&mut set, &all, &claims, &deployed, &opening)?;
    add_sources(&mut set, &all, &claims, &marks)?;
    for (name, text) in &deployed {
        set.add(*name, *text);
    }
    drop(progress);
    set.write(&arguments.output, arguments.measure.outputs(&inputs), &arguments.force)?;
    print_results(&all, &claims, arguments, &tuning_file, is_deployed)?;
    print_hint((format, release.filter(|_| is_stated)), claimed(), &arguments.output, benchmark)?;
    output::print(&([&remarks[..], &interposed.lines, &sentences].concat().join("\n") + "\n"))?;
    if arguments.fail_if_nothing && !claims.iter().any(Claim::is_recommended) {
        return Err(Failure::Negative(vec![NOTHING.to_owned()]));
    }
    Ok(())
}

/// Returns what users should know of the rules that are written, as sentences.
fn remarks<'t>(all: impl Iterator<Item = (&'t Tuned, &'t Claim)>) -> Vec<String> {
    let written = all.filter(|(_, claim)| claim.is_written());
    written.flat_map(|(tuned, _)| tuned.rules.remarks()).map(sentence).collect()
}

/// Returns a clause as a sentence.
fn sentence(clause: &str) -> String {
    let (first, rest) = clause.split_at(clause.chars().next().map_or(0, char::len_utf8));
    format!("{}{rest}.", first.to_uppercase())
}

/// The finding of `--fail-if-nothing`.
const NOTHING: &str = "there is nothing to deploy: no collective has a gain that may be claimed";

/// Checks the tuning file, whose rules were inserted into `into`, and the one beside it: the one of MPICH's device, or else that of HAN.
fn check_files(
    (format, release): (&dyn Format, Option<Release>),
    (name, rules, into): (&str, &str, Option<&Input>),
    beside: Option<&(String, String)>,
    device: Option<&Input>,
) -> Result<(), Failure> {
    check_written((format, release), (name, rules), into)?;
    let of_beside: &dyn Format = if device.is_some() { format } else { &Han };
    beside.map_or(Ok(()), |(name, text)| check_written((of_beside, release), (name, text), device))
}

/// Prints the command that plans the measurement of the deployed files, if a job script can measure them.
fn print_hint<'t>(
    known: (&dyn Format, Option<Release>),
    all: impl Iterator<Item = (&'t Tuned, &'t Claim)>,
    folder: &str,
    benchmark: Option<&str>,
) -> Result<(), Failure> {
    match final_measurement::hint(known, &ruled_domains(all), folder, benchmark) {
        Some(hint) => output::print(&format!("{hint}\n")),
        None => Ok(()),
    }
}

/// Returns the domains of the collectives with rules that force an algorithm.
fn ruled_domains<'t>(all: impl Iterator<Item = (&'t Tuned, &'t Claim)>) -> Vec<&'t Domain> {
    let is_ruled = |(tuned, claim): &(&Tuned, &Claim)| claim.is_written() && tuned.rules.forced() > 0;
    all.filter(is_ruled).map(|(tuned, _)| tuned.map.domain()).collect()
}

/// Tunes each collective. One that cannot be tuned keeps the library's choice, with a warning; the others are still tuned.
fn tune_each<'t>(
    every: Vec<Measurements>,
    task: impl Fn(&Measurements) -> Task<'t>,
    arguments: &Arguments,
    progress: &Progress,
) -> Result<Vec<One>, Failure> {
    let files = arguments.files.join(", ");
    let (mut all, mut failed) = (Vec::new(), Vec::new());
    for measurements in every {
        progress.begin(measurements.collective.as_deref().unwrap_or("the recommended tree"));
        let tuned = match tune(&measurements, &task(&measurements)) {
            Ok(tuned) => tuned,
            Err(TuneFault::Profile(problems)) => {
                let name = arguments.profile.as_deref().unwrap_or_default();
                return Err(Failure::Input(reports(name, &problems)));
            }
            Err(TuneFault::Times(problems)) => {
                failed.push((measurements.collective.clone().unwrap_or_default(), problems));
                progress.done();
                continue;
            }
        };
        let single = single_samples::warning(&tuned.map, &measurements, &files)?;
        let warnings: Vec<String> =
            tuned.notes.iter().chain(&tuned.rules.warnings).cloned().chain(single).collect();
        for warning in &warnings {
            progress.suspend(|| output::warn(&format!("{}: {warning}", tuned.collective)));
        }
        progress.done();
        let slower = tuned.over_default().map(|gain| gain::warnings_of_slower(&gain, &tuned.map));
        let warnings: Vec<String> = warnings.into_iter().chain(slower.into_iter().flatten()).collect();
        all.push((tuned, measurements, warnings));
    }
    if all.is_empty() {
        return Err(Failure::Input(
            failed.iter().flat_map(|(_, problems)| reports(&files, problems)).collect(),
        ));
    }
    for (collective, problems) in &failed {
        progress.suspend(|| output::warn(&format!("{collective} is left to the library: {problems}")));
    }
    Ok(all)
}

/// A collective: its results, its measurements and its warnings.
type One = (Tuned, Measurements, Vec<String>);

/// Returns the sentence that names the calls of MPI which no rule of a format reaches, if there are any.
fn unreached(format: &dyn Format, tuning_file: &str) -> Option<String> {
    if format.library() == Library::Nccl {
        return None;
    }
    let names = format.library().unreached().names();
    let (last, first) = names.split_last()?;
    let first = if first.is_empty() { String::new() } else { format!("{} or ", first.join(", ")) };
    Some(format!("No rule in {tuning_file} reaches {first}{last}."))
}
