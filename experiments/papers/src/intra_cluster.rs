//! Models compared with simulated runs on icluster-2 (Barchet-Estefanel and Mounié 2004, Figures 2 to 11), as
//! Markdown.

use std::fmt::Write;
use std::num::NonZero;

use qtdec_core::naming::binary_size;
use qtdec_mpi::Collective;
use qtdec_mpi::models::{Call, Form, alltoall_bounds};
use qtdec_mpi::network::{Network, shipped};
use qtdec_mpi::predict::{Method, Predictor, Size, TimeSource};

/// The segment size of the chain, in bytes; the paper shows none.
const SEGMENT: u64 = 8 << 10;

/// The broadcasts of Figures 2 to 6.
const BROADCASTS: [(&str, Option<u64>); 3] =
    [("linear", None), ("binomial", None), ("pipeline", Some(SEGMENT))];

const TIME_SOURCES: [TimeSource; 3] =
    [TimeSource::Formula(Form::Printed), TimeSource::Formula(Form::Exact), TimeSource::Simulated];

/// Returns each table and its name in the chapter.
pub(super) fn tables() -> Result<Vec<(&'static str, String)>, String> {
    let network = shipped("icluster-2").map_err(|error| error.to_string())?;
    Ok(vec![
        ("intra-errors", errors(&network)?),
        ("intra-figure-5", sixteen(&network)?),
        ("intra-figure-7", scatters(&network)?),
        ("intra-figure-10", exchanges(&network)?),
    ])
}

