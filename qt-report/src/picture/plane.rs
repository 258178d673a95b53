//! The plane of a decision map: two of its axes, with the positions of their samples and borders.

use std::ops::Range;

use qtdec_core::naming::binary_size;
use qtdec_core::{Axis, Basis, Borders, DecisionTree, Domain, Samples};

use super::Scale;
use super::ticks::{Direction, Sample, ticks};

/// The two axes of a picture, and the samples selected on any other axes.
#[derive(Clone, Debug)]
pub struct Plane {
    shape: Vec<usize>,
    x: usize,
    /// The vertical axis, or `None` for a map of one axis.
    y: Option<usize>,
    /// The axes that are not drawn, and their samples.
    at: Vec<(usize, usize)>,
    right: Side,
    up: Side,
}

/// The samples along one side of the plane.
#[derive(Clone, Debug)]
struct Side {
    /// The edges of the samples: one more than there are samples.
    edges: Vec<f64>,
    /// The positions of the samples.
    positions: Vec<f64>,
    /// The samples' labels.
    names: Vec<String>,
    /// The sizes, or `None` for labels.
    sizes: Option<Vec<u64>>,
    title: String,
}

/// The reason why a plane cannot be drawn. The variants are complete.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlaneFault {
    /// A size is given twice, or for an axis that does not exist.
    Axis(String),
    /// An additional axis needs a size.
    Missing(String),
}

impl Plane {
    /// Creates the plane with message sizes to the right and communicator sizes upward, as in the papers; `at` gives sizes on axes
    /// that are not drawn, and labels by position.
    ///
    /// # Errors
    ///
    /// Fails if the sizes do not leave one or two axes.
    pub fn new(domain: &Domain, borders: Borders, at: &[(String, u64)]) -> Result<Self, PlaneFault> {
        Self::with_thresholds(domain, borders, at, |axis, at| domain.axes()[axis].threshold(at, borders))
    }

    /// Creates the plane of a tree like [`new`](Self::new), with the borders where the tree has them.
    ///
    /// # Errors
    ///
    /// Fails if the sizes do not leave one or two axes.
    pub fn of_tree(tree: &DecisionTree, at: &[(String, u64)]) -> Result<Self, PlaneFault> {
        Self::with_thresholds(tree.domain(), tree.borders(), at, |axis, at| tree.threshold(axis, at))
    }

    /// Creates a plane whose samples after the first begin at these sizes.
    fn with_thresholds(
        domain: &Domain,
        borders: Borders,
        at: &[(String, u64)],
        threshold: impl Fn(usize, usize) -> u64,
    ) -> Result<Self, PlaneFault> {
        let axes = domain.axes();
        let mut fixed: Vec<(usize, usize)> = Vec::new();
        for (name, size) in at {
            let axis = domain.find_axis(name).filter(|axis| fixed.iter().all(|(known, _)| known != axis));
            let axis = axis.ok_or_else(|| PlaneFault::Axis(name.clone()))?;
            let from = (1..axes[axis].len()).take_while(|at| threshold(axis, *at) <= *size);
            fixed.push((axis, from.count()));
        }
        let free: Vec<usize> =
            (0..axes.len()).filter(|axis| fixed.iter().all(|(known, _)| known != axis)).collect();
        let Some(&last) = free.last() else { return Err(PlaneFault::Axis(at[0].0.clone())) };
        let named = |name: &str| domain.find_axis(name).filter(|axis| free.contains(axis));
        let x = named("msg_size").unwrap_or(last);
        let y = named("comm_size").or_else(|| free.first().copied()).filter(|&axis| axis != x);
        if let Some(&extra) = free.iter().find(|&&axis| axis != x && Some(axis) != y) {
            return Err(PlaneFault::Missing(axes[extra].name.clone()));
        }
        let right = Side::new(&axes[x], borders, |at| threshold(x, at));
        let up = y.map_or_else(Side::none, |y| Side::new(&axes[y], borders, |at| threshold(y, at)));
        Ok(Self { shape: domain.shape(), x, y, at: fixed, right, up })
    }

