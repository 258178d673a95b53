//! 2004, Table 3: bounds of the all-to-all.

use qtdec_core::naming::binary_size;
use qtdec_mpi_predict::models::{Call, alltoall_bounds};

use crate::intra_cluster::network;
use crate::item::{Item, Shown};
use crate::table::{Column, Table, number};

pub(super) const ITEM: Item = Item {
    id: "2004-table-3",
    title: "the lower and the upper bound of the all-to-all",
    about: "Lower: (P−1) os(m) + (P−1) or(m) + L. Upper: (P−1) g(m) + (P−1) or(m) + L. Computed by hand from the parameters of `2004-figure-1`, and by the \
            library; a prediction of the paper lies at the part γ of the way between them.",
    make,
};

fn make() -> Result<Shown, String> {
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
