//! 2004, Table 1: models of broadcasts.

use qtdec_mpi_predict::predict::Size;
use qtdec_mpi_schedule::Collective;

use crate::intra_cluster::{SEGMENT, Timed, formulas};
use crate::item::{Item, Shown};

pub(super) const ITEM: Item = Item {
    id: "2004-table-1",
    title: "the models of ten broadcasts",
    about: "Each row in two calls on the network `icluster-2`: 64 KiB among 24 and among 32 ranks, with segments of 8 KiB. *Printed* is the paper's formula, \
            *exact* the time that its own assumptions give, *run* the simulated schedule. Binomial rows hold for powers of two; the binary row is a bound.",
    make,
};

const ROWS: [(&str, Timed); 10] = [
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

fn make() -> Result<Shown, String> {
    let of = |comm_size| formulas(Collective::Bcast, &ROWS, Size { comm_size, msg_size: 64 << 10 });
    Ok(Shown::table(of(24)?).and_table(of(32)?))
}