    /// Returns the horizontal and the vertical axis.
    pub(crate) fn scales(&self) -> (Scale, Scale) {
        (self.right.scale(Direction::Right { with_axis: self.y.is_some() }), self.up.scale(Direction::Up))
    }

    /// Returns the number of horizontal and vertical samples.
    pub(crate) fn size(&self) -> (usize, usize) {
        (self.right.names.len(), self.up.names.len())
    }

    /// Returns the labels of the horizontal and vertical samples.
    pub(crate) fn names(&self) -> (&[String], &[String]) {
        (&self.right.names, &self.up.names)
    }

    /// Returns the positions of the horizontal samples, if there is no vertical axis.
    pub(super) fn positions(&self) -> Option<&[f64]> {
        self.y.is_none().then_some(&self.right.positions)
    }

    /// Returns the edges of the horizontal and vertical samples.
    pub(crate) fn edges(&self) -> [&[f64]; 2] {
        [&self.right.edges, &self.up.edges]
    }

    /// Returns the places of the horizontal and vertical samples as shares of their sides, or `None` for labels.
    pub(crate) fn samples(&self) -> [Option<Vec<f64>>; 2] {
        [&self.right, &self.up].map(|side| {
            side.sizes.as_ref().map(|_| side.positions.iter().map(|position| side.share(*position)).collect())
        })
    }

    /// Returns the edges of the horizontal and vertical samples where a tree has its borders. Their ends are those of the plane.
    pub(super) fn edges_of(&self, tree: &DecisionTree) -> [Vec<f64>; 2] {
        let of_tree = |side: &Side, axis: usize| {
            let position = position(&tree.domain().axes()[axis]);
            let mut edges = side.edges.clone();
            for (at, edge) in edges.iter_mut().enumerate().take(side.names.len()).skip(1) {
                *edge = position(tree.threshold(axis, at));
            }
            edges
        };
        [of_tree(&self.right, self.x), self.y.map_or_else(|| self.up.edges.clone(), |y| of_tree(&self.up, y))]
    }

    /// Returns the edges of the samples of a tree as shares of the sides.
    pub(crate) fn borders(&self, tree: &DecisionTree) -> [Vec<f64>; 2] {
        let [right, up] = self.edges_of(tree);
        [(&self.right, right), (&self.up, up)]
            .map(|(side, edges)| edges.into_iter().map(|edge| side.share(edge)).collect())
    }

    /// Returns the selected samples on axes that are not drawn, such as `ppn 4`.
    pub(crate) fn selected_samples(&self, domain: &Domain) -> Vec<String> {
        let named = |&(axis, sample): &(usize, usize)| {
            format!("{} {}", domain.axes()[axis].name, domain.axes()[axis].sample(sample))
        };
        self.at.iter().map(named).collect()
    }

    /// Returns the visible cells of the grid, row by row from the bottom.
    pub(crate) fn cells(&self) -> impl Iterator<Item = usize> {
        let (columns, rows) = self.size();
        (0..rows).flat_map(move |y| (0..columns).map(move |x| self.cell(x, y)))
    }

    /// Returns the cell of the grid at these samples of the plane, row-major.
    pub(super) fn cell(&self, x: usize, y: usize) -> usize {
        let sample = |axis: usize| {
            let fixed = self.at.iter().find(|(known, _)| *known == axis).map(|(_, sample)| *sample);
            fixed.unwrap_or(if axis == self.x { x } else { y })
        };
        self.shape.iter().enumerate().fold(0, |cell, (axis, len)| cell * len + sample(axis))
    }

    /// Returns the part of a box of samples in the plane, or `None` if they do not intersect.
    pub(crate) fn section(&self, samples: &[Range<usize>]) -> Option<[Range<usize>; 2]> {
        let meets = self.at.iter().all(|(axis, sample)| samples[*axis].contains(sample));
        let y = self.y.map_or(0..1, |axis| samples[axis].clone());
        meets.then(|| [samples[self.x].clone(), y])
    }

