//! One point of the grid.

use std::ops::Index;
use std::rc::Rc;

use qtdec_core::{Axis, Samples};

/// A point of the grid: a size or a label on every axis.
#[derive(Clone, Debug)]
pub struct Point {
    axes: Rc<[Axis]>,
    sizes: Vec<u64>,
}

impl Point {
    pub(crate) fn new(axes: &Rc<[Axis]>, sizes: Vec<u64>) -> Self {
        Self { axes: Rc::clone(axes), sizes }
    }

    /// Returns the size on each axis; on a labelled axis, the position of the label.
    pub fn sizes(&self) -> &[u64] {
        &self.sizes
    }

    /// Returns the label on an axis.
    ///
    /// # Panics
    ///
    /// Panics if there is no labelled axis of this name.
    pub fn label(&self, axis: &str) -> &str {
        match &self.axes[self.position(axis)].samples {
            Samples::Labels(labels) => &labels[self.sizes[self.position(axis)] as usize],
            Samples::Values(_) => panic!("the axis `{axis}` has sizes: write `point[\"{axis}\"]`"),
        }
    }

    fn position(&self, axis: &str) -> usize {
        self.axes.iter().position(|known| known.name == axis).unwrap_or_else(|| {
            let names: Vec<&str> = self.axes.iter().map(|axis| &*axis.name).collect();
            panic!("there is no axis `{axis}`: the axes are {}", names.join(", "))
        })
    }

    /// Returns the name of the point, as in `len=16,order=sorted`.
    pub(crate) fn name(&self) -> String {
        let sizes = self.axes.iter().zip(&self.sizes).map(|(axis, size)| match &axis.samples {
            Samples::Values(_) => format!("{}={size}", axis.name),
            Samples::Labels(labels) => format!("{}={}", axis.name, labels[*size as usize]),
        });
        sizes.collect::<Vec<_>>().join(",")
    }
}

/// Returns the size on the axis of this name, or the position of its label. Panics if there is no such axis.
impl Index<&str> for Point {
    type Output = u64;

    fn index(&self, axis: &str) -> &u64 {
        &self.sizes[self.position(axis)]
    }
}
