//! Decision times of the map and of hand-written rules, as columns of `qtdec-mpi compare`.

use qtdec_core::DecisionTree;

use qtdec_mpi::compare::Calls;
use qtdec_mpi::timing;
use qtdec_mpi::timing::{Loadable, QueryPattern, Round, Spread};
use qtdec_mpi_library::rules::Rule;
use qtdec_report::table::{Cell, Table};
use qtdec_terminal::{Failure, output};

/// The number of rounds for medians and deciles.
const ROUNDS: usize = 41;

/// The random seed of the queries.
const SEED: u64 = 1;

/// The explanation below the table.
const ABOUT: &str = "times are multiples of the time of the map's tree in memory: the median of 41 rounds, \
     and the range of eight rounds out of ten. The map is loaded as programs load it at run time, the rules \
     are functions of this program, and all decide the same queries in turn: points of the map and, as in \
     the papers, 2 to 64 ranks and 1 byte to 16 MB.";

/// The titles and keys of the columns.
const COLUMNS: [(&str, &str); 6] = [
    ("time: grid", "time_grid"),
    ("from", "time_grid_p10"),
    ("to", "time_grid_p90"),
    ("papers", "time_papers"),
    ("from", "time_papers_p10"),
    ("to", "time_papers_p90"),
];

/// The function that decides in a row.
#[derive(Clone, Copy)]
pub(crate) enum Decides {
    /// The map's tree, in memory.
    Tree,
    /// A hand-written rule.
    Rule(Rule),
    /// Nothing that can be timed.
    Nothing,
}

/// Returns a table with these columns, and with those of times if there is a tree to time. `calls` provides the
/// inputs of rules.
pub(crate) fn table(
    columns: &[(&str, &str)],
    rows: Vec<(Vec<Cell>, Decides)>,
    tree: Option<&DecisionTree>,
    calls: impl FnOnce() -> Result<Calls, Failure>,
) -> Result<Table, Failure> {
    let mut columns = columns.to_vec();
    let (mut rows, decides): (Vec<Vec<Cell>>, Vec<Decides>) = rows.into_iter().unzip();
    if let Some(tree) = tree {
        let has_rules = decides.iter().any(|decides| matches!(decides, Decides::Rule(_)));
        let calls = has_rules.then(calls).transpose()?;
        output::warn_of_debug_build();
        output::note(ABOUT);
        columns.extend(COLUMNS);
        for (row, times) in rows.iter_mut().zip(measure(tree, calls.as_ref(), &decides)) {
            row.extend(times);
        }
    }
    let mut table = Table::new(&columns);
    for row in rows {
        table.row(row);
    }
    Ok(table)
}

fn measure(tree: &DecisionTree, calls: Option<&Calls>, rows: &[Decides]) -> Vec<Vec<Cell>> {
    let loadables: Vec<_> = rows
        .iter()
        .map(|row| match row {
            Decides::Tree => Loadable::from_tree(tree),
            Decides::Rule(_) | Decides::Nothing => None,
        })
        .collect();
    let mut cells = vec![Vec::new(); rows.len()];
    for (_, pattern) in QueryPattern::ALL {
        let mut spreads = vec![None; rows.len()];
        if let Some(queries) = timing::queries(tree.domain(), pattern, SEED) {
            let mut timed = Vec::new();
            let mut rounds: Vec<Round<'_>> = Vec::new();
            for (index, (row, loadable)) in rows.iter().zip(&loadables).enumerate() {
                let round = match (row, loadable, calls) {
                    (Decides::Tree, Some(loadable), _) => loadable.round(&queries),
                    (Decides::Rule(rule), _, Some(calls)) => {
                        timing::function(*rule, tree.domain(), calls, &queries)
                    }
                    _ => continue,
                };
                timed.push(index);
                rounds.push(round);
            }
            let times = timing::interleave(&mut rounds, ROUNDS);
            for (index, own) in timed.into_iter().zip(&times) {
                spreads[index] = Some(Spread::from_ratios(own, &times[0]));
            }
        }
        for (cells, spread) in cells.iter_mut().zip(spreads) {
            let numbers = spread.map(|Spread { median, low, high }| [median, low, high]);
            cells.extend(
                numbers.map_or([Cell::Missing, Cell::Missing, Cell::Missing], |numbers| {
                    numbers.map(Cell::Number)
                }),
            );
        }
    }
    cells
}
