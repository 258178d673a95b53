//! Multirail, Figure 6: one cluster of 32 nodes.

use crate::broadcasts::Form;
use crate::item::{Item, Shown};
use crate::multirail::{ONE, figure};

pub(super) const ITEM: Item = Item {
    id: "multirail-figure-6",
    title: "broadcasts among 32 nodes with two cards each",
    about: "The paper's numbers are in the figure alone. Of its text, 40 % (about the chain) and 60 % (about the binary tree) are legible without their \
            sentences: no agreement is claimed. Latency and segments are assumed; see `multirail-table-1`.",
    make,
};

fn make() -> Result<Shown, String> {
    let (table, picture) = figure(ONE, Form::Plain)?;
    Ok(Shown::table(table).and_picture("One cluster of 32 nodes", picture))
}
