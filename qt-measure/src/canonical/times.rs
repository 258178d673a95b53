//! Canonical times as a value.

use indexmap::IndexSet;
use qtdec_core::{Basis, Problem};

use super::header::Header;
use crate::measurements::Statistic;

/// A method: its name with the values of all parameters.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Method {
    /// The name of the algorithm.
    pub name: String,
    /// The value of each parameter of the header; empty where the method does not have it.
    pub values: Vec<String>,
}

/// The method, collective and sizes that a time belongs to.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Series {
    /// The collective, by MPI's name in lower case, if it is known.
    pub collective: Option<String>,
    /// The bytes that message sizes count, if it is known.
    pub basis: Option<Basis>,
    /// The size on each axis.
    pub sizes: Vec<u64>,
    /// The number of the method.
    pub method: u32,
}

/// One time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Row {
    /// The time.
    pub time: f64,
    /// The number of the series.
    pub series: u32,
    /// The number of the launch.
    pub launch: u32,
    /// The number of the program within its launch, from 1 on; 0 if it is not known. The first repeats of a program are often slower.
    pub process: u32,
    /// What the time is.
    pub sample: Sample,
}

/// What a time is. The variants are complete: a time is measured or computed from measured times.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Sample {
    /// The time of the repeat with this number.
    Repeat(u32),
    /// A statistic of repeats that are not available.
    Statistic(Statistic),
}

/// The content of a file. Methods, launches, series and rows are in canonical order and used, no two rows have the same place, and
/// every text can be written.
#[derive(Clone, Debug, PartialEq)]
pub struct Times {
    pub(super) header: Header,
    pub(super) methods: IndexSet<Method>,
    pub(super) launches: IndexSet<String>,
    pub(super) series: IndexSet<Series>,
    pub(super) rows: Vec<Row>,
}

impl Times {
    /// Returns the declarations.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// Returns the times with a further value of a key.
    ///
    /// # Errors
    ///
    /// Fails for a key or value that a file cannot hold, and for a second machine or library.
    pub fn describe(mut self, key: &str, value: &str) -> Result<Self, Problem> {
        self.header.about.add(key, value)?;
        Ok(self)
    }

    /// Returns the methods in their order.
    pub fn methods(&self) -> impl ExactSizeIterator<Item = &Method> {
        self.methods.iter()
    }

    /// Returns the names of the launches in their order; empty for the launch of the times that name none.
    pub fn launches(&self) -> impl ExactSizeIterator<Item = &str> {
        self.launches.iter().map(String::as_str)
    }

    /// Returns the series in their order.
    pub fn series(&self) -> impl ExactSizeIterator<Item = &Series> {
        self.series.iter()
    }

    /// Returns the rows in their order.
    pub fn rows(&self) -> &[Row] {
        &self.rows
    }
}
