//! The benchmark that a program declares.

use std::io::{Write as _, stdout};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::time::{Duration, Instant};

use qtdec_core::{Axis, Domain, Method, Place, Problem, Samples};
use qtdec_times::Statistic;

use crate::arguments::{Arguments, Task, help};
use crate::clock::{Clock, Clocks, Lap, System};
use crate::measured::{Measured, beside};
use crate::progress::Progress;
use crate::rounds::{Plan, Repeat, Step, run};
use crate::timing::{Runner, WARM_UP, calls, calls_with_inputs, mean, warm_up};
use crate::{Error, Point, machine};

/// The time that a benchmark takes at most, unless its first round takes longer.
const BUDGET: Duration = Duration::from_secs(60);

/// The number of repeats of a method at a point, unless the budget ends before.
const ROUNDS: usize = 10;

/// The maximum number of repeats at a point where methods are close.
const MOST_ROUNDS: usize = 100;

/// A grid, and the methods to measure at its points.
#[must_use = "nothing is measured before `measure()` or `write_on_bench()` is called"]
pub struct Benchmark<'m> {
    axes: Vec<Axis>,
    candidates: Vec<Candidate<'m>>,
    plan: Plan,
    warm_up: Duration,
    clock: Clock,
    statistic: Statistic,
    is_forced: bool,
    is_quiet: bool,
    times: Option<PathBuf>,
}

/// A method with what sets it up at a point.
struct Candidate<'m> {
    method: Method,
    set_up: Box<dyn FnMut(&Point) -> Runner<'m> + 'm>,
}

impl Default for Benchmark<'_> {
    fn default() -> Self {
        Self::new()
    }
}

impl<'m> Benchmark<'m> {
    /// Creates a benchmark without axes and methods.
    pub fn new() -> Self {
        let plan = Plan { rounds: ROUNDS, most: MOST_ROUNDS, budget: BUDGET, race: true };
        Self {
            axes: Vec::new(),
            candidates: Vec::new(),
            plan,
            warm_up: WARM_UP,
            clock: Clock::default(),
            statistic: Statistic::default(),
            is_forced: false,
            is_quiet: false,
            times: None,
        }
    }

    /// Adds an axis of sizes, in increasing order. There are one to three axes.
    pub fn axis(mut self, name: impl Into<String>, sizes: impl Into<Vec<u64>>) -> Self {
        self.axes.push(Axis::new(name, sizes));
        self
    }

    /// Adds an axis of labels, at least two.
    pub fn labels<L: Into<String>>(
        mut self,
        name: impl Into<String>,
        labels: impl IntoIterator<Item = L>,
    ) -> Self {
        let labels = labels.into_iter().map(Into::into).collect();
        self.axes.push(Axis { samples: Samples::Labels(labels), ..Axis::new(name, []) });
        self
    }

