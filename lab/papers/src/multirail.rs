//! What the items of the multirail paper have in common: simulated times next to the paper's formulas.

use qtdec_core::naming::binary_size;
use qtdec_mpi_predict::models::{Call, Fabric, PaperRow};

use qtdec_report::picture::{Picture, times_over_sizes};

use crate::broadcasts::{self, ALGORITHMS, Cards, Form, MSG_SIZES, SimulatedBroadcast};
use crate::table::{Column, Table, number};

/// The largest message of the figures.
pub(crate) const LARGEST: u64 = 64 << 20;

/// One cluster of 32 nodes.
pub(crate) const ONE: &str = "multirail-32";
/// Two clusters of 16 nodes.
pub(crate) const TWO: &str = "grid-2x16";

/// The latency between the two clusters, in microseconds.
pub(crate) const CROSSING: f64 = 10_000.0;

/// The times of one network with its cards in one of their ways.
#[derive(Clone, Copy)]
pub(crate) struct Place<'a> {
    pub(crate) rows: &'a [SimulatedBroadcast],
    pub(crate) network: &'a str,
    pub(crate) cards: Cards,
    pub(crate) comm_size: u32,
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
    pub(crate) fn time(self, form: Form, algorithm: &str, msg_size: u64) -> Result<f64, String> {
        self.rows(msg_size)
            .find(|row| row.form == form.name() && row.algorithm == algorithm)
            .map(|row| row.microseconds)
            .ok_or_else(|| {
                format!("no time of {algorithm} on {} for {} and {msg_size}", self.network, self.comm_size)
            })
    }

    /// Returns the algorithms that take at most 1 % longer than the fastest, in order of their times.
    pub(crate) fn winners(self, msg_size: u64) -> String {
        let mut rows: Vec<&SimulatedBroadcast> = self.rows(msg_size).collect();
        rows.sort_by(|one, other| one.microseconds.total_cmp(&other.microseconds));
        let least = rows.first().map_or(0.0, |row| row.microseconds);
        let near = rows.iter().take_while(|row| row.microseconds <= 1.01 * least).map(|row| {
            let form = if row.form == Form::Aware.name() { " in clusters" } else { "" };
            format!("{}{form}", row.algorithm)
        });
        near.collect::<Vec<_>>().join(", ")
    }

    /// Returns the paper's formula for a call of both cards.
    fn of_call(self, msg_size: u64, form: impl Fn(&Fabric) -> Option<f64>) -> Result<f64, String> {
        let network = Cards::Two.network(self.network)?;
        let call = Call::new(&network, u64::from(self.comm_size), msg_size);
        let seconds = form(&Fabric::from_call(&call));
        seconds.map(|seconds| seconds * 1e6).ok_or_else(|| "the paper has no such formula".to_owned())
    }

    /// Returns the time by the paper's formula without its misprint, in microseconds.
    pub(crate) fn formula(self, row: PaperRow, msg_size: u64) -> Result<f64, String> {
        self.of_call(msg_size, |fabric| fabric.corrected(row))
    }

    /// Returns the time by the paper's formula as printed, in microseconds.
    pub(crate) fn printed(self, row: PaperRow, msg_size: u64) -> Result<f64, String> {
        self.of_call(msg_size, |fabric| fabric.printed(row))
    }
}

/// Returns the time `M/b` of the largest message in microseconds.
pub(crate) fn transfer() -> f64 {
    LARGEST as f64 / 250.0
}

/// Returns the times of Figure 6 or 7 in milliseconds, and their picture.
pub(crate) fn figure(network: &str, form: Form) -> Result<(Table, Picture), String> {
    let rows = broadcasts::read()?;
    let place = |cards| Place { rows: &rows, network, cards, comm_size: 32 };
    let [two, bonded] = Cards::ALL.map(place);
    let mut table = Table::new(
        [
            "bytes",
            "multirail, ms",
            "multirail, ms: formula",
            "chain bonded, ms",
            "chain bonded, ms: formula",
            "chain on one card, ms",
            "binary bonded, ms",
            "binary bonded, ms: formula",
            "binary on one card, ms",
            "over multirail: chain bonded",
            "over multirail: chain on one card",
            "over multirail: binary bonded",
            "over multirail: binary on one card",
        ]
        .map(Column::number),
    );
    let names = ["multirail", "chain bonded", "chain on one card", "binary bonded", "binary on one card"];
    let mut series = names.map(|name| (name.to_owned(), Vec::new()));
    for size in MSG_SIZES {
        // A chain of consecutive ranks crosses between the clusters only once anyway.
        let times = [
            two.time(form, "multirail", size)?,
            bonded.time(Form::Plain, "pipeline", size)?,
            two.time(Form::Plain, "pipeline", size)?,
            bonded.time(form, "binary", size)?,
            two.time(form, "binary", size)?,
        ];
        for ((_, points), time) in series.iter_mut().zip(times) {
            points.push((size, time));
        }
        let of = |row| two.formula(row, size).map(|time| number(Some(time / 1e3), 2));
        let [multirail, chain, chain_one, binary, binary_one] = times.map(|time| number(Some(time / 1e3), 2));
        let over = [1, 2, 3, 4].map(|at| number(Some(times[at] / times[0]), 2));
        let formulas = [of(PaperRow::Multirail)?, of(PaperRow::Chain)?, of(PaperRow::Binary)?];
        let [of_multirail, of_chain, of_binary] = formulas;
        let cells = [multirail, of_multirail, chain, of_chain, chain_one, binary, of_binary, binary_one];
        table.row([binary_size(size)].into_iter().chain(cells).chain(over));
    }
    Ok((table, times_over_sizes("bcast", &series)))
}

/// Returns the algorithms in the order of the tables: multirail first.
pub(crate) fn algorithms() -> impl Iterator<Item = &'static str> {
    ALGORITHMS.into_iter().rev()
}
