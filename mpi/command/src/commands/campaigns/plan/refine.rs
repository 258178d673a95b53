//! Which sizes to measure next, from a map of what was measured.

use qtdec_core::{DecisionMap, Document};
use qtdec_study::study::next_points::{NextPoint, next_points, with_middles};

use qtdec_report::table::{Cell, Form, Table};
use qtdec_terminal::gain::size_cells;
use qtdec_terminal::{Failure, Outputs, Subject, TreeOptions, reported, unmeasured};

/// The number of points that are proposed if nobody says otherwise.
const POINTS: u64 = 10;

/// Writes what the decisions of a map cost at other sizes, and the points whose measurement would lower that most.
pub(super) fn run(name: &str, points: Option<u64>, output: &str) -> Result<(), Failure> {
    let destination = Outputs::new([name]).add(output)?;
    let map = Subject::open(name)?.map;
    let middles = reported(name, with_middles(&map))?;
    let options = TreeOptions::default();
    let figure = unmeasured::figure(&map, |rest| options.tree(Document::Map(rest.clone())));
    let figure = figure.map(|figure| unmeasured::described(&figure, &map)).unwrap_or_default();
    let next = next_points(&middles, usize::try_from(points.unwrap_or(POINTS)).unwrap_or(usize::MAX));
    let text = if next.is_empty() {
        "there is no size between those that were measured\n".to_owned()
    } else {
        format!("{}{EXPLAINED}", table(&next, &middles).write(Form::Text))
    };
    destination.write(&format!("unmeasured sizes: {figure}\n\nmeasure next:\n{text}"))
}

const EXPLAINED: &str =
    "at stake: what the worst of these methods costs over the best one at the measured points around\n";

fn table(next: &[NextPoint], map: &DecisionMap) -> Table {
    let axes = map.domain().axes();
    let mut table = Table::by_size(axes, &[("at stake %", "at_stake"), ("methods", "methods")]);
    for NextPoint { sizes, methods, at_stake } in next {
        let mut cells = size_cells(axes, sizes);
        let labels: Vec<String> = methods.iter().map(|method| map.domain().method(*method).label()).collect();
        cells.extend([Cell::Number(*at_stake), Cell::Text(labels.join(", "))]);
        table.row(cells);
    }
    table
}
