//! `qtdec-mpi compare`: a map's decisions compared with those of hand-written rules.

use std::path::Path;

use clap::Args;
use qtdec_core::statistics::Quality;
use qtdec_core::{DecisionMap, Document, Domain};
use qtdec_mpi_library::catalogue::{Library, Matching, without_parameters};

use crate::commands::tuning::tuning_file::TuningInput;
use qtdec_core::listing::listed;
use qtdec_mpi::compare::{CallProperties, Calls, Chosen, choose};
use qtdec_mpi_library::rules::{self, Call, Choice, RuleSet, substitution};
use qtdec_mpi_library::tuning::{self, Decision, Job};
use qtdec_report::picture;
use qtdec_report::table::{Cell, Form, Table};
use qtdec_study::study::assess::Coverage;
use qtdec_study::study::over_default::OverDefault;
use qtdec_study::study::tree_on_map;
use qtdec_terminal::{
    Failure, FormArguments, Input, Outputs, PlaneArguments, TreeOptions, output, picture_file, write_picture,
};

/// Show the cost of the choices of hand-written rules
///
/// The built-in rules are ft-mpi (Open MPI 1.1 as intended, by the author of FT-MPI), open-mpi-1.1, open-mpi-1.2, open-mpi-1.3,
/// open-mpi-1.8, open-mpi-4.1 and mpich-4.0. A FILE is a map, a tree or a tuning file of a library; qtdec encode makes trees of other
/// encodings than the one that is shown for the map itself. A segment size that was not
/// measured is replaced by the nearest measured one, on a logarithmic scale; these cases are counted.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  qtdec-mpi compare bcast.json --rules open-mpi-4.1 --rules mpich-4.0")]
pub(crate) struct Arguments {
    /// Read this map, or - for standard input
    #[arg(value_name = "MAP")]
    input: String,

    /// Compare the map with these rules [default: all built-in rules for the collective]
    #[arg(long, value_name = "NAME|FILE")]
    rules: Vec<String>,

    /// Match a method of the map to an algorithm of the rules; methods without this option are matched by name
    #[arg(long, value_name = "METHOD=ALGORITHM", value_parser = pair)]
    method: Vec<(String, String)>,

    /// Name the collective, if the map does not
    #[arg(long, value_name = "NAME")]
    collective: Option<String>,

    /// Set the size of an element in bytes; some rules compare the number of elements with the number of ranks
    #[arg(long, value_name = "BYTES", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    element_size: u64,

    /// Treat the operation as non-commutative
    #[arg(long)]
    non_commutative: bool,

    /// Draw where the rules differ from the map, to this .svg file
    #[arg(long, value_name = "FILE", value_parser = picture_file)]
    picture: Option<String>,

    #[command(flatten)]
    form: FormArguments,
}

