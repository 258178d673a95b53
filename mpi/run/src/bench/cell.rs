//! One cell: calls of all methods with one number of ranks and one size.

use std::borrow::Cow;
use std::hint::black_box;

use qtdec_mpi_library::catalogue::Library;
use qtdec_mpi_predict::simulate::Skew;
use qtdec_mpi_schedule::RankSchedule;

use super::arguments::{self, Arguments, Root};
use super::buffers::Call;
use super::clock::{Clock, local};
use super::layout::{Layout, element_size};
use super::method::Method;
use super::race::Race;
use super::times::Times;
use super::warm_up::{self, BUFFERS};
use crate::execution::{Execution, RunError};
use crate::mpi::{Comm, Mpi, MpiTransport, Operands, Storage};
use crate::placement::Placement;

/// A call is invalid if a rank begins it later than the common start by this part of its time, and by more than `LATE_NS`.
const LATE: f64 = 0.02;
const LATE_NS: f64 = 50_000.0;

/// The time between the decision and the start, in nanoseconds: at first, and at most. Where a rank hears of a start too late it is
/// doubled.
pub(crate) const LEAD: (f64, f64) = (400_000.0, 100e6);

/// The number of invalid calls of a method for each valid one, after which invalid ones count: the machine is not able to do better.
const PATIENCE: usize = 3;

/// The least number of repeats within a budget of time.
const LEAST: usize = 3;

/// The end of a cell, in place of a method.
const END: u32 = u32::MAX;

pub(crate) struct Settings<'g> {
    pub(crate) arguments: &'g Arguments,
    pub(crate) methods: &'g [Method],
    pub(crate) comms: &'g [Option<Comm>],
    pub(crate) control: Comm,
    pub(crate) ranks: u32,
    /// The placement of the ranks on nodes, if a method needs it.
    pub(crate) placement: Placement,
    pub(crate) bytes: u64,
    pub(crate) library: Option<Library>,
    /// Whether it is the first cell of these communicators.
    pub(crate) is_first: bool,
    /// The nanoseconds for this cell.
    pub(crate) budget: Option<f64>,
    /// The nanoseconds before a start that sufficed in earlier cells.
    pub(crate) lead: f64,
}

#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Counts {
    pub(crate) times: usize,
    /// Calls that a rank began too late.
    pub(crate) invalid: usize,
    /// The time before a start that sufficed, in nanoseconds.
    pub(crate) lead: f64,
}

impl Counts {
    pub(crate) fn add(&mut self, other: Self) {
        self.times += other.times;
        self.invalid += other.invalid;
        self.lead = self.lead.max(other.lead);
    }
}

pub(crate) struct Cell<'g, 't> {
    mpi: Mpi<'t>,
    clock: &'g Clock,
    settings: Settings<'g>,
    skew: Cow<'g, Skew>,
    roots: Vec<u32>,
    /// The schedules of our own methods, for each root.
    schedules: Vec<Vec<RankSchedule>>,
    layout: Layout,
    operands: Operands,
    storages: Vec<Storage>,
    cold: Vec<u8>,
    lead: f64,
    calls: u32,
}

/// What the first rank tells the others: a method, a root and a start.
struct Order {
    method: u32,
    root: u32,
    start: f64,
}

/// What a rank saw of a call. Times are in nanoseconds.
struct Report {
    /// From the rank's own start on.
    began: f64,
    /// From the common start on.
    ended: f64,
    is_right: bool,
    /// Whether the rank was ready before the common start.
    is_ready: bool,
}

impl Report {
    fn numbers(&self) -> [f64; 4] {
        [self.began, self.ended, f64::from(self.is_right), f64::from(self.is_ready)]
    }

    fn from_numbers([began, ended, right, ready]: [f64; 4]) -> Self {
        Self { began, ended, is_right: right > 0.0, is_ready: ready > 0.0 }
    }
}

