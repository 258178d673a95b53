//! What was measured, and the map of it.

use std::fs;
use std::path::{Path, PathBuf};

use qtdec_core::{Axis, DecisionMap, Domain, Method, MethodIndex, Problem, Samples};
use qtdec_times::about::{BASELINE, MEASURED};
use qtdec_times::{About, Builder, Header, MACHINE, Named, Row, Sample, Series, Statistic, TimeUnit, Times};
use serde_json::{Value, json};

use crate::Error;
use crate::arguments::command;
use crate::clock::Clock;
use crate::disturbed::disturbance;
use crate::rounds::Repeats;

/// The times of all methods at all points.
#[derive(Clone, Debug)]
pub struct Measured {
    pub(crate) axes: Vec<Axis>,
    pub(crate) methods: Vec<Method>,
    pub(crate) repeats: Repeats,
    pub(crate) source: Value,
    pub(crate) clock: Clock,
    pub(crate) statistic: Statistic,
    pub(crate) is_forced: bool,
}

impl Measured {
    /// Returns the repeats of a method at a point, in nanoseconds, in the order of measuring. Points are numbered in row-major order and
    /// methods in theirs.
    ///
    /// # Panics
    ///
    /// Panics if there is no such point or method.
    pub fn repeats(&self, point: usize, method: usize) -> &[f64] {
        &self.repeats.times[point][method]
    }

    /// Returns how other programs disturbed the measurement, or `None` if they did not.
    ///
    /// They did if over a tenth of the repeats lacked a processor for over a tenth of their time, or if the best method's repeats are
    /// bimodal at over a tenth of the points. The processor time of the calling thread tells the first, where the system has a clock for
    /// it. A call that waits for something else is not disturbed on Linux, which counts how long threads lack a processor; on other
    /// systems all time counts in which the calling thread does not run. Of the [minimum](Statistic::Min), only the fastest repeats are
    /// judged, and not by their modes.
    pub fn disturbance(&self) -> Option<String> {
        disturbance(&self.repeats, self.statistic)
    }

    /// Returns the map that chooses the method with the lowest [statistic](crate::Benchmark::statistic) of its repeats at every point.
    ///
    /// The costs are in nanoseconds, and the source has the machine, the date and the number of rounds.
    ///
    /// # Errors
    ///
    /// Returns an error if the axes or methods are invalid.
    ///
    /// # Panics
    ///
    /// Never: a map that was made from times has them.
    pub fn map(&self) -> Result<DecisionMap, Error> {
        let mut cells = self.repeats.times.iter();
        let mut cell = None;
        let map =
            DecisionMap::from_costs(self.axes.clone(), self.methods.clone(), |_, method: MethodIndex| {
                if method.get() == 0 {
                    cell = cells.next();
                }
                self.statistic.of(cell?[method.get()].clone())
            })?;
        let mut costs = map.costs().expect("the map has the times").clone();
        costs.unit = Some("ns".to_owned());
        let statistic = self.statistic.to_string();
        let mut recipe = json!({ "statistic": statistic });
        let baseline: Vec<&str> = self.baseline().collect();
        if !baseline.is_empty() {
            recipe["baseline"] = json!(baseline);
        }
        costs.statistic = Some(statistic);
        Ok(map.with_costs(costs)?.with_recipe(recipe.to_string())?.with_source(self.source.to_string())?)
    }

    /// Returns the times of all repeats as canonical times, the form `qtdec-times/1`.
    ///
    /// They are in nanoseconds. The launch is named by the date, so that the times of several runs can be read together.
    ///
    /// # Errors
    ///
    /// Returns an error for names that a file cannot hold.
    ///
    /// ```
    /// let benchmark = qtdec_measure::Benchmark::new().axis("len", [8, 16]).method("a", |_| || 1).method("b", |_| || 2);
    /// let times = benchmark.rounds(2).race(false).quiet().measure()?.times()?;
    /// assert_eq!(times.rows().len(), 2 * 2 * 2);
    /// # Ok::<(), qtdec_measure::Error>(())
    /// ```
    pub fn times(&self) -> Result<Times, Error> {
        let domain = Domain::new(None, self.axes.clone(), self.methods.clone())?;
        let mut builder = Builder::new(self.header()?)?;
        let methods = self.methods.iter().map(|method| {
            builder.method(qtdec_times::Method { name: method.name.clone(), values: Vec::new() })
        });
        let methods = methods.collect::<Result<Vec<u32>, Problem>>()?;
        let launch = builder.launch(self.source["date"].as_str().unwrap_or_default())?;
        builder.keep_order();
        for (cell, point) in self.repeats.times.iter().enumerate() {
            for (&method, times) in methods.iter().zip(point) {
                let sizes = domain.sizes(cell);
                let series = builder.series(Series { collective: None, basis: None, sizes, method })?;
                for (number, &time) in (1..).zip(times) {
                    builder.row(Row { time, series, launch, process: 0, sample: Sample::Repeat(number) })?;
                }
            }
        }
        Ok(builder.finish()?)
    }

