//! Canonical times as a value.

use std::collections::{BTreeMap, BTreeSet};

use indexmap::IndexSet;
use qtdec_core::{Basis, Problem};

use crate::header::Header;
use crate::jobs::Jobs;
use crate::statistic::Statistic;

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
    pub(crate) header: Header,
    pub(crate) methods: IndexSet<Method>,
    /// The numbers of the methods of collectives that have them in another order.
    pub(crate) orders: BTreeMap<String, Vec<u32>>,
    pub(crate) launches: IndexSet<String>,
    pub(crate) jobs: Jobs,
    pub(crate) series: IndexSet<Series>,
    pub(crate) rows: Vec<Row>,
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

    /// Returns the numbers of the methods that a collective has, or the times that name none, in their order.
    pub fn methods_of(&self, collective: Option<&str>) -> Vec<u32> {
        if let Some(order) = collective.and_then(|name| self.orders.get(name)) {
            return order.clone();
        }
        let own = self.series.iter().filter(|series| series.collective.as_deref() == collective);
        let own: BTreeSet<u32> = own.map(|series| series.method).collect();
        own.into_iter().collect()
    }

    /// Returns each collective once, first `None` for the times that name none.
    pub fn collectives(&self) -> BTreeSet<Option<&str>> {
        self.series.iter().map(|series| series.collective.as_deref()).collect()
    }

    /// Returns the names of the launches in their order; empty for the launch of the times that name none.
    pub fn launches(&self) -> impl ExactSizeIterator<Item = &str> {
        self.launches.iter().map(String::as_str)
    }

    /// Returns the jobs of the launches.
    pub fn jobs(&self) -> &Jobs {
        &self.jobs
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