    /// Returns the corners of a box, in positions on the scales.
    pub(super) fn corners(&self, x: &Range<usize>, y: &Range<usize>) -> [(f64, f64); 2] {
        let side = |side: &Side, samples: &Range<usize>| (side.edges[samples.start], side.edges[samples.end]);
        [side(&self.right, x), side(&self.up, y)]
    }
}

impl Side {
    fn new(axis: &Axis, borders: Borders, threshold: impl Fn(usize) -> u64) -> Self {
        let last = axis.len() - 1;
        let (edges, positions): (Vec<f64>, Vec<f64>) = match &axis.samples {
            Samples::Labels(_) => {
                let whole = |label: usize| label as f64;
                let middle = |label: usize| whole(label) + 0.5;
                ((0..=last + 1).map(whole).collect(), (0..=last).map(middle).collect())
            }
            Samples::Values(values) => {
                let position = position(axis);
                let gap =
                    |at: usize| if last == 0 { 1.0 } else { position(values[at]) - position(values[at - 1]) };
                // If borders are half-way, the samples are in the middle of their boxes.
                let share = if borders == Borders::Floor { 0.0 } else { 0.5 };
                let mut edges = vec![position(values[0]) - share * gap(1)];
                edges.extend((1..=last).map(|at| position(threshold(at))));
                edges.push(position(values[last]) + (1.0 - share) * gap(last));
                (edges, values.iter().map(|&value| position(value)).collect())
            }
        };
        let names = (0..=last).map(|sample| name(axis, sample)).collect();
        let sizes = axis.values().map(<[u64]>::to_vec);
        Self { edges, positions, names, sizes, title: title(axis) }
    }

    /// Returns the missing side of a map with one axis.
    fn none() -> Self {
        Self {
            edges: vec![0.0, 1.0],
            positions: vec![0.5],
            names: vec![String::new()],
            sizes: None,
            title: String::new(),
        }
    }

    fn share(&self, position: f64) -> f64 {
        let [from, to] = [self.edges[0], self.edges[self.edges.len() - 1]];
        (position - from) / (to - from)
    }

    fn scale(&self, direction: Direction) -> Scale {
        let samples = self.names.iter().enumerate().map(|(at, name)| Sample {
            position: self.positions[at],
            name,
            size: self.sizes.as_ref().map(|sizes| sizes[at]),
        });
        let samples: Vec<Sample<'_>> = samples.collect();
        let (from, to) = (self.edges[0], self.edges[self.edges.len() - 1]);
        Scale { title: self.title.clone(), from, to, ticks: ticks(&samples, (from, to), direction) }
    }
}

/// Returns what places a size on an axis.
fn position(axis: &Axis) -> fn(u64) -> f64 {
    match axis.values() {
        Some(values) if is_logarithmic(axis, values) => log2,
        _ => |size| size as f64,
    }
}

/// Returns whether an axis is logarithmic. Message sizes are, as in the papers; others are if that spaces samples more evenly.
fn is_logarithmic(axis: &Axis, values: &[u64]) -> bool {
    is_bytes(axis) || values.len() > 2 && unevenness(values, log2) < unevenness(values, |size| size as f64)
}

fn unevenness(values: &[u64], position: fn(u64) -> f64) -> f64 {
    let gaps = values.windows(2).map(|pair| position(pair[1]) - position(pair[0]));
    gaps.clone().fold(0.0, f64::max) / gaps.fold(f64::INFINITY, f64::min)
}

fn is_bytes(axis: &Axis) -> bool {
    axis.name == "msg_size" || axis.unit.as_deref() == Some("bytes")
}

/// Returns the logarithm of a size; that of 0 is one less than that of 1.
fn log2(size: u64) -> f64 {
    (size as f64).max(0.5).log2()
}

