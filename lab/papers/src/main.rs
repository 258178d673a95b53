//! Every table and figure of the five papers: the printed numbers next to ours, computed from the data of the repository.

mod broadcasts;
mod c45_trees;
mod cases;
mod chapter;
mod clusters;
mod code;
mod data;
mod figures;
mod fit;
mod folder;
mod hand_written;
mod intra_cluster;
mod item;
mod items;
mod memory;
mod models;
mod multirail;
mod nano;
#[cfg(test)]
mod page;
mod part;
mod printed;
mod printed_tables;
mod simulated;
mod table;
mod trees;
mod visits;

use std::fmt::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use qtdec_core::encode::Fill;
use xtask::outcome::{end_with_the_reader, held, report};

/// Show the tables and figures of the papers, printed and computed
///
/// Every table has a column of the paper and one of ours for each column that the paper prints, and their ratio. Everything is computed
/// from the repository, without other files.
#[derive(Parser)]
#[command(name = "qtdec-papers", args_conflicts_with_subcommands = true, arg_required_else_help = true)]
#[command(after_help = "Example:\n  qtdec-papers 2007-table-3 --csv")]
struct Arguments {
    #[command(subcommand)]
    task: Option<Task>,

    /// Show this table or figure: its tables as Markdown
    #[arg(value_name = "ID")]
    id: Option<String>,

    /// Write the first table as CSV
    #[arg(long, requires = "id")]
    csv: bool,
}

#[derive(Subcommand)]
enum Task {
    /// List the tables and figures, a line for each
    List,
    /// Write all tables and figures, and an index
    All {
        /// Write them into this folder, which is made if there is none
        #[arg(short, long, value_name = "DIR")]
        output: PathBuf,
    },
    /// Write the decision function of the papers' prototypes for a map, as Rust
    Code(code::Arguments),
    /// Search for the parameters of Grig's network that best reproduce Table 3 of the 2006 paper
    Fit {
        /// Fill grids up with the last sample, instead of all samples about equally often
        #[arg(long)]
        fill_last: bool,
    },
    /// Simulate the experiments, and write the maps in mpi/command/maps and, with other assumptions, in lab/papers/data
    Data,
    /// Simulate broadcasts on nodes with two network cards, and write their times and a map for one or two clusters
    Multirail,
    /// Compare trees with the models of later papers at sizes left out, and write `lab/results/models.md`; this needs Python and GCC
    Models,
    /// Rewrite the tables of the guide's chapters and of `lab/results`
    Tables,
}

fn main() -> ExitCode {
    end_with_the_reader();
    report(run(&Arguments::parse()).map(held))
}

fn run(arguments: &Arguments) -> Result<(), String> {
    match &arguments.task {
        Some(Task::List) => {
            print!("{}", list());
            Ok(())
        }
        Some(Task::All { output }) => folder::write(output),
        Some(Task::Code(arguments)) => code::write(arguments),
        Some(Task::Fit { fill_last }) => {
            fit::fit(if *fill_last { Fill::Last } else { Fill::Stretch });
            Ok(())
        }
        Some(Task::Data) => data::write(),
        Some(Task::Multirail) => clusters::write().and_then(|()| broadcasts::write()),
        Some(Task::Models) => models::models().map(drop),
        Some(Task::Tables) => chapter::write(),
        None => show(arguments.id.as_deref().unwrap_or_default(), arguments.csv),
    }
}

/// Returns a line for each item.
fn list() -> String {
    let width = items::all().map(|item| item.id.len()).max().unwrap_or(0);
    items::all().fold(String::new(), |mut text, item| {
        // Writing to a string does not fail.
        let _ = writeln!(text, "{:width$}  {}", item.id, item.title);
        text
    })
}

fn show(id: &str, csv: bool) -> Result<(), String> {
    let item = items::find(id)?;
    let shown = (item.make)()?;
    if csv {
        let table = shown.tables.first().ok_or_else(|| {
            format!("{id} has no table, only pictures: `qtdec-papers all -o DIR` writes them")
        })?;
        print!("{}", table.csv());
        return Ok(());
    }
    println!("{}: {}\n\n{}", item.id, item.title, item.about);
    for table in &shown.tables {
        print!("\n{}", table.markdown());
    }
    for (caption, text) in &shown.texts {
        print!("\n{caption}\n\n{text}");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use snapbox::{assert_data_eq, file};

    use super::*;

    #[test]
    fn the_command_is_well_formed() {
        <Arguments as clap::CommandFactory>::command().debug_assert();
    }

    #[test]
    fn the_list_names_every_item_once() {
        assert_data_eq!(list(), file!["../tests/list.txt"].raw());
        let names: BTreeSet<&str> = items::all().map(|item| item.id).collect();
        assert_eq!(names.len(), items::all().count());
        // Every name begins with that of its paper.
        for paper in &items::PAPERS {
            assert!(paper.items().all(|item| item.id.starts_with(&format!("{}-", paper.prefix))));
        }
    }

    #[test]
    fn an_unknown_name_is_answered_by_the_command_that_lists_them() {
        let reason = show("2007-table-9", false).unwrap_err();
        assert_eq!(
            reason,
            "there is no table or figure `2007-table-9`: `qtdec-papers list` names all of them"
        );
        let reason = show("c45-figure-1", true).unwrap_err();
        assert_eq!(reason, "c45-figure-1 has no table, only pictures: `qtdec-papers all -o DIR` writes them");
    }
}
