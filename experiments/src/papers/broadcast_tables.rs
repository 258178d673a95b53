//! The tables of the multirail paper as Markdown: simulated times next to the paper's formulas.

use std::fmt::Write;

use qtdec_core::naming::binary_size;
use qtdec_mpi::models::{Call, Fabric, PaperRow};

use super::broadcasts::{ALGORITHMS, COMM_SIZES, Cards, Form, MSG_SIZES, SimulatedBroadcast};

/// The largest message of the figures.
const LARGEST: u64 = 64 << 20;

const ONE: &str = "multirail-32";
const TWO: &str = "grid-2x16";

/// The latency between the two clusters, in microseconds.
const CROSSING: f64 = 10_000.0;

/// The times of one network with its cards in one of their ways.
#[derive(Clone, Copy)]
struct Place<'a> {
    rows: &'a [SimulatedBroadcast],
    network: &'a str,
    cards: Cards,
    comm_size: u32,
}

impl<'a> Place<'a> {
    fn rows(self, msg_size: u64) -> impl Iterator<Item = &'a SimulatedBroadcast> {
        self.rows.iter().filter(move |row| {
            row.network == self.network
                && row.cards == self.cards.name()
                && (row.comm_size, row.msg_size) == (self.comm_size, msg_size)
        })
    }

    /// Returns the time of an algorithm in microseconds.
    fn time(self, form: Form, algorithm: &str, msg_size: u64) -> Result<f64, String> {
        self.rows(msg_size)
            .find(|row| row.form == form.name() && row.algorithm == algorithm)
            .map(|row| row.microseconds)
            .ok_or_else(|| {
                format!("no time of {algorithm} on {} for {} and {msg_size}", self.network, self.comm_size)
            })
    }

    /// Returns the algorithms that take at most 1 % longer than the fastest, in order of their times.
    fn winners(self, msg_size: u64) -> String {
        let mut rows: Vec<&SimulatedBroadcast> = self.rows(msg_size).collect();
        rows.sort_by(|one, other| one.microseconds.total_cmp(&other.microseconds));
        let least = rows.first().map_or(0.0, |row| row.microseconds);
        let near = rows.iter().take_while(|row| row.microseconds <= 1.01 * least).map(|row| {
            let form = if row.form == Form::Aware.name() { " in clusters" } else { "" };
            format!("{}{form}", row.algorithm)
        });
        near.collect::<Vec<_>>().join(", ")
    }

    /// Returns the time by the paper's formula in microseconds.
    fn formula(self, row: PaperRow, msg_size: u64) -> Result<f64, String> {
        let network = Cards::Two.network(self.network)?;
        let call = Call::new(&network, u64::from(self.comm_size), msg_size);
        let seconds = Fabric::from_call(&call).corrected(row);
        seconds.map(|seconds| seconds * 1e6).ok_or_else(|| "the paper has no such formula".to_owned())
    }
}

/// Returns each table and its name in the chapter.
pub(super) fn tables(rows: &[SimulatedBroadcast]) -> Result<Vec<(&'static str, String)>, String> {
    let place = |network, cards, comm_size| Place { rows, network, cards, comm_size };
    Ok(vec![
        ("multirail-largest", largest(place)?),
        ("multirail-figure-6", figure(ONE, Form::Plain, place)?),
        ("multirail-figure-7", figure(TWO, Form::Aware, place)?),
        ("multirail-two-clusters", two_clusters(place)?),
        ("multirail-winners", winners(place)),
    ])
}

/// Returns the time `M/b` of the largest message in microseconds.
fn transfer() -> f64 {
    LARGEST as f64 / 250.0
}

