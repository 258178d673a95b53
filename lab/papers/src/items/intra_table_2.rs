//! 2004, Table 2: models of scatters.

use qtdec_mpi_predict::predict::Size;
use qtdec_mpi_schedule::Collective;

use crate::intra_cluster::{Timed, formulas};
use crate::item::{Item, Shown};

pub(super) const ITEM: Item = Item {
    id: "2004-table-2",
    title: "the models of three scatters",
    about: "Each row in two calls on the network `icluster-2`: blocks of 4 KiB for each of 24 and of 32 ranks. The printed binomial row holds for powers \
            of two.",
    make,
};

const ROWS: [(&str, Timed); 3] =
    [("Flat Tree", ("linear", None)), ("Chain", ("chain", None)), ("Binomial Tree", ("binomial", None))];

fn make() -> Result<Shown, String> {
    let of = |comm_size| formulas(Collective::Scatter, &ROWS, Size { comm_size, msg_size: 4 << 10 });
    Ok(Shown::table(of(24)?).and_table(of(32)?))
}
