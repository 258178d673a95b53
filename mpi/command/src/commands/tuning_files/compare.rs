//! `qtdec-mpi compare`: a map's decisions compared with those of hand-written rules.

use std::collections::BTreeMap;
use std::path::Path;

use clap::Args;
use qtdec_core::encode::{self, Quadtree};
use qtdec_core::statistics::Quality;
use qtdec_core::{Borders, DecisionMap, DecisionTree, Document, Domain};
use qtdec_mpi_library::catalogue::{Library, Matching, without_parameters};

use crate::commands::tuning_files::shipped;
use crate::commands::tuning_files::tuning_file::TuningInput;
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
/// open-mpi-1.8, open-mpi-4.1 and mpich-4.0, and under their commits those of Open MPI's trunk of October 2006 (open-mpi-ba3c247f2a) and of
/// 2007 (open-mpi-b52dc9e427, and with +6a9514ee08 the correction of 2008). A FILE is a map, a tree or a tuning file of a library; qtdec encode makes trees of other
/// encodings than the one that is shown for the map itself. A segment size that was not
/// measured is replaced by the nearest measured one, on a logarithmic scale; these cases are counted. If the map was simulated, an algorithm
/// that it does not have is simulated on the same network, so that every cell has a penalty.
///
/// Several maps are compared in one table, with the mean and the median penalty on each. The shipped maps are those of the papers'
/// broadcasts and reductions, which are simulated (grig-bcast, grig-reduce, frodo-bcast and frodo-reduce), and two that were measured
/// (fugaku-allreduce and polaris-reduce-scatter-block).
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  qtdec-mpi compare bcast.json --rules open-mpi-4.1,mpich-4.0\n  \
                  qtdec-mpi compare grig-bcast grig-reduce --rules ft-mpi")]
pub(crate) struct Arguments {
    /// Read these maps: files, - for standard input, or names of shipped maps
    #[arg(value_name = "MAP", required = true)]
    inputs: Vec<String>,

    /// Compare the maps with these rules [default: all built-in rules for the collective]
    #[arg(long, value_name = "NAME|FILE,…", value_delimiter = ',')]
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

    /// Draw where the rules differ from the map, to this .svg or .pdf file
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
    let inputs = arguments.rules.iter().chain(&arguments.inputs);
    let mut outputs = Outputs::new(inputs.map(String::as_str));
    let target = arguments.picture.as_deref().map(|name| outputs.add(name)).transpose()?;
    let form = arguments.form.form();
    let [only] = &arguments.inputs[..] else {
        if target.is_some() {
            return Err(Failure::usage("a picture has one map, and there are several"));
        }
        return output::print(&several(arguments, form)?.write(form));
    };
    let compared = Compared::new(arguments, only)?;
    if let Some(target) = &target {
        let plane = PlaneArguments::default().resolve_tree(&compared.tree)?;
        let differing = compared.rows.iter().filter(|(name, _)| compared.named.contains(name));
        let differing: Vec<_> =
            differing.map(|(name, chosen)| (name.clone(), chosen.decisions.clone())).collect();
        write_picture(target, &picture::differences(&compared.map, &differing, &plane))?;
    }
    let rows = compared.rows.iter().map(|(name, chosen)| row(name.clone(), &compared.map, chosen, form));
    let mut rows = rows.peekable();
    let columns = rows.peek().map(|row| row.each_ref().map(|(title, key, _)| (*title, *key)));
    let mut table = Table::new(&columns.unwrap_or_default());
    rows.for_each(|row| table.row(row.map(|(.., cell)| cell)));
    output::print(&table.without_empty_columns().write(form))
}

/// Returns a table of the mean and median penalties on several maps. The number of cells is shown where some are without a time.
fn several(arguments: &Arguments, form: Form) -> Result<Table, Failure> {
    let shown = ["penalty_mean", "penalty_median", "priced"];
    let mut columns = vec![("rules".to_owned(), "rules".to_owned())];
    let mut rows: Vec<(String, Vec<Cell>)> = Vec::new();
    for input in &arguments.inputs {
        let Compared { map, rows: of_map, .. } = Compared::new(arguments, input)?;
        let before = columns.len();
        for (name, chosen) in of_map {
            let row = row(name.clone(), &map, &chosen, form);
            let cells = shown.map(|key| row.iter().find(|(_, known, _)| *known == key));
            let cells = cells.map(|found| found.map_or(Cell::Missing, |(.., cell)| cell.clone()));
            let at = rows.iter().position(|(known, _)| *known == name).unwrap_or_else(|| {
                rows.push((name, Vec::new()));
                rows.len() - 1
            });
            rows[at].1.resize(before - 1, Cell::Missing);
            rows[at].1.extend(cells);
        }
        for (title, key) in ["mean", "median", "over cells"].into_iter().zip(shown) {
            columns.push((format!("{input}: {title}"), format!("{input}: {key}")));
        }
    }
    let mut table = Table::new(&columns.iter().map(|(title, key)| (&**title, &**key)).collect::<Vec<_>>());
    for (name, mut cells) in rows {
        cells.resize(columns.len() - 1, Cell::Missing);
        cells.insert(0, Cell::Text(name));
        table.row(cells);
    }
    Ok(table.without_empty_columns())
}