fn title(axis: &Axis) -> String {
    let details = [axis.unit.as_deref(), axis.basis.map(Basis::name)];
    let details: Vec<&str> = details.into_iter().flatten().collect();
    if details.is_empty() { axis.name.clone() } else { format!("{} [{}]", axis.name, details.join(", ")) }
}

fn name(axis: &Axis, sample: usize) -> String {
    match axis.values() {
        Some(values) if is_bytes(axis) => binary_size(values[sample]),
        _ => axis.sample(sample),
    }
}

#[cfg(test)]
mod tests {
    use qtdec_core::encode::{self, Quadtree};
    use qtdec_core::{DecisionMap, Method};

    use super::*;
    use crate::picture::{Content, Palette, regions};

    fn domain(axes: Vec<Axis>) -> Domain {
        Domain::new(None, axes, vec![Method::new("a")]).unwrap()
    }

    #[test]
    fn boxes_reach_from_border_to_border() {
        let axes = vec![Axis::new("comm_size", [2, 3, 4]), Axis::new("msg_size", [0, 1, 4, 16])];
        let floor = Plane::new(&domain(axes.clone()), Borders::Floor, &[]).unwrap();
        assert_eq!(floor.right.edges, [-1.0, 0.0, 2.0, 4.0, 6.0]);
        assert_eq!(floor.up.edges, [2.0, 3.0, 4.0, 5.0]);
        let half = Plane::new(&domain(axes), Borders::Geometric, &[]).unwrap();
        assert_eq!(half.right.edges, [-1.5, 0.0, 1.0, 3.0, 5.0]);
    }

    #[test]
    fn the_plane_of_a_tree_has_its_borders() {
        let methods = vec![Method::new("flat"), Method::new("steep")];
        let axes = vec![Axis::new("msg_size", [1, 64, 128])];
        let map =
            DecisionMap::from_costs(axes, methods, |sizes, method| [4.0, sizes[0] as f64][method.get()]);
        let tree = encode::encode(&map.unwrap(), &Quadtree::default(), Borders::Crossing).unwrap();
        let plane = Plane::of_tree(&tree, &[]).unwrap();
        assert_eq!(tree.threshold(0, 1), 4);
        assert_eq!(plane.right.edges[..2], [-3.0, 2.0]);
        // From 0 at the size 1 to 8 behind the last sample, with one border at 4.
        let of_map = Plane::new(tree.domain(), Borders::Floor, &[]).unwrap();
        assert_eq!(of_map.samples(), [Some(vec![0.0, 0.75, 0.875]), None]);
        assert_eq!(of_map.borders(&tree)[0][..2], [0.0, 0.25]);
        let palette = Palette::new(tree.domain());
        for plane in [&plane, &of_map] {
            let panel = regions(&tree, plane, &palette, "", false);
            let Content::Boxes { boxes, .. } = panel.content else { panic!("no boxes") };
            assert_eq!(boxes[0].x.1, 2.0, "the border of the function, on the plane of the map too");
        }
    }

    #[test]
    fn an_additional_axis_is_fixed_at_one_place() {
        let names = ["comm_size", "msg_size", "ppn"];
        let domain = domain(names.map(|name| Axis::new(name, [1, 2, 4])).to_vec());
        let plane = |at: &[(String, u64)]| Plane::new(&domain, Borders::Floor, at);
        assert_eq!(plane(&[]).unwrap_err(), PlaneFault::Missing("ppn".to_owned()));
        assert_eq!(plane(&[("np".to_owned(), 1)]).unwrap_err(), PlaneFault::Axis("np".to_owned()));
        let plane = plane(&[("ppn".to_owned(), 3)]).unwrap();
        assert_eq!(plane.selected_samples(&domain), ["ppn 2"]);
        assert_eq!(plane.cell(2, 0), 2 * 3 + 1);
        assert_eq!(plane.section(&[0..1, 0..3, 1..2]), Some([0..3, 0..1]));
        assert_eq!(plane.section(&[0..1, 0..3, 2..3]), None);
    }
}
