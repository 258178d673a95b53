//! 2004, Figure 6: small messages.

use qtdec_mpi_schedule::Collective;

use crate::intra_cluster::{Along, BROADCASTS, lines};
use crate::item::{Item, Shown};

pub(super) const ITEM: Item = Item {
    id: "2004-figure-6",
    title: "three broadcasts of small messages among 16 machines",
    about: "**Not reproduced**: the paper's binomial tree and chain are slower than expected for small messages, because TCP delays acknowledgements. No \
            simulator here has TCP, so that runs and formulas agree.",
    make,
};

fn make() -> Result<Shown, String> {
    let bytes: Vec<u64> = (0..=13).map(|power| 1 << power).collect();
    let shown = lines(Collective::Bcast, &BROADCASTS, Along::Bytes(&bytes, 16))?;
    Ok(Shown::table(shown.table).and_picture("Small messages among 16 machines", shown.picture))
}
