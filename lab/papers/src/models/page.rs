//! The tables of `lab/results/models.md`.

use std::fmt::Write as _;

use qtdec_study::study::interval::Interval;
use xtask::chapter::with_table;
use xtask::files;
use xtask::run::root;

use super::WAYS;
use super::cases::Case;
use super::prices::Prices;
use super::timed::{Cost, Costs};

/// The least number of points of a map that counts in the means.
const MIN_POINTS: usize = 8;

/// Writes and prints the tables.
pub(super) fn write(cases: &[Case], prices: &[Prices], costs: &[Costs]) -> Result<(), String> {
    let path = root().join("lab/results/models.md");
    let (ways, maps) = (of_ways(prices, costs), of_maps(cases, prices));
    println!("{ways}\n{maps}");
    let page = with_table(&files::read(&path)?, "ways", &ways)?;
    files::write(&path, with_table(&page, "maps", &maps)?)
}

/// Returns a row for each way: means over maps with their intervals.
fn of_ways(prices: &[Prices], costs: &[Costs]) -> String {
    let mut table = "| way | maps | gain over the rule in use | over the best | wrong by more than 10 % | time, tables = 1 | bytes |\n\
                     |---|---:|---:|---:|---:|---:|---:|\n"
        .to_owned();
    for (at, way) in WAYS.iter().enumerate() {
        let counted = prices.iter().filter(|all| all.points >= MIN_POINTS);
        let known: Vec<_> = counted.filter_map(|all| Some((all, all.of[at]?))).collect();
        let gains: Vec<f64> = known.iter().map(|(all, own)| all.default.excess - own.excess).collect();
        let excesses: Vec<f64> = known.iter().map(|(_, own)| own.excess).collect();
        let wrong: usize = known.iter().map(|(_, own)| own.wrong).sum();
        let points: usize = known.iter().map(|(all, _)| all.points).sum();
        let own: Vec<Cost> = costs.iter().filter_map(|costs| costs[at]).collect();
        let time = median(own.iter().map(|cost| cost.time).collect());
        let bytes = median(own.iter().filter_map(|cost| Some(cost.bytes? as f64)).collect());
        let _ = writeln!(
            table,
            "| {} | {} | {} | {} | {:.1} % | {} | {} |",
            way.name,
            known.len(),
            percent(&gains),
            percent(&excesses),
            100.0 * wrong as f64 / points as f64,
            time.map_or_else(|| "–".to_owned(), rounded),
            bytes.map_or_else(|| "–".to_owned(), |bytes| format!("{bytes:.0}")),
        );
    }
    table
}

/// Returns a row for each map: what the choices of each way cost over the best ones.
fn of_maps(cases: &[Case], prices: &[Prices]) -> String {
    let names: Vec<&str> = WAYS.iter().map(|way| way.name).collect();
    let mut table =
        format!("| map | points | {} |\n|---|---:|{}\n", names.join(" | "), "---:|".repeat(WAYS.len()));
    for (case, prices) in cases.iter().zip(prices) {
        let cells = prices.of.iter().map(|price| {
            price.map_or_else(|| "–".to_owned(), |price| format!("{:.1}", 100.0 * price.excess.exp_m1()))
        });
        let _ = writeln!(
            table,
            "| {} | {} | {} |",
            case.name,
            prices.points,
            cells.collect::<Vec<_>>().join(" | ")
        );
    }
    table
}

/// Returns the mean of logarithms with its interval, in per cent.
fn percent(logs: &[f64]) -> String {
    Interval::new(logs).map_or_else(String::new, |interval| {
        let Interval { mean, low, high } = interval.in_unit(|log| 100.0 * log.exp_m1());
        format!("{mean:.1} % ({low:.1} to {high:.1})")
    })
}

fn median(mut values: Vec<f64>) -> Option<f64> {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied()
}

/// Returns a ratio with two digits, or as a whole number.
fn rounded(ratio: f64) -> String {
    if ratio < 10.0 { format!("{ratio:.1}") } else { format!("{ratio:.0}") }
}
