//! The tables and figures of Barchet-Estefanel and Mounié 2004.

use qtdec_core::naming::binary_size;
use qtdec_mpi_predict::models::{Call, Form, alltoall_bounds};
use qtdec_mpi_predict::network::Point;
use qtdec_mpi_predict::predict::{Size, TimeSource};
use qtdec_mpi_schedule::Collective;
use qtdec_report::picture::times_over_sizes;

use crate::intra_cluster::{
    Along, BROADCASTS, SEGMENT, Timed, errors, formulas, lines, network, over_ranks, time,
};
use crate::item::{Item, Shown};
use crate::table::{Column, Table, number};

pub(super) const ITEMS: &[Item] = &[
    Item {
        id: "2004-table-1",
        title: "the models of ten broadcasts",
        about: "Each row in two calls on the network `icluster-2`: 64 KiB among 24 and among 32 ranks, with segments of 8 KiB. *Printed* is the paper's formula, \
                *exact* the time that its own assumptions give, *run* the simulated schedule. Binomial rows hold for powers of two; the binary row is a bound.",
        make: table_1,
    },
    Item {
        id: "2004-table-2",
        title: "the models of three scatters",
        about: "Each row in two calls on the network `icluster-2`: blocks of 4 KiB for each of 24 and of 32 ranks. The printed binomial row holds for powers \
                of two.",
        make: table_2,
    },
    Item {
        id: "2004-table-3",
        title: "the lower and the upper bound of the all-to-all",
        about: "Lower: (P−1) os(m) + (P−1) or(m) + L. Upper: (P−1) g(m) + (P−1) or(m) + L. Computed by hand from the parameters of `2004-figure-1`, and by the \
                library; a prediction of the paper lies at the part γ of the way between them.",
        make: table_3,
    },
    Item {
        id: "2004-figure-1",
        title: "the pLogP parameters of icluster-2",
        about: "The paper shows its measured values in a figure alone. Ours have the nominal rate of the cluster's Fast Ethernet (12.5 MB/s) and assumed \
                latency and overheads.",
        make: figure_1,
    },
    Item {
        id: "2004-figure-2",
        title: "the broadcast by a segmented chain, measured and expected",
        about: "A run is a simulation on the network `icluster-2`: it shows where a formula is wrong about the algorithm, not where it is wrong about TCP. Messages of 64 KiB in segments of 8 KiB; the paper does not state them.",
        make: || over_ranks("2", Collective::Bcast, ("pipeline", Some(SEGMENT)), "a segmented chain"),
    },
    Item {
        id: "2004-figure-3",
        title: "the broadcast by a binomial tree, measured and expected",
        about: "A run is a simulation on the network `icluster-2`: it shows where a formula is wrong about the algorithm, not where it is wrong about TCP. Messages of 64 KiB; the paper does not state the size. The printed formula is exact for powers of two.",
        make: || over_ranks("3", Collective::Bcast, ("binomial", None), "a binomial tree"),
    },
    Item {
        id: "2004-figure-4",
        title: "the broadcast by a flat tree, measured and expected",
        about: "A run is a simulation on the network `icluster-2`: it shows where a formula is wrong about the algorithm, not where it is wrong about TCP. Messages of 64 KiB; the paper does not state the size.",
        make: || over_ranks("4", Collective::Bcast, ("linear", None), "a flat tree"),
    },
    Item {
        id: "2004-figure-5",
        title: "three broadcasts among 16 machines, measured and expected",
        about: "A run is a simulation on the network `icluster-2`. The text says that the segmented chain is best for large messages and that predictions are \
                slightly too low; the latter is due to TCP, which is not simulated. The second table has the errors of the formulas for all ranks and sizes.",
        make: figure_5,
    },
    Item {
        id: "2004-figure-6",
        title: "three broadcasts of small messages among 16 machines",
        about: "The models alone, since no simulator here has TCP: runs and formulas agree. The paper's binomial tree and chain are slower than expected for small \
                messages, because TCP delays acknowledgements; `cargo xtask cluster tcp` measures that on emulated nodes.",
        make: figure_6,
    },
    Item {
        id: "2004-figure-7",
        title: "the scatter by a binomial tree, measured and expected",
        about: "A run is a simulation on the network `icluster-2`: it shows where a formula is wrong about the algorithm, not where it is wrong about TCP. Blocks of 4 KiB; the paper does not state the size. The printed formula is a staircase with steps after powers of two; the schedule moves only the blocks that ranks need.",
        make: || over_ranks("7", Collective::Scatter, ("binomial", None), "a binomial tree"),
    },
    Item {
        id: "2004-figure-8",
        title: "the scatter by a flat tree, measured and expected",
        about: "A run is a simulation on the network `icluster-2`: it shows where a formula is wrong about the algorithm, not where it is wrong about TCP. Blocks of 4 KiB; the paper does not state the size.",
        make: || over_ranks("8", Collective::Scatter, ("linear", None), "a flat tree"),
    },
    Item {
        id: "2004-figure-9",
        title: "two scatters among 24 machines, measured and expected",
        about: "A run is a simulation on the network `icluster-2`. The second table is that of Figures 7 and 8: blocks of 4 KiB by number of ranks.",
        make: figure_9,
    },
    Item {
        id: "2004-figure-10",
        title: "all-to-alls among 24 machines between their bounds",
        about: "A run is a simulation on the network `icluster-2`, whose overheads are assumed to be 22 µs for every size: the lower bound consists of nothing \
                else. The paper's contention ratio of 2/5 fits here for one byte alone.",
        make: figure_10,
    },
    Item {
        id: "2004-figure-11",
        title: "the direct all-to-all in the same and in a rotated order, by ranks",
        about: "Messages of 64 KiB; a run is a simulation on the network `icluster-2`. In the paper both orders take about the same time; here all ranks that \
                serve the others in the same order take twice as long. On a real switch queues mix the messages; our ports have none. `cargo xtask cluster tcp` measures both orders on emulated nodes.",
        make: figure_11,
    },
];