/// A map and the choices that are compared with it.
struct Compared {
    map: DecisionMap,
    tree: DecisionTree,
    /// The choices of the trees of the map, of its baseline and of the rules.
    rows: Vec<(String, Chosen)>,
    /// The names of the rules.
    named: Vec<String>,
}

impl Compared {
    fn new(arguments: &Arguments, name: &str) -> Result<Self, Failure> {
        let input = shipped::open_map(name)?;
        let map = input.map()?;
        let collective = arguments.collective.as_deref().or(map.domain().collective());
        if arguments.rules.is_empty() && collective.is_none() {
            return Err(unnamed(&input, ", or --rules with another map or tree"));
        }
        let is_one = arguments.inputs.len() == 1;
        let tree = input.check(TreeOptions::default().tree(Document::Map(map.clone())))?;
        let mut rows =
            vec![(format!("the map as {}", tree.statistics().encoding.name), Chosen::of(tree.cells()))];
        if let Some(shallow) = shallow(&input, &map, &tree)? {
            rows.push((
                format!("its {} of depth {DEPTH}", tree.statistics().encoding.name),
                Chosen::of(shallow.cells()),
            ));
        }
        let baselines = map.domain().method_indexes().filter(|&method| map.domain().method(method).baseline);
        for baseline in baselines.filter(|_| is_one) {
            let decisions = map.cells().iter().map(|cell| cell.map(|_| baseline)).collect();
            rows.push((format!("always {}", map.domain().method(baseline).label()), Chosen::of(decisions)));
        }
        // How the methods of one map are matched is for correction; several are compared as they are.
        let mut printed = if is_one { Vec::new() } else { Library::ALL.to_vec() };
        let named = requested(arguments, collective.unwrap_or_default())?;
        let place = if is_one { String::new() } else { format!("{name}: ") };
        for name in &named {
            let chosen = match RuleSet::find(name) {
                Some(rules) => {
                    let collective = collective.ok_or_else(|| unnamed(&input, ""))?;
                    if !is_one && rules.rule(collective).is_none() {
                        continue;
                    }
                    by_rules(arguments, &input, &map, collective, rules, &mut printed)?
                }
                None => by_file(arguments, &input, &map, collective, name, &mut printed)?,
            };
            if let Some(unknown) = counts(&chosen.unknown) {
                output::warn(&format!(
                    "{place}{name} chooses algorithms that the map does not contain: {unknown}"
                ));
            }
            rows.push((name.clone(), chosen));
        }
        let simulated =
            rows.iter().filter_map(|(name, chosen)| Some(format!("{name} {}", counts(&chosen.simulated)?)));
        let simulated: Vec<String> = simulated.collect();
        if !simulated.is_empty() {
            output::note(&format!(
                "{place}simulated on the network of the map, which does not contain them: {}",
                simulated.join("; ")
            ));
        }
        Ok(Self { map, tree, rows, named })
    }
}

/// Returns algorithms with the number of cells of each, or `None` if there are none.
fn counts(algorithms: &BTreeMap<&'static str, u64>) -> Option<String> {
    let counts: Vec<String> =
        algorithms.iter().map(|(name, cells)| format!("{name} ({cells} cells)")).collect();
    (!counts.is_empty()).then(|| listed(&counts))
}

/// The depth of the small tree of a map, with which the papers compare hand-written rules.
const DEPTH: u32 = 3;

/// Returns the quadtree of [`DEPTH`], if the map has one that is deeper.
fn shallow(input: &Input, map: &DecisionMap, tree: &DecisionTree) -> Result<Option<DecisionTree>, Failure> {
    let encoding = &tree.statistics().encoding;
    if encoding.name != "quadtree" || encoding.depth.max <= u64::from(DEPTH) {
        return Ok(None);
    }
    let quadtree = Quadtree { max_depth: Some(DEPTH), ..Quadtree::default() };
    input.check(encode::encode(map, &quadtree, Borders::default())).map(Some)
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
    Ok(choose(map, &calls, (rules.library, &matching), |call| Some(rule(call)), runs))
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
        return Ok(Chosen::of(decisions));
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
    Ok(choose(map, &calls, (library, &matching), rule, runs))
}

/// The cells of a row, each with the title and the key of its column.
type Row = [(&'static str, &'static str, Cell); 14];

fn row(name: String, map: &DecisionMap, chosen: &Chosen, form: Form) -> Row {
    let quality = chosen.quality(map);
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
        ("simulated", "simulated", counted(chosen.simulated.values().sum())),
        ("not in the map", "unknown", counted(chosen.unknown.values().sum())),
        ("another runs", "substituted", counted(chosen.substituted)),
    ]
}
