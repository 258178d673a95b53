//! The maps, the trees and the functions of a set, with marks that say what they are true of.

use qtdec_build::ItemOptions;
use qtdec_core::Problem;
use qtdec_study::measurements::Statistic;
use qtdec_study::readers::KEPT_COLUMNS;

use super::Arguments;
use super::collectives::One;
use qtdec_mpi::pipeline::{KeptCell, Tuned};
use qtdec_mpi_library::tuning::provenance;
use qtdec_report::table::{Cell, Form, Table};
use qtdec_terminal::{Failure, FileSet, c_header, gain, reported};

/// Returns the comments of generated files: about all times, and then about each collective.
pub(super) fn marks(arguments: &Arguments, all: &[One]) -> Vec<Vec<String>> {
    let about = all.first().map(|One { measurements, .. }| {
        let statistic = arguments.map.recipe(measurements).statistic.unwrap_or(Statistic::Median);
        provenance::lines(&measurements.about, &arguments.files, &statistic.to_string())
    });
    about.into_iter().chain(all.iter().map(One::marks)).collect()
}

/// Adds the maps, the trees and the functions of all collectives, with their marks.
pub(super) fn add_sources(set: &mut FileSet, all: &[One], marks: &[Vec<String>]) -> Result<(), Failure> {
    let Some((about, each)) = marks.split_first() else { return Ok(()) };
    all.iter().zip(each).try_for_each(|(one, own)| add_source(set, one, &[&about[..], own].concat()))
}

fn add_source(set: &mut FileSet, one: &One, marks: &[String]) -> Result<(), Failure> {
    let (tuned, tree) = (&one.tuned, &one.written().tree);
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

pub(super) fn source(tuned: &Tuned) -> String {
    format!("{}.map.json", tuned.collective)
}

/// Returns a source with comments below its first line, which says that it was generated.
fn marked(source: String, comments: &str) -> String {
    match source.split_once('\n') {
        Some((first, rest)) => format!("{first}\n{comments}{rest}"),
        None => source,
    }
}

fn kept(kept: &[KeptCell], tuned: &Tuned) -> Table {
    let map = &tuned.map;
    let [best, slower, why] = KEPT_COLUMNS;
    let columns = [("best", best), ("default slower %", slower), ("why", why)];
    let mut table = Table::by_size(map.domain().axes(), &columns);
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
