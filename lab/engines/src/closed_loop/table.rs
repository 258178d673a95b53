//! The results as a table.

use std::fmt::Write;

use qtdec_study::study::interval::Interval;

use super::results::{Decision, Results};
use crate::smpi::SELECTORS;

const HEADER: &str = "| network | function | regions | over the best method of each call | best fixed method | `ompi` | `mpich` | `mvapich2` |\n|---|---|---:|---:|---:|---:|---:|---:|\n";

/// Returns the table: the time of each function relative to the best methods, and of fixed methods and selectors relative to
/// the function, as means over the seeds with bootstrap intervals.
pub(super) fn markdown(results: &Results) -> Result<String, String> {
    let mut text = HEADER.to_owned();
    for network in results.networks() {
        for (name, regions) in functions(results, network) {
            let takes = results.times(network, |decision| is_function(decision, &name));
            let oracle = results.times(network, |decision| *decision == Decision::Oracle);
            let fixed = results.times(network, |decision| matches!(decision, Decision::Fixed(_)));
            let mut cells = vec![ratio(&takes, &oracle)?, ratio(&fixed, &takes)?];
            for selector in SELECTORS {
                let chosen = Decision::Selector(selector.to_owned());
                let chosen = results.times(network, |decision| *decision == chosen);
                cells.push(if chosen.is_empty() { "–".to_owned() } else { ratio(&chosen, &takes)? });
            }
            // Writing to a string does not fail.
            let _ = writeln!(text, "| {network} | {name} | {regions} | {} |", cells.join(" | "));
        }
    }
    Ok(text)
}

fn is_function(decision: &Decision, requested: &str) -> bool {
    matches!(decision, Decision::Function { name, .. } if name == requested)
}

/// Returns the functions of a network, with their numbers of regions.
fn functions(results: &Results, network: &str) -> Vec<(String, u64)> {
    let mut functions: Vec<(String, u64)> = Vec::new();
    for row in results.rows.iter().filter(|row| row.network == network) {
        if let Decision::Function { name, regions } = &row.decision
            && !functions.iter().any(|(known, _)| known == name)
        {
            functions.push((name.clone(), *regions));
        }
    }
    functions
}

/// Returns the ratio of two times of each seed.
fn interval(these: &[f64], those: &[f64]) -> Result<Interval, String> {
    if these.len() != those.len() {
        return Err(format!("{} times are compared with {}", these.len(), those.len()));
    }
    let ratios: Vec<f64> = these.iter().zip(those).map(|(this, that)| this / that).collect();
    Interval::new(&ratios).ok_or_else(|| "there are no times".to_owned())
}

fn ratio(these: &[f64], those: &[f64]) -> Result<String, String> {
    let Interval { mean, low, high } = interval(these, those)?;
    Ok(format!("{mean:.3} [{low:.3}, {high:.3}]"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = include_str!("../../../results/simgrid.md");

    fn results() -> Results {
        Results::read(include_str!("../../results/closed_loop.csv")).unwrap()
    }

    #[test]
    fn the_page_has_the_table_of_the_results() {
        let table = markdown(&results()).unwrap();
        assert!(PAGE.contains(&table), "the page lacks this table:\n{table}");
    }

    /// Checks the purpose of the functions: they lose next to nothing, and the alternatives lose much.
    #[test]
    fn functions_are_worth_it_wherever_they_are_used() {
        let results = results();
        for network in results.networks() {
            let oracle = results.times(network, |decision| *decision == Decision::Oracle);
            let fixed = results.times(network, |decision| matches!(decision, Decision::Fixed(_)));
            for (name, _) in functions(&results, network) {
                let takes = results.times(network, |decision| is_function(decision, &name));
                let lost = interval(&takes, &oracle).unwrap();
                assert!(
                    lost.high < if network == "grig" { 1.01 } else { 1.025 },
                    "{network} {name} {lost:?}"
                );
                let gained = interval(&fixed, &takes).unwrap();
                assert!(gained.low > 1.1, "{network} {name} {gained:?}");
                for selector in SELECTORS {
                    let chosen = Decision::Selector(selector.to_owned());
                    let chosen = results.times(network, |decision| *decision == chosen);
                    let low = interval(&chosen, &takes).map(|gained| gained.low);
                    assert!(
                        low.is_ok_and(|low| low > 1.3) || chosen.is_empty(),
                        "{network} {name} {selector}"
                    );
                }
            }
        }
    }
}
