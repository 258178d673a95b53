//! The sizes of the cuts in a file, where methods cross.

use super::read_cut;
use crate::borders::Borders;
use crate::domain::Domain;
use crate::json::{Object, PlacedValue};
use crate::problem::{Diagnostics, Problem};
use crate::tree::{Cut, FlatTree, Thresholds};

/// Reads the sizes at which the upper sides of cuts begin: those of `cuts` where methods cross, and else those of the rule.
pub(super) fn read_thresholds(
    file: &Object<'_>,
    borders: Borders,
    nodes: &FlatTree,
    domain: &Domain,
    check: &mut Diagnostics,
) -> Option<Thresholds> {
    if borders != Borders::Crossing {
        if let Some(cuts) = file.get("cuts") {
            let problem = Problem::new(cuts.path.clone(), "only borders where methods cross have `cuts`");
            check.add(problem.help("remove `cuts`, or write \"borders\": \"crossing\""));
        }
        return Some(Thresholds::of_rule(borders));
    }
    let list = file.require("cuts", check)?;
    let written = nodes.root().sized_cuts(domain);
    let mut cuts: Vec<Cut> = Vec::new();
    for entry in list.elements(check)? {
        let Some(cut) = read_entry(&entry, domain, check) else { continue };
        let fault = if written.binary_search(&cut.place()).is_err() {
            "no test of the tree has this cut"
        } else if cuts.iter().any(|known| known.place() == cut.place()) {
            "this cut is listed twice"
        } else {
            cuts.push(cut);
            continue;
        };
        check.add(Problem::new(entry.path, fault).help("remove it"));
    }
    let missing = written.into_iter().find(|place| cuts.iter().all(|cut| cut.place() != *place));
    if let Some((axis, at)) = missing {
        let axis = &domain.axes()[axis];
        let message = format!("the tests of `{}` at {} lack a size", axis.name, axis.sample(at));
        return check.refuse(Problem::new(list.path.clone(), message).help(format!(
            "add the smallest size of their upper side, as in [\"{}\", {}, {}]",
            axis.name,
            axis.sample(at),
            axis.threshold(at, Borders::Geometric)
        )));
    }
    Some(Thresholds::of_cuts(cuts))
}

/// Reads `["axis", sample, size]`.
fn read_entry(entry: &PlacedValue<'_>, domain: &Domain, check: &mut Diagnostics) -> Option<Cut> {
    let [axis, sample, size] = entry.parts("write a cut as [\"axis\", sample, size]", check)?;
    let (index, at) = read_cut(&axis, &sample, domain, check)?;
    let Some(values) = domain.axes()[index].values() else {
        let message = format!("`{}` has labels, and no sizes between them", domain.axes()[index].name);
        return check.refuse(Problem::new(entry.path.clone(), message).help("remove it"));
    };
    let (least, lower, upper) = (size.whole(check)?, values[at - 1], values[at]);
    if least <= lower || least > upper {
        let message = format!("{least} is not above {lower} and up to {upper}");
        return check.refuse(
            Problem::new(size.path.clone(), message).help(
                "the upper side of a cut begins between the two samples, at the upper one at the latest",
            ),
        );
    }
    Some(Cut { axis: index, at, size: least })
}
