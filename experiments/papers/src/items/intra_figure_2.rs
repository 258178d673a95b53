//! 2004, Figure 2: the broadcast by a segmented chain.

use qtdec_mpi::Collective;

use crate::intra_cluster::{Along, SEGMENT, errors, lines};
use crate::item::{Item, Shown};

pub(super) const ITEM: Item = Item {
    id: "2004-figure-2",
    title: "the broadcast by a segmented chain, measured and expected",
    about: "A run is a simulation on the network `icluster-2`: it shows where a formula is wrong about the algorithm, not where it is wrong about TCP. Messages of 64 KiB in segments of 8 KiB; the paper does not state them.",
    make,
};

fn make() -> Result<Shown, String> {
    let method = ("pipeline", Some(SEGMENT));
    let ranks: Vec<u32> = (2..=48).collect();
    let shown = lines(Collective::Bcast, &[method], Along::Ranks(&ranks, 64 << 10))?;
    let errors = errors(&[("2", Collective::Bcast, method)])?;
    Ok(Shown::table(shown.table).and_table(errors).and_picture("64 KiB by a segmented chain", shown.picture))
}
