//! The rows of the benchmark.

mod figure;

pub(super) use figure::figure;

use comfy_table::Table;
use comfy_table::presets::ASCII_MARKDOWN;

use super::ROUNDS;
use super::forms::Form;
use super::measured::{Cost, Count, Times};

/// A time that is measured on a distribution.
type Kind = fn(&Times) -> f64;

/// One form, map and distribution.
pub(super) struct FormCost {
    map: &'static str,
    /// The name of the map or tree in titles.
    title: String,
    is_exact: bool,
    cost: Cost,
    times: Times,
    count: Option<Count>,
}

impl FormCost {
    pub(super) fn new(
        (map, title): (&'static str, &str),
        form: &Form,
        cost: &Cost,
        times: &Times,
        count: Option<Count>,
    ) -> Self {
        Self {
            map,
            title: title.to_owned(),
            is_exact: form.is_exact,
            cost: *cost,
            times: times.clone(),
            count,
        }
    }
}

/// The file of the figure, next to the tables.
pub(super) const FIGURE: &str = "ratios.svg";

/// Returns the text above the tables.
pub(super) fn head() -> String {
    let cpu = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = cpu.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": "));
    let model = model.map_or("an unnamed processor", |(_, model)| model);
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let (arch, rustc) = (std::env::consts::ARCH, xtask::run::rustc_version());
    format!(
        "# Every form of a decision\n\n\
         Written by `cargo xtask bench --publish lab/bench/results` on {model} ({arch}, {threads} threads), with rustc {rustc} at \
         opt-level 3. Times are medians over {ROUNDS} rounds, in which all forms take turns, of portions of 4096 decisions. \
         They are multiples of the time of `table` in the same column, and include the call and the loop: `nothing` is a \
         function that returns a number.\n\n\
         - **Times:** in the first five columns, decisions do not wait for each other; `profile` is the broadcasts of a real \
         program ([calls.csv](calls.csv)). In `latency`, each uniform query waits for the previous decision. `cold` is a single \
         uniform query after the near caches were swept, and includes reading the clock.\n\
         - **Counts:** instructions, conditional branches and mispredictions are means per decision on uniform queries, as \
         counted and modelled by valgrind's callgrind. `data` is what a form reads besides its code, or loads. `wrong` is the \
         number of queries, over all distributions, for which a form decides differently from the map.\n\
         - **Forms:** `branches_smallest` is the tree with the fewest expected mispredictions; all other layouts are of the \
         quadtree. `paper` is the code as printed in the papers, and `pointers` their tree of nodes. tl2cgen, m2cgen and \
         emlearn were given a tree of the same map. The rules of Open MPI make other decisions, and are listed for \
         comparison.\n\n\
         ![Random calls, repeated calls and first calls of every form, as multiples of the table's times]({FIGURE})\n"
    )
}

/// Returns the median of a form on a distribution, as a multiple of that of `table`.
fn ratio(rows: &[&FormCost], form: &str, distribution: &str, time: Kind) -> f64 {
    let median = |form: &str| {
        let found = rows.iter().find(|row| row.times.form == form && row.times.distribution == distribution);
        found.map_or(f64::NAN, |row| time(&row.times))
    };
    median(form) / median("table")
}

/// Returns the rows of a map, with times as multiples of those of `table` in the same column.
pub(super) fn markdown(rows: &[FormCost], map: &str) -> String {
    let of_map: Vec<&FormCost> = rows.iter().filter(|row| row.map == map).collect();
    let mut distributions: Vec<&str> = Vec::new();
    for row in &of_map {
        if !distributions.contains(&&*row.times.distribution) {
            distributions.push(&row.times.distribution);
        }
    }
    let mut table = Table::new();
    let times = distributions.iter().map(|name| (*name).to_owned());
    let others = [
        "latency",
        "cold",
        "instructions",
        "branches",
        "mispredicted",
        "code",
        "data",
        "compiler s",
        "wrong",
    ];
    table
        .load_style(ASCII_MARKDOWN)
        .set_header(["form".to_owned()].into_iter().chain(times).chain(others.map(str::to_owned)));
    for row in of_map.iter().filter(|row| row.times.distribution == distributions[0]) {
        let form = &*row.times.form;
        let ratio =
            |distribution: &str, time: Kind| format!("{:.2}", ratio(&of_map, form, distribution, time));
        let mut cells = vec![form.to_owned()];
        cells.extend(distributions.iter().map(|name| ratio(name, |times| times.throughput)));
        cells.push(ratio(distributions[0], |times| times.latency));
        cells.push(ratio(distributions[0], |times| times.cold));
        let count = |of: fn(Count) -> f64| {
            row.count.map_or_else(|| "–".to_owned(), |count| format!("{:.1}", of(count)))
        };
        cells.push(count(|count| count.instructions));
        cells.push(count(|count| count.branches));
        cells.push(count(|count| count.mispredictions));
        let bytes = |bytes: Option<u64>| bytes.map_or_else(|| "–".to_owned(), |bytes| bytes.to_string());
        cells.extend([bytes(row.cost.text_bytes), bytes(row.cost.table_bytes)]);
        cells.push(format!("{:.2}", row.cost.compiler_seconds));
        let wrong = of_map
            .iter()
            .filter(|other| other.times.form == form)
            .map(|other| other.times.wrong)
            .sum::<u64>();
        cells.push(if row.is_exact { wrong.to_string() } else { "–".to_owned() });
        table.add_row(cells);
    }
    format!("{table}\n")
}
