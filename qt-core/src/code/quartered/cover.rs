//! The names of quadrants, and the conditions that hold in several of them.

use crate::tree::Bound;

/// Returns whether a quadrant is below the cut at `place` of a block with so many cuts. The first cut has the highest bit of the number,
/// so that quadrants count NW, NE, SW, SE.
pub(super) fn is_below(quadrant: usize, place: usize, cuts: usize) -> bool {
    quadrant >> (cuts - 1 - place) & 1 == 0
}

/// Returns the name of a quadrant, or of what remains of it where not all axes are cut.
pub(super) fn name(quadrant: usize, cuts: &[Bound], axes: usize) -> String {
    let sides: &[[&str; 2]] =
        if axes == 1 { &[["low", "high"]] } else { &[["N", "S"], ["W", "E"], ["low", "high"]] };
    let mut name = String::new();
    for (place, cut) in cuts.iter().enumerate() {
        let side = sides[cut.axis][usize::from(!is_below(quadrant, place, cuts.len()))];
        if side.len() > 1 && !name.is_empty() {
            name.push(' ');
        }
        name.push_str(side);
    }
    name
}

/// Returns the condition that holds in these quadrants alone, as alternatives of bounds that all hold. Two quadrants that make up a half
/// are one alternative.
pub(super) fn cover(quadrants: &[usize], cuts: &[Bound]) -> Vec<Vec<Bound>> {
    let all = (1 << cuts.len()) - 1;
    // A box has the quadrants that agree with one of its corner in these bits; the largest come first.
    let mut boxes: Vec<(usize, usize)> = (0..=all)
        .rev()
        .flat_map(|bits| {
            (0..=all).filter(move |corner| corner & !bits == 0).map(move |corner| (bits, corner))
        })
        .collect();
    boxes.sort_by_key(|(bits, _)| bits.count_ones());
    let is_in = |quadrant: usize, (bits, corner): (usize, usize)| quadrant & bits == corner;
    boxes.retain(|&one| (0..=all).all(|quadrant| !is_in(quadrant, one) || quadrants.contains(&quadrant)));
    let mut chosen: Vec<(usize, usize)> = Vec::new();
    for one in boxes {
        let is_covered = |quadrant| chosen.iter().any(|other| is_in(quadrant, *other));
        if quadrants.iter().any(|&quadrant| is_in(quadrant, one) && !is_covered(quadrant)) {
            chosen.push(one);
        }
    }
    // The boxes chosen later may cover all of an earlier one.
    for place in (0..chosen.len()).rev() {
        let is_covered = |quadrant: &usize| {
            let others = chosen.iter().enumerate().filter(|(other, _)| *other != place);
            others.into_iter().any(|(_, other)| is_in(*quadrant, *other))
        };
        if quadrants.iter().filter(|quadrant| is_in(**quadrant, chosen[place])).all(is_covered) {
            chosen.remove(place);
        }
    }
    chosen.into_iter().map(|one| bounds(one, cuts)).collect()
}

fn bounds((bits, corner): (usize, usize), cuts: &[Bound]) -> Vec<Bound> {
    let count = cuts.len();
    let cut = cuts.iter().enumerate().filter(|(place, _)| bits >> (count - 1 - place) & 1 == 1);
    cut.map(|(place, cut)| Bound { below: is_below(corner, place, count), ..*cut }).collect()
}
