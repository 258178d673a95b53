//! The layout of a tree: subtrees as close to each other as possible, parents centred over their children.
//!
//! After Reingold and Tilford, "Tidier drawings of trees", IEEE Transactions on Software Engineering 7, 1981.

use qtdec_mpi_schedule::DeliveryTree;

use crate::pictures::sheet::Point;

/// The distance between neighbours on one level, and between levels, in pixels.
const NEIGHBOURS: f64 = 28.0;
const LEVELS: f64 = 48.0;

/// The positions of the ranks, from the left and from the top.
pub(super) struct Layout {
    pub(super) places: Vec<Point>,
    pub(super) width: i32,
    pub(super) height: i32,
}

impl Layout {
    /// Lays out a tree with its root at the top, or at the left if it is a few long chains.
    pub(super) fn new(tree: &DeliveryTree) -> Self {
        let mut children = tree.children();
        // Rails serve children simultaneously, so the order of the ranks is as good as any.
        if tree.arrivals.iter().flatten().any(|arrival| arrival.rail > 0) {
            for children in &mut children {
                children.sort_unstable();
            }
        }
        let root = tree.arrivals.iter().position(Option::is_none).unwrap_or_default();
        let order = levels(&children, root);
        let shifts = shifts(&children, &order);
        let mut places = vec![(0.0, 0.0); children.len()];
        for &rank in &order {
            let (across, level) = places[rank];
            for &child in &children[rank] {
                places[child as usize] = (across + shifts[child as usize], level + 1.0);
            }
        }
        let least = places.iter().map(|place| place.0).fold(f64::INFINITY, f64::min);
        let breadth = places.iter().map(|place| place.0 - least).fold(0.0, f64::max);
        let depth = places.iter().map(|place| place.1).fold(0.0, f64::max);
        let is_deep = depth > 2.0 * breadth;
        let turned = |(across, along): (f64, f64)| {
            let (across, along) = ((across * NEIGHBOURS).round() as i32, (along * LEVELS).round() as i32);
            if is_deep { (along, across) } else { (across, along) }
        };
        let (width, height) = turned((breadth, depth));
        Self {
            places: places.into_iter().map(|(across, level)| turned((across - least, level))).collect(),
            width,
            height,
        }
    }
}

fn levels(children: &[Vec<u32>], root: usize) -> Vec<usize> {
    let mut order = vec![root];
    let mut at = 0;
    while let Some(&rank) = order.get(at) {
        order.extend(children[rank].iter().map(|&child| child as usize));
        at += 1;
    }
    order
}

/// Returns the offset of each rank to the right of its parent, in distances of neighbours.
fn shifts(children: &[Vec<u32>], order: &[usize]) -> Vec<f64> {
    let mut shifts = vec![0.0; children.len()];
    // The horizontal extent of each subtree, level by level, relative to its root.
    let mut outlines: Vec<Vec<(f64, f64)>> = vec![Vec::new(); children.len()];
    for &rank in order.iter().rev() {
        let mut joined: Vec<(f64, f64)> = Vec::new();
        for &child in &children[rank] {
            let outline = std::mem::take(&mut outlines[child as usize]);
            let apart = joined.iter().zip(&outline).map(|(left, right)| left.1 + 1.0 - right.0);
            let shift = apart.reduce(f64::max).unwrap_or(0.0);
            shifts[child as usize] = shift;
            for (level, (from, to)) in outline.into_iter().enumerate() {
                match joined.get_mut(level) {
                    Some(known) => known.1 = to + shift,
                    None => joined.push((from + shift, to + shift)),
                }
            }
        }
        if let (Some(&first), Some(&last)) = (children[rank].first(), children[rank].last()) {
            let middle = f64::midpoint(shifts[first as usize], shifts[last as usize]);
            for &child in &children[rank] {
                shifts[child as usize] -= middle;
            }
            for level in &mut joined {
                *level = (level.0 - middle, level.1 - middle);
            }
        }
        joined.insert(0, (0.0, 0.0));
        outlines[rank] = joined;
    }
    shifts
}
