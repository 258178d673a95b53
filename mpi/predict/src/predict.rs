//! Predicted times of every algorithm of a collective, and maps of them.
//!
//! Times come from one of three methods, which are never mixed: the formula as printed in its paper, the exact formula, and the
//! simulation of the schedule. Bytes are counted as in [`Call`] and [`Request`]: those of
//! the whole message for bcast, reduce and allreduce, and of one block for the others.
//!
//! Algorithms that know clusters are simulated in this form if the ranks are in several clusters of the network. The levels of a
//! composition are these clusters or, if all ranks are in one or nodes have the ranks in turn, the nodes of the network. Those of
//! three levels are its clusters, the nodes in them and their ranks.

mod bound;
mod compositions;
mod map;
mod measured_points;
mod of_paper;
mod search;
mod settings;
mod together;

pub use bound::{Bound, Term, bound};
pub use map::{MAX_TIMES, MapError, map, map_searched};
pub use measured_points::{Paired, measured, paired, rows};
pub use settings::Settings;

use std::num::NonZero;
use std::sync::Arc;

use qtdec_core::Basis;

use crate::models::{self, Call, Form};
use crate::network::{Network, Placement, meant, name_of};
use crate::simulate::{self, Arrivals, Noise, Point, Simulator};
use qtdec_mpi_library::catalogue::{parameter, without_parameters};
use qtdec_mpi_schedule::collective::Collective;
use qtdec_mpi_schedule::radix::{self, split_radix};
use qtdec_mpi_schedule::{
    self, Action, Algorithm, Clusters, Entry, Request, RequestError, Schedule, TwoLevel, Variant,
};

/// The source of predicted times.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TimeSource {
    /// Formulas, as printed or exact.
    Formula(Form),
    /// Simulation of the schedule.
    Simulated,
}

impl TimeSource {
    /// Every source of times and its name.
    pub const NAMES: [(&str, Self); 3] = [
        ("printed", Self::Formula(Form::Printed)),
        ("exact", Self::Formula(Form::Exact)),
        ("simulated", Self::Simulated),
    ];

    /// Returns whether the lower bound of any algorithm holds for the times. Printed formulas may be below it.
    pub fn is_bounded(self) -> bool {
        matches!(self, Self::Formula(Form::Exact) | Self::Simulated)
    }

    /// Returns the name.
    pub fn name(self) -> &'static str {
        name_of(&Self::NAMES, &self)
    }
}

/// An algorithm with its segment size and other parameters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Method {
    /// The algorithm, or the word with which the names of compositions begin.
    pub algorithm: &'static str,
    /// The segment size, or `None` if the message is not cut.
    pub segment_size: Option<u64>,
    /// The radix of a k-nomial or d-ary tree, or `None` for the default.
    pub radix: Option<u32>,
    /// The number of chains of the algorithm `chain`, or `None` for the default.
    pub chains: Option<u32>,
    /// The two levels of a composition, which have segments and radices of their own.
    pub levels: Option<Arc<TwoLevel>>,
}

impl Method {
    /// Creates a method with the default radix and number of chains.
    pub fn new(algorithm: &'static str, segment_size: Option<u64>) -> Self {
        Self { algorithm, segment_size, radix: None, chains: None, levels: None }
    }

    /// Creates the method of a composition.
    pub fn composed(levels: TwoLevel) -> Self {
        Self { levels: Some(Arc::new(levels)), ..Self::new(TwoLevel::PREFIX, None) }
    }

    /// Returns the name of the algorithm, which is that of both levels for a composition.
    pub fn algorithm(&self) -> &str {
        self.levels.as_ref().map_or(self.algorithm, |levels| levels.name())
    }

    /// Returns the name with the radix, as in `knomial:radix=8`, or the number of chains, as in `chain:fanout=8`, which is the word of
    /// tuning files.
    pub fn name(&self) -> String {
        let name = radix::named(self.algorithm(), self.radix);
        self.chains.map_or(name.clone(), |chains| format!("{name}:{CHAINS}={chains}"))
    }

    /// Returns whether the method cuts the message, or has no segments.
    pub fn is_cut(&self, size: Size) -> bool {
        self.segment_size.is_none_or(|segment| segment < size.msg_size)
    }
}

/// The parameter of a name that is the number of chains.
const CHAINS: &str = "fanout";

