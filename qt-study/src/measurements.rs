//! Measured times before any choice: the papers' *experimental performance data* (2006 paper, appendix A.1).

mod cleaning;
mod in_units;
mod over_ranks;
mod rebased;
mod series;
mod unit;

pub use cleaning::Cleaning;
pub use over_ranks::RankStatistic;
pub use qtdec_times::{Statistic, TimeUnit};
pub use series::{Repeat, Series};
pub use unit::{Unit, UnrecordedJobs};

use std::collections::{BTreeMap, BTreeSet};

use indexmap::{IndexMap, IndexSet};
use qtdec_core::{Axis, Basis, Method, Place, Problem, Samples};

use qtdec_times::{About, Jobs};

/// An axis along which times were measured.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MeasuredAxis {
    /// The axis's name.
    pub name: String,
    /// The unit of its sizes.
    pub unit: Option<String>,
    /// The basis of a message size.
    pub basis: Option<Basis>,
    /// The labels of an axis that has labels instead of sizes, in their order. A size on it is the position of a label.
    pub labels: Option<Vec<String>>,
}

/// Times of the methods of one collective at points of a grid.
#[derive(Clone, Debug, Default)]
pub struct Measurements {
    /// The collective, by MPI's name in lower case, if known.
    pub collective: Option<String>,
    /// The unit of all times, if known.
    pub unit: Option<TimeUnit>,
    /// The statistic over the ranks of one repeat, if known; `mean or max` if files differ in it.
    pub ranks: Option<String>,
    /// What the files say of all times, such as the machine.
    pub about: About,
    /// The jobs of the runs.
    pub jobs: Jobs,
    /// What the runs are, once they are [units](Self::in_units).
    pub(crate) units: Unit,
    pub(crate) axes: Vec<MeasuredAxis>,
    methods: IndexSet<Method>,
    /// The constants of the methods, by their name and by the label of the method.
    constants: BTreeMap<String, BTreeMap<String, u64>>,
    runs: IndexSet<String>,
    /// The times of each method at every point, in the order in which the methods were first seen.
    points: IndexMap<Vec<u64>, Vec<Series>>,
    /// The number of the point that was changed last.
    last: usize,
    bytes: usize,
}

impl MeasuredAxis {
    /// Creates an axis, with the unit of the papers' axes for their names (ranks and bytes).
    pub fn named(name: &str) -> Self {
        let unit = match name {
            "comm_size" => Some("ranks"),
            "msg_size" => Some("bytes"),
            _ => None,
        };
        Self { name: name.to_owned(), unit: unit.map(str::to_owned), basis: None, labels: None }
    }

    /// Returns a size as it is written: `len=64`, or `order=sorted` for a label.
    pub fn at(&self, size: u64) -> String {
        match self.labels.as_ref().and_then(|labels| labels.get(size as usize)) {
            Some(label) => format!("{}={label}", self.name),
            None => format!("{}={size}", self.name),
        }
    }
}

impl Measurements {
    /// Creates empty measurements along these axes.
    pub fn new(axes: Vec<MeasuredAxis>) -> Self {
        Self { axes, ..Self::default() }
    }

    /// Returns sizes and labels as text: `comm_size=64 order=sorted`.
    pub(crate) fn place(&self, sizes: &[u64]) -> String {
        let sizes = self.axes.iter().zip(sizes);
        sizes.map(|(axis, size)| axis.at(*size)).collect::<Vec<_>>().join(" ")
    }

    /// Returns the position of a label on an axis, adding it if it is new.
    pub(crate) fn label(&mut self, axis: usize, label: &str) -> u64 {
        let labels = self.axes[axis].labels.get_or_insert_default();
        let known = labels.iter().position(|known| known == label).unwrap_or_else(|| {
            self.bytes += label.len() + size_of::<String>();
            labels.push(label.to_owned());
            labels.len() - 1
        });
        known as u64
    }

    /// Returns the axes.
    pub fn axes(&self) -> &[MeasuredAxis] {
        &self.axes
    }

    /// Returns the number of a method, adding it if it is new.
    pub fn method(&mut self, method: Method) -> usize {
        let bytes = size_of::<Method>() + method.name.len() + 64;
        let (number, is_new) = self.methods.insert_full(method);
        self.bytes += if is_new { bytes } else { 0 };
        number
    }

