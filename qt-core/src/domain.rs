//! The domain of a decision: the axes of the grid and the methods to choose from.
//!
//! A map and the trees made from it share the same [`Domain`].

mod axis;
mod method;
mod read;
mod requirement;
mod truth;
#[cfg(feature = "tools")]
mod write;

use std::collections::HashMap;

pub use axis::{Axis, Basis, Samples};
pub use method::{Method, MethodIndex};
pub use requirement::Requirement;

use crate::problem::{Diagnostics, Path, Place, Problem, Problems};
use crate::shape::Shape;

/// The maximum number of axes. The papers go no further than octrees.
pub const MAX_AXES: usize = 3;

/// The maximum number of samples on an axis.
pub const MAX_SAMPLES: usize = 1 << 16;

/// The maximum number of cells in a grid, which is as many as a file can hold.
pub const MAX_CELLS: usize = 1 << 26;

/// The axes, the methods and, for MPI, the collective. A domain is checked once, when it is created.
///
/// Every index into [`axes`](Self::axes) or [`methods`](Self::methods) that the crate returns is in range.
///
/// ```
/// use qtdec_core::{Axis, Domain, Method};
///
/// let axes = vec![Axis::new("rows", [1, 16, 256]), Axis::new("columns", [1, 16])];
/// let domain = Domain::new(None, axes, vec![Method::new("simple"), Method::new("blocked")])?;
/// assert_eq!(domain.cells(), 6);
/// assert_eq!(domain.sizes(3), [16, 16]);
/// # Ok::<(), qtdec_core::Problems>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Domain {
    collective: Option<String>,
    axes: Vec<Axis>,
    methods: Vec<Method>,
}

impl Domain {
    /// Creates a domain from its parts.
    ///
    /// # Errors
    ///
    /// Returns everything that is wrong with the parts: an axis that is empty, too long or not increasing, a name that is not an
    /// identifier or is repeated, no methods, or two methods that are equal.
    pub fn new(collective: Option<String>, axes: Vec<Axis>, methods: Vec<Method>) -> Result<Self, Problems> {
        let mut check = Diagnostics::default();
        check_axes(&axes, &mut check);
        check_methods(&methods, &mut check);
        check.finish(Some(Self { collective, axes, methods }))
    }

    /// Returns MPI's name of the collective in lower case, if the decision is about one.
    pub fn collective(&self) -> Option<&str> {
        self.collective.as_deref()
    }

    /// Returns the axes of the grid: one to three.
    pub fn axes(&self) -> &[Axis] {
        &self.axes
    }

    /// Returns the methods: at least one.
    pub fn methods(&self) -> &[Method] {
        &self.methods
    }

    /// Returns the method at an index of this domain.
    pub fn method(&self, index: MethodIndex) -> &Method {
        &self.methods[index.get()]
    }

    /// Returns the index of the method with this label.
    pub fn find_method(&self, label: &str) -> Option<MethodIndex> {
        self.methods.iter().position(|method| method.label() == label).map(MethodIndex::new)
    }

    /// Returns the baseline: the first method that is marked as one.
    pub fn baseline(&self) -> Option<MethodIndex> {
        self.method_indexes().find(|&method| self.method(method).baseline)
    }

    /// Returns the methods without requirements, apart from a baseline that is never chosen.
    pub fn unconditional_methods(&self) -> impl Iterator<Item = MethodIndex> {
        let is_choosable = |method: &Method| method.requires.is_empty() && !method.is_never_chosen();
        self.method_indexes().filter(move |method| is_choosable(self.method(*method)))
    }

    /// Returns the methods that the next decisions may have too: all but a baseline that is never chosen, unless it is among those that
    /// are `chosen`.
    pub fn choosable_methods(&self, chosen: &[MethodIndex]) -> impl Iterator<Item = MethodIndex> {
        self.method_indexes()
            .filter(move |method| !self.method(*method).is_never_chosen() || chosen.contains(method))
    }

    /// Returns the indexes of all methods.
    pub fn method_indexes(&self) -> impl ExactSizeIterator<Item = MethodIndex> + use<> {
        (0..self.methods.len()).map(MethodIndex::new)
    }

    /// Returns whether a method may run in a call of these sizes, as far as the sizes determine it. A label is given by its position.
    ///
    /// # Panics
    ///
    /// Panics if there is not one size for each axis.
    pub fn may_run(&self, method: MethodIndex, sizes: &[u64]) -> bool {
        assert_eq!(sizes.len(), self.axes.len(), "one size for each axis");
        self.method(method).requires.iter().all(|requirement| requirement.holds(&self.axes, sizes))
    }

    /// Returns the position of the axis with this name.
    pub fn find_axis(&self, name: &str) -> Option<usize> {
        self.axes.iter().position(|axis| axis.name == name)
    }

    /// Returns the number of cells of the grid.
    pub fn cells(&self) -> usize {
        self.axes.iter().map(Axis::len).product()
    }

    /// Returns the size on each axis at a row-major cell of the grid. The size of a label is its position.
    pub fn sizes(&self, cell: usize) -> Vec<u64> {
        let samples = Shape::new(self.shape()).samples(cell);
        let size =
            |(axis, sample): (&Axis, usize)| axis.values().map_or(sample as u64, |values| values[sample]);
        self.axes.iter().zip(samples).map(size).collect()
    }

    /// Returns the sizes and labels at a cell as text: `comm_size=64 order=sorted`.
    pub fn place(&self, cell: usize) -> String {
        let samples = self.axes.iter().zip(Shape::new(self.shape()).samples(cell));
        let places = samples.map(|(axis, sample)| format!("{}={}", axis.name, axis.sample(sample)));
        places.collect::<Vec<_>>().join(" ")
    }

    /// Returns the number of samples on each axis.
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
            Problem::new(path.clone(), format!("the grid has {cells} cells, and the maximum is {MAX_CELLS}"));
        check.add(problem.help("sample the axes at fewer sizes, or make several maps"));
    }
    for (index, axis) in axes.iter().enumerate() {
        axis.check(&path.index(index), check);
        if axes[..index].iter().any(|other| other.name == axis.name) {
            let problem = Problem::new(
                path.index(index).key("name"),
                format!("two axes have the name `{}`", axis.name),
            );
            check.add(problem.help("rename one of them: each axis becomes a parameter of the function"));
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
            format!("the map has {} methods, and the maximum is {}", methods.len(), MethodIndex::MAX_METHODS);
        check.add(Problem::new(path.clone(), message));
    }
    let mut labels = HashMap::new();
    for (index, method) in methods.iter().enumerate() {
        method.check(&path.index(index), check);
        if let Some(first) = labels.insert(method.label(), index) {
            check.add_with(|| {
                let message =
                    format!("`methods[{index}]` is `{}`, the same as `methods[{first}]`", method.label());
                Problem::new(Place::At(path.index(index)), message)
                    .help("methods are distinguished by name and segment size: change one of them")
            });
        }
    }
}
