//! `qtdec tune`: from raw measurements to a deployable tuning file, in one command.

mod claims;
mod final_measurement;
mod han;
mod interposer;

use std::fmt::Write as _;
use std::path::Path;

use clap::Args;
use clap::builder::PossibleValuesParser;
use indexmap::IndexSet;
use qtdec_build::ItemOptions;
use qtdec_core::similar::suggestion;
use qtdec_core::{Basis, Borders, DecisionTree, Domain, Place, Problem};
use qtdec_mpi::catalogue::{Library, natural_basis_or_buffer};

use self::claims::{headline, last_words};
use super::beside::Beside;
use super::compare::pair;
use super::folder::{self, FileSet, ForceArgument};
use super::input::Input;
use super::into_files::{IntoFiles, device_name};
use super::lacking::completed;
use super::measure::{MeasureArguments, reading_options};
use super::output::counted;
use super::plane::PlaneArguments;
use super::progress::Progress;
use super::reports::{reported, reports};
use super::subject::SPLITS;
use super::tuning_file::{ReleaseArgument, SWITCHES, value};
use super::verify::{Deployed, verify_hint};
use super::{Failure, gain, output, single_samples, unmeasured};
use crate::emit::c_header;
use crate::report::page::{self, Report, opening};
use crate::report::rated_trees::rated_trees;
use crate::report::table::{Cell, Form, Table};
use crate::tune::{KeptCell, Task, TuneFault, Tuned, collective_of_default, tune};
use crate::tuning::{self, Format, LibraryRules, RuleOptions, provenance, without_collective};
use qtdec_measure::measurements::{Measurements, Statistic};
use qtdec_measure::profile::names_collectives;
use qtdec_measure::readers::KEPT_COLUMNS;
use qtdec_measure::study::claim::Claim;
use qtdec_measure::study::recommend::RecommendOptions;
use qtdec_measure::study::repeats::RepeatsOfCells;
use qtdec_measure::study::simple_rules::SimpleRules;

const EXAMPLES: &str = "\
Example:
  Tune Open MPI with the results of a job script of qtdec plan:
    qtdec tune qtdec-results --library open-mpi -o tuned \\
      --path '{collective}/{method}_seg{segment_size}_np{comm_size}_run{run}.txt'";

/// Generate a tuning file, source code and a report from raw measurements
///
/// For each collective in the files, this writes the map of the algorithms that the library can be configured to use, the
/// recommended tree, a report, and functions in Rust and C. One tuning file covers all collectives. The recommended tree is the
/// smallest one that costs at most 1 % on average, and in no cell more than 1 % over the default. Where the library's own
/// choice is the best one, the tuning file leaves the choice to the library. The gain over the default is that on launches (runs)
/// that were held out. A collective whose gain has a 95 % interval that is not above zero gets no rules. With one launch the gain
/// is unknown; the rules are written and marked. If our own schedules were measured (`own_ring`, …), the trees choose among them too,
/// for the interposer of `qtdec mpi-build`; the tuning file has rules for the library's algorithms alone. The files form one set, which qtdec-outputs.json lists with hashes: a file that
/// was edited, or that qtdec did not write, is replaced only with --force.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Arguments {
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

    /// Add the gain in the time that the calls in this file take: CSV with a column for each axis, `count` and, if the times are of
    /// several collectives, `collective`
    #[arg(long, value_name = "FILE")]
    profile: Option<String>,

    /// Exit with 3 if no collective has a gain whose 95 % interval is above zero; an unknown gain counts as nothing
    #[arg(long)]
    fail_if_nothing: bool,

    #[command(flatten)]
    release: ReleaseArgument,

    #[command(flatten)]
    measure: MeasureArguments,
}

/// The script of a set that leaves every choice to the library: the settings that make it read a file also change what it does
/// where the file has no rules.
const NO_SWITCHES: &str = "# Every choice is left to the library, so no setting is needed.\n";

