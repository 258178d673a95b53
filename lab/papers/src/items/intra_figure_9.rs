//! 2004, Figure 9: scatters among 24 machines.

use qtdec_mpi_schedule::Collective;

use crate::intra_cluster::{Along, Timed, lines};
use crate::item::{Item, Shown};

pub(super) const ITEM: Item = Item {
    id: "2004-figure-9",
    title: "two scatters among 24 machines, measured and expected",
    about: "A run is a simulation on the network `icluster-2`. The second table is that of Figures 7 and 8: blocks of 4 KiB by number of ranks.",
    make,
};

const SCATTERS: [Timed; 2] = [("linear", None), ("binomial", None)];

fn make() -> Result<Shown, String> {
    let bytes: Vec<u64> = (0..=20).step_by(2).map(|power| 1 << power).collect();
    let of_24 = lines(Collective::Scatter, &SCATTERS, Along::Bytes(&bytes, 24))?;
    let ranks = [4, 8, 9, 12, 16, 17, 20, 24, 32, 33, 40];
    let of_4_kib = lines(Collective::Scatter, &SCATTERS, Along::Ranks(&ranks, 4 << 10))?;
    Ok(Shown::table(of_24.table)
        .and_table(of_4_kib.table)
        .and_picture("Scatters among 24 machines", of_24.picture))
}