impl<'g, 't> Cell<'g, 't> {
    /// Builds the schedules of a cell; all of its ranks call this.
    pub(crate) fn new(mpi: Mpi<'t>, clock: &'g Clock, settings: Settings<'g>) -> Result<Self, String> {
        let Settings { arguments, methods, ranks, placement, bytes, lead, .. } = settings;
        let collective = arguments.collective;
        let mut roots = match arguments.root {
            _ if !collective.is_rooted() => vec![0],
            Root::Fixed(root) if root < ranks => vec![root],
            Root::Fixed(root) => return Err(format!("there is no rank {root} among {ranks}")),
            Root::Rotate => vec![0, ranks / 2, ranks - 1],
        };
        roots.dedup();
        let size = element_size(collective);
        let mut schedules = Vec::new();
        for method in methods {
            let of_roots = roots.iter().filter_map(|root| {
                let request = method.request(collective, (ranks, placement), (bytes / size, size), *root)?;
                let built = request.map_err(|error| error.to_string()).and_then(|(own, request)| {
                    own.algorithm().rank(&request, mpi.rank).map_err(|error| error.to_string())
                });
                Some(built)
            });
            let of_roots = of_roots.collect::<Result<Vec<_>, _>>();
            schedules.push(of_roots.map_err(|error| format!("{}: {error}", method.label()))?);
        }
        let cold = vec![0; arguments.cold as usize];
        let storages = vec![Storage::default(); BUFFERS];
        let layout = arguments.layout(ranks, bytes);
        let operands = layout.operands(mpi.rank)?;
        let skew = arguments.skew.at(ranks, bytes);
        Ok(Self {
            mpi,
            clock,
            settings,
            skew,
            roots,
            schedules,
            layout,
            operands,
            storages,
            cold,
            lead,
            calls: 0,
        })
    }

    /// Measures the cell. Only the first rank has times.
    pub(crate) fn measure(mut self, times: Option<&mut Times>) -> Result<Counts, String> {
        if let Some(times) = times {
            self.lead(times)
        } else {
            while self.obey()? {}
            Ok(Counts::default())
        }
    }

    /// Decides, on the first rank, what all do.
    fn lead(&mut self, times: &mut Times) -> Result<Counts, String> {
        let Settings { arguments, methods, ranks, placement, bytes, library, budget, is_first, .. } =
            self.settings;
        let began = local();
        let runs = methods
            .iter()
            .map(|method| method.divides(placement, ranks) && method.runs(library, self.layout));
        let runs: Vec<bool> = runs.collect();
        for (method, turn) in warm_up::calls(&runs, self.roots.len(), is_first) {
            self.call(method, turn)?;
        }
        let mut race = Race::new(runs, arguments.repeats as usize, arguments.race);
        let mut counts = Counts::default();
        let mut late_in_a_row = 0;
        while let Some((method, repeat)) = race.next() {
            if repeat >= LEAST && budget.is_some_and(|budget| local() - began > budget) {
                break;
            }
            let (time, is_late) = self.call(method, repeat)?;
            if is_late && late_in_a_row < PATIENCE {
                late_in_a_row += 1;
                counts.invalid += 1;
                continue;
            }
            late_in_a_row = 0;
            times.add((ranks, bytes), &methods[method], repeat + 1, time)?;
            race.add(method, time);
        }
        self.tell(&Order { method: END, root: 0, start: 0.0 })?;
        times.finish_cell()?;
        counts.times = race.len();
        counts.lead = self.lead;
        if let Some((method, time)) = race.best() {
            let name = methods[method].label();
            eprintln!(
                "{} {ranks} ranks {bytes} bytes: {name} {:.1} us, {} times, {:.1} s",
                arguments.collective,
                time / 1e3,
                counts.times,
                (local() - began) / 1e9
            );
        }
        Ok(counts)
    }

