//! Comparison of hand-written rules with a map: their choices at its points, as methods of the map.

use std::collections::BTreeMap;

use qtdec_core::penalty::{CellPenalty, penalties};
use qtdec_core::statistics::Quality;
use qtdec_core::{Basis, DecisionMap, Domain, Method, MethodIndex, Path, Penalty, Place, Problem, Samples};
use qtdec_mpi_library::catalogue::{Library, Matching, natural_basis_or_buffer};
use qtdec_mpi_library::rules::{Call, Choice};
use qtdec_mpi_predict::predict::{self, Settings, Size};
use qtdec_mpi_schedule::{Algorithm as _, Collective, algorithms};

/// Properties of calls that the map does not contain.
#[derive(Clone, Copy, Debug)]
pub struct CallProperties {
    /// The size of an element in bytes.
    pub element_size: u64,
    /// Whether operations are commutative, unless an axis says so.
    pub commutative: bool,
}

/// The source of each rule input in a domain.
#[derive(Clone, Debug)]
pub struct Calls {
    comm_size: usize,
    msg_size: Option<usize>,
    commutative: Option<usize>,
    basis: Basis,
    assumed: CallProperties,
}

/// The choices of rules for every cell of a map.
#[derive(Clone, Debug, Default)]
pub struct Chosen {
    /// The method of the map for each cell, row-major; `None` if the map has no such method.
    pub decisions: Vec<Option<MethodIndex>>,
    /// The number of times that another segment size or limit of requests replaces one that was not measured.
    pub nearest_segment: u64,
    /// Algorithms that are not in the map and were not simulated, with the number of measured cells in which each was chosen.
    pub unknown: BTreeMap<&'static str, u64>,
    /// Algorithms that are not in the map and were simulated, with the number of cells in which each was chosen.
    pub simulated: BTreeMap<&'static str, u64>,
    /// The simulated cost of each cell whose choice the map does not have.
    costs: BTreeMap<usize, f64>,
    /// The number of measured cells in which the library runs another algorithm than the rule chose.
    pub substituted: u64,
}

impl Chosen {
    /// Returns decisions that are methods of the map.
    pub fn of(decisions: Vec<Option<MethodIndex>>) -> Self {
        Self { decisions, ..Self::default() }
    }

    /// Returns the quality of the choices on the map. A choice that was simulated may be faster than the best method of the map: its penalty
    /// is then negative.
    pub fn quality(&self, map: &DecisionMap) -> Quality {
        let quality = Quality::from_decisions(&self.decisions, map);
        let Some(cells) = self.priced(map) else { return quality };
        Quality { penalty: Penalty::over(&cells), ..quality }
    }

    /// Returns the cells of the map with the times of the choices, measured or simulated; `None` if the map has no times.
    pub fn priced(&self, map: &DecisionMap) -> Option<Vec<CellPenalty>> {
        let mut cells = penalties(&self.decisions, map)?;
        for cell in &mut cells {
            cell.chosen = cell.chosen.or_else(|| self.costs.get(&cell.cell).copied());
        }
        Some(cells)
    }

    /// Simulates the choices that the map has no time for, with the settings of its own times.
    fn simulate(&mut self, map: &DecisionMap, library: Library, missing: &[Missing]) {
        let collective = map.domain().collective().and_then(|name| name.parse::<Collective>().ok());
        if let Some((settings, collective)) = Settings::of(map).zip(collective) {
            let (mut cells, mut calls) = (Vec::new(), Vec::new());
            for Missing { cell, runs, call, .. } in missing {
                let method = method(collective, library, runs);
                let Some((method, comm_size)) = method.zip(u32::try_from(call.comm_size).ok()) else {
                    continue;
                };
                cells.push(*cell);
                calls.push((method, Size { comm_size, msg_size: call.msg_size }));
            }
            let costs = cells.into_iter().zip(settings.costs(collective, &calls));
            self.costs.extend(costs.filter_map(|(cell, cost)| Some((cell, cost?))));
        }
        for Missing { cell, algorithm, .. } in missing {
            if self.costs.contains_key(cell) {
                *self.simulated.entry(algorithm).or_default() += 1;
            } else if self.decisions[*cell].is_none() {
                *self.unknown.entry(algorithm).or_default() += 1;
            }
        }
    }
}