pub(crate) fn pair(text: &str) -> Result<(String, String), String> {
    // Names of methods may contain equals signs (`radix:k=4`), those of algorithms only in parameters (`chain:fanout=4`).
    let before_parameters = without_parameters(text).rfind('=');
    let at = before_parameters.or_else(|| text.rfind('=')).ok_or("write METHOD=ALGORITHM")?;
    Ok((text[..at].to_owned(), text[at + 1..].to_owned()))
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let inputs = arguments.rules.iter().chain([&arguments.input]);
    let mut outputs = Outputs::new(inputs.map(String::as_str));
    let target = arguments.picture.as_deref().map(|name| outputs.add(name)).transpose()?;
    let input = Input::open_map(&arguments.input)?;
    let map = input.map()?;
    let collective = arguments.collective.as_deref().or(map.domain().collective());
    if arguments.rules.is_empty() && collective.is_none() {
        return Err(unnamed(&input, ", or --rules with another map or tree"));
    }

    let form = arguments.form.form();
    let tree = input.check(TreeOptions::default().tree(Document::Map(map.clone())))?;
    let name = format!("the map as {}", tree.statistics().encoding.name);
    let of_map = Chosen { decisions: tree.cells(), ..Chosen::default() };
    let first = row(name, &map, &of_map, form);
    let mut table = Table::new(&first.each_ref().map(|(title, key, _)| (*title, *key)));
    let mut add = |row: Row| table.row(row.map(|(.., cell)| cell));
    add(first);
    for baseline in map.domain().method_indexes().filter(|&method| map.domain().method(method).baseline) {
        let decisions = map.cells().iter().map(|cell| cell.map(|_| baseline)).collect();
        let name = format!("always {}", map.domain().method(baseline).label());
        let chosen = Chosen { decisions, ..Chosen::default() };
        add(row(name, &map, &chosen, form));
    }
    let mut printed = Vec::new();
    let mut differing = Vec::new();
    for name in requested(arguments, collective.unwrap_or_default())? {
        let chosen = match RuleSet::find(&name) {
            Some(rules) => {
                let collective = collective.ok_or_else(|| unnamed(&input, ""))?;
                by_rules(arguments, &input, &map, collective, rules, &mut printed)?
            }
            None => by_file(arguments, &input, &map, collective, &name, &mut printed)?,
        };
        let unknown: Vec<String> =
            chosen.unknown.iter().map(|(algorithm, cells)| format!("{algorithm} ({cells} cells)")).collect();
        if !unknown.is_empty() {
            output::warn(&format!(
                "{name} chooses algorithms that the map does not contain: {}",
                listed(&unknown)
            ));
        }
        add(row(name.clone(), &map, &chosen, form));
        differing.push((name, chosen.decisions));
    }
    if let Some(target) = &target {
        let plane = PlaneArguments::default().resolve_tree(&tree)?;
        write_picture(target, &picture::differences(&map, &differing, &plane))?;
    }
    output::print(&table.without_empty_columns().write(form))
}

fn unnamed(input: &Input, or: &str) -> Failure {
    Failure::usage(format!("`{}` does not name its collective: add --collective{or}", input.name()))
}

/// Returns the names of the rules to compare with the map.
fn requested(arguments: &Arguments, collective: &str) -> Result<Vec<String>, Failure> {
    if !arguments.rules.is_empty() {
        return Ok(arguments.rules.clone());
    }
    let known = rules::ALL.iter().filter(|rules| rules.rule(collective).is_some());
    let known: Vec<String> = known.map(|rules| rules.name.to_owned()).collect();
    if known.is_empty() {
        return Err(Failure::input(format!("there are no hand-written rules for `{collective}`")));
    }
    Ok(known)
}

fn by_rules(
    arguments: &Arguments,
    input: &Input,
    map: &DecisionMap,
    collective: &str,
    rules: &RuleSet,
    printed: &mut Vec<Library>,
) -> Result<Chosen, Failure> {
    let rule = rules.rule(collective).ok_or_else(|| {
        let known: Vec<&str> = rules.rules.iter().map(|(name, _)| *name).collect();
        Failure::input(format!(
            "{} has no rule for `{collective}`: it has rules for {}",
            rules.name,
            known.join(", ")
        ))
    })?;
    // A name that only another library knows is not an error here.
    let is_of = |library: Library, algorithm: &str| library.find(collective, algorithm).is_some();
    let elsewhere = |algorithm: &str| {
        !is_of(rules.library, algorithm)
            && rules::ALL.iter().any(|other| is_of(other.library, algorithm))
            && arguments.rules.len() != 1
    };
    let given: Vec<(String, String)> =
        arguments.method.iter().filter(|(_, algorithm)| !elsewhere(algorithm)).cloned().collect();
    let matching = matching(map, rules.library, collective, &given, printed)?;
    let calls = calls(arguments, input, map.domain(), collective)?;
    let runs = |choice, call: &Call| rules.runs(collective, choice, call);
    Ok(choose(map, &calls, &matching, |call| Some(rule(call)), runs))
}

/// Matches the methods of a map to the algorithms of a library, and prints how, once for each library.
fn matching(
    map: &DecisionMap,
    library: Library,
    collective: &str,
    given: &[(String, String)],
    printed: &mut Vec<Library>,
) -> Result<Matching, Failure> {
    let matching = Matching::new(map.domain(), library, collective, given).map_err(Failure::Usage)?;
    if !printed.contains(&library) {
        printed.push(library);
        let guessed = map.domain().method_indexes().any(|method| matching.is_guessed(method));
        let how = if guessed { "guessed by name; --method corrects it" } else { "as given" };
        output::eprint(&format!("{} ({how}): {}", library.name(), matching.describe(map.domain())));
    }
    Ok(matching)
}

