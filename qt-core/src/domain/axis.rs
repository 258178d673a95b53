//! One axis of the grid.

use std::collections::HashMap;

use super::MAX_SAMPLES;
use crate::borders::Borders;
use crate::listing::name_of;
use crate::problem::{Diagnostics, Path, Problem};

/// One axis of the grid, such as the communicator size.
///
/// ```
/// use qtdec_core::{Axis, Basis, Samples};
///
/// let sizes = Axis { basis: Some(Basis::Buffer), ..Axis::new("msg_size", [1, 1024]) };
/// let orders = ["random", "sorted"].map(str::to_owned).to_vec();
/// let order = Axis { samples: Samples::Labels(orders), ..Axis::new("order", []) };
/// assert_eq!((sizes.len(), order.len()), (2, 2));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Axis {
    /// The name, an identifier that is matched to the parameters of functions.
    pub name: String,
    /// The unit of the values, such as `bytes`; for display.
    pub unit: Option<String>,
    /// The basis of a message size.
    pub basis: Option<Basis>,
    /// The samples of the axis.
    pub samples: Samples,
}

/// The samples of an axis.
///
/// The variants are complete: an axis has sizes or labels.
///
/// ```
/// use qtdec_core::{Axis, Samples};
///
/// assert_eq!(Axis::new("rows", [1, 16]).samples, Samples::Values(vec![1, 16]));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Samples {
    /// Sizes in increasing order, at least one.
    Values(Vec<u64>),
    /// Names of a discrete attribute, at least two. They are given by a `bool` or by an enum of the user's.
    Labels(Vec<String>),
}

/// The basis of a message size: which bytes it counts.
///
/// The variants are complete: a new basis would need a new version of the file format.
///
/// ```
/// use qtdec_core::Basis;
///
/// assert_eq!(Basis::ALL.map(|(name, _)| name), ["block", "buffer", "total"]);
/// assert_eq!(Basis::Block.name(), "block");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Basis {
    /// Bytes per peer: alltoall, allgather, gather, scatter, `reduce_scatter_block`.
    Block,
    /// Count × size of the whole buffer: bcast, reduce, allreduce.
    Buffer,
    /// Communicator size × block.
    Total,
}

impl Basis {
    /// All bases, with their names in files.
    pub const ALL: [(&'static str, Self); 3] =
        [("block", Self::Block), ("buffer", Self::Buffer), ("total", Self::Total)];

    /// Returns the name in a file.
    pub fn name(self) -> &'static str {
        name_of(&self, &Self::ALL)
    }
}

impl Axis {
    /// Creates an axis with samples at `values`.
    pub fn new(name: impl Into<String>, values: impl Into<Vec<u64>>) -> Self {
        Self { name: name.into(), unit: None, basis: None, samples: Samples::Values(values.into()) }
    }

    /// Creates an axis with labels, in their order.
    ///
    /// ```
    /// use qtdec_core::Axis;
    ///
    /// assert_eq!(Axis::labelled("order", ["random", "sorted"]).sample(1), "sorted");
    /// ```
    pub fn labelled<L: Into<String>>(name: impl Into<String>, labels: impl IntoIterator<Item = L>) -> Self {
        let labels = labels.into_iter().map(Into::into).collect();
        Self { name: name.into(), unit: None, basis: None, samples: Samples::Labels(labels) }
    }

    /// Returns the number of samples.
    pub fn len(&self) -> usize {
        match &self.samples {
            Samples::Values(values) => values.len(),
            Samples::Labels(labels) => labels.len(),
        }
    }

    /// Returns whether there are no samples, which is never the case for an axis of a [`Domain`](super::Domain).
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the sizes; `None` for a labelled axis.
    pub fn values(&self) -> Option<&[u64]> {
        match &self.samples {
            Samples::Values(values) => Some(values),
            Samples::Labels(_) => None,
        }
    }

    /// Returns the sample at `index` for display.
    pub fn sample(&self, index: usize) -> String {
        match &self.samples {
            Samples::Values(values) => values[index].to_string(),
            Samples::Labels(labels) => labels[index].clone(),
        }
    }

    /// Returns the smallest size that belongs to the sample `at`, which must not be the first. On a labelled axis, the size of a label
    /// is its position.
    pub fn threshold(&self, at: usize, borders: Borders) -> u64 {
        match &self.samples {
            Samples::Values(values) => borders.between(values[at - 1], values[at]),
            Samples::Labels(_) => at as u64,
        }
    }

    /// Returns the sample that a size belongs to: the first for all smaller sizes, the last for all larger ones.
    pub fn sample_of(&self, size: u64, borders: Borders) -> usize {
        self.sample_below(size, |at| self.threshold(at, borders))
    }

    /// Returns the sample that a size belongs to, by the least size of every sample but the first.
    pub(crate) fn sample_below(&self, size: u64, threshold: impl Fn(usize) -> u64) -> usize {
        let (mut lowest, mut highest) = (0, self.len() - 1);
        while lowest < highest {
            let middle = lowest + (highest - lowest).div_ceil(2);
            if size < threshold(middle) {
                highest = middle - 1;
            } else {
                lowest = middle;
            }
        }
        lowest
    }

    pub(super) fn check(&self, path: &Path, check: &mut Diagnostics) {
        if !crate::naming::is_identifier(&self.name) {
            check.add(
                Problem::new(path.key("name"), format!("`{}` cannot be the name of a parameter", self.name))
                    .help("use letters, digits and `_`, begin with a letter, and avoid Rust keywords"),
            );
        }
        let (key, few) = match &self.samples {
            Samples::Values(values) => {
                check_increasing(values, path, check);
                ("values", values.is_empty().then_some("has no values"))
            }
            Samples::Labels(labels) => {
                check_distinct(labels, path, check);
                ("labels", (labels.len() < 2).then_some("needs at least two labels"))
            }
        };
        if let Some(few) = few {
            check.add(Problem::new(path.key(key), format!("axis `{}` {few}", self.name)));
        }
        if self.len() > MAX_SAMPLES {
            let message =
                format!("axis `{}` has {} {key}, and the maximum is {MAX_SAMPLES}", self.name, self.len());
            check.add(Problem::new(path.key(key), message));
        }
    }
}

fn check_increasing(values: &[u64], path: &Path, check: &mut Diagnostics) {
    for (index, pair) in values.windows(2).enumerate() {
        if pair[0] >= pair[1] {
            check.add_with(|| {
                let message = format!("`values` must increase: {} comes after {}", pair[1], pair[0]);
                Problem::new(path.key("values").index(index + 1), message)
                    .help("sort the values, and the entries of `cells` with them")
            });
        }
    }
}

fn check_distinct(labels: &[String], path: &Path, check: &mut Diagnostics) {
    let mut seen: HashMap<String, usize> = HashMap::new();
    for (index, label) in labels.iter().enumerate() {
        let fault = match label.as_str() {
            "" => "is empty",
            label if label.contains(char::is_control) => "contains a control character",
            _ if seen.insert(label.clone(), index).is_some() => "occurs twice",
            _ => continue,
        };
        check.add_with(|| {
            Problem::new(
                path.key("labels").index(index),
                format!("the label `{}` {fault}", label.escape_debug()),
            )
        });
    }
}