const BROADCAST_ROWS: [(&str, Timed); 10] = [
    ("Flat Tree", ("linear", None)),
    ("Flat Tree Rendezvous", ("linear_rendezvous", None)),
    ("Segmented Flat Tree", ("linear", Some(SEGMENT))),
    ("Chain", ("pipeline", None)),
    ("Chain Rendezvous", ("pipeline_rendezvous", None)),
    ("Segmented Chain (Pipeline)", ("pipeline", Some(SEGMENT))),
    ("Binary Tree", ("binary", None)),
    ("Binomial Tree", ("binomial", None)),
    ("Binomial Tree Rendezvous", ("binomial_rendezvous", None)),
    ("Segmented Binomial Tree", ("binomial", Some(SEGMENT))),
];

fn table_1() -> Result<Shown, String> {
    let of = |comm_size| formulas(Collective::Bcast, &BROADCAST_ROWS, Size { comm_size, msg_size: 64 << 10 });
    Ok(Shown::table(of(24)?).and_table(of(32)?))
}

const SCATTER_ROWS: [(&str, Timed); 3] =
    [("Flat Tree", ("linear", None)), ("Chain", ("chain", None)), ("Binomial Tree", ("binomial", None))];

fn table_2() -> Result<Shown, String> {
    let of = |comm_size| formulas(Collective::Scatter, &SCATTER_ROWS, Size { comm_size, msg_size: 4 << 10 });
    Ok(Shown::table(of(24)?).and_table(of(32)?))
}

fn table_3() -> Result<Shown, String> {
    let network = network()?;
    let mut table = Table::new(
        ["ranks", "bytes", "lower, ms: by hand", "lower, ms: ours", "upper, ms: by hand", "upper, ms: ours"]
            .map(Column::number),
    );
    for ranks in [8, 16, 24, 48] {
        for bytes in [1_u64, 1 << 10, 64 << 10] {
            let (lower, upper) = alltoall_bounds(&Call::new(&network, ranks, bytes));
            let others = (ranks - 1) as f64;
            // The network has the same overheads at all sizes.
            let point = &network.description().points[0];
            let (send, receive) = (point.send, point.receive);
            let gap = network.gap(bytes) * 1e6;
            let latency = network.latency(bytes) * 1e6;
            let by_hand = [others * (send + receive) + latency, others * (gap + receive) + latency];
            let ms = |microseconds: f64| number(Some(microseconds / 1e3), 3);
            table.row([
                ranks.to_string(),
                binary_size(bytes),
                ms(by_hand[0]),
                ms(lower * 1e6),
                ms(by_hand[1]),
                ms(upper * 1e6),
            ]);
        }
    }
    Ok(Shown::table(table))
}

fn figure_5() -> Result<Shown, String> {
    let bytes: Vec<u64> = (0..=20).step_by(4).map(|power| 1 << power).collect();
    let shown = lines(Collective::Bcast, &BROADCASTS, Along::Bytes(&bytes, 16))?;
    let [linear, binomial, pipeline] = BROADCASTS;
    let errors = errors(&[
        ("4", Collective::Bcast, linear),
        ("3", Collective::Bcast, binomial),
        ("2", Collective::Bcast, pipeline),
        ("8", Collective::Scatter, ("linear", None)),
        ("7", Collective::Scatter, ("binomial", None)),
    ])?;
    Ok(Shown::table(shown.table).and_table(errors).and_picture("Broadcasts among 16 machines", shown.picture))
}