    /// Adds a method. `set_up` prepares it at a point, which is not timed, and returns what is timed.
    ///
    /// The result of a call is passed to [`black_box`](std::hint::black_box) and dropped while the clock runs. What a call modifies
    /// stays modified for the next one; if it needs a new input, use [`method_with_inputs`](Self::method_with_inputs).
    pub fn method<F, R>(self, name: impl Into<String>, mut set_up: impl FnMut(&Point) -> F + 'm) -> Self
    where
        F: FnMut() -> R + 'm,
    {
        self.with(name.into(), move |point| calls(System::new(), set_up(point)))
    }

    /// Adds a method whose every call gets an input of its own, which `prepare` makes and which is not timed.
    ///
    /// ```
    /// use qtdec_measure::Benchmark;
    ///
    /// let shuffled = |point: &qtdec_measure::Point| (0..point["len"]).map(|i| i * 7919 % 1009).collect::<Vec<_>>();
    /// let measured = Benchmark::new()
    ///     .axis("len", [10, 100])
    ///     .method_with_inputs("stable", shuffled, |data| data.sort())
    ///     .method_with_inputs("unstable", shuffled, |data| data.sort_unstable())
    ///     .rounds(1)
    ///     .quiet()
    ///     .measure()?;
    /// assert!(measured.repeats(0, 1)[0] > 0.0);
    /// # Ok::<(), qtdec_measure::Error>(())
    /// ```
    pub fn method_with_inputs<T: 'm, R: 'm>(
        self,
        name: impl Into<String>,
        prepare: impl Fn(&Point) -> T + 'm,
        run: impl Fn(&mut T) -> R + 'm,
    ) -> Self {
        let (prepare, run) = (Rc::new(prepare), Rc::new(run));
        self.with(name.into(), move |point| {
            let (prepare, run, point) = (Rc::clone(&prepare), Rc::clone(&run), point.clone());
            calls_with_inputs(System::new(), move || prepare(&point), move |input| run(input))
        })
    }

    /// Adds a method that measures itself: `set_up` returns a function that makes this many calls and returns the time that they took.
    ///
    /// It is for times that the clock of the calling thread does not show, such as those of a device or of the slowest process.
    pub fn timed_method<F>(self, name: impl Into<String>, mut set_up: impl FnMut(&Point) -> F + 'm) -> Self
    where
        F: FnMut(u64) -> Duration + 'm,
    {
        self.with(name.into(), move |point| {
            let mut run = set_up(point);
            Box::new(move |calls| Lap::of(run(calls)))
        })
    }

    /// Adds a method. One that is called `baseline` is the baseline.
    fn with(mut self, name: String, set_up: impl FnMut(&Point) -> Runner<'m> + 'm) -> Self {
        let method = Method { baseline: name == Method::BASELINE, ..Method::new(name) };
        self.candidates.push(Candidate { method, set_up: Box::new(set_up) });
        self
    }

    /// Marks the method that was added last as the baseline: what the program would do without a decision. On a tie it is chosen.
    ///
    /// If the program has a rule today that chooses between the methods, measure the rule as a method with the
    /// [name `baseline`](qtdec_core::Method::BASELINE), which is the baseline without this call and is never chosen. `qtdec stats` then shows
    /// the gain over it, of the map and of maps that `qtdec map` makes of [the times](Self::keep_times).
    ///
    /// ```
    /// use qtdec_measure::{Benchmark, Point};
    ///
    /// let numbers = |point: &Point| (0..point["len"]).rev().collect::<Vec<_>>();
    /// let measured = Benchmark::new()
    ///     .axis("len", [10, 100])
    ///     .method_with_inputs("baseline", numbers, |data| if data.len() < 20 { data.sort() } else { data.sort_unstable() })
    ///     .method_with_inputs("stable", numbers, |data| data.sort())
    ///     .method_with_inputs("unstable", numbers, |data| data.sort_unstable())
    ///     .rounds(1)
    ///     .quiet()
    ///     .measure()?;
    /// let map = measured.map()?;
    /// assert_eq!(map.domain().method(map.domain().baseline().unwrap()).name, "baseline");
    /// assert!(!map.cells().contains(&map.domain().baseline()));
    /// # Ok::<(), qtdec_measure::Error>(())
    /// ```
    pub fn baseline(mut self) -> Self {
        if let Some(last) = self.candidates.last_mut() {
            last.method.baseline = true;
        }
        self
    }

    /// Sets the time after which no further repeat begins. The default is a minute.
    pub fn time_budget(mut self, budget: Duration) -> Self {
        self.plan.budget = budget;
        self
    }

    /// Sets the number of repeats of each method at each point.
    ///
    /// The default is 10, and up to 100 of methods that a [race](Self::race) cannot tell apart by then, as long as the
    /// [budget](Self::time_budget) lasts.
    pub fn rounds(mut self, rounds: usize) -> Self {
        self.plan.rounds = rounds;
        self.plan.most = rounds;
        self
    }

    /// Sets for how long a method is called at a point before its first repeat there. The default is three milliseconds.
    pub fn warm_up(mut self, warm_up: Duration) -> Self {
        self.warm_up = warm_up;
        self
    }

    /// Sets whether methods that are clearly slower than the best one at a point are dropped there, by the
    /// [rule of racing](qtdec_core::racing). By default they are.
    pub fn race(mut self, race: bool) -> Self {
        self.plan.race = race;
        self
    }

    /// Sets the clock of the times. The default is the wall clock.
    ///
    /// [`Clock::Processor`] is for methods that run on the calling thread alone, on a machine that others use too. Methods that
    /// [measure themselves](Self::timed_method) keep their own times.
    ///
    /// ```
    /// use qtdec_measure::{Benchmark, Clock};
    ///
    /// # if !cfg!(any(target_os = "linux", target_os = "macos", target_os = "freebsd")) { return Ok(()); }
    /// let measured = Benchmark::new()
    ///     .axis("len", [10, 100])
    ///     .method("sum", |point| {
    ///         let len = point["len"];
    ///         move || (0..len).sum::<u64>()
    ///     })
    ///     .clock(Clock::Processor)
    ///     .rounds(1)
    ///     .quiet()
    ///     .measure()?;
    /// assert!(measured.map()?.source().unwrap().contains(r#""clock":"processor""#));
    /// # Ok::<(), qtdec_measure::Error>(())
    /// ```
    pub fn clock(mut self, clock: Clock) -> Self {
        self.clock = clock;
        self
    }

    /// Sets the statistic of the repeats that is the cost of a method. The default is the median.
    ///
    /// [`Statistic::Min`] only uses the fastest repeat, which others disturbed the least.
    ///
    /// ```
    /// use qtdec_measure::{Benchmark, Statistic};
    ///
    /// let measured = Benchmark::new().axis("len", [10]).method("a", |_| || 1).statistic(Statistic::Min).rounds(3).quiet().measure()?;
    /// let fastest = measured.repeats(0, 0).iter().copied().reduce(f64::min);
    /// let map = measured.map()?;
    /// assert_eq!(map.costs().unwrap().get(0, map.cells()[0].unwrap()), fastest);
    /// # Ok::<(), qtdec_measure::Error>(())
    /// ```
    pub fn statistic(mut self, statistic: Statistic) -> Self {
        self.statistic = statistic;
        self
    }

    /// Writes the map even if other programs [disturbed](Measured::disturbance) the measurement. So does the argument `--force`, as in
    /// `cargo bench --bench sort -- --force`.
    pub fn force(mut self) -> Self {
        self.is_forced = true;
        self
    }

    /// Prints no progress.
    pub fn quiet(mut self) -> Self {
        self.is_quiet = true;
        self
    }

    /// Also writes the times of all repeats, as [canonical times](Measured::times), where [`write_on_bench`](Self::write_on_bench) writes
    /// the map. The path is relative to the folder of Cargo.toml.
    pub fn keep_times(mut self, path: impl Into<PathBuf>) -> Self {
        self.times = Some(path.into());
        self
    }

    /// Measures all methods at all points.
    ///
    /// # Errors
    ///
    /// Returns an error if the axes or methods are invalid, or the system does not have the [clock](Self::clock); nothing is measured
    /// then.
    pub fn measure(self) -> Result<Measured, Error> {
        let all = vec![vec![true; self.candidates.len()]; self.points()?.len()];
        self.measure_part(all)
    }

    /// Measures some methods at each point.
    fn measure_part(self, part: Vec<Vec<bool>>) -> Result<Measured, Error> {
        let points = self.points()?;
        let Self {
            axes, mut candidates, plan, warm_up: warming, clock, statistic, is_forced, is_quiet, ..
        } = self;
        if clock == Clock::Processor && System::new().processor().is_none() {
            let message = "this system has no clock for the processor time of a thread";
            return Err(Problem::new(Place::File, message).help("leave out `.clock(…)`").into());
        }
        let methods: Vec<Method> = candidates.iter().map(|candidate| candidate.method.clone()).collect();
        let progress = Progress::new(!is_quiet);
        if cfg!(debug_assertions) {
            progress.line(
                "warning: this is a debug build, whose times are not those of the program that people use",
            );
        }
        let points_of_part = part.iter().filter(|methods| methods.contains(&true)).count();
        let methods_of_part =
            (0..methods.len()).filter(|&method| part.iter().any(|methods| methods[method])).count();
        let start = Instant::now();
        let mut batches = vec![vec![0; methods.len()]; points.len()];
        let time = |Step { round, point, method }: Step| {
            if method == round % methods.len() {
                progress.point(
                    round,
                    if round < plan.rounds { plan.rounds } else { plan.most },
                    &points[point].name(),
                );
            }
            let mut runner = (candidates[method].set_up)(&points[point]);
            let batch = &mut batches[point][method];
            if *batch == 0 {
                *batch = warm_up(&mut runner, warming);
            } else {
                // The caches have been used by others since the last round.
                runner(batch.div_ceil(10));
            }
            let lap = runner(*batch);
            let without_processor = match clock {
                Clock::Wall => lap.share_without_processor(),
                Clock::Processor => 0.0,
            };
            Repeat { time: mean(lap.by(clock), *batch), without_processor }
        };
        let repeats = run(plan, part, time, || start.elapsed());
        progress.end(repeats.rounds, points_of_part, methods_of_part, start.elapsed());
        let source = machine::source(repeats.rounds, start.elapsed().as_secs_f64(), clock);
        Ok(Measured { axes, methods, repeats, source, clock, statistic, is_forced })
    }

    /// Runs as the `main` of a `[[bench]]` with `harness = false`: under `cargo bench` it measures and writes the map.
    ///
    /// `path` is relative to the folder of Cargo.toml. Under `cargo test`, which also runs benchmarks, each method is called once at the
    /// first point, and nothing is written.
    ///
    /// If other programs [disturbed](Measured::disturbance) the measurement, the map and the times are not replaced: the new ones are
    /// written beside them, as `sort.noisy.json` instead of `sort.json`.
    ///
    /// The program has the usual arguments of benchmarks, as in `cargo bench --bench sort -- --list`. `--list` lists the names of what is
    /// measured, such as `sort/merge/len=16`; with a part of a name as the argument, only what has it is measured, the times are printed,
    /// and nothing is written. `--test` calls each method once, `--force` replaces the map and the times even if the measurement was
    /// disturbed, and `--help` describes all arguments.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`measure`](Self::measure) and of [`Measured::write_map`], and one for unknown options.
    pub fn write_on_bench(self, path: impl AsRef<Path>) -> Result<(), Error> {
        let arguments: Vec<String> = std::env::args().skip(1).collect();
        self.write_with(&arguments, path.as_ref())
    }

    fn write_with(mut self, arguments: &[String], path: &Path) -> Result<(), Error> {
        let arguments = Arguments::parse(arguments)?;
        self.is_forced |= arguments.is_forced;
        let names = self.names(path)?;
        let chosen: Vec<Vec<bool>> =
            names.iter().map(|names| names.iter().map(|name| arguments.chooses(name)).collect()).collect();
        match arguments.task {
            Task::Help => print(&help(path)),
            Task::List => print(&lines(&names, &chosen, |_, _| "benchmark".to_owned())),
            Task::Try => self.try_once(&chosen)?,
            Task::Measure if chosen.iter().flatten().all(|is_chosen| *is_chosen) => self.write(path)?,
            Task::Measure if chosen.iter().flatten().any(|is_chosen| *is_chosen) => {
                let statistic = self.statistic;
                let measured = self.race(false).measure_part(chosen.clone())?;
                let time = |point: usize, method: usize| {
                    let time = statistic.of(measured.repeats(point, method).to_vec()).unwrap_or_default();
                    format!("{:.3?}", Duration::from_secs_f64(time * 1e-9))
                };
                print(&lines(&names, &chosen, time));
                print(&format!("{} was not written, because only a part was measured\n", path.display()));
            }
            Task::Measure => {}
        }
        Ok(())
    }

    /// Measures everything and writes the map, and the times if they are kept.
    fn write(self, path: &Path) -> Result<(), Error> {
        // Cargo sets the current folder to that of the package, and so does whoever runs the benchmark by hand there.
        let progress = Progress::new(!self.is_quiet);
        let times = self.times.clone();
        let measured = self.measure()?;
        let written = measured.write_map(path);
        let is_refused = matches!(written, Err(Error::Disturbed { .. }));
        if written.is_ok() {
            progress.line(&format!("wrote {}: the next build uses it", path.display()));
        }
        if let Some(times) = times.filter(|_| written.is_ok() || is_refused) {
            let times = if is_refused { beside(&times) } else { times };
            measured.write_times(&times)?;
            progress.line(&format!("wrote {}: all times", times.display()));
        }
        written
    }

    /// Calls each chosen method once, at the first point at which it is chosen.
    fn try_once(mut self, chosen: &[Vec<bool>]) -> Result<(), Error> {
        let points = self.points()?;
        for (method, candidate) in self.candidates.iter_mut().enumerate() {
            if let Some(point) = (0..points.len()).find(|&point| chosen[point][method]) {
                (candidate.set_up)(&points[point])(1);
            }
        }
        Ok(())
    }

    /// Returns the points of the grid in row-major order.
    fn points(&self) -> Result<Vec<Point>, Error> {
        let methods = self.candidates.iter().map(|candidate| candidate.method.clone()).collect();
        let domain = Domain::new(None, self.axes.clone(), methods)?;
        let axes: Rc<[Axis]> = self.axes.as_slice().into();
        Ok((0..domain.cells()).map(|cell| Point::new(&axes, domain.sizes(cell))).collect())
    }

    /// Returns the name of each method at each point, as in `sort/merge/len=16`.
    fn names(&self, path: &Path) -> Result<Vec<Vec<String>>, Error> {
        let map = path.file_stem().unwrap_or_default().to_string_lossy();
        let methods = || self.candidates.iter().map(|candidate| &*candidate.method.name);
        let points = self.points()?;
        let names = |point: &Point| methods().map(|name| format!("{map}/{name}/{}", point.name())).collect();
        Ok(points.iter().map(names).collect())
    }
}

/// Returns a line for each chosen method at a point.
fn lines(names: &[Vec<String>], chosen: &[Vec<bool>], value: impl Fn(usize, usize) -> String) -> String {
    let mut lines = String::new();
    for (point, names) in names.iter().enumerate() {
        for (method, name) in names.iter().enumerate().filter(|(method, _)| chosen[point][*method]) {
            lines.extend([name, ": ", &*value(point, method), "\n"]);
        }
    }
    lines
}

/// Prints to standard output, whose reader may be gone.
fn print(text: &str) {
    let mut stdout = stdout().lock();
    let _ = stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush());
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::fs;

    use super::*;

    /// Writes a map and times over others, from repeats of which every second one is slow if they are disturbed.
    fn written(folder: &Path, is_disturbed: bool, arguments: &[&str]) -> Result<(), Error> {
        let calls = Cell::new(0_u32);
        // Each repeat but the first follows a call that warms up.
        let waiting = |calls_of_repeat: u64| {
            calls.set(calls.get() + 1);
            let is_slow = is_disturbed && (calls.get() - 1) / 2 % 2 == 1;
            Duration::from_millis(if is_slow { 90 } else { 10 }) * calls_of_repeat as u32
        };
        let waiting = &waiting;
        let (map, times) = (folder.join("map.json"), folder.join("times.csv"));
        fs::write(&map, "earlier map").unwrap();
        fs::write(&times, "earlier times").unwrap();
        let arguments: Vec<String> = arguments.iter().map(|argument| (*argument).to_owned()).collect();
        let slow = |_: &Point| |_: u64| Duration::from_secs(1);
        let benchmark = Benchmark::new().axis("n", [1]).timed_method("a", move |_| waiting);
        let benchmark = benchmark.timed_method("b", slow).keep_times(times);
        benchmark.warm_up(Duration::ZERO).race(false).rounds(6).quiet().write_with(&arguments, &map)
    }

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn a_disturbed_measurement_replaces_nothing_and_loses_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let read = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap();
        let error = written(folder.path(), true, &["--bench"]).unwrap_err().to_string();
        for part in [
            "map.json` was not written",
            "the times are noisy",
            "map.noisy.json",
            "cargo bench --bench qtdec_measure -- --force",
        ] {
            assert!(error.contains(part), "{error}");
        }
        assert_eq!((&*read("map.json"), &*read("times.csv")), ("earlier map", "earlier times"));
        assert!(read("map.noisy.json").contains("qtdec-map/1"));
        assert!(read("times.noisy.csv").starts_with("# qtdec-times/1"));
        assert_eq!(names(folder.path()), ["map.json", "map.noisy.json", "times.csv", "times.noisy.csv"]);
    }