fn libraries() -> Vec<clap::builder::PossibleValue> {
    tuning::formats().iter().copied().filter(|format| format.is_written()).map(value).collect()
}

/// Returns the name of the tuning file of a format.
fn file_name(format: &dyn Format) -> String {
    let ending = match format.name() {
        "mpich" | "open-mpi-json" => "json",
        "intel-mpi" | "ucc" => "sh",
        _ => "conf",
    };
    format!("{}.{ending}", format.name())
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

pub(super) fn run(arguments: &Arguments) -> Result<(), Failure> {
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
        arguments.measure.outputs(&inputs).add_path(&path)?;
    }
    let IntoFiles { whole: into, device } = IntoFiles::open(&arguments.into, format)?;
    let profile = arguments.profile.as_deref().map(Input::open).transpose()?;
    arguments.release.resolve(format)?;
    let every = read(arguments, format, &files)?;
    check_methods(arguments, &every)?;
    if let Some(profile) = &profile {
        check_profile(profile, &every)?;
    }
    let release = arguments.release.resolve_for(format, &every)?;
    let keeps_han = han::is_kept(format, release, &every, into.is_some());
    let options = RuleOptions { methods: arguments.method.clone(), release, ..RuleOptions::default() };
    let task = |measurements: &Measurements| Task {
        recipe: arguments.measure.recipe(measurements),
        recommend: RecommendOptions { max_leaves: arguments.max_leaves, borders: None },
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
    let of_rules = Claim::of_all(&all.iter().map(|(tuned, ..)| tuned.gains_of_rules()).collect::<Vec<_>>());
    let rules = all.iter().zip(&of_rules).map(|((tuned, ..), claim)| tuned.rules_if(claim.is_written()));
    // The library may have no algorithms for a collective of which our own schedules were measured.
    let has_algorithms = |rules: &&LibraryRules| !format.library().algorithms(&rules.collective).is_empty();
    let all_rules: Vec<LibraryRules> = rules.filter(has_algorithms).cloned().collect();
    let written = tuning::write(format, &all_rules, into.as_ref().map(Input::bytes));
    let written = match &into {
        Some(into) => into.check(written)?,
        None => reported(&files, written)?,
    };

    let is_deployed = into.is_some() || all_rules.iter().any(|rules| rules.forced() > 0);
    let ruled = || all.iter().map(|(tuned, ..)| tuned).zip(&of_rules);
    let beside = match &device {
        _ if !is_deployed => None,
        Some(device) => {
            let beside = Beside::of_device(&all_rules, device)?;
            Some((device_name(&tuning_file)?, beside))
        }
        None => han::routes(ruled(), &files)?.map(|beside| (han::FILE.to_owned(), beside)),
    };

    progress.begin("sources and reports");
    let mut set = FileSet::new("tune");
    let marks = marks(arguments, &all, &claims);
    let comments = provenance::comments(&marks.concat(), "# ", "");
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
    let mut deployed = vec![(&*tuning_file, &*rules), (SWITCHES, &*switches)];
    deployed.extend(beside.as_ref().map(|(name, text)| (&**name, &**text)));
    let unreached = is_deployed.then(|| unreached(format, &tuning_file)).flatten();
    let interposed = interposer::described(&claimed().zip(&of_rules).collect::<Vec<_>>(), &arguments.output);
    let switches_of = interposed.switches(&format!("{}/{SWITCHES}", arguments.output), is_deployed);
    let sentences = last_words(&claimed().collect::<Vec<_>>(), &switches_of);
    let opening = opening(&[&sentences[..], &interposed.lines, unreached.as_slice()].concat(), &switches);
    add_pages(&mut set, &all, &claims, &deployed, &opening)?;
    add_sources(&mut set, &all, &claims, &marks)?;
    for (name, text) in &deployed {
        set.add(*name, *text);
    }
    drop(progress);
    set.write(&arguments.output, arguments.measure.outputs(&inputs), &arguments.force)?;
    print_results(&all, &claims, arguments, &tuning_file, is_deployed)?;
    let measured: Vec<&Domain> = ruled()
        .filter(|(tuned, claim)| claim.is_written() && tuned.rules.forced() > 0)
        .map(|(tuned, _)| tuned.map.domain())
        .collect();
    if let Some(hint) = final_measurement::hint(format, &measured, &arguments.output, benchmark) {
        output::print(&format!("{hint}\n"))?;
    }
    output::print(&([unreached.as_slice(), &interposed.lines, &sentences].concat().join("\n") + "\n"))?;
    if arguments.fail_if_nothing && !claims.iter().any(Claim::is_recommended) {
        let nothing = "there is nothing to deploy: no collective has a gain whose interval is above zero";
        return Err(Failure::Negative(vec![nothing.to_owned()]));
    }
    Ok(())
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
        let slower = tuned.gain().map(|gain| gain::warnings_of_slower(&gain, &tuned.map));
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

/// Checks that a profile says which collective its calls are of, if there are several.
fn check_profile(profile: &Input, every: &[Measurements]) -> Result<(), Failure> {
    if every.len() < 2 || names_collectives(profile.bytes()) {
        return Ok(());
    }
    let message = "there is no column `collective`, and the times are of several";
    let problem = Problem::new(Place::Line(1), message).help("add one with MPI's names, such as bcast");
    Err(Failure::Input(profile.reports(&problem.into())))
}

/// Returns the comments of generated files: about all times, and then about each collective.
fn marks(arguments: &Arguments, all: &[One], claims: &[Claim]) -> Vec<Vec<String>> {
    let about = all.first().map(|(_, measurements, _)| {
        let statistic = arguments.measure.recipe(measurements).statistic.unwrap_or(Statistic::Median);
        provenance::lines(&measurements.about, &arguments.files, &statistic.to_string())
    });
    let each = all.iter().zip(claims).map(|((tuned, ..), claim)| claims::marks(tuned, claim));
    about.into_iter().chain(each).collect()
}

/// Adds the pages. The page to start with has the opening.
fn add_pages(
    set: &mut FileSet,
    all: &[One],
    claims: &[Claim],
    deployed: &[(&str, &str)],
    opening: &str,
) -> Result<(), Failure> {
    for (tuned, measurements, warnings) in all {
        let (name, source) = (&tuned.collective, source(tuned));
        let (page, opening) =
            if all.len() == 1 { ("report.html".to_owned(), opening) } else { (format!("{name}.html"), "") };
        set.add(page, report(tuned, measurements, warnings, &source, deployed, opening)?);
    }
    if all.len() > 1 {
        set.add("report.html", contents(all, claims, opening));
    }
    Ok(())
}

/// Reads the times of each collective, or reports at once all that the command line lacks for that.
fn read(arguments: &Arguments, format: &dyn Format, files: &str) -> Result<Vec<Measurements>, Failure> {
    match arguments.measure.read_each(&arguments.files, format.library()) {
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

/// Returns the name of the file with the map of a collective.
fn source(tuned: &Tuned) -> String {
    format!("{}.map.json", tuned.collective)
}

/// Adds the maps, the trees and the functions of all collectives, with their marks.
fn add_sources(
    set: &mut FileSet,
    all: &[One],
    claims: &[Claim],
    marks: &[Vec<String>],
) -> Result<(), Failure> {
    let Some((about, each)) = marks.split_first() else { return Ok(()) };
    all.iter().zip(claims).zip(each).try_for_each(|(((tuned, ..), claim), own)| {
        add_source(set, tuned, tuned.tree_if(claim.is_written()), &[&about[..], own].concat())
    })
}

/// Returns a source with comments below its first line, which says that it was generated.
fn marked(source: String, comments: &str) -> String {
    match source.split_once('\n') {
        Some((first, rest)) => format!("{first}\n{comments}{rest}"),
        None => source,
    }
}

/// Adds the map, the tree and the functions of a collective.
fn add_source(
    set: &mut FileSet,
    tuned: &Tuned,
    tree: &DecisionTree,
    marks: &[String],
) -> Result<(), Failure> {
    let name = &tuned.collective;
    let source = source(tuned);
    let refused = |problem: Problem| Failure::problem(&problem);
    set.add(source.clone(), tuned.map.to_file().map_err(refused)?);
    set.add(format!("{name}.tree.json"), tree.to_file().map_err(refused)?);
    let style = ItemOptions { optional: !tree.is_total(), ..ItemOptions::named(name) };
    let rust = reported(&source, style.file(tree, &source))?;
    set.add(format!("{name}.rs"), marked(rust, &provenance::comments(marks, "// ", "")));
    let c = c_header::header(tree, name, &source, c_header::Shape::Branches);
    let lines: Vec<String> = marks.iter().map(|line| c_header::comment(line)).collect();
    set.add(format!("{name}.h"), marked(c, &provenance::comments(&lines, "/* ", " */")));
    set.add(format!("{name}.kept.csv"), kept(&tuned.kept(), tuned).write(Form::Csv));
    Ok(())
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

/// Checks that each method with a given algorithm was measured.
fn check_methods(arguments: &Arguments, every: &[Measurements]) -> Result<(), Failure> {
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

/// A collective: its results, its measurements and its warnings.
type One = (Tuned, Measurements, Vec<String>);

/// Returns a table of the cells that keep the default, with the reasons.
fn kept(kept: &[KeptCell], tuned: &Tuned) -> Table {
    let map = &tuned.map;
    let axes = map.domain().axes();
    let mut columns: Vec<(&str, &str)> = axes.iter().map(|axis| (&*axis.name, &*axis.name)).collect();
    let [best, slower, why] = KEPT_COLUMNS;
    columns.extend([("best", best), ("default slower %", slower), ("why", why)]);
    let mut table = Table::new(&columns);
    for KeptCell { cell, best, percent } in kept {
        let mut cells = gain::sizes(map, *cell);
        let why = if *percent > 0.0 {
            "the difference is not worth another region"
        } else {
            "the default is the fastest"
        };
        let best = Cell::Text(map.domain().method(*best).label());
        cells.extend([best, Cell::Number(*percent), Cell::Text(why.to_owned())]);
        table.row(cells);
    }
    table
}

fn report(
    tuned: &Tuned,
    measurements: &Measurements,
    warnings: &[String],
    source: &str,
    deployed: &[(&str, &str)],
    opening: &str,
) -> Result<String, Failure> {
    let steps = tuned.rated.iter().map(|rated| (rated.choice.name.clone(), rated.choice.tree.clone()));
    let sweeps = [("recommendation", steps.collect())];
    let plane = PlaneArguments::at_the_last(tuned.map.domain(), Borders::Floor)?;
    let report = Report::new(&tuned.collective, source, &tuned.map, &sweeps, &plane);
    let Some(report) = reported(source, report)? else {
        return Ok(format!(
            "<!doctype html>{opening}<p>The map of {} has too many cells for a page.\n",
            tuned.collective
        ));
    };
    let at = tuned.rated.iter().position(|rated| rated.choice.name == "recommended").unwrap_or(0);
    let figure = page::unmeasured(&unmeasured::described(&tuned.unmeasured, &tuned.map));
    let report = report.with_opening(format!("{opening}{figure}"));
    let report =
        report.with_warnings(warnings).with_files(deployed).opening_on("recommendation", at, &tuned.rated);
    Ok(report.with_repeats(&RepeatsOfCells::new(measurements, &tuned.map), &plane).html())
}

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

/// Returns a page with what it opens with, and a link to the page of each collective with its gain.
fn contents(all: &[One], claims: &[Claim], opening: &str) -> String {
    let link = |((tuned, ..), claim): (&One, &Claim)| {
        let name = &tuned.collective;
        let gain = headline(tuned, claim).replace('<', "&lt;");
        format!("<li><a href=\"{name}.html\">{name}</a>: {}</li>\n", gain.trim_end().replace('\n', "; "))
    };
    format!(
        "<!doctype html>\n<html lang=\"en\"><meta charset=\"utf-8\"><title>Tuned collectives</title>\n\
         <h1>Tuned collectives</h1>\n{opening}<ul>\n{}</ul>\n</html>\n",
        all.iter().zip(claims).map(link).collect::<String>()
    )
}

/// Prints the results for each collective and how to use them.
fn print_results(
    all: &[One],
    claims: &[Claim],
    arguments: &Arguments,
    tuning_file: &str,
    is_deployed: bool,
) -> Result<(), Failure> {
    let mut text = String::new();
    for ((tuned, ..), claim) in all.iter().zip(claims) {
        let kept = tuned.kept();
        let fastest = kept.iter().filter(|kept| kept.percent <= 0.0).count();
        let default = match (tuned.gain(), kept.len()) {
            (None, _) => {
                let decisions = tuned.recommended().choice.tree.cells();
                let rules = SimpleRules::everywhere(&decisions, &tuned.map);
                rules.map_or_else(String::new, |rules| {
                    format!("in-sample: {}\n", gain::over_rules(&rules, &tuned.map, true))
                })
            }
            (Some(gain), number) => format!(
                "in-sample: {}\nthe default is kept in {}: it is the fastest in {fastest}, and in {} the difference is \
                     not worth another region\n",
                gain::described(&gain, &tuned.map),
                counted(number as u64, "cell", "cells"),
                number - fastest,
            ),
        };
        let judged = match tuned.held_out.filter(|_| !tuned.recommended().held_out.is_empty()) {
            None if tuned.gains.launches() > 1 => {
                "each launch was held out in turn from those that decide\n".to_owned()
            }
            None => "nothing could be held out: there are too few repeats\n".to_owned(),
            Some(what) if what.is_optimistic() => format!(
                "the held-out times are {what}, from the same run: that is optimistic, and another run will \
                     cost more\n"
            ),
            Some(what) => format!("the held-out times are {what}\n"),
        };
        let unmeasured = unmeasured::described(&tuned.unmeasured, &tuned.map);
        let table = rated_trees(&tuned.rated).write(Form::Text);
        let _ = writeln!(
            text,
            "{}: {}{default}unmeasured sizes: {unmeasured}\n{judged}{table}",
            tuned.collective,
            headline(tuned, claim)
        );
    }
    let folder = &arguments.output;
    let is_interposed = all.iter().zip(claims).any(|((tuned, ..), claim)| tuned.is_interposed(claim));
    let nothing = if is_interposed { "the library needs no settings" } else { "nothing has to be deployed" };
    let use_it = if is_deployed {
        format!(
            "{folder}/{tuning_file} is the tuning file, and {folder}/switches.sh makes the library use it"
        )
    } else {
        format!(
            "{nothing}: {folder}/{tuning_file} leaves every choice to the library, and {folder}/switches.sh sets nothing"
        )
    };
    let _ = writeln!(
        text,
        "{use_it}; start reading with {folder}/report.html; the folder also holds the maps, the trees, \
             sources in Rust and C, and lists of the cells that keep the default"
    );
    let before = if let [only] = &arguments.files[..] { Some(&**only) } else { None };
    let deployed: Vec<Deployed<'_>> = all
        .iter()
        .zip(claims)
        .filter(|((tuned, ..), claim)| {
            tuned.is_interposed(claim) || (claim.is_written() && tuned.rules.forced() > 0)
        })
        .map(|((tuned, ..), _)| {
            let domain = tuned.map.domain();
            Deployed {
                before,
                collective: Some(&tuned.collective),
                baseline: domain.baseline().map(|method| domain.method(method).label()),
                tree: Some(format!("{folder}/{}.tree.json", tuned.collective)),
            }
        })
        .collect();
    if !deployed.is_empty() {
        let _ = writeln!(text, "{}", verify_hint(&deployed, &reading_options()));
    }
    output::print(&text)
}
