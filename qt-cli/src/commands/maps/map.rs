//! `qtdec map`: a map from measurements.

use clap::Args;
use clap::builder::PossibleValuesParser;
use qtdec_core::{DecisionMap, listing};

use crate::commands::maps::placeholder::PlaceholderArguments;
use qtdec_study::hold_out::HoldOut;
use qtdec_study::measurements::{Measurements, Statistic};
use qtdec_study::notes::Notes;
use qtdec_study::readers::campaign::Campaign;
use qtdec_study::readers::{self, ReadOptions, some_of};
use qtdec_study::selection::{GridError, GridSizes, Recipe, Recorded, grid_error};
use qtdec_terminal::mapping::MapArguments;
use qtdec_terminal::missing_options::{completed, lacking};
use qtdec_terminal::reading::ReadArguments;
use qtdec_terminal::{
    Failure, Output, Outputs, Progress, counted, fitted, output, reported, single_samples, statistic,
};

const EXAMPLES: &str = "\
Examples:
  A CSV file with your own column names:
    qtdec map times.csv --columns comm_size=p,msg_size=m,method=name,time=t --time-unit us -o b.json

  Three runs of a benchmark, one file for each algorithm, number of ranks and run:
    qtdec map results/ --path '{method}_np{comm_size}_run{run}.txt' -o b.json

  Points on no grid, with terms that are fitted to the times of each method:
    qtdec map times.csv --terms tiled --columns method=f,constant:mr=mr,m=m,k=k,time=t

  Before the first measurement, a map with which the program compiles:
    qtdec map --placeholder --methods simple,blocked --axes m,n -o kernel.json";

/// Make a decision map from measured times
///
/// The inputs are files, folders and archives, plain or compressed with gzip, xz or zstd. The cost of a method at a point is
/// the median of its repeats. The method with the lowest median wins; on a tie, the one that comes first in the files.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// Read times from these files, folders or archives, or - for standard input
    #[arg(required_unless_present = "placeholder", conflicts_with = "placeholder", value_name = "FILE")]
    files: Vec<String>,

    /// Write the map to this file, or - for standard output
    #[arg(short, long, value_name = "MAP", default_value = "-")]
    output: String,

    /// Make one map for each size on this axis; the size is added to the output's name before its extension
    #[arg(long, value_name = "AXIS", conflicts_with = "hold_out")]
    split_by: Option<String>,

    /// Hold out a random half of the repeats (repeats), their second half (blocks), or the later runs (runs)
    #[arg(long, value_name = "WHAT", value_parser = PossibleValuesParser::new(HoldOut::NAMES), requires = "held_out")]
    hold_out: Option<String>,

    /// Write the map of the held-out times to this file
    #[arg(long, value_name = "MAP", requires = "hold_out")]
    held_out: Option<String>,

    /// Compute the costs of the held-out map with this statistic, instead of the one that chooses the methods
    #[arg(long, value_name = "STATISTIC", value_parser = statistic, requires = "hold_out")]
    price: Option<Statistic>,

    /// Set the random seed
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    #[command(flatten)]
    placeholder: PlaceholderArguments,

    #[command(flatten)]
    reading: ReadArguments,

    #[command(flatten)]
    map: MapArguments,
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    if let Some(map) = arguments.placeholder.map()? {
        let target = Outputs::new([]).add(&arguments.output)?;
        return write_file(&map, &target);
    }
    let mut outputs = arguments.reading.outputs(&arguments.files);
    let output = outputs.add(&arguments.output)?;
    let held_out = arguments.held_out.as_deref().map(|name| outputs.add(name)).transpose()?;
    let measurements = arguments.read()?;
    let files = some_of(&arguments.files);
    if let Some(axis) = &arguments.split_by {
        let parts = reported(&files, measurements.split_by(axis))?;
        let mut outputs = arguments.reading.outputs(&arguments.files);
        let targets = parts.iter().map(|(size, _)| outputs.add(&with_size(&arguments.output, axis, *size)));
        let targets = targets.collect::<Result<Vec<_>, _>>()?;
        return parts
            .iter()
            .zip(&targets)
            .try_for_each(|((_, part), target)| write(arguments, part, target, None));
    }
    let (Some(hold_out), Some(held_out)) = (&arguments.hold_out, &held_out) else {
        return write(arguments, &measurements, &output, None);
    };
    let hold_out = HoldOut::named(hold_out, arguments.seed);
    let (train, test) = reported(&files, hold_out.split(&measurements))?;
    if hold_out.is_optimistic() {
        output::warn("the held-out times are from the same run, so their penalties are optimistic");
    }
    write(arguments, &train, &output, Some((&format!("all but {hold_out}"), None)))?;
    write(arguments, &test, held_out, Some((&hold_out.to_string(), arguments.price)))
}

impl Arguments {
    /// Reads the files. If they cannot be read, the failure names the options that the command line lacks.
    fn read(&self) -> Result<Measurements, Failure> {
        let (files, exclude) = (&self.files, self.map.exclude().to_vec());
        let options = ReadOptions { exclude, ..self.reading.options() };
        let read = ReadArguments::with(|watch| readers::read(files, &options, watch));
        let (measurements, notes) = read.map_err(|failure| match lacking(files, &options) {
            Some(lacks) if lacks.len() > 1 => completed(failure, &some_of(files), &lacks),
            _ => failure,
        })?;
        self.reading.print_notes(&notes)?;
        Ok(self.map.cleaning().apply(measurements))
    }

    fn recipe(&self, measurements: &Measurements) -> Recipe {
        let collective = self.reading.collective().map(str::to_lowercase);
        let recipe = Recipe { collective, ..self.map.recipe(measurements) };
        match Campaign::of(&self.files) {
            Some(campaign) => campaign.complete(recipe, measurements),
            None => recipe,
        }
    }