/// Splits a name, as [`Method::name`] writes it, into that of the algorithm, the radix and the number of chains.
fn split(name: &str) -> (&str, Option<u32>, Option<u32>) {
    let chains = parameter(name, CHAINS).and_then(|chains| u32::try_from(chains).ok());
    let (name, radix) = split_radix(if chains.is_some() { without_parameters(name) } else { name });
    (name, radix, chains)
}

/// The predicted time of a method.
#[derive(Clone, Debug, PartialEq)]
pub struct Prediction {
    /// The method.
    pub method: Method,
    /// The time in seconds.
    pub seconds: f64,
}

/// The sizes of one call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// The number of ranks.
    pub comm_size: u32,
    /// The number of bytes.
    pub msg_size: u64,
}

/// Predicts the times of a collective's algorithms on a network.
#[derive(Debug)]
pub struct Predictor<'n> {
    network: &'n Network,
    collective: Collective,
    time_source: TimeSource,
    /// The noise of simulated times.
    pub noise: Noise,
    /// When ranks arrive at simulated calls.
    pub arrivals: Arrivals,
    /// The number of threads that simulate. The times do not depend on it.
    pub threads: NonZero<usize>,
    /// Whether a map uses the time of the method without segments if a segment is not smaller than the message. Otherwise there is no time.
    pub every_segment: bool,
    /// The number of significant digits to which the times of maps are rounded, if they are.
    pub digits: Option<u32>,
    /// The bytes of an element, of which the segments that a search tries are multiples.
    pub element_size: NonZero<u64>,
    /// Whether a search also tries compositions, as it does unless algorithms are named.
    composes: bool,
    algorithms: Vec<Candidate>,
}

#[derive(Clone, Debug)]
struct Candidate {
    name: &'static str,
    segmented: bool,
    has_radix: bool,
    /// The radix that its name sets, as in `dary:radix=3`.
    radix: Option<u32>,
    has_chains: bool,
    /// The number of chains that its name sets, as in `chain:fanout=8`.
    chains: Option<u32>,
    schedule: Option<&'static Entry>,
    /// The composition that its name states.
    levels: Option<Arc<TwoLevel>>,
}

impl Candidate {
    fn new(name: &'static str) -> Self {
        Self {
            name,
            segmented: false,
            has_radix: false,
            radix: None,
            has_chains: false,
            chains: None,
            schedule: None,
            levels: None,
        }
    }

    fn method(&self, segment_size: Option<u64>) -> Method {
        let Self { radix, chains, .. } = *self;
        Method { radix, chains, levels: self.levels.clone(), ..Method::new(self.name, segment_size) }
    }
}

impl<'n> Predictor<'n> {
    /// Returns a predictor for the algorithms with these names, or for all if no name is given. A name may set the radix of a tree, as
    /// in `dary:radix=3`, or the number of chains, as in `chain:fanout=8`, or state a composition, as in
    /// `two_level:inter=binomial/8192:intra=linear`.
    ///
    /// # Errors
    ///
    /// Fails if the collective has no such algorithm, or none at all, from this source of times.
    pub fn new(
        network: &'n Network,
        collective: Collective,
        time_source: TimeSource,
        names: &[String],
    ) -> Result<Self, String> {
        let all: Vec<Candidate> = match time_source {
            TimeSource::Formula(_) => models::formulas(collective)
                .map(|row| {
                    let schedule = qtdec_mpi_schedule::find(collective, row.algorithm);
                    let has_radix = schedule.is_ok_and(Entry::has_radix);
                    Candidate { segmented: row.segmented, has_radix, ..Candidate::new(row.algorithm) }
                })
                .collect(),
            TimeSource::Simulated => qtdec_mpi_schedule::algorithms(collective)
                .map(|entry| Candidate {
                    segmented: entry.is_segmented(),
                    has_radix: entry.has_radix(),
                    has_chains: entry.has_chains(),
                    schedule: Some(entry),
                    ..Candidate::new(entry.name())
                })
                .collect(),
        };
        let unknown = |name: &str| unknown(collective, time_source, name, &all);
        let mut algorithms = Vec::new();
        for name in names {
            let levels = TwoLevel::named(collective, name).map_err(|error| error.to_string())?;
            if let Some(levels) = levels {
                if time_source != TimeSource::Simulated {
                    return Err(format!("there is no formula for `{name}`; try --form simulated"));
                }
                let levels = Some(Arc::new(levels));
                algorithms.push(Candidate { levels, ..Candidate::new(TwoLevel::PREFIX) });
                continue;
            }
            let (algorithm, radix, chains) = split(name);
            let known = all.iter().find(|known| known.name == algorithm);
            let known = known.filter(|known| radix.is_none_or(|radix| known.has_radix && radix >= 2));
            let known = known.filter(|known| chains.is_none_or(|chains| known.has_chains && chains >= 1));
            algorithms.push(Candidate { radix, chains, ..known.ok_or_else(|| unknown(name))?.clone() });
        }
        if names.is_empty() {
            algorithms.clone_from(&all);
        }
        if algorithms.is_empty() {
            return Err(unknown(""));
        }
        Ok(Self {
            network,
            collective,
            time_source,
            noise: Noise::default(),
            arrivals: Arrivals::default(),
            threads: NonZero::<usize>::MIN,
            every_segment: false,
            digits: None,
            element_size: NonZero::<u64>::MIN,
            composes: names.is_empty() && time_source == TimeSource::Simulated,
            algorithms,
        })
    }