    /// Sets a constant of a method, such as the size of its tiles. Returns the value that it already has, if that is another one.
    pub(crate) fn set_constant(&mut self, method: usize, name: &str, value: u64) -> Option<u64> {
        let label = self.methods.get_index(method)?.label();
        let known = *self.constants.entry(name.to_owned()).or_default().entry(label).or_insert(value);
        (known != value).then_some(known)
    }

    /// Returns the names of the constants of methods, in alphabetical order.
    pub fn constants(&self) -> impl Iterator<Item = &str> {
        self.constants.keys().map(String::as_str)
    }

    /// Returns the constants of a method, by its label.
    pub(crate) fn constants_of(&self, label: &str) -> Vec<(String, u64)> {
        let value = |(name, of_methods): (&String, &BTreeMap<String, u64>)| {
            Some((name.clone(), *of_methods.get(label)?))
        };
        self.constants.iter().filter_map(value).collect()
    }

    pub(crate) fn bytes(&self) -> usize {
        self.bytes
    }

    /// Returns the number of a run, adding it if it is new.
    pub fn run(&mut self, name: &str) -> u16 {
        let known = self.runs.get_index_of(name).unwrap_or_else(|| {
            self.bytes += name.len() + 96;
            self.runs.insert_full(name.to_owned()).0
        });
        known.try_into().unwrap_or(u16::MAX)
    }

    /// Returns the number of a run of a job, adding it if it is new. Fails for a name that canonical times cannot hold, and if the run
    /// belongs to another job.
    pub(crate) fn run_of_job(&mut self, name: &str, job: Option<&str>) -> Result<u16, Problem> {
        self.bytes += if self.jobs.add(name, job.unwrap_or_default())? { 2 * name.len() + 192 } else { 0 };
        Ok(self.run(name))
    }

    /// Returns what the runs are, where they are units of independence.
    pub fn units(&self) -> Unit {
        self.units
    }

    /// Returns the runs in the order in which they were first seen.
    pub fn runs(&self) -> impl Iterator<Item = &str> {
        self.runs.iter().map(String::as_str)
    }

    /// Returns the times of a method at a point for modification.
    pub(crate) fn series_mut(&mut self, sizes: &[u64], method: usize) -> &mut Series {
        // Rows of one point often follow each other.
        let is_last = self.points.get_index(self.last).is_some_and(|(known, _)| known == sizes);
        let found = if is_last { Some(self.last) } else { self.points.get_index_of(sizes) };
        let point = found.unwrap_or_else(|| {
            self.bytes += 160 + 8 * sizes.len();
            self.points.insert_full(sizes.to_vec(), Vec::new()).0
        });
        self.last = point;
        let series = &mut self.points[point];
        if series.len() <= method {
            // A repeat or a statistic is added next, and a list initially has room for four.
            self.bytes += size_of::<Series>() * (method + 1 - series.len()) + 4 * size_of::<Repeat>();
            series.resize_with(method + 1, Series::default);
        }
        &mut series[method]
    }

    /// Adds one repeat. Returns whether it replaced statistics, because repeats contain more information.
    pub fn record(&mut self, sizes: &[u64], method: usize, repeat: Repeat) -> bool {
        self.record_all(sizes, method, [repeat])
    }

    /// Adds repeats of one method at one point, of which there is at least one. Returns whether they replaced statistics.
    pub fn record_all(
        &mut self,
        sizes: &[u64],
        method: usize,
        repeats: impl IntoIterator<Item = Repeat>,
    ) -> bool {
        let series = self.series_mut(sizes, method);
        let replaces = matches!(series, Series::Statistics(_));
        if replaces {
            *series = Series::default();
        }
        let Series::Repeats(known) = series else { return replaces };
        let before = known.len();
        known.extend(repeats);
        let added = known.len() - before;
        self.bytes += added * size_of::<Repeat>();
        replaces
    }

    /// Returns whether every time is a single sample: no method was measured twice at any point.
    pub fn has_single_samples(&self) -> bool {
        !self.is_empty() && self.all_series().all(|(_, _, series)| series.repeats().len() == 1)
    }

    /// Returns whether nothing was recorded.
    pub fn is_empty(&self) -> bool {
        self.points.is_empty()
    }

    /// Returns the methods in the order in which they were first seen.
    pub fn methods(&self) -> impl Iterator<Item = &Method> {
        self.methods.iter()
    }

