//! 2004, Figure 1: the pLogP parameters of icluster-2.

use qtdec_mpi_predict::network::Point;
use qtdec_report::picture::times_over_sizes;

use crate::intra_cluster::network;
use crate::item::{Item, Shown};
use crate::table::{Column, Table, number};

pub(super) const ITEM: Item = Item {
    id: "2004-figure-1",
    title: "the pLogP parameters of icluster-2",
    about: "The paper shows its measured values in a figure alone. Ours have the nominal rate of the cluster's Fast Ethernet (12.5 MB/s) and assumed \
            latency and overheads.",
    make,
};

/// Returns a parameter of a network at a size.
type Parameter = (&'static str, fn(&Point) -> f64);

const PARAMETERS: [Parameter; 3] = [
    ("gap", |point| point.gap),
    ("send overhead", |point| point.send),
    ("receive overhead", |point| point.receive),
];

fn make() -> Result<Shown, String> {
    let network = network()?;
    let points = &network.description().points;
    let mut table = Table::new(
        [Column::number("bytes")]
            .into_iter()
            .chain(PARAMETERS.map(|(name, _)| Column::number(format!("{name}, us"))))
            .chain([Column::number("latency, us")]),
    );
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