    /// Makes the map of a recipe, and prints what is to be said of it.
    fn made(
        &self,
        recipe: &Recipe,
        measurements: &Measurements,
        files: &str,
    ) -> Result<DecisionMap, Failure> {
        let mut notes = Notes::default();
        let progress = Progress::new(1);
        progress.begin("the best methods");
        let (mut map, filled) = reported(files, recipe.map_with_fit(measurements, &mut notes))?;
        drop(progress);
        self.reading.print_notes(&notes)?;
        if let Some(filled) = filled {
            fitted::report(&filled);
            map = reported(files, map.with_source(fitted::source(&filled).to_string()))?;
        }
        if !recipe.grid.is_empty() {
            let recipe = Recipe { grid: Vec::new(), ..recipe.clone() };
            let measured = reported(files, recipe.map(measurements, &mut Notes::default()))?;
            report_grid_error(&self.map.grid, &measured);
        }
        Ok(map)
    }
}

/// Reports the error of times that are interpolated at the sizes of a grid, estimated at measured sizes.
fn report_grid_error(grid: &[GridSizes], measured: &DecisionMap) {
    for GridSizes { axis, .. } in grid {
        let Some(GridError { cells, times, interpolated, floor }) = grid_error(measured, axis) else {
            output::note(&format!(
                "{axis} has fewer than three sizes: the error of its interpolation is unknown"
            ));
            continue;
        };
        output::note(&format!(
            "with every other {axis} left out ({cells} {}), interpolated times are off by {:.1} % in \
                 the median; choices based on them cost {interpolated:.2} points, and choices of the \
                 next smaller size {floor:.2}",
            listing::cells(cells as usize),
            100.0 * ((times / 100.0).exp() - 1.0),
        ));
    }
}

/// Makes a map and writes it. `part` is the part of the measurements that it is made from, with the statistic of its
/// costs if that differs.
fn write(
    arguments: &Arguments,
    measurements: &Measurements,
    target: &Output,
    part: Option<(&str, Option<Statistic>)>,
) -> Result<(), Failure> {
    let files = some_of(&arguments.files);
    let mut recipe = arguments.recipe(measurements);
    let price = part.and_then(|(_, price)| price);
    recipe.statistic = price.or(recipe.statistic);
    let map = match price {
        // The part from which the trees are made has told what is to be said.
        Some(_) => reported(&files, recipe.map(measurements, &mut Notes::default()))?,
        None => arguments.made(&recipe, measurements, &files)?,
    };
    let mut source = serde_json::json!({ "files": arguments.files, "made_by": concat!("qtdec ", env!("CARGO_PKG_VERSION")) });
    if let Some((part, _)) = part {
        source["part"] = part.into();
    }
    let made = map.source().and_then(|made| serde_json::from_str::<serde_json::Value>(made).ok());
    if let Some(fitted) = made.as_ref().and_then(|made| made.get(fitted::MEMBER)) {
        source[fitted::MEMBER] = fitted.clone();
    }
    let about = measurements.about.lines();
    let about: serde_json::Map<String, serde_json::Value> =
        about.map(|(key, value)| (key.to_owned(), value.into())).collect();
    if !about.is_empty() {
        source["times"] = about.into();
    }
    let map = reported(&files, map.with_source(source.to_string()))?;
    recipe.statistic = recipe.statistic.or(used_statistic(&map));
    let (cleaning, filters) = (arguments.map.cleaning(), arguments.reading.filters.clone());
    let map = reported(&files, map.with_recipe(Recorded { recipe, cleaning, filters }.to_json()))?;
    if let Some(warning) = single_samples::warning(&map, measurements, &files)? {
        output::warn(&warning);
    }
    write_file(&map, target)
}

fn write_file(map: &DecisionMap, target: &Output) -> Result<(), Failure> {
    let text = map.to_file().map_err(|problem| {
        let help = "make a map for each size of an axis with --split-by, or exclude methods with --exclude";
        Failure::problem(&problem.help(help))
    })?;
    target.write(&text)?;
    describe(map, target.name());
    Ok(())
}

/// Returns the statistic of the repeats that is a map's cost.
fn used_statistic(map: &DecisionMap) -> Option<Statistic> {
    Statistic::parse(map.costs()?.statistic.as_ref()?.split(' ').next()?)
}

fn describe(map: &DecisionMap, target: &str) {
    let domain = map.domain();
    let shape = domain.shape().iter().map(ToString::to_string).collect::<Vec<_>>().join(" × ");
    let empty = map.cells().iter().filter(|cell| cell.is_none()).count();
    let empty = if empty == 0 { String::new() } else { format!(", {empty} of them empty") };
    let cells = listing::cells(domain.cells());
    let methods = counted(domain.methods().len() as u64, "method", "methods");
    let target = if target == "-" { "standard output" } else { target };
    let fitted = if map.is_fitted() { ", times fitted" } else { "" };
    let placeholder = if map.is_placeholder() { " (a placeholder, nothing was measured)" } else { "" };
    output::eprint(&format!("{target}: {shape} {cells}{empty}, {methods}{fitted}{placeholder}"));
}

/// Returns the name of the file for one size: `bcast.json` becomes `bcast.ppn-4.json`.
fn with_size(target: &str, axis: &str, size: u64) -> String {
    match target.rsplit_once('.') {
        Some((stem, ending)) if !ending.contains('/') => format!("{stem}.{axis}-{size}.{ending}"),
        _ => format!("{target}.{axis}-{size}"),
    }
}