    /// Sets the number of chains of the algorithms that have one and whose name does not set it.
    ///
    /// # Errors
    ///
    /// Fails if no algorithm has chains, or if their number is 0.
    pub fn set_chains(&mut self, chains: u32) -> Result<(), String> {
        if chains == 0 {
            return Err("the number of chains is 0; it must be at least 1".to_owned());
        }
        let mut with_chains = self.algorithms.iter_mut().filter(|known| known.has_chains).peekable();
        if with_chains.peek().is_none() {
            return Err("no algorithm has a number of chains: `chain` of bcast and reduce has one, with --form simulated".to_owned());
        }
        with_chains.for_each(|known| known.chains = known.chains.or(Some(chains)));
        Ok(())
    }

    /// Checks the name of an algorithm.
    ///
    /// # Errors
    ///
    /// Fails if the algorithm is not predicted.
    pub fn check(&self, algorithm: &str) -> Result<(), String> {
        let Self { collective, time_source, algorithms, .. } = self;
        let known = algorithms.iter().any(|candidate| candidate.name == algorithm);
        known.then_some(()).ok_or_else(|| unknown(*collective, *time_source, algorithm, algorithms))
    }

    /// Returns the methods: each algorithm without segments and, if segments make a difference, with each of these segment sizes. A model
    /// of a network or a protocol, such as `shared_medium`, is no method: no program can choose it.
    pub fn methods(&self, segments: &[u64]) -> Vec<Method> {
        self.methods_of(|known| !self.is_model(known.name), segments)
    }

    fn methods_of(&self, is_wanted: impl Fn(&Candidate) -> bool, segments: &[u64]) -> Vec<Method> {
        let mut methods = Vec::new();
        for candidate in self.algorithms.iter().filter(|known| is_wanted(known)) {
            let segments = if candidate.segmented { segments } else { &[] };
            methods.push(candidate.method(None));
            methods.extend(segments.iter().map(|&segment| candidate.method(Some(segment))));
        }
        methods
    }

    /// Returns the time in seconds of each call, or `None` if the algorithm does not serve it, the formula does not cover
    /// it, or the segment is not smaller than the message, which is the method without segments. `done` is called once for
    /// each call.
    pub fn times(&self, calls: &[(&Method, Size)], done: impl Fn() + Sync) -> Vec<Option<f64>> {
        self.times_in(None, calls, done)
    }

    /// Returns the same for a library's forms of the algorithms, or for our own ones. Formulas do not distinguish them.
    fn times_in(
        &self,
        library: Option<qtdec_mpi_schedule::Library>,
        calls: &[(&Method, Size)],
        done: impl Fn() + Sync,
    ) -> Vec<Option<f64>> {
        match self.time_source {
            TimeSource::Formula(form) => {
                let time = |&(method, size): &(&Method, Size)| {
                    done();
                    self.by_formula(form, method, size)
                };
                calls.iter().map(time).collect()
            }
            TimeSource::Simulated => self.by_simulation(library, calls, done),
        }
    }

