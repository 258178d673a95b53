//! The tables on the pages of the crates, and the one of all crates.

use std::fmt::Write;
use std::path::PathBuf;

use serde_json::Value;
use xtask::chapter::with_table;
use xtask::files;

use crate::adopted::{ALL, Adopted, folder};
use crate::seen::{self, RUNS, Run, Seen};

/// Returns all pages, with the tables of the committed results.
pub(crate) fn pages() -> Result<Vec<(PathBuf, String)>, String> {
    let mut pages = Vec::new();
    let mut index = "| crate | what is chosen | the function | between the samples | the program | answer for the program |\n\
                     |---|---|---|---|---|---|\n"
        .to_owned();
    for adopted in &ALL {
        let results = seen::read(adopted)?;
        let [between, program] = [RUNS[1], RUNS[2]].map(|run| Seen::of(&results[run.name]));
        let (between, program) = (between?, program?);
        let Adopted { name, chooses, .. } = adopted;
        let function = counted(&results["said"]["conditions"], "condition", "conditions");
        let answer = program.answer();
        let _ = writeln!(
            index,
            "| [{name}]({name}/README.md) | {chooses} | {function} | {between} | {program} | {answer} |"
        );
        pages.push(replaced(adopted.path("README.md"), &page(adopted, &results)?)?);
    }
    pages.push(replaced(folder().join("README.md"), &index)?);
    Ok(pages)
}

/// Returns a page with another table.
fn replaced(path: PathBuf, table: &str) -> Result<(PathBuf, String), String> {
    let page = files::read(&path)?;
    let page = with_table(&page, "numbers", table)?;
    Ok((path, page))
}

fn page(adopted: &Adopted, results: &Value) -> Result<String, String> {
    let mut table = "| times | gain over the crate's rule | slower | at worst | its choices alone | over the best single method | \
                     over the best single threshold |\n|---|---|---|---|---|---|---|\n"
        .to_owned();
    for run in RUNS {
        table += &row(run, &results[run.name])?;
    }
    let (said, between) = (&results["said"], &results["between"]["choices"]);
    let about = seen::json(&adopted.path("map.json"))?;
    let about = &about["source"]["times"];
    let text = |key: &str| about[key].as_str().unwrap_or("unknown").to_owned();
    let held_out = &said["unmeasured"];
    let _ = write!(
        table,
        "\nThe function has {} in {}. At sizes left out of the first run by turns, its choices cost {} % over the best method \
         ({} to {}), and gained {} % over the crate's rule ({} to {}); between the samples, they cost {} % in another process. \
         First run: {}, {}, {}. The others: {} processes each.\n",
        counted(&said["regions"], "region", "regions"),
        counted(&said["conditions"], "condition", "conditions"),
        number(&held_out["excess"]),
        number(&held_out["low"]),
        number(&held_out["high"]),
        number(&held_out["gain"]["mean"]),
        number(&held_out["gain"]["low"]),
        number(&held_out["gain"]["high"]),
        number(&between["penalty"]["mean"]),
        text("cpu"),
        text("target"),
        text("measured"),
        results["program"]["gains"].as_array().map_or(0, Vec::len),
    );
    Ok(table)
}

/// Returns the row of a run.
fn row(run: Run, result: &Value) -> Result<String, String> {
    let seen = Seen::of(result)?;
    let (slower, cells) = (&result["gain"]["slower"], &result["gain"]["cells"]);
    let worst = worst(&result["slower"]);
    let choices = &result["choices"];
    let others = if run.has_choices {
        let rules = &choices["gain_over_rules"];
        let text = |key: &str| rules[key].as_str().unwrap_or("none").to_owned();
        format!(
            "{:+.2} % | {} %, `{}` | {} %, `{}`",
            seen::gain(choices)?,
            number(&rules["over_method"]),
            text("method"),
            number(&rules["over_threshold"]),
            text("threshold"),
        )
    } else {
        "– | – | –".to_owned()
    };
    Ok(format!("| {} | {seen} | {slower} of {cells} | {worst} | {others} |\n", run.title))
}

/// Describes the cell in which a decision loses most, if there is one.
fn worst(cell: &Value) -> String {
    let known = ["chosen", "chosen_time", "default_time", "slower"];
    let sizes = cell.as_object().into_iter().flatten().filter(|(key, _)| !known.contains(&key.as_str()));
    let sizes = sizes.map(|(axis, size)| match size.as_str() {
        Some(label) => format!("{axis}={label}"),
        None => format!("{axis}={size}"),
    });
    let mut sizes: Vec<String> = sizes.collect();
    // The order of the members of an object depends on the features with which serde_json is built.
    sizes.sort();
    cell["slower"]
        .as_f64()
        .map_or("–".to_owned(), |percent| format!("{percent:.1} % at {}", sizes.join(" ")))
}

fn number(value: &Value) -> String {
    value.as_f64().map_or("–".to_owned(), |value| format!("{value:.2}"))
}

fn counted(count: &Value, one: &str, several: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { several })
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn the_pages_have_the_figures_of_the_results() {
        let pages = pages().unwrap();
        assert_eq!(pages.len(), ALL.len() + 1);
        for (path, page) in pages {
            assert!(
                fs::read_to_string(&path).unwrap() == page,
                "{}: cargo xtask adopted --write",
                path.display()
            );
        }
    }
}