    /// Returns the names of the methods that are the baseline.
    fn baseline(&self) -> impl Iterator<Item = &str> {
        self.methods.iter().filter(|method| method.baseline).map(|method| &*method.name)
    }

    fn header(&self) -> Result<Header, Problem> {
        let mut about = About::default();
        for (key, of_source) in [
            (MACHINE, "machine"),
            (MEASURED, "date"),
            ("tool", "made_by"),
            ("target", "target"),
            ("cpu", "cpu"),
            ("profile", "profile"),
            ("clock", "clock"),
        ] {
            if let Some(value) = self.source[of_source].as_str() {
                about.add(key, value)?;
            }
        }
        for name in self.baseline() {
            about.add(BASELINE, name)?;
        }
        let labels = self.axes.iter().filter_map(|axis| match &axis.samples {
            Samples::Labels(labels) => Some((axis.name.clone(), labels.clone())),
            Samples::Values(_) => None,
        });
        Ok(Header {
            about,
            axes: self
                .axes
                .iter()
                .map(|axis| Named { name: axis.name.clone(), unit: axis.unit.clone() })
                .collect(),
            labels: labels.collect(),
            parameters: Vec::new(),
            unit: Some(TimeUnit::Nanoseconds),
        })
    }

    /// Writes the map to a file, which a build may be reading: the file is replaced as a whole.
    ///
    /// If other programs [disturbed](Self::disturbance) the measurement, the map is written to another file beside it, as
    /// `sort.noisy.json` instead of `sort.json`, unless the benchmark is told to [force](crate::Benchmark::force) it.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`map`](Self::map) and of the file system, and [`Error::Disturbed`] if the map is in the other file.
    pub fn write_map(&self, path: impl AsRef<Path>) -> Result<(), Error> {
        let path = path.as_ref();
        let text = self.map()?.to_file().map_err(|problem| Error::Invalid(problem.into()))?;
        let Some(reason) = self.disturbance().filter(|_| !self.is_forced) else {
            return replace(path, text.as_bytes());
        };
        let kept = beside(path);
        replace(&kept, text.as_bytes())?;
        let (path, remedies) = (path.to_owned(), self.remedies());
        Err(Error::Disturbed { reason, path, kept, remedies, command: command("--force") })
    }

    /// Returns what else can be done against disturbances, as people type it.
    fn remedies(&self) -> Vec<&'static str> {
        let clock = (self.clock == Clock::Wall).then_some("`.clock(Clock::Processor)`");
        let statistic = (self.statistic != Statistic::Min).then_some("`.statistic(Statistic::Min)`");
        clock.into_iter().chain(statistic).collect()
    }

    /// Writes the times of all repeats to a file, as [canonical times](Self::times). `qtdec map` makes maps from them, and other
    /// commands judge by them what a decision is worth.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`times`](Self::times) and of the file system.
    pub fn write_times(&self, path: impl AsRef<Path>) -> Result<(), Error> {
        let mut text = Vec::new();
        let failed = |error| Error::Write(path.as_ref().to_owned(), error);
        self.times()?.write(&mut text).map_err(failed)?;
        replace(path.as_ref(), &text)
    }
}

/// Returns the file in which a disturbed measurement is kept: `sort.noisy.json` for `sort.json`.
pub(crate) fn beside(path: &Path) -> PathBuf {
    match path.extension() {
        Some(extension) => path.with_extension(format!("noisy.{}", extension.to_string_lossy())),
        None => path.with_extension("noisy"),
    }
}

/// Replaces the content of a file in one step, and creates its folder.
fn replace(path: &Path, content: &[u8]) -> Result<(), Error> {
    let failed = |error| Error::Write(path.to_owned(), error);
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(failed)?;
    }
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let temporary = path.with_file_name(format!(".{name}.{}.tmp", std::process::id()));
    let written = fs::write(&temporary, content).and_then(|()| fs::rename(&temporary, path));
    if written.is_err() {
        let _ = fs::remove_file(&temporary);
    }
    written.map_err(failed)
}