    /// Returns the reason why a call has no time, or `None` if it has one or its segment is not smaller than the message.
    pub fn refusal(&self, method: &Method, size: Size) -> Option<String> {
        if !method.is_cut(size) {
            return None;
        }
        match self.time_source {
            TimeSource::Formula(form) => self.formula(form, method, size).err(),
            TimeSource::Simulated => {
                let point = match self.point(None, method, size)? {
                    Ok(point) => point,
                    Err(error) => return Some(error.to_string()),
                };
                let skew = self.arrivals.at(size.comm_size, size.msg_size).into_owned();
                let mut simulator = Simulator::with_skew(self.network, skew);
                let time = simulator.time(&point, Noise::default());
                time.err().map(|error| error.to_string())
            }
        }
    }

    /// Returns the size of the largest message that the algorithms send in a call. It exceeds a block if they send several at once.
    ///
    /// The number of blocks in a message is that in a schedule of at most 64 ranks; for more ranks it is scaled proportionally.
    pub fn largest_message(&self, size: Size) -> u64 {
        if map::basis(self.collective) == Basis::Buffer {
            return size.msg_size;
        }
        let ranks = size.comm_size.clamp(2, 64);
        let entries = self
            .algorithms
            .iter()
            .filter_map(|known| qtdec_mpi_schedule::find(self.collective, known.name).ok());
        let joined = entries.filter_map(|entry| joined_blocks(entry, ranks)).max().unwrap_or(1);
        // The number of blocks in a pair does not grow with the ranks.
        let blocks = if joined <= 2 {
            joined
        } else {
            joined * u64::from(size.comm_size.max(ranks)) / u64::from(ranks)
        };
        size.msg_size.saturating_mul(blocks)
    }

    fn by_formula(&self, form: Form, method: &Method, size: Size) -> Option<f64> {
        if !method.is_cut(size) {
            return None;
        }
        // Round to the picosecond, like simulated times, so that times that are equal in the model are equal here.
        let rounded = |prediction: models::Prediction| (prediction.seconds * 1e12).round() / 1e12;
        self.formula(form, method, size).ok().map(rounded)
    }

    fn formula(&self, form: Form, method: &Method, size: Size) -> Result<models::Prediction, String> {
        let formula = models::formula(self.collective, method.algorithm)?;
        let call = Call::new(self.network, u64::from(size.comm_size), size.msg_size);
        let call = call.segment(method.segment_size).with_radix(method.radix);
        formula.predict(form, &call).map_err(|error| error.to_string())
    }

    fn by_simulation(
        &self,
        library: Option<qtdec_mpi_schedule::Library>,
        calls: &[(&Method, Size)],
        done: impl Fn() + Sync,
    ) -> Vec<Option<f64>> {
        // A grid may have a million points: keep their places, not their requests.
        let served: Vec<u32> = (0..)
            .zip(calls)
            .filter(|(_, call)| self.served(library, call).is_some())
            .map(|(at, _)| at)
            .collect();
        let (count, noise) = (served.len(), self.noise);
        let found = simulate::in_parallel(self.network, count, noise, self.threads, |worker, index| {
            let call = &calls[served[index] as usize];
            let skew = self.arrivals.at(call.1.comm_size, call.1.msg_size);
            let time = self.served(library, call).and_then(|point| worker.time(index, &point, &skew).ok());
            done();
            time.map(simulate::Time::seconds)
        });
        let mut times = vec![None; calls.len()];
        for (at, time) in served.into_iter().zip(found) {
            times[at as usize] = time;
        }
        times
    }