    /// Returns the labels of the methods, in the same order.
    pub fn labels(&self) -> impl Iterator<Item = String> {
        self.methods().map(Method::label)
    }

    /// Returns the times of a method at a point, if it was measured there.
    pub fn series(&self, sizes: &[u64], method: usize) -> Option<&Series> {
        self.points.get(sizes)?.get(method).filter(|series| !series.is_empty())
    }

    /// Returns every point with the times of all methods, the fastest first; `exp_data[i][j]` of the papers' prototype.
    pub fn sorted(&self, statistic: Statistic) -> impl Iterator<Item = (&[u64], Vec<(Method, f64)>)> {
        self.points.iter().map(move |(sizes, series)| {
            let time = |(method, series): (usize, &Series)| {
                Some((self.methods[method].clone(), series.get(statistic)?))
            };
            let mut times: Vec<(Method, f64)> = series.iter().enumerate().filter_map(time).collect();
            times.sort_by(|(_, left), (_, right)| left.total_cmp(right));
            (sizes.as_slice(), times)
        })
    }

    /// Returns every series with its point and method.
    pub fn all_series(&self) -> impl Iterator<Item = (&[u64], usize, &Series)> {
        self.points.iter().flat_map(|(sizes, series)| {
            let measured = series.iter().enumerate().filter(|(_, series)| !series.is_empty());
            measured.map(|(method, series)| (sizes.as_slice(), method, series))
        })
    }

    fn each_mut(&mut self) -> impl Iterator<Item = &mut Series> {
        self.points.values_mut().flatten()
    }

    /// Returns the same axes, methods and runs without times.
    #[must_use]
    pub fn without_times(&self) -> Self {
        Self { points: IndexMap::new(), ..self.clone() }
    }

    /// Returns the same axes and runs without methods.
    #[must_use]
    pub(crate) fn without_methods(&self) -> Self {
        Self { methods: IndexSet::new(), ..self.without_times() }
    }

    /// Returns the measurements at each size on an axis, without that axis.
    ///
    /// # Errors
    ///
    /// Fails if the axis does not exist or is the only one.
    pub fn split_by(&self, axis: &str) -> Result<Vec<(u64, Self)>, Problem> {
        let position = self.axes.iter().position(|known| known.name == axis);
        let Some(position) = position.filter(|_| self.axes.len() > 1) else {
            let known = self.axes.iter().map(|axis| &*axis.name).collect::<Vec<_>>().join(", ");
            return Err(Problem::new(Place::File, format!("the times cannot be split by `{axis}`"))
                .help(format!("their axes are {known}, and one must remain")));
        };
        let mut parts: BTreeMap<u64, Self> = BTreeMap::new();
        for (sizes, series) in &self.points {
            let part = parts.entry(sizes[position]).or_insert_with(|| {
                let mut part = self.without_times();
                part.axes.remove(position);
                part
            });
            let mut sizes = sizes.clone();
            sizes.remove(position);
            part.points.insert(sizes, series.clone());
        }
        Ok(parts.into_iter().collect())
    }

    /// Returns an axis of the grid that contains all points.
    pub(crate) fn grid_axis(&self, axis: usize) -> Axis {
        let values: BTreeSet<u64> = self.points.keys().map(|sizes| sizes[axis]).collect();
        let MeasuredAxis { name, unit, basis, labels } = self.axes[axis].clone();
        let samples = labels.map_or_else(|| Samples::Values(values.into_iter().collect()), Samples::Labels);
        Axis { name, unit, basis, samples }
    }
}

/// Returns times along `msg_size`, given by their size, method and run.
#[cfg(test)]
pub(crate) fn measured<'m>(times: impl IntoIterator<Item = (u64, &'m str, u16, f64)>) -> Measurements {
    let mut measurements = Measurements::new(vec![MeasuredAxis::named("msg_size")]);
    for (size, method, run, time) in times {
        let method = measurements.method(Method::new(method));
        measurements.record(&[size], method, Repeat { time, run, file: 0 });
    }
    measurements
}

/// Returns one time of one method for each launch, with its job.
#[cfg(test)]
pub(crate) fn measured_in_jobs(launches: &[(&str, Option<&str>, f64)]) -> Measurements {
    let mut measurements = measured((0..).zip(launches).map(|(run, (_, _, time))| (8, "ring", run, *time)));
    for (launch, job, _) in launches {
        measurements.run_of_job(launch, *job).unwrap();
    }
    measurements
}
