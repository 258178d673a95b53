//! Barchet-Estefanel and Mounié 2004, section 5: contention as a factor, by the formula that they cite and fitted.

use qtdec_core::naming::binary_size;
use qtdec_mpi_predict::fit::{Fit, Measured, contention, contention_factor};
use qtdec_mpi_predict::models::Form;
use qtdec_mpi_predict::predict::{Size, TimeSource};
use qtdec_mpi_schedule::Collective;

use crate::intra_cluster::{network, time};
use crate::item::{Item, Shown};
use crate::table::{Column, Table, number};

pub(super) const ITEM: Item = Item {
    id: "2004-section-5",
    title: "contention as a factor: Clement's formula, and fitted to all-to-alls",
    about: "The paper cites T = l + b γ / W of Clement, Steed and Crandall (1996), in which γ is the number of processes on a shared medium, and has its own ratio \
            γ between two bounds instead. Both formulas next to runs, which are simulations on the network `icluster-2`, where every rank has a port of its own; \
            then both fitted to the runs of each number of ranks, with the median error. On a switch, the factor is 1 in a rotated order, not the number of \
            ranks. `cargo xtask cluster tcp` fits it to measured times.",
    make,
};

const RANKS: [u32; 5] = [4, 8, 16, 24, 48];
const MSG_SIZES: [u64; 3] = [1 << 8, 1 << 12, 1 << 16];

/// The orders in which ranks serve each other.
const ORDERS: [&str; 2] = ["linear", "rotated"];

fn make() -> Result<Shown, String> {
    let network = network()?;
    let of = |source, name, size| time(&network, Collective::Alltoall, source, (name, None), size);
    let titles =
        ["ranks", "bytes", "T = l + b γ / W, ms", "with the ratio 2/5", "run: same order", "run: rotated"];
    let mut times = Table::new(titles.map(Column::number));
    let titles = [
        "same order: factor",
        "error, %",
        "ratio",
        "error, %",
        "rotated: factor",
        "error, %",
        "ratio",
        "error, %",
    ];
    let mut fits = Table::new(["ranks"].into_iter().chain(titles).map(Column::number));
    for comm_size in RANKS {
        let mut runs = ORDERS.map(|_| Vec::new());
        for msg_size in MSG_SIZES {
            let size = Size { comm_size, msg_size };
            let printed = TimeSource::Formula(Form::Printed);
            let mut seconds = vec![of(printed, "shared_medium", size)?, of(printed, "direct", size)?];
            for (order, runs) in ORDERS.into_iter().zip(&mut runs) {
                let run = of(TimeSource::Simulated, order, size)?;
                runs.push(Measured { ranks: comm_size.into(), bytes: msg_size, seconds: run });
                seconds.push(run);
            }
            let cells = seconds.into_iter().map(|seconds| number(Some(seconds * 1e3), 3));
            times.row([comm_size.to_string(), binary_size(msg_size)].into_iter().chain(cells));
        }
        let fitted =
            runs.iter().flat_map(|runs| [contention_factor(&network, runs), contention(&network, runs)]);
        fits.row([comm_size.to_string()].into_iter().chain(fitted.flat_map(cells)));
    }
    Ok(Shown::table(times).and_table(fits))
}

/// Returns a fitted parameter, and its error in the median.
fn cells(fit: Option<Fit<f64>>) -> [String; 2] {
    let error = fit.as_ref().and_then(Fit::error);
    [number(fit.map(|fit| fit.parameters), 2), number(error.map(|(median, _)| 100.0 * median), 1)]
}