fn figure_6() -> Result<Shown, String> {
    let bytes: Vec<u64> = (0..=13).map(|power| 1 << power).collect();
    let shown = lines(Collective::Bcast, &BROADCASTS, Along::Bytes(&bytes, 16))?;
    Ok(Shown::table(shown.table).and_picture("Small messages among 16 machines", shown.picture))
}

const SCATTERS: [Timed; 2] = [("linear", None), ("binomial", None)];

fn figure_9() -> Result<Shown, String> {
    let bytes: Vec<u64> = (0..=20).step_by(2).map(|power| 1 << power).collect();
    let of_24 = lines(Collective::Scatter, &SCATTERS, Along::Bytes(&bytes, 24))?;
    let ranks = [4, 8, 9, 12, 16, 17, 20, 24, 32, 33, 40];
    let of_4_kib = lines(Collective::Scatter, &SCATTERS, Along::Ranks(&ranks, 4 << 10))?;
    Ok(Shown::table(of_24.table)
        .and_table(of_4_kib.table)
        .and_picture("Scatters among 24 machines", of_24.picture))
}

/// Returns a parameter of a network at a size.
type Parameter = (&'static str, fn(&Point) -> f64);

const PARAMETERS: [Parameter; 3] = [
    ("gap", |point| point.gap),
    ("send overhead", |point| point.send),
    ("receive overhead", |point| point.receive),
];

fn figure_1() -> Result<Shown, String> {
    let network = network()?;
    let points = &network.description().points;
    let parameters = PARAMETERS.map(|(name, _)| format!("{name}, us"));
    let titles = ["bytes".to_owned()].into_iter().chain(parameters).chain(["latency, us".to_owned()]);
    let mut table = Table::of(&[], titles);
    for point in points {
        let cells = PARAMETERS.map(|(_, of)| number(Some(of(point)), 2));
        let latency = number(Some(network.description().latency), 2);
        table.row([point.bytes.to_string()].into_iter().chain(cells).chain([latency]));
    }
    let series = PARAMETERS.map(|(name, of)| {
        (name.to_owned(), points.iter().map(|point| (point.bytes, of(point))).collect::<Vec<_>>())
    });
    Ok(Shown::table(table).and_picture("The network `icluster-2`", times_over_sizes("icluster-2", &series)))
}

const BOUNDS: [&str; 5] =
    ["lower bound, ms", "with contention of 2/5", "upper bound", "run: same order", "run: rotated"];

fn figure_10() -> Result<Shown, String> {
    let network = network()?;
    let part = Column::number("rotated run: its part of the way between the bounds");
    let mut table = Table::new(["bytes"].into_iter().chain(BOUNDS).map(Column::number).chain([part]));
    let mut series = BOUNDS.map(|name| (name.trim_end_matches(", ms").to_owned(), Vec::new()));
    for msg_size in (0..=20).step_by(4).map(|power| 1 << power) {
        let size = Size { comm_size: 24, msg_size };
        let (lower, upper) = alltoall_bounds(&Call::new(&network, 24, msg_size));
        let of = |source, name| time(&network, Collective::Alltoall, source, (name, None), size);
        let between = of(TimeSource::Formula(Form::Printed), "direct")?;
        let (same, rotated) = (of(TimeSource::Simulated, "linear")?, of(TimeSource::Simulated, "rotated")?);
        let times = [lower, between, upper, same, rotated];
        for ((_, points), seconds) in series.iter_mut().zip(times) {
            points.push((msg_size, seconds * 1e6));
        }
        let part = number(Some((rotated - lower) / (upper - lower)), 2);
        let cells = times.map(|seconds| number(Some(seconds * 1e3), 3));
        table.row([binary_size(msg_size)].into_iter().chain(cells).chain([part]));
    }
    Ok(Shown::table(table)
        .and_picture("All-to-alls among 24 machines", times_over_sizes("alltoall", &series)))
}

fn figure_11() -> Result<Shown, String> {
    let ranks = [4, 8, 12, 16, 20, 24, 32, 40, 48];
    let shown =
        lines(Collective::Alltoall, &[("linear", None), ("rotated", None)], Along::Ranks(&ranks, 64 << 10))?;
    Ok(Shown::table(shown.table).and_picture("All-to-alls of 64 KiB", shown.picture))
}
