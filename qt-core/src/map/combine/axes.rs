//! The axes of a combined map, and those of each map among them.

use super::Named;
use crate::domain::{Axis, Samples};
use crate::problem::{Diagnostics, Place, Problem};

/// Returns the axis of the names, followed by the axes of the map with the most, with the sizes of all maps. The second value has, for
/// each map, the positions of its axes among these.
pub(super) fn axes(axis: &str, maps: &[Named<'_>], check: &mut Diagnostics) -> (Vec<Axis>, Vec<Vec<usize>>) {
    let labels = Samples::Labels(maps.iter().map(|named| named.name.to_owned()).collect());
    let mut axes = vec![Axis { samples: labels, ..Axis::new(axis, []) }];
    // The first of those with the most axes.
    let Some(most) = maps.iter().rev().max_by_key(|named| named.map.domain().axes().len()) else {
        return (axes, Vec::new());
    };
    axes.extend(most.map.domain().axes().iter().cloned());
    let mut positions = Vec::new();
    for Named { name, map } in maps {
        let own = map.domain().axes();
        let Some(found) = positions_of(own, &axes) else {
            let message = format!("the axes of `{}` and `{name}` differ", most.name);
            let help = "use the same names, units, bases and labels in the same order; only the sizes may \
                 differ, and an axis that no decision of a map depends on may be missing from it";
            check.add(Problem::new(Place::File, message).help(help));
            continue;
        };
        for (&position, own) in found.iter().zip(own) {
            add_sizes(&mut axes[position].samples, &own.samples);
        }
        positions.push(found);
    }
    (axes, positions)
}

/// Returns the positions of the axes of a map among those of all, in their order; `None` if one of them is not there.
fn positions_of(own: &[Axis], axes: &[Axis]) -> Option<Vec<usize>> {
    let mut from = 1;
    let position = |own: &Axis| {
        let found = from + axes[from..].iter().position(|axis| is_compatible(axis, own))?;
        from = found + 1;
        Some(found)
    };
    own.iter().map(position).collect()
}

fn is_compatible(one: &Axis, other: &Axis) -> bool {
    (&one.name, &one.unit, one.basis) == (&other.name, &other.unit, other.basis)
        && match (&one.samples, &other.samples) {
            (Samples::Labels(one), Samples::Labels(other)) => one == other,
            (Samples::Values(_), Samples::Values(_)) => true,
            _ => false,
        }
}

fn add_sizes(samples: &mut Samples, own: &Samples) {
    if let (Samples::Values(values), Samples::Values(own)) = (samples, own) {
        values.extend(own);
        values.sort_unstable();
        values.dedup();
    }
}
