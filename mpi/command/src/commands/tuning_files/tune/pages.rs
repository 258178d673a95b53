//! The pages of a set.

use qtdec_study::study::repeats::RepeatsOfCells;

use super::collectives::One;
use super::sources::source;
use qtdec_report::page;
use qtdec_report::page::Report;
use qtdec_terminal::{Failure, FileSet, PlaneArguments, gain, reported, unmeasured};

/// Adds the pages. The page to start with has the opening.
pub(super) fn add_pages(
    set: &mut FileSet,
    all: &[One],
    deployed: &[(String, String)],
    opening: &str,
) -> Result<(), Failure> {
    for one in all {
        let name = &one.tuned.collective;
        let (page, opening) =
            if all.len() == 1 { ("report.html".to_owned(), opening) } else { (format!("{name}.html"), "") };
        set.add(page, report(one, deployed, opening)?);
    }
    if all.len() > 1 {
        set.add("report.html", contents(all, opening));
    }
    Ok(())
}

fn report(
    One { tuned, measurements, warnings, .. }: &One,
    deployed: &[(String, String)],
    opening: &str,
) -> Result<String, Failure> {
    let source = &source(tuned);
    let steps = tuned.rated.trees().map(|rated| (rated.choice.name.clone(), rated.choice.tree.clone()));
    let sweeps = [("recommendation", steps.collect())];
    let plane = PlaneArguments::at_the_last(tuned.map.domain())?;
    let report = Report::new(&tuned.collective, source, &tuned.map, &sweeps, &plane);
    let Some(mut report) = reported(source, report)? else {
        return Ok(format!(
            "<!doctype html>{opening}<p>The map of {} has too many cells for a page.\n",
            tuned.collective
        ));
    };
    let figure = page::unmeasured(&unmeasured::described(&tuned.unmeasured, &tuned.map));
    let line = tuned.one_line().map(|line| page::one_line(&gain::one_line(&line), &line.code));
    report.opening = format!("{opening}{figure}{}", line.unwrap_or_default());
    report.warnings.clone_from(warnings);
    report.files = deployed.to_vec();
    report.open_on("recommendation", &tuned.rated);
    report.add_repeats(&RepeatsOfCells::new(measurements, &tuned.map), &plane);
    Ok(report.html())
}

/// Returns a page with what it opens with, and a link to the page of each collective with its gain.
fn contents(all: &[One], opening: &str) -> String {
    format!(
        "<!doctype html>\n<html lang=\"en\"><meta charset=\"utf-8\"><title>Tuned collectives</title>\n\
         <h1>Tuned collectives</h1>\n{opening}<ul>\n{}</ul>\n</html>\n",
        all.iter().map(link).collect::<String>()
    )
}

fn link(one: &One) -> String {
    let name = &one.tuned.collective;
    let gain = one.headlines().join("; ").replace('<', "&lt;");
    format!("<li><a href=\"{name}.html\">{name}</a>: {gain}</li>\n")
}