fn calls(arguments: &Arguments, input: &Input, domain: &Domain, collective: &str) -> Result<Calls, Failure> {
    let assumed =
        CallProperties { element_size: arguments.element_size, commutative: !arguments.non_commutative };
    input.check(Calls::new(domain, collective, assumed))
}

/// Reads the rules in a file: a map, a tree, or a tuning file of a library.
fn by_file(
    arguments: &Arguments,
    input: &Input,
    map: &DecisionMap,
    collective: Option<&str>,
    name: &str,
    printed: &mut Vec<Library>,
) -> Result<Chosen, Failure> {
    if name != "-" && !Path::new(name).exists() {
        let known: Vec<&str> = rules::ALL.iter().map(|rules| rules.name).collect();
        return Err(Failure::usage(format!(
            "`{name}` is neither a file nor one of the rules {}",
            known.join(", ")
        )));
    }
    let file = Input::open(name)?;
    let Some(format) = tuning::detect(file.bytes()) else {
        let tree = file.tree(&TreeOptions::default())?;
        let decisions = input.check(tree_on_map::decisions(&tree, map))?;
        return Ok(Chosen { decisions, ..Chosen::default() });
    };
    let file = TuningInput::new(file, format, None)?;
    let selection = file.selection(Job::default())?;
    let collective = file.collective(&*selection, collective)?;
    file.warn_of_findings();
    let library = format.library;
    let matching = matching(map, library, &collective, &arguments.method, printed)?;
    let calls = calls(arguments, input, map.domain(), &collective)?;
    let unit = selection.unit(&collective);
    let rule = |call: &Call| {
        let decision = selection.decide(&collective, call.comm_size, call.in_unit(unit));
        let algorithm = library.find(&collective, decision.name.as_deref()?)?.name;
        let Decision { segment_size, fan_out, requests, .. } = decision;
        Some(Choice { algorithm, segment_size, fan_out, requests })
    };
    let runs = |choice, call: &Call| match library {
        Library::OpenMpi => substitution::open_mpi_4_1(&collective, choice, call),
        _ => choice,
    };
    Ok(choose(map, &calls, &matching, rule, runs))
}

/// The cells of a row, each with the title and the key of its column.
type Row = [(&'static str, &'static str, Cell); 13];

fn row(name: String, map: &DecisionMap, chosen: &Chosen, form: Form) -> Row {
    let quality = Quality::from_decisions(&chosen.decisions, map);
    let priced = Coverage::new(&quality, map);
    let Quality { cells, mismatches, penalty } = quality;
    let agree = cells - mismatches;
    let share = (cells > 0).then(|| 100.0 * agree as f64 / cells as f64);
    let penalty = penalty.as_ref();
    // People need no columns of zeros; programs expect every key.
    let counted = |number: u64| {
        if number > 0 || form == Form::Json { Cell::Whole(number) } else { Cell::Missing }
    };
    let over = |Coverage { priced, cells }| match form {
        Form::Json => Cell::Whole(priced),
        _ => Cell::Of(priced, cells),
    };
    let over_default =
        OverDefault::everywhere(&chosen.decisions, map).map(|compared| compared.gain.percent());
    [
        ("rules", "rules", Cell::Text(name)),
        ("cells", "cells", Cell::Whole(cells)),
        ("agree", "agree", Cell::Whole(agree)),
        ("%", "agree_percent", Cell::number(share)),
        ("penalty: mean", "penalty_mean", Cell::number(penalty.map(|penalty| penalty.mean))),
        ("over cells", "priced", priced.map_or(Cell::Missing, over)),
        ("median", "penalty_median", Cell::number(penalty.map(|penalty| penalty.median))),
        ("max", "penalty_max", Cell::number(penalty.map(|penalty| penalty.max))),
        ("over the default", "over_default", Cell::number(over_default)),
        ("unpriced", "unpriced", priced.map_or(Cell::Missing, |priced| counted(priced.unpriced()))),
        ("nearest segment", "nearest_segment", counted(chosen.nearest_segment)),
        ("not in the map", "unknown", counted(chosen.unknown.values().sum())),
        ("another runs", "substituted", counted(chosen.substituted)),
    ]
}
