//! How often what is claimed of noise is wrong, and how often what is true is seen: rates over simulated campaigns with the seeds 1 to
//! 2000. `lab/results/rates.md` has the rates of every setting.
//!
//! The campaigns are values, and what decides is what `qtdec-mpi tune` and `qtdec verify` call after they have read their files.

mod answers;
mod archives;
mod changes;
mod findings;
mod gains;
mod jobs;
mod maps;
mod noise;
mod plans;
mod races;
mod reruns;
mod trials;
mod unmeasured;
mod worlds;

use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::time::Instant;

use clap::Args;
use clap::builder::PossibleValuesParser;
use findings::Findings;
use xtask::chapter::with_table;
use xtask::files;
use xtask::outcome::Outcome;
use xtask::run::root;

/// Options of the rates.
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// Rewrite the tables of `lab/results/rates.md`
    #[arg(long)]
    write: bool,

    /// Measure only these tables
    #[arg(value_name = "TABLE", value_parser = PossibleValuesParser::new(TABLES.map(|(name, _)| name)))]
    tables: Vec<String>,

    /// Use only the seeds up to this one, and print the rates without a comparison
    #[arg(long, value_name = "SEED", conflicts_with = "write")]
    until: Option<u64>,
}

/// A function that measures the rates of a table.
type Measure = fn(&RangeInclusive<u64>) -> Findings;

/// The tables with their names, in the order of the page.
const TABLES: [(&str, Measure); 17] = [
    ("noise", gains::of_noise),
    ("gains", gains::of_gains),
    ("unchanged", changes::of_nothing),
    ("slower", changes::of_slower),
    ("obeyed", answers::of_obeyed),
    ("ignored", answers::of_ignored),
    ("pairs", changes::of_pairs),
    ("paired-answers", answers::of_pairs),
    ("worlds", worlds::of_worlds),
    ("power", worlds::of_power),
    ("jobs", jobs::of_jobs),
    ("other-jobs", jobs::of_other_jobs),
    ("plans", plans::of_plans),
    ("races", races::of_races),
    ("unmeasured", unmeasured::of_intervals),
    ("reruns", reruns::of_reruns),
    ("campaigns", archives::of_archives),
];

fn path() -> PathBuf {
    root().join("lab/results/rates.md")
}

/// Measures all rates, and compares the tables of the page with them or writes them.
pub(crate) fn rates(arguments: &Arguments) -> Result<Outcome, String> {
    let seeds = arguments.until.map_or(trials::SEEDS, |last| 1..=last);
    let read = |path: PathBuf| files::read(&path);
    let page = read(path())?;
    let (mut found, mut broken, mut rows) = (page.clone(), Vec::new(), 0);
    let is_wanted =
        |name: &str| arguments.tables.is_empty() || arguments.tables.iter().any(|table| table == name);
    for (name, table) in TABLES.into_iter().filter(|(name, _)| is_wanted(name)) {
        let start = Instant::now();
        let findings = table(&seeds);
        println!("{} ({:.0} s)\n{}", name, start.elapsed().as_secs_f64(), findings.table);
        rows += findings.table.lines().count() - 2;
        broken.extend(findings.broken);
        if arguments.until.is_some() {
            continue;
        }
        found = with_table(&found, name, &findings.table)?;
    }
    if arguments.write {
        files::write(path(), &found)?;
    }
    if !broken.is_empty() {
        return Err(format!("these rates are not as promised:\n{}", broken.join("\n")));
    }
    if !arguments.write && found != page {
        return Err(
            "the page has other rates: run cargo xtask rates --write, and look at the changes".to_owned()
        );
    }
    Ok(Outcome::Held(format!("{rows} rates of {} campaigns", seeds.count())))
}
