//! 2004, Figure 5: broadcasts among 16 machines.

use qtdec_mpi_schedule::Collective;

use crate::intra_cluster::{Along, BROADCASTS, errors, lines};
use crate::item::{Item, Shown};

pub(super) const ITEM: Item = Item {
    id: "2004-figure-5",
    title: "three broadcasts among 16 machines, measured and expected",
    about: "A run is a simulation on the network `icluster-2`. The text says that the segmented chain is best for large messages and that predictions are \
            slightly too low; the latter is due to TCP, which is not simulated. The second table has the errors of the formulas for all ranks and sizes.",
    make,
};

fn make() -> Result<Shown, String> {
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