/// A choice that the map has no time for.
struct Missing {
    cell: usize,
    algorithm: &'static str,
    /// What the library runs for it.
    runs: Choice,
    call: Call,
}

/// Returns the method that is simulated for a choice, if the algorithm has a schedule.
fn method(collective: Collective, library: Library, choice: &Choice) -> Option<predict::Method> {
    let known_as = |name: &str| library.find(collective.name(), name).map(|algorithm| algorithm.name);
    let entry = algorithms(collective).find(|entry| known_as(entry.name()) == Some(choice.algorithm))?;
    let chains = choice.fan_out.filter(|_| entry.has_chains()).and_then(|chains| u32::try_from(chains).ok());
    let segment_size = choice.segment_size.filter(|_| entry.is_segmented());
    Some(predict::Method { chains, ..predict::Method::new(entry.name(), segment_size) })
}

impl Calls {
    /// Finds the axes `comm_size`, `msg_size` and `commutative`. Without a basis, message sizes are counted as in
    /// MPI's own signature: see [`natural_basis_or_buffer`].
    ///
    /// # Errors
    ///
    /// Fails if the domain has no communicator sizes, or an axis that no rule uses.
    pub fn new(domain: &Domain, collective: &str, assumed: CallProperties) -> Result<Self, Problem> {
        let sizes = |axis: &usize| domain.axes()[*axis].values().is_some();
        let comm_size = domain.find_axis("comm_size").filter(sizes);
        let msg_size = domain.find_axis("msg_size").filter(sizes);
        let commutative = domain.find_axis("commutative");
        let known = [comm_size, msg_size, commutative];
        if let Some(index) = (0..domain.axes().len()).find(|&index| !known.contains(&Some(index))) {
            let message = format!("no rule uses the axis `{}`", domain.axes()[index].name);
            return Err(Problem::new(Path::root().key("axes").index(index), message)
                .help("make a map of comm_size and msg_size for each value of the other axis"));
        }
        let comm_size = comm_size.ok_or_else(|| {
            Problem::new(Place::File, "there is no axis `comm_size` of sizes, which every rule uses")
                .help("name the axis of communicator sizes `comm_size`, and that of message sizes `msg_size`")
        })?;
        let basis = msg_size.and_then(|axis| domain.axes()[axis].basis);
        let basis = basis.unwrap_or_else(|| natural_basis_or_buffer(collective));
        Ok(Self { comm_size, msg_size, commutative, basis, assumed })
    }

    /// Returns the call at a cell.
    fn at(&self, domain: &Domain, cell: usize) -> Call {
        let sizes = domain.sizes(cell);
        let commutative = match self.commutative.map(|axis| (&domain.axes()[axis].samples, sizes[axis])) {
            Some((Samples::Labels(labels), index)) => !["no", "false"].contains(&&*labels[index as usize]),
            Some((Samples::Values(_), value)) => value > 0,
            None => self.assumed.commutative,
        };
        Call {
            comm_size: sizes[self.comm_size],
            msg_size: self.msg_size.map_or(0, |axis| sizes[axis]),
            basis: self.basis,
            element_size: self.assumed.element_size,
            commutative,
        }
    }
}

/// The replacement for an algorithm's name if the choice is left to the library and the map has no baseline.
const LIBRARY: &str = "the library's own choice";