    /// Returns the point of a call that has a time.
    fn served<'m>(
        &self,
        library: Option<qtdec_mpi_schedule::Library>,
        &(method, size): &(&'m Method, Size),
    ) -> Option<Point<'m>> {
        let point = self.point(library, method, size)?.ok()?;
        let served = method.is_cut(size) && point.algorithm.accept(&point.request).is_ok();
        served.then_some(point)
    }

    /// Returns the point of a call, or `None` if the algorithm has no schedule.
    fn point<'m>(
        &self,
        library: Option<qtdec_mpi_schedule::Library>,
        method: &'m Method,
        size: Size,
    ) -> Option<Result<Point<'m>, RequestError>> {
        let (algorithm, clusters): (&'m (dyn Algorithm + Sync), _) = match &method.levels {
            Some(levels) if levels.count() > 2 => (&**levels, self.clusters_of_nodes(size.comm_size)),
            Some(levels) => (&**levels, self.nodes(size.comm_size)),
            None => {
                let entry = self.algorithms.iter().find(|known| known.name == method.algorithm)?.schedule?;
                let clusters = if entry.knows_clusters() { self.clusters(size.comm_size) } else { None };
                (entry, clusters)
            }
        };
        let request = Request::new(size.comm_size, size.msg_size)
            .and_then(|request| request.segment(method.segment_size))
            .and_then(|request| {
                let Method { radix, chains, .. } = *method;
                request.variant(Variant { library, clusters, radix, chains })
            });
        Some(request.map(|request| Point { algorithm, request }))
    }

    /// Returns the clusters of the network that the ranks are in or, if all are in one or nodes have the ranks in turn, its nodes.
    fn nodes(&self, comm_size: u32) -> Option<Clusters> {
        let per_node = u32::try_from(self.network.description().ranks_per_node).ok();
        let per_node = per_node.filter(|&ranks| ranks > 1);
        let nodes = || match self.network.description().placement {
            Placement::Consecutive => Clusters::of_ranks(comm_size, per_node?).ok(),
            Placement::Cyclic => Clusters::in_turn(comm_size, comm_size.div_ceil(per_node?)).ok(),
        };
        self.clusters(comm_size).or_else(nodes)
    }

    /// Returns the clusters of the network that the ranks are in, which consist of its nodes.
    fn clusters_of_nodes(&self, comm_size: u32) -> Option<Clusters> {
        let per_node = u32::try_from(self.network.description().ranks_per_node).ok()?;
        self.clusters(comm_size)?.with_nodes(per_node).ok()
    }

    /// Returns the clusters of consecutive ranks of the network that the ranks are in, if they are more than one.
    fn clusters(&self, comm_size: u32) -> Option<Clusters> {
        if self.network.description().is_cyclic() {
            return None;
        }
        let runs = self.network.clusters(u64::from(comm_size)).into_iter();
        // No number exceeds that of the ranks.
        let clusters = Clusters::new(runs.map(|(count, size)| (count as u32, size as u32))).ok()?;
        (clusters.count() > 1).then_some(clusters)
    }

    /// Returns the time of every method and model for one call, the fastest first. Ties keep the order of the methods.
    pub fn ranking(&self, size: Size, segments: &[u64]) -> Vec<Prediction> {
        let methods = self.methods_of(|_| true, segments);
        let calls: Vec<(&Method, Size)> = methods.iter().map(|method| (method, size)).collect();
        let times = self.times(&calls, || ());
        let found = methods.iter().zip(times);
        sorted(
            found.filter_map(|(method, seconds)| {
                Some(Prediction { method: method.clone(), seconds: seconds? })
            }),
        )
    }

    /// Returns the collective.
    pub fn collective(&self) -> Collective {
        self.collective
    }
}

/// Returns the largest number of blocks in one message of a schedule.
fn joined_blocks(entry: &Entry, ranks: u32) -> Option<u64> {
    let request = Request::new(ranks, 1).ok()?;
    let schedule = Schedule::build(entry, &request).ok()?;
    let operations = schedule.ranks.iter().flat_map(|rank| &rank.operations);
    let sends = operations.filter(|operation| matches!(operation.action, Action::Send { .. }));
    sends.map(|send| send.action.bytes()).max()
}

fn sorted(predictions: impl IntoIterator<Item = Prediction>) -> Vec<Prediction> {
    let mut predictions: Vec<Prediction> = predictions.into_iter().collect();
    predictions.sort_by(|one, other| one.seconds.total_cmp(&other.seconds));
    predictions
}

/// Returns the fault of an algorithm that is not known from a source of times.
fn unknown(collective: Collective, time_source: TimeSource, name: &str, known: &[Candidate]) -> String {
    let (what, instead) = match time_source {
        TimeSource::Simulated => ("schedule", ""),
        TimeSource::Formula(_) => ("formula", "; try --form simulated"),
    };
    if known.is_empty() {
        return format!("there is no {what} for {collective}{instead}");
    }
    let known: Vec<&str> = known.iter().map(|candidate| candidate.name).collect();
    let like = meant(name, known.iter().copied());
    format!("{collective} has no {what} for `{name}`{like}; the known algorithms are {}", known.join(", "))
}