/// Returns the time of a method in seconds; if the message is no larger than a segment, that of the uncut message.
fn time(
    network: &Network,
    collective: Collective,
    time_source: TimeSource,
    (algorithm, segment_size): (&'static str, Option<u64>),
    size: Size,
) -> Result<f64, String> {
    let predictor = Predictor::new(network, collective, time_source, &[algorithm.to_owned()]);
    let predictor = predictor.map_err(|error| error.to_string())?.threads(NonZero::<usize>::MIN);
    let segment_size = segment_size.filter(|&segment| segment < size.msg_size);
    let found = predictor.times(&[(&Method { algorithm, segment_size }, size)], || ());
    found.first().copied().flatten().ok_or_else(|| format!("no time of {algorithm} for {size:?}"))
}

/// Returns the errors of the formulas relative to the simulated times, by algorithm.
fn errors(network: &Network) -> Result<String, String> {
    let mut table = String::from(
        "| figures | algorithm | printed: median % | 90th percentile % | calls below the run % | exact: median % | 90th percentile % | calls below the run % |\n|---|---|---:|---:|---:|---:|---:|---:|\n",
    );
    let broadcasts = BROADCASTS.map(|method| (Collective::Bcast, method));
    let scatters = ["linear", "binomial"].map(|name| (Collective::Scatter, (name, None)));
    let figures = ["4", "3", "2", "8", "7"];
    for (figure, (collective, method)) in figures.into_iter().zip(broadcasts.into_iter().chain(scatters)) {
        let mut line = format!("| {figure} | {} {} |", collective.name(), method.0);
        for time_source in &TIME_SOURCES[..2] {
            let mut errors = Vec::new();
            for comm_size in 2..=48 {
                for msg_size in (0..=20).step_by(2).map(|power| 1 << power) {
                    let size = Size { comm_size, msg_size };
                    let run = time(network, collective, TimeSource::Simulated, method, size)?;
                    errors.push(100.0 * (time(network, collective, *time_source, method, size)? / run - 1.0));
                }
            }
            // A difference of a picosecond is rounding.
            let below = errors.iter().filter(|error| **error < -1e-6).count();
            let below = 100.0 * below as f64 / errors.len() as f64;
            let mut absolute: Vec<f64> = errors.into_iter().map(f64::abs).collect();
            absolute.sort_by(f64::total_cmp);
            let at = |percent: usize| absolute[(absolute.len() - 1) * percent / 100];
            add(&mut line, format_args!(" {:.2} | {:.2} | {below:.0} |", at(50), at(90)));
        }
        table += &line;
        table.push('\n');
    }
    Ok(table)
}

/// Returns the times of the broadcasts among 16 ranks in milliseconds.
fn sixteen(network: &Network) -> Result<String, String> {
    let titles = BROADCASTS.map(|(name, _)| format!(" {name}, ms: printed | exact | run |")).concat();
    let mut table =
        format!("| bytes |{titles} fastest: printed | run |\n|---:|{}\n", "---:|".repeat(9) + "---|---|");
    for msg_size in (0..=20).step_by(4).map(|power| 1 << power) {
        let size = Size { comm_size: 16, msg_size };
        let mut line = format!("| {} |", binary_size(msg_size));
        let mut times = Vec::new();
        for method in BROADCASTS {
            let mut of_method = Vec::new();
            for time_source in TIME_SOURCES {
                let time = time(network, Collective::Bcast, time_source, method, size)?;
                add(&mut line, format_args!(" {:.3} |", time * 1e3));
                of_method.push(time);
            }
            times.push((method.0, of_method));
        }
        for time_source in [0, 2] {
            let fastest =
                times.iter().min_by(|one, other| one.1[time_source].total_cmp(&other.1[time_source]));
            add(&mut line, format_args!(" {} |", fastest.map_or("–", |(name, _)| name)));
        }
        table += &line;
        table.push('\n');
    }
    Ok(table)
}

/// Returns the times of scatters of 4 KiB for each rank, in milliseconds.
fn scatters(network: &Network) -> Result<String, String> {
    let mut table = String::from(
        "| ranks | flat, ms: printed | exact | run | binomial: printed | exact | run |\n|---:|---:|---:|---:|---:|---:|---:|\n",
    );
    for comm_size in [4, 8, 9, 12, 16, 17, 20, 24, 32, 33, 40] {
        let size = Size { comm_size, msg_size: 4 << 10 };
        let mut line = format!("| {comm_size} |");
        for name in ["linear", "binomial"] {
            for time_source in TIME_SOURCES {
                let time = time(network, Collective::Scatter, time_source, (name, None), size)?;
                add(&mut line, format_args!(" {:.3} |", time * 1e3));
            }
        }
        table += &line;
        table.push('\n');
    }
    Ok(table)
}

/// Returns the times of all-to-alls among 24 ranks, in milliseconds.
fn exchanges(network: &Network) -> Result<String, String> {
    let mut table = String::from(
        "| bytes | lower bound, ms | with contention of 2/5 | upper bound | run: same order | run: rotated | rotated run: its part of the way between the bounds |\n|---:|---:|---:|---:|---:|---:|---:|\n",
    );
    for msg_size in (0..=20).step_by(4).map(|power| 1 << power) {
        let size = Size { comm_size: 24, msg_size };
        let (lower, upper) = alltoall_bounds(&Call::new(network, 24, msg_size));
        let of = |time_source, name| time(network, Collective::Alltoall, time_source, (name, None), size);
        let between = of(TimeSource::Formula(Form::Printed), "direct")?;
        let (same, rotated) = (of(TimeSource::Simulated, "linear")?, of(TimeSource::Simulated, "rotated")?);
        let part = (rotated - lower) / (upper - lower);
        let [lower, between, upper, same, rotated] =
            [lower, between, upper, same, rotated].map(|seconds| seconds * 1e3);
        let bytes = binary_size(msg_size);
        add(
            &mut table,
            format_args!(
                "| {bytes} | {lower:.3} | {between:.3} | {upper:.3} | {same:.3} | {rotated:.3} | {part:.2} |\n"
            ),
        );
    }
    Ok(table)
}

fn add(text: &mut String, what: std::fmt::Arguments<'_>) {
    // Writing to a `String` cannot fail.
    let _ = text.write_fmt(what);
}