/// Returns the choice of `rule` for every cell. A rule of `None` leaves it to the library, whose choice is the map's baseline.
/// `runs` returns what the library then runs, and is simulated if the map was simulated and does not have the choice.
pub fn choose(
    map: &DecisionMap,
    calls: &Calls,
    (library, matching): (Library, &Matching),
    rule: impl Fn(&Call) -> Option<Choice>,
    runs: impl Fn(Choice, &Call) -> Choice,
) -> Chosen {
    let baseline = map.domain().baseline();
    let mut chosen = Chosen::default();
    let mut missing = Vec::new();
    for cell in 0..map.cells().len() {
        let call = calls.at(map.domain(), cell);
        let choice = rule(&call);
        let found = match choice {
            Some(choice) => nearest(map, cell, matching, choice, &call),
            None => baseline.map(|baseline| (baseline, true)),
        };
        chosen.decisions.push(found.map(|(method, _)| method));
        if map.cells()[cell].is_none() {
            continue;
        }
        let substituted = choice.is_some_and(|choice| runs(choice, &call).algorithm != choice.algorithm);
        chosen.substituted += u64::from(substituted);
        let has_time = found
            .is_some_and(|(method, _)| map.costs().is_none_or(|costs| costs.get(cell, method).is_some()));
        chosen.nearest_segment += u64::from(found.is_some_and(|(_, is_exact)| !is_exact));
        match choice {
            Some(choice) if !has_time => {
                missing.push(Missing { cell, algorithm: choice.algorithm, runs: runs(choice, &call), call });
            }
            None if found.is_none() => *chosen.unknown.entry(LIBRARY).or_default() += 1,
            _ => {}
        }
    }
    chosen.simulate(map, library, &missing);
    chosen
}

/// Returns the method of this algorithm whose segment size, limit of requests and fan-out are the nearest in log2, and whether they are the
/// same.
/// Methods that have a cost in the cell are preferred.
fn nearest(
    map: &DecisionMap,
    cell: usize,
    matching: &Matching,
    choice: Choice,
    call: &Call,
) -> Option<(MethodIndex, bool)> {
    let is_it = |method: &MethodIndex| {
        matching.get(*method).is_some_and(|algorithm| algorithm.name == choice.algorithm)
    };
    let mut candidates: Vec<MethodIndex> = map.domain().method_indexes().filter(is_it).collect();
    let is_priced =
        |method: &MethodIndex| map.costs().is_some_and(|costs| costs.get(cell, *method).is_some());
    if candidates.iter().any(is_priced) {
        candidates.retain(is_priced);
    }
    // A message that is not cut is one segment, and so is one that is shorter than its segments.
    let effective = |size: Option<u64>| size.unwrap_or(u64::MAX).min(call.msg_size).max(1);
    // Without a limit, a rank has one request open for each other rank.
    let open = |requests: Option<u64>| {
        let requests = requests.filter(|requests| *requests > 0).unwrap_or(u64::MAX);
        requests.min(call.comm_size.saturating_sub(1)).max(1)
    };
    // A choice without a fan-out is of an algorithm without one.
    let chains = |fan_out: u64| fan_out.min(call.comm_size.saturating_sub(1)).max(1);
    let wanted = [effective(choice.segment_size), open(choice.requests), choice.fan_out.map_or(1, chains)];
    let parameters = |method: &MethodIndex| {
        let number = |key| matching.parameter(map.domain(), *method, key);
        let default = || matching.get(*method)?.fan_out;
        let fan_out = choice.fan_out.and_then(|_| number("fanout").or_else(default));
        let Method { segment_size, .. } = map.domain().method(*method);
        [effective(*segment_size), open(number("reqs")), fan_out.map_or(1, chains)]
    };
    let distance = |method: &MethodIndex| -> f64 {
        let pairs = parameters(method).into_iter().zip(wanted);
        pairs.map(|(one, other)| ((one as f64).log2() - (other as f64).log2()).abs()).sum()
    };
    let found = candidates.into_iter().min_by(|a, b| distance(a).total_cmp(&distance(b)))?;
    Some((found, parameters(&found) == wanted))
}
