//! 2004, Figure 10: all-to-alls and their bounds.

use qtdec_core::naming::binary_size;
use qtdec_mpi_predict::models::{Call, Form, alltoall_bounds};
use qtdec_mpi_predict::predict::{Size, TimeSource};
use qtdec_mpi_schedule::Collective;
use qtdec_report::picture::times_over_sizes;

use crate::intra_cluster::{network, time};
use crate::item::{Item, Shown};
use crate::table::{Column, Table, number};

pub(super) const ITEM: Item = Item {
    id: "2004-figure-10",
    title: "all-to-alls among 24 machines between their bounds",
    about: "A run is a simulation on the network `icluster-2`, whose overheads are assumed to be 22 µs for every size: the lower bound consists of nothing \
            else. The paper's contention ratio of 2/5 fits here for one byte alone.",
    make,
};

const COLUMNS: [&str; 5] =
    ["lower bound, ms", "with contention of 2/5", "upper bound", "run: same order", "run: rotated"];

fn make() -> Result<Shown, String> {
    let network = network()?;
    let part = Column::number("rotated run: its part of the way between the bounds");
    let mut table = Table::new(["bytes"].into_iter().chain(COLUMNS).map(Column::number).chain([part]));
    let mut series = COLUMNS.map(|name| (name.trim_end_matches(", ms").to_owned(), Vec::new()));
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