/// Returns the times of the largest message in units of `M/b`.
fn largest<'a>(place: impl Fn(&'a str, Cards, u32) -> Place<'a>) -> Result<String, String> {
    let sizes = COMM_SIZES.map(|size| format!("two: {size} | ")).concat()
        + &COMM_SIZES.map(|size| format!("bonded: {size} | ")).concat();
    let mut table =
        format!("| algorithm | {sizes}Table 1, 32 |\n|---|{}\n", "---:|".repeat(2 * COMM_SIZES.len() + 1));
    for algorithm in ALGORITHMS.into_iter().rev() {
        let mut line = format!("| {algorithm} |");
        for cards in Cards::ALL {
            for comm_size in COMM_SIZES {
                let time = place(ONE, cards, comm_size).time(Form::Plain, algorithm, LARGEST)?;
                add(&mut line, format_args!(" {:.3} |", time / transfer()));
            }
        }
        let row = match algorithm {
            "multirail" => Some(PaperRow::Multirail),
            "scatter_allgather" => Some(PaperRow::VanDeGeijn),
            "binomial" => Some(PaperRow::Binomial),
            "binary" => Some(PaperRow::Binary),
            "pipeline" => Some(PaperRow::Chain),
            _ => None,
        };
        match row {
            None => line += " – |\n",
            Some(row) => {
                let formula = place(ONE, Cards::Two, 32).formula(row, LARGEST)?;
                add(&mut line, format_args!(" {:.3} |\n", formula / transfer()));
            }
        }
        table += &line;
    }
    Ok(table)
}

/// Returns the times of Figure 6 or 7 in milliseconds.
fn figure<'a>(
    network: &'a str,
    form: Form,
    place: impl Fn(&'a str, Cards, u32) -> Place<'a>,
) -> Result<String, String> {
    let mut table = String::from(
        "| bytes | multirail, ms | formula | chain bonded | formula | chain on one card | binary bonded | formula | binary on one card | chain bonded over multirail | chain on one | binary bonded | binary on one |\n",
    );
    table += "|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n";
    let [two, bonded] = Cards::ALL.map(|cards| place(network, cards, 32));
    for size in MSG_SIZES {
        // A chain of consecutive ranks crosses between the clusters only once anyway.
        let times = [
            two.time(form, "multirail", size)?,
            bonded.time(Form::Plain, "pipeline", size)?,
            two.time(Form::Plain, "pipeline", size)?,
            bonded.time(form, "binary", size)?,
            two.time(form, "binary", size)?,
        ];
        let of = |row| two.formula(row, size).map(|time| time / 1e3);
        let [multirail, chain, chain_one, binary, binary_one] = times.map(|time| time / 1e3);
        add(
            &mut table,
            format_args!(
                "| {} | {multirail:.2} | {:.2} | {chain:.2} | {:.2} | {chain_one:.2} | {binary:.2} | {:.2} | {binary_one:.2} | {:.2} | {:.2} | {:.2} | {:.2} |\n",
                binary_size(size),
                of(PaperRow::Multirail)?,
                of(PaperRow::Chain)?,
                of(PaperRow::Binary)?,
                chain / multirail,
                chain_one / multirail,
                binary / multirail,
                binary_one / multirail,
            ),
        );
    }
    Ok(table)
}

/// Returns the times of the largest message in two clusters in units of `M/b + L`.
fn two_clusters<'a>(place: impl Fn(&'a str, Cards, u32) -> Place<'a>) -> Result<String, String> {
    let mut table = String::from(
        "| algorithm | two cards: plain | in clusters | bonded: plain | in clusters |\n|---|---:|---:|---:|---:|\n",
    );
    for algorithm in ALGORITHMS.into_iter().rev() {
        let mut line = format!("| {algorithm} |");
        for cards in Cards::ALL {
            for form in Form::ALL {
                let time = place(TWO, cards, 32).time(form, algorithm, LARGEST)?;
                add(&mut line, format_args!(" {:.3} |", time / (transfer() + CROSSING)));
            }
        }
        table += &line;
        table.push('\n');
    }
    Ok(table)
}

/// Returns the fastest algorithms of each call.
fn winners<'a>(place: impl Fn(&'a str, Cards, u32) -> Place<'a>) -> String {
    let sizes = COMM_SIZES.map(|size| format!(" {size} ranks |")).concat();
    let mut table =
        format!("| cards | bytes |{sizes} two clusters of 16 |\n|---|---:|{}\n", "---|".repeat(5));
    for cards in Cards::ALL {
        for size in MSG_SIZES {
            let mut line = format!("| {} | {} |", cards.name(), binary_size(size));
            let one = COMM_SIZES.map(|comm_size| place(ONE, cards, comm_size));
            for place in one.into_iter().chain([place(TWO, cards, 32)]) {
                add(&mut line, format_args!(" {} |", place.winners(size)));
            }
            table += &line;
            table.push('\n');
        }
    }
    table
}

fn add(text: &mut String, what: std::fmt::Arguments<'_>) {
    // Writing to a `String` cannot fail.
    let _ = text.write_fmt(what);
}
