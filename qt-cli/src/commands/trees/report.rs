//! `qtdec report`: an HTML page about a map.

use clap::Args;
use qtdec_core::{DecisionMap, Problems};

use super::sweep::swept;
use qtdec_report::bounds;
use qtdec_report::page::{self, Report, Steps};
use qtdec_study::study::line::Line;
use qtdec_study::study::one_line::OneLine;
use qtdec_study::study::recommend::{RecommendOptions, Recommendation, tree};
use qtdec_study::study::repeats::RepeatsOfCells;
use qtdec_study::study::sweep::{Over, Sweep};
use qtdec_terminal::gain::{self, warnings_of_slower};
use qtdec_terminal::{
    Failure, PlaneArguments, Progress, Subject, SubjectArguments, output, reported, stem, unmeasured,
};

/// Write a page about a map: its trees, their costs, and the code
///
/// The page is one HTML file that works offline. It opens with what the recommended tree gains, its size, and the costs of smaller and larger ones,
/// including held-out costs if the files have repeats. A slider chooses the depth, the threshold or the budget. Pointing at a
/// cell shows its times and the lines of the function that decide it. Of a map with costs, it says what the recommended tree would
/// cost at sizes that were not measured: every other size of each axis is left out by turns.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  qtdec report map.json --times times.csv -o report.html")]
pub(crate) struct Arguments {
    #[command(flatten)]
    subject: SubjectArguments,

    /// Write the page to this file, or - for standard output
    #[arg(short, long, value_name = "FILE")]
    output: String,

    /// Set the title of the page [default: the collective of the map, or the name of its file without folders]
    #[arg(long, value_name = "TITLE")]
    title: Option<String>,

    /// Recommend a tree of at most this many leaves
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    max_leaves: Option<u64>,

    #[command(flatten)]
    plane: PlaneArguments,
}

fn steps(over: Over, map: &DecisionMap) -> Result<Steps, Problems> {
    let sweep = Sweep::new(over, None, Vec::new(), map)?;
    let trees = sweep.values.iter().map(|value| Ok((value.name.clone(), sweep.tree(map, value)?)));
    Ok((over.title(), trees.collect::<Result<_, Problems>>()?))
}

/// The name of the slider of recommended trees.
const RECOMMENDED: &str = "recommendation";

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let destination = arguments.subject.outputs().add(&arguments.output)?;
    let name = arguments.subject.name();
    let subject = arguments.subject.load()?;
    let Subject { map, measurements, warnings, .. } = &subject;
    let file = if measurements.is_some() { "map.json" } else { &name };
    let mut sweeps = Vec::new();
    let progress = Progress::new(Over::LIMITS.len() + 2);
    for (name_of_option, over) in Over::LIMITS {
        progress.begin(name_of_option);
        match steps(over, map) {
            Ok(steps) => sweeps.push(steps),
            // Some maps allow no budget.
            Err(problems) if over == Over::Budget && !problems.are_of_options() => {}
            Err(problems) => return swept(&name, Err(problems)),
        }
        progress.done();
    }
    progress.begin("the recommended tree");
    let splits = match measurements {
        Some(measurements) => subject.splits(&name, measurements)?.parts,
        None => Vec::new(),
    };
    let recommend = RecommendOptions { max_leaves: arguments.max_leaves };
    let (mut warnings, mut rated) = (warnings.clone(), None);
    match Recommendation::new(map, &recommend, &splits) {
        Ok(found) => rated = Some(found),
        Err(problems) => {
            let warning = format!("no tree is recommended: {problems}");
            progress.suspend(|| output::warn(&warning));
            warnings.push(warning);
        }
    }
    progress.done();
    progress.begin("the page");
    if let Some(rated) = &rated {
        let steps = rated.trees().map(|rated| (rated.choice.name.clone(), rated.choice.tree.clone()));
        sweeps.insert(0, (RECOMMENDED, steps.collect()));
    }
    let plane = arguments.plane.resolve(map.domain())?;
    let title =
        arguments.title.as_deref().or(map.domain().collective()).map_or_else(|| stem(&name), str::to_owned);
    let report = Report::new(&title, file, map, &sweeps, &plane);
    drop(progress);
    let Some(mut report) = reported(&name, report)? else {
        return Err(Failure::input(format!(
            "a page of {} cells is too large for a browser: draw the map with qtdec plot",
            map.cells().len()
        )));
    };
    let recommended = rated.as_ref().map(|rated| &rated.recommended);
    let gain = recommended.and_then(|rated| rated.own.as_ref()?.over_default.as_ref());
    let repeats = measurements.as_ref().map(|measurements| RepeatsOfCells::new(measurements, map));
    warnings.extend(
        gain.zip(repeats.as_ref())
            .into_iter()
            .flat_map(|(gain, repeats)| warnings_of_slower(gain, map, repeats)),
    );
    let distances = bounds::of_map(map);
    warnings.extend(distances.and_then(|distances| bounds::described(&distances, map)));
    warnings.extend(Line::all(map).iter().map(|line| line.described(map)));
    report.warnings = warnings;
    let opening = recommended.and_then(|rated| {
        let figure = unmeasured::figure(map, |rest| tree(rest, &rated.choice.options))?;
        let gain = unmeasured::gain(&figure, map).map(|gain| format!("; held-out gain {gain}"));
        let figures = unmeasured::described(&figure, map) + &gain.unwrap_or_default();
        let gain = figure.as_ref().ok().and_then(|figure| figure.gain);
        let line = OneLine::instead_of_tree(&rated.choice.tree, map, figure.as_ref().ok());
        let line = line.map(|line| page::one_line(&gain::one_line(&line), &line.code));
        let summary = page::summary(&gain::summary(gain, &rated.choice.tree, map));
        Some(summary + &line.unwrap_or_default() + &page::unmeasured(&figures))
    });
    report.opening = opening.unwrap_or_default();
    if let Some(repeats) = &repeats {
        report.add_repeats(repeats, &plane);
    }
    if let Some(rated) = &rated {
        report.open_on(RECOMMENDED, rated);
    }
    destination.write(&report.html())
}
