//! What the items of Barchet-Estefanel and Mounié 2004 have in common: formulas next to simulated runs on icluster-2.

use qtdec_core::naming::binary_size;
use qtdec_mpi_predict::models::Form;
use qtdec_mpi_predict::network::{Network, shipped};
use qtdec_mpi_predict::predict::{Method, Predictor, Size, TimeSource};
use qtdec_mpi_schedule::Collective;
use qtdec_report::picture::{self, Picture};

use crate::item::Shown;
use crate::table::{Column, NOTHING, Table, number};

/// The segment size of the chain, in bytes; the paper shows none.
pub(crate) const SEGMENT: u64 = 8 << 10;

/// An algorithm with its segment size.
pub(crate) type Timed = (&'static str, Option<u64>);

/// The broadcasts of Figures 2 to 6.
pub(crate) const BROADCASTS: [Timed; 3] = [("linear", None), ("binomial", None), ("pipeline", Some(SEGMENT))];

/// The formulas as printed and without their mistakes, and the runs.
pub(crate) const SOURCES: [(&str, TimeSource); 3] = [
    ("printed", TimeSource::Formula(Form::Printed)),
    ("exact", TimeSource::Formula(Form::Exact)),
    ("run", TimeSource::Simulated),
];

pub(crate) fn network() -> Result<Network, String> {
    shipped("icluster-2")
}

/// Returns the time of a method in seconds; if the message is no larger than a segment, that of the uncut message.
pub(crate) fn time(
    network: &Network,
    collective: Collective,
    time_source: TimeSource,
    (algorithm, segment_size): Timed,
    size: Size,
) -> Result<f64, String> {
    let predictor = Predictor::new(network, collective, time_source, &[algorithm.to_owned()])?;
    let segment_size = segment_size.filter(|&segment| segment < size.msg_size);
    let found = predictor.times(&[(&Method::new(algorithm, segment_size), size)], || ());
    found.first().copied().flatten().ok_or_else(|| format!("no time of {algorithm} for {size:?}"))
}

/// What varies along a figure.
#[derive(Clone, Copy)]
pub(crate) enum Along<'v> {
    /// The ranks, with messages of this size.
    Ranks(&'v [u32], u64),
    /// The bytes, among this number of ranks.
    Bytes(&'v [u64], u32),
}

impl Along<'_> {
    fn sizes(self) -> Vec<(u64, Size)> {
        match self {
            Self::Ranks(ranks, msg_size) => {
                ranks.iter().map(|&comm_size| (u64::from(comm_size), Size { comm_size, msg_size })).collect()
            }
            Self::Bytes(bytes, comm_size) => {
                bytes.iter().map(|&msg_size| (msg_size, Size { comm_size, msg_size })).collect()
            }
        }
    }

    fn title(self) -> &'static str {
        match self {
            Self::Ranks(..) => "ranks",
            Self::Bytes(..) => "bytes",
        }
    }

    fn name(self, value: u64) -> String {
        match self {
            Self::Ranks(..) => value.to_string(),
            Self::Bytes(..) => binary_size(value),
        }
    }
}

/// The times of algorithms along ranks or bytes, in milliseconds.
pub(crate) struct Lines {
    pub(crate) table: Table,
    pub(crate) picture: Picture,
}

/// Returns the times of algorithms by the formulas and simulated.
pub(crate) fn lines(collective: Collective, methods: &[Timed], along: Along<'_>) -> Result<Lines, String> {
    let network = network()?;
    let columns = methods
        .iter()
        .flat_map(|(name, _)| SOURCES.map(|(source, _)| Column::number(format!("{name}, ms: {source}"))));
    let fastest = ["fastest: printed", "fastest: run"].map(Column::text);
    let fastest = fastest.into_iter().filter(|_| methods.len() > 1);
    let mut table = Table::new([Column::number(along.title())].into_iter().chain(columns).chain(fastest));
    let mut series: Vec<(String, Vec<(f64, f64)>)> = Vec::new();
    for (name, _) in methods {
        series.extend([SOURCES[0], SOURCES[2]].map(|(source, _)| (format!("{name}, {source}"), Vec::new())));
    }
    for (value, size) in along.sizes() {
        let mut times = Vec::new();
        for method in methods {
            let of = |(_, source): (&str, TimeSource)| time(&network, collective, source, *method, size);
            // Not every algorithm has a formula, but every one has a schedule.
            let times_of_method = [of(SOURCES[0]).ok(), of(SOURCES[1]).ok(), Some(of(SOURCES[2])?)];
            times.push(times_of_method.map(|time| time.map(|seconds| seconds * 1e3)));
        }
        for (place, [printed, _, run]) in times.iter().enumerate() {
            series[2 * place].1.extend(printed.map(|time| (value as f64, time)));
            series[2 * place + 1].1.extend(run.map(|time| (value as f64, time)));
        }
        let cells = times.iter().flatten().map(|time| number(*time, 3));
        let fastest = |source: usize| {
            let timed =
                times.iter().zip(methods).filter_map(|(times, (name, _))| Some((times[source]?, *name)));
            let least = timed.min_by(|one, other| one.0.total_cmp(&other.0));
            least.map_or(NOTHING, |(_, name)| name).to_owned()
        };
        let fastest = [0, 2].map(fastest).into_iter().filter(|_| methods.len() > 1);
        table.row([along.name(value)].into_iter().chain(cells).chain(fastest));
    }
    series.retain(|(_, points)| !points.is_empty());
    let picture = match along {
        Along::Ranks(..) => picture::lines(collective.name(), "ranks", "time [ms]", &series),
        Along::Bytes(..) => {
            let in_us = |(name, points): &(String, Vec<(f64, f64)>)| {
                (name.clone(), points.iter().map(|(bytes, ms)| (*bytes as u64, ms * 1e3)).collect())
            };
            picture::times_over_sizes(collective.name(), &series.iter().map(in_us).collect::<Vec<_>>())
        }
    };
    Ok(Lines { table, picture })
}