    /// Lets all ranks make a call. Returns the nanoseconds from the common start until the last rank is done, and whether one began too late.
    fn call(&mut self, method: usize, repeat: usize) -> Result<(f64, bool), String> {
        let root = (repeat % self.roots.len()) as u32;
        let order = Order { method: method as u32, root, start: self.clock.now() + self.lead };
        self.tell(&order)?;
        let report = self.carry_out(&order)?;
        let all = self.mpi.collect_numbers(self.settings.control, report.numbers())?;
        let reports: Vec<Report> = all.into_iter().map(Report::from_numbers).collect();
        let latest = |time: fn(&Report) -> f64| reports.iter().map(time).fold(f64::MIN, f64::max);
        let (late, end) = (latest(|report| report.began), latest(|report| report.ended));
        if !reports.iter().all(|report| report.is_right) {
            let name = self.settings.methods[method].label();
            let (collective, bytes) = (self.settings.arguments.collective, self.settings.bytes);
            return Err(format!(
                "the result of {collective} by {name} is wrong, with {bytes} bytes on {} ranks and root {}",
                self.settings.ranks, self.roots[root as usize]
            ));
        }
        if !reports.iter().all(|report| report.is_ready) {
            self.lead = (self.lead * 2.0).min(LEAD.1);
        }
        Ok((end.max(1.0), late > LATE_NS && late > LATE * end))
    }

    fn tell(&self, order: &Order) -> Result<(), String> {
        let numbers = [f64::from(order.method), f64::from(order.root), order.start];
        self.mpi.share_numbers(self.settings.control, numbers).map(drop)
    }

    /// Does what the first rank says. Returns whether there is more to do.
    fn obey(&mut self) -> Result<bool, String> {
        let [method, root, start] = self.mpi.share_numbers(self.settings.control, [0.0; 3])?;
        let order = Order { method: method as u32, root: root as u32, start };
        if order.method == END {
            return Ok(false);
        }
        let report = self.carry_out(&order)?;
        self.mpi.collect_numbers(self.settings.control, report.numbers())?;
        Ok(true)
    }

    fn carry_out(&mut self, order: &Order) -> Result<Report, String> {
        let Self { mpi, clock, layout, ref operands, ref settings, ref mut storages, ref schedules, .. } =
            *self;
        let method = order.method as usize;
        let root = self.roots[order.root as usize];
        let call = Call { layout, rank: mpi.rank, root, seed: self.calls };
        let storage = &mut storages[self.calls as usize % BUFFERS];
        self.calls += 1;
        call.fill(storage);
        let schedule = schedules[method].get(order.root as usize);
        let execution = schedule.map(|schedule| {
            storage.scratch.resize(schedule.scratch_bytes() as usize, 0);
            (Execution::new(&schedule.operations), schedule.operations.len())
        });
        let Some(comm) = settings.comms[method] else {
            return Err("this rank is not in the communicator".to_owned());
        };
        if !self.cold.is_empty() {
            self.cold.fill(self.calls as u8);
            black_box(&self.cold);
        }
        let delay = self.skew.delay(self.calls, mpi.rank, settings.ranks) * 1e3;
        let (start, is_ready) = if settings.arguments.clock == arguments::Clock::Barrier {
            mpi.barrier(settings.control)?;
            let start = clock.now();
            clock.wait_until(start + delay);
            (start, true)
        } else {
            (order.start, clock.wait_until(order.start + delay))
        };
        let began;
        if let Some((execution, operations)) = execution {
            let transport = MpiTransport::new(mpi.on(comm), storage, operations);
            let mut transport = transport.map_err(|failure| mpi.reason(failure))?;
            began = clock.now();
            execution.run(&mut transport).map_err(|error| match error {
                RunError::Transport(failure) => mpi.reason(failure),
                RunError::Stuck => "the schedule cannot go on".to_owned(),
            })?;
        } else {
            began = clock.now();
            mpi.collective(comm, storage, operands, root)?;
        }
        let ended = clock.now();
        let is_right = call.is_right(storage);
        Ok(Report { began: began - start - delay, ended: ended - start, is_right, is_ready })
    }
}
