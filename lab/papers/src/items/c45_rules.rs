//! C4.5: production rules, the other form of a model that the paper names.

use qtdec_core::Penalty;
use qtdec_report::picture;

use crate::c45_trees::{PENALTIES, maps, penalties, report, rules, sweep, tree};
use crate::figures::mean_penalty;
use crate::item::{Item, Shown};
use crate::table::{Column, Table, number};

pub(super) const ITEM: Item = Item {
    id: "c45-rules",
    title: "production rules of broadcast on Grig, next to the trees",
    about: "The paper says that C4.5 states its models as decision trees or as production rules, and shows only trees. These rules are those of Quinlan's \
            book (1993, chapter 5): one for each leaf of the tree before pruning, without the conditions that it does not need, of which each class keeps \
            the subset with the shortest description. The first rule that holds decides. The map is that of `c45-table-3`, and the settings are those of its sweep.",
    make,
};

fn make() -> Result<Shown, String> {
    let [bcast, _] = maps()?;
    let sizes = [
        "tree before pruning: leaves",
        "errors",
        "tree after pruning: leaves",
        "errors",
        "penalty %: mean",
        "rules",
        "conditions",
        "errors",
    ];
    let mut table = Table::new(["-m", "-c"].into_iter().chain(sizes).chain(PENALTIES).map(Column::number));
    let mut series = ["trees, by leaves", "rules, by rules"].map(|name| (name.to_owned(), Vec::new()));
    let mut smallest = String::new();
    for setting in sweep() {
        let (tree, report, rules) =
            (tree(&bcast, setting)?, report(&bcast, setting)?, rules(&bcast, setting)?);
        let penalty = Penalty::from_decisions(&rules.decisions, &bcast);
        let of = |part: fn(&Penalty) -> f64| number(penalty.as_ref().map(part), 2);
        let [_, _, of_tree, _] = penalties(&tree);
        series[0].1.push((report.after.leaves as f64, mean_penalty(&tree)));
        series[1].1.extend(penalty.as_ref().map(|penalty| (rules.rules as f64, penalty.mean)));
        let counts = [report.before.leaves, report.before.errors, report.after.leaves, report.after.errors];
        let cells = [setting.0.to_string(), setting.1.to_string()].into_iter();
        let cells = cells.chain(counts.map(|count| count.to_string())).chain([of_tree]);
        let of_rules = [rules.rules, rules.conditions, rules.errors].map(|count| count.to_string());
        let of_penalty = [of(|own| own.min), of(|own| own.max), of(|own| own.mean), of(|own| own.median)];
        table.row(cells.chain(of_rules).chain(of_penalty));
        smallest = rules.text;
    }
    for (_, points) in &mut series {
        points.sort_by(|(one, _), (other, _)| one.total_cmp(other));
    }
    let picture = picture::mean_penalties("broadcast on Grig, simulated", "leaves or rules", &series);
    let shown = Shown::table(table).and_picture("Mean penalty of trees and rules", picture);
    Ok(shown.and_text("The rules of -m 40 -c 5: the first one that holds decides", smallest))
}