    /// Runs a benchmark of two methods with these arguments over an earlier map; returns how often each was called, the files, and the map.
    fn called(arguments: &[&str]) -> (Result<(), Error>, [u32; 2], Vec<String>, String) {
        let folder = tempfile::tempdir().unwrap();
        let map = folder.path().join("sort.json");
        fs::write(&map, "earlier map").unwrap();
        let calls = [Cell::new(0), Cell::new(0)];
        let mut benchmark = Benchmark::new().axis("n", [1, 2]);
        for (name, calls) in ["merge", "radix"].into_iter().zip(&calls) {
            benchmark = benchmark.timed_method(name, |_: &Point| {
                |_: u64| {
                    calls.set(calls.get() + 1);
                    Duration::from_millis(1)
                }
            });
        }
        let arguments: Vec<String> = arguments.iter().map(|argument| (*argument).to_owned()).collect();
        let benchmark = benchmark.warm_up(Duration::ZERO).rounds(2).keep_times(folder.path().join("t.csv"));
        let done = benchmark.quiet().write_with(&arguments, &map);
        (done, calls.map(|calls| calls.get()), names(folder.path()), fs::read_to_string(map).unwrap())
    }

    #[test]
    fn only_a_whole_measurement_replaces_the_map() {
        // At each of two points: a call that warms up, a repeat, and again a call and a repeat.
        for (arguments, expected) in [
            (&["--bench", "--help"][..], [0, 0]),
            (&["--bench", "--list"], [0, 0]),
            (&["--list", "--format", "terse"], [0, 0]),
            (&["--bench", "--test", "--force"], [1, 1]),
            (&["radix", "--nocapture"], [0, 1]),
            (&["--bench", "radix"], [0, 8]),
            (&["--bench", "radix/n=2", "--force"], [0, 4]),
            (&["--bench", "another benchmark"], [0, 0]),
        ] {
            let (done, calls, names, map) = called(arguments);
            done.unwrap();
            assert_eq!((calls, &*map), (expected, "earlier map"), "{arguments:?}");
            assert_eq!(names, ["sort.json"], "{arguments:?}");
        }
        let (refused, calls, names, map) = called(&["--bench", "--sample-size", "20"]);
        assert!(refused.unwrap_err().to_string().contains("there is no option `--sample-size`"));
        assert_eq!((calls, names.len(), &*map), ([0, 0], 1, "earlier map"));
        for arguments in [&["--bench"][..], &["--bench", "sort", "--noplot"]] {
            let (done, calls, names, map) = called(arguments);
            done.unwrap();
            assert_eq!((calls, names.len()), ([8, 8], 2), "{arguments:?}");
            assert!(map.contains("qtdec-map/1"), "{arguments:?}");
        }
    }

    #[test]
    fn force_and_a_quiet_machine_replace_both() {
        for (is_disturbed, arguments) in [(true, &["--bench", "--force"][..]), (false, &["--bench"])] {
            let folder = tempfile::tempdir().unwrap();
            written(folder.path(), is_disturbed, arguments).unwrap();
            assert_eq!(names(folder.path()), ["map.json", "times.csv"]);
            assert!(fs::read_to_string(folder.path().join("map.json")).unwrap().contains("qtdec-map/1"));
        }
    }
}
