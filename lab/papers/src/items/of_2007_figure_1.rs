//! 2007, Figure 1: the decision map of reduce on Frodo, drawn and as a table.

use qtdec_mpi_predict::experiment::Cluster;
use qtdec_mpi_schedule::Collective;

use crate::cases::listing;
use crate::data;
use crate::figures::maps;
use crate::item::{Item, Shown};

pub(super) const ITEM: Item = Item {
    id: "2007-figure-1",
    title: "the decision map of reduce on Frodo, (a) drawn and (b) as a table",
    about: "A prediction: the network `frodo` has assumed values. The example rows of Figure 1b are not legible in the copy at hand; the table \
            has every decision.",
    make,
};

fn make() -> Result<Shown, String> {
    let map = data::read(Cluster::Frodo, Collective::Reduce)?;
    Ok(Shown::table(listing(&map)).and_picture("Reduce on Frodo", maps(&map, &[], "max depth")))
}