/// Returns a figure of one algorithm over 2 to 48 ranks, by a tree or chain of this name, and the errors of its formulas. Broadcasts are of
/// 64 KiB, and scatters of 4 KiB for each rank.
pub(crate) fn over_ranks(
    figure: &str,
    collective: Collective,
    method: Timed,
    shape: &str,
) -> Result<Shown, String> {
    let (msg_size, size) = match collective {
        Collective::Scatter => (4 << 10, "4 KiB for each rank"),
        _ => (64 << 10, "64 KiB"),
    };
    let ranks: Vec<u32> = (2..=48).collect();
    let Lines { table, picture } = lines(collective, &[method], Along::Ranks(&ranks, msg_size))?;
    let errors = errors(&[(figure, collective, method)])?;
    Ok(Shown::table(table).and_table(errors).and_picture(format!("{size} by {shape}"), picture))
}

/// Returns the errors of the formulas relative to the simulated times, over 2 to 48 ranks and 1 byte to 1 MiB.
pub(crate) fn errors(rows: &[(&str, Collective, Timed)]) -> Result<Table, String> {
    let network = network()?;
    let columns = ["printed", "exact"].map(|form| {
        ["median %", "90th percentile %", "calls below the run %"].map(|what| format!("{form}: {what}"))
    });
    let mut table = Table::of(&["figure", "algorithm"], columns.into_iter().flatten());
    for (figure, collective, method) in rows {
        let mut cells = vec![(*figure).to_owned(), format!("{} {}", collective.name(), method.0)];
        for (_, time_source) in &SOURCES[..2] {
            let mut errors = Vec::new();
            for comm_size in 2..=48 {
                for msg_size in (0..=20).step_by(2).map(|power| 1 << power) {
                    let size = Size { comm_size, msg_size };
                    let run = time(&network, *collective, TimeSource::Simulated, *method, size)?;
                    let formula = time(&network, *collective, *time_source, *method, size)?;
                    errors.push(100.0 * (formula / run - 1.0));
                }
            }
            // A difference of a picosecond is rounding.
            let below = errors.iter().filter(|error| **error < -1e-6).count();
            let below = 100.0 * below as f64 / errors.len() as f64;
            let mut absolute: Vec<f64> = errors.into_iter().map(f64::abs).collect();
            absolute.sort_by(f64::total_cmp);
            let at = |percent: usize| number(Some(absolute[(absolute.len() - 1) * percent / 100]), 2);
            cells.extend([at(50), at(90), number(Some(below), 0)]);
        }
        table.row(cells);
    }
    Ok(table)
}

/// Returns the times of the rows of a paper's table of formulas in one call, in milliseconds.
pub(crate) fn formulas(
    collective: Collective,
    rows: &[(&'static str, Timed)],
    size: Size,
) -> Result<Table, String> {
    let network = network()?;
    let columns = SOURCES.map(|(source, _)| format!("time, ms: {source}"));
    let ratios = ["printed over exact", "printed over run"].map(str::to_owned);
    let mut table = Table::of(&["row of the paper", "algorithm"], columns.into_iter().chain(ratios));
    for (row, method) in rows {
        let times = SOURCES.map(|(_, source)| time(&network, collective, source, *method, size).ok());
        let [printed, exact, run] = times;
        let ratio = |to: Option<f64>| number(printed.zip(to).map(|(printed, to)| printed / to), 3);
        let segment = method.1.map_or(String::new(), |bytes| format!(", segments of {}", binary_size(bytes)));
        let cells = times.map(|time| number(time.map(|seconds| seconds * 1e3), 3));
        let name = format!("{}{segment}", method.0);
        table.row([(*row).to_owned(), name].into_iter().chain(cells).chain([ratio(exact), ratio(run)]));
    }
    Ok(table)
}
