//! `qtdec-mpi tune`: from measured times to a deployable tuning file, in one command.

mod answer;
mod claims;
mod collectives;
mod deployment;
mod each;
mod final_measurement;
mod inputs;
mod interposer;
mod notes;
mod pages;
mod smoke;
mod sources;

use clap::Args;
use qtdec_core::Domain;

use self::answer::answer;
use self::claims::{Verdict, question};
use self::collectives::One;
use self::deployment::Deployment;
use self::each::Each;
use self::inputs::{Inputs, outputs};
use self::notes::{NOTES, notes};
use self::pages::add_pages;
use self::sources::{add_sources, marks};
use crate::commands::campaigns::options::MEASURED;
use crate::commands::tuning_files::compare::pair;
use crate::commands::tuning_files::tuning_file::{ExtendArgument, ReleaseArgument, SWITCHES, format_with};
use crate::commands::tuning_files::verify_hint::{Deployed, verify_hint};
use qtdec_mpi_library::tuning::Format;
use qtdec_report::page::opening;
use qtdec_study::measurements::{Measurements, UnrecordedJobs};
use qtdec_study::readers::campaign::Campaign;
use qtdec_terminal::mapping::MapArguments;
use qtdec_terminal::{Advice, Failure, FileSet, ForceArgument, Progress, folder, one_of, output};
use serde_json::json;

const EXAMPLES: &str = "\
Example:
  Tune Open MPI with the results of a job script of qtdec-mpi measure:
    qtdec-mpi tune qtdec-results --library open-mpi -o tuned";

/// Generate a tuning file, code and a report from measured times
///
/// For each collective in the files, this writes the map of the algorithms that the library can be configured to use, the
/// recommended tree, a report, and functions in Rust and C. One tuning file covers all collectives. The recommended tree is the
/// smallest one that costs at most 1 % on average, and in no cell more than 1 % over the default. Where the library's own
/// choice is the best one, the tuning file leaves the choice to the library. The gain over the default is that on launches (runs)
/// that were held out, or on jobs if the times record several: launches of one job share its nodes and neighbours, so the gain of one job is
/// provisional, and no gate counts it. A collective whose gain has a 95 % interval that is not above zero gets no rules. With one launch the gain
/// is unknown; the rules are written and marked. If our own schedules were measured (`own_ring`, …), the trees choose among them too,
/// for the interposer of `qtdec-mpi build` and the tuning file together: the file has the library's algorithms among the decisions. The files form one set, which qtdec-outputs.json lists: a file that
/// qtdec did not write is replaced only with --force.
#[derive(Clone, Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// Read these canonical times, of qtdec read, or files that need no option
    #[arg(required = true, value_name = "TIMES")]
    files: Vec<String>,

    /// Write a tuning file for this library, in this format
    #[arg(long, value_name = "LIBRARY", value_parser = format_with(|format| format.is_written))]
    library: &'static Format,

    /// Write all files to this folder
    #[arg(short, long, value_name = "FOLDER", value_parser = folder::name())]
    output: String,

    #[command(flatten)]
    force: ForceArgument,

    /// Read only the times of which a column has this value
    #[arg(long = "where", value_name = "COLUMN=VALUE", value_parser = pair)]
    values: Vec<(String, String)>,

    /// Tune for each of these values of a column, such as the ranks on each node, with a folder for each; switches.sh takes the
    /// settings of the value that a job has, or leaves the library as it is
    #[arg(long, value_name = "COLUMN=VALUE,…", value_parser = Each::parse)]
    each: Option<Each>,

    /// Recommend trees of at most this many leaves
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    max_leaves: Option<u64>,

    /// Match a method of the files to an algorithm of the library; methods without this option are matched by name. The prefix
    /// COLLECTIVE: limits it to one collective
    #[arg(long, value_name = "[COLLECTIVE:]METHOD=ALGORITHM", value_parser = pair)]
    method: Vec<(String, String)>,

    /// Keep the other collectives of this tuning file. For MPICH, name libmpich.so, which holds its own file and that of its device, CH4, or
    /// each by an --into: CH4 then keeps the calls without rules, and the default is `untouched`
    #[arg(long, value_name = "FILE")]
    into: Vec<String>,

    /// Add the speed-up in the time that the calls in this file take: CSV with a column for each axis, `count` and, if the times are of
    /// several collectives, `collective`
    #[arg(long, value_name = "FILE")]
    profile: Option<String>,

    /// Exit with 3 if no collective has a gain whose 95 % interval is above zero; an unknown gain counts as nothing
    #[arg(long)]
    fail_if_nothing: bool,

    /// Say which jobs the launches were, if the times do not record it: `launch` if each launch was a job of its own, `one` if all were of
    /// one job, whose gain is provisional
    #[arg(long, value_name = "launch|one", value_parser = one_of(&UnrecordedJobs::ALL))]
    jobs: Option<UnrecordedJobs>,

    /// Print the notes and the numbers of each collective too, which notes.md has
    #[arg(long)]
    verbose: bool,

    #[command(flatten)]
    extend: ExtendArgument,

    #[command(flatten)]
    release: ReleaseArgument,

    #[command(flatten)]
    map: MapArguments,
}

