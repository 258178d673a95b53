//! C4.5, Table 3: penalties of the trees of broadcast.

use qtdec_report::picture;

use crate::c45_trees::{
    CONFIDENCES, PENALTIES, SIZE_AND_ERRORS, maps, penalties, report, size_and_errors, sweep, tree,
};
use crate::figures::mean_penalty;
use crate::item::{Item, Shown};
use crate::table::{Column, Table};

pub(super) const ITEM: Item = Item {
    id: "c45-table-3",
    title: "penalties of the trees of broadcast on Grig, by weight and confidence",
    about: "The paper's numbers are lost in the copy at hand. Its text says that the min, mean and median penalty of all trees are low, that the share of \
            misclassified cells does not translate into penalty, and that few cells pay much. The picture has the mean penalty by leaves, a line for each \
            confidence.",
    make,
};

fn make() -> Result<Shown, String> {
    let [bcast, _] = maps()?;
    let mut table =
        Table::new(["-m", "-c"].into_iter().chain(SIZE_AND_ERRORS).chain(PENALTIES).map(Column::number));
    let mut series = CONFIDENCES.map(|confidence| (format!("-c {confidence}"), Vec::new()));
    for setting in sweep() {
        let tree = tree(&bcast, setting)?;
        let leaves = tree.statistics().encoding.leaves as f64;
        let of_confidence = CONFIDENCES.iter().position(|confidence| *confidence == setting.1);
        series[of_confidence.unwrap_or(0)].1.push((leaves, mean_penalty(&tree)));
        let name = [setting.0.to_string(), setting.1.to_string()];
        let sizes = size_and_errors(&report(&bcast, setting)?);
        table.row(name.into_iter().chain(sizes).chain(penalties(&tree)));
    }
    for (_, points) in &mut series {
        points.sort_by(|(one, _), (other, _)| one.total_cmp(other));
    }
    let picture = picture::lines("broadcast on Grig", "leaves", "mean penalty [%]", &series);
    Ok(Shown::table(table).and_picture("Mean penalty by leaves", picture))
}
