//! What a decision is about: the axes of the grid and the methods to choose from.
//!
//! A map and the trees made from it speak of the same [`Domain`].

mod axis;
mod method;
mod read;
mod requirement;
mod truth;
mod write;

use std::collections::HashMap;

pub use axis::{Axis, Basis, Samples};
pub use method::{Method, MethodIndex};
pub use requirement::Requirement;

use crate::problem::{Diagnostics, Path, Place, Problem, Problems};
use crate::shape::Shape;

/// The most axes a domain may have: an octree is as far as the papers go.
pub const MAX_AXES: usize = 3;

/// The most samples an axis may have.
pub const MAX_SAMPLES: usize = 1 << 16;

/// The most cells a grid may have: as many as a file can hold.
pub const MAX_CELLS: usize = 1 << 26;

/// The axes, the methods and, for MPI, the collective: checked once, valid ever after.
///
/// An index into [`axes`](Self::axes) or [`methods`](Self::methods) that the crate hands out is always in range.
#[derive(Clone, Debug, PartialEq)]
pub struct Domain {
    collective: Option<String>,
    axes: Vec<Axis>,
    methods: Vec<Method>,
}

impl Domain {
    /// Checks the parts and puts them together.
    ///
    /// # Errors
    ///
    /// All that is wrong with them: an axis that is empty, too long or does not increase, a name that is no
    /// identifier or stands twice, no methods or two that are alike.
    pub fn new(collective: Option<String>, axes: Vec<Axis>, methods: Vec<Method>) -> Result<Self, Problems> {
        let mut check = Diagnostics::default();
        check_axes(&axes, &mut check);
        check_methods(&methods, &mut check);
        check.finish(Some(Self { collective, axes, methods }))
    }

    /// The MPI collective by MPI's name in lower case, if the decision is about one.
    pub fn collective(&self) -> Option<&str> {
        self.collective.as_deref()
    }

    /// The axes of the grid: one to three.
    pub fn axes(&self) -> &[Axis] {
        &self.axes
    }

    /// The methods, at least one.
    pub fn methods(&self) -> &[Method] {
        &self.methods
    }

    /// The method at an index of this domain.
    pub fn method(&self, index: MethodIndex) -> &Method {
        &self.methods[index.get()]
    }

    /// The index of the method that goes by `label`.
    pub fn find_method(&self, label: &str) -> Option<MethodIndex> {
        self.methods.iter().position(|method| method.label() == label).map(MethodIndex::new)
    }

    /// The methods that require nothing.
    pub fn unconditional_methods(&self) -> impl Iterator<Item = MethodIndex> {
        self.method_indexes().filter(|method| self.method(*method).requires.is_empty())
    }

    /// The indexes of all methods.
    pub fn method_indexes(&self) -> impl ExactSizeIterator<Item = MethodIndex> + use<> {
        (0..self.methods.len()).map(MethodIndex::new)
    }

    /// Whether a method may run in a call of these sizes, as far as they tell. A label is given by its position.
    ///
    /// # Panics
    ///
    /// If there is not one size for each axis.
    pub fn may_run(&self, method: MethodIndex, sizes: &[u64]) -> bool {
        assert_eq!(sizes.len(), self.axes.len(), "one size for each axis");
        self.method(method).requires.iter().all(|requirement| requirement.holds(&self.axes, sizes))
    }

    /// The position of the axis of this name.
    pub fn find_axis(&self, name: &str) -> Option<usize> {
        self.axes.iter().position(|axis| axis.name == name)
    }

    /// The number of cells of the grid.
    pub fn cells(&self) -> usize {
        self.axes.iter().map(Axis::len).product()
    }

    /// The size on each axis at a cell of the grid, row-major; a label's size is its position.
    pub fn sizes(&self, cell: usize) -> Vec<u64> {
        let samples = Shape::new(self.shape()).samples(cell);
        let size =
            |(axis, sample): (&Axis, usize)| axis.values().map_or(sample as u64, |values| values[sample]);
        self.axes.iter().zip(samples).map(size).collect()
    }

    /// The number of samples along each axis.
    pub fn shape(&self) -> Vec<usize> {
        self.axes.iter().map(Axis::len).collect()
    }
}

fn check_axes(axes: &[Axis], check: &mut Diagnostics) {
    let path = Path::root().key("axes");
    if axes.is_empty() || axes.len() > MAX_AXES {
        check
            .add(Problem::new(path.clone(), format!("{} axes: there must be one, two or three", axes.len())));
    }
    let cells = axes.iter().map(|axis| axis.len() as u128).product::<u128>();
    if cells > MAX_CELLS as u128 {
        let problem =
            Problem::new(path.clone(), format!("a grid of {cells} cells: the most are {MAX_CELLS}"));
        check.add(problem.help("sample the axes at fewer sizes, or make several maps"));
    }
    for (index, axis) in axes.iter().enumerate() {
        axis.check(&path.index(index), check);
        if axes[..index].iter().any(|other| other.name == axis.name) {
            let problem =
                Problem::new(path.index(index).key("name"), format!("two axes are called `{}`", axis.name));
            check.add(problem.help("a function takes one parameter for each axis, by its name"));
        }
    }
}

fn check_methods(methods: &[Method], check: &mut Diagnostics) {
    let path = Path::root().key("methods");
    if methods.is_empty() {
        check.add(Problem::new(path.clone(), "there are no methods to choose from"));
    }
    if methods.len() > MethodIndex::MAX_METHODS {
        let message =
            format!("{} methods: the most that fit are {}", methods.len(), MethodIndex::MAX_METHODS);
        check.add(Problem::new(path.clone(), message));
    }
    let mut labels = HashMap::new();
    for (index, method) in methods.iter().enumerate() {
        method.check(&path.index(index), check);
        if let Some(first) = labels.insert(method.label(), index) {
            check.add_with(|| {
                let message = format!("`methods[{index}]` is `{}`, like `methods[{first}]`", method.label());
                Problem::new(Place::At(path.index(index)), message)
                    .help("a method is known by its name and segment size: make them differ")
            });
        }
    }
}