const NOTHING: &str = "there is nothing to deploy: no collective has a gain that may be claimed";

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let is_recommended = match &arguments.each {
        Some(each) => each.tune(arguments)?,
        None => tune(Inputs::open(arguments)?)?,
    };
    if arguments.fail_if_nothing && !is_recommended {
        return Err(Failure::Negative(vec![NOTHING.to_owned()]));
    }
    Ok(())
}

/// Tunes the library with the times of each collective. Returns whether any of them has a gain that may be claimed.
fn tune((inputs, every): (Inputs<'_>, Vec<Measurements>)) -> Result<bool, Failure> {
    let arguments = inputs.arguments;
    let progress = Progress::new(every.len() + 1);
    let (all, failed) = One::each(&inputs, every, &progress)?;
    let marks = marks(arguments, &all);
    let deployment = Deployment::new(&inputs, &all, marks.concat())?;
    progress.begin("sources and reports");
    let interposed = interposer::described(&all, &arguments.output);
    let script = format!("{}/{SWITCHES}", arguments.output);
    let words = Verdict::new(&all).sentences(&interposed.switches(&script, deployment.is_deployed));
    let first = [&words[..], &interposed.lines, &deployment.remarks].concat();
    let opening = opening(&first, deployment.switches());
    let [what_to_do, about @ ..] = words;
    let about: Vec<String> = inputs.no_companion.iter().cloned().chain(about).collect();
    let notes = notes(&all, &deployment, &interposed, &about);
    let measured = measured(&inputs, &all);
    let compared = compared(&inputs, &all, measured.is_some());
    let what_to_do = format!("{what_to_do}\n{}", notes::tuning_file(&inputs, &all, &deployment));
    let text = notes::file(&what_to_do, &notes, &all, compared.as_deref());
    let mut set = FileSet::new("tune");
    add_pages(&mut set, &all, &deployment.files, &opening)?;
    add_sources(&mut set, &all, &marks)?;
    for (name, text) in &deployment.files {
        set.add(name.clone(), text.clone());
    }
    set.add(NOTES, text.clone());
    let verified = measured.map(|options| {
        set.add(MEASURED, json!({ "format": "qtdec-measured/1", "options": options }).to_string() + "\n");
        Advice::mpi(["measure", "--verify", &arguments.output, "-o", "final.sh"]).line()
    });
    drop(progress);
    set.write(&arguments.output, outputs(arguments), Some(&arguments.force))?;
    if let Some(question) = question(&all) {
        output::warn(question);
    }
    let answer = answer(&inputs, (&all, &failed), &deployment, &notes, verified).to_string();
    output::print(&if arguments.verbose { format!("{answer}\n{text}") } else { answer })?;
    Ok(all.iter().any(|one| one.claim.is_recommended()))
}

/// Returns the options of the script that measures the deployed files, if a job script can: as the times were measured, as far as is known.
fn measured(inputs: &Inputs<'_>, all: &[One]) -> Option<Vec<String>> {
    let domains: Vec<&Domain> =
        all.iter().filter(|one| one.is_ruled()).map(|one| one.tuned.map.domain()).collect();
    let known = (inputs.format, inputs.stated_release());
    let options = final_measurement::options(known, &domains, inputs.benchmark)?;
    let files = &inputs.arguments.files;
    let launched = match (Campaign::of(files), &files[..]) {
        (Some(campaign), [results]) => {
            [campaign.options(), vec!["--results".to_owned(), results.clone()]].concat()
        }
        (Some(campaign), _) => campaign.options(),
        (None, _) => ["--launcher", "mpirun"].map(str::to_owned).to_vec(),
    };
    Some([options, launched].concat())
}

/// Returns the commands that compare times of the collectives that no job script measures, if there are any.
fn compared(inputs: &Inputs<'_>, all: &[One], has_script: bool) -> Option<String> {
    let folder = &inputs.arguments.output;
    let before = if let [only] = &inputs.arguments.files[..] { Some(&**only) } else { None };
    let is_by_hand = |one: &&One| one.tuned.is_interposed(&one.claim) || one.is_ruled() && !has_script;
    let by_hand = all.iter().filter(is_by_hand).map(|One { tuned, .. }| {
        let domain = tuned.map.domain();
        Deployed {
            before,
            collective: Some(&tuned.collective),
            baseline: domain.baseline().map(|method| domain.method(method).label()),
            tree: Some(format!("{folder}/{}.tree.json", tuned.collective)),
        }
    });
    let by_hand: Vec<Deployed<'_>> = by_hand.collect();
    (!by_hand.is_empty()).then(|| verify_hint(&by_hand))
}
