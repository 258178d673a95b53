//! Trees to export: those of the maps in the repository, and random ones for every collective.

use std::collections::HashMap;

use qtdec_core::{Axis, Basis, Borders, DecisionMap, DecisionTree, Document, Domain, Method, MethodIndex};
use qtdec_core::{Requirement, Samples};
use qtdec_mpi_library::catalogue::open_mpi::{COLLECTIVES, REQUESTS_SINCE};
use qtdec_mpi_library::catalogue::{
    Algorithm, Library, Release, SizeUnit, TunedCollective, natural_basis_or_buffer, parameter,
    without_parameters,
};
use qtdec_mpi_library::tuning::RuleOptions;
use qtdec_testkit::maps::{Pattern, Plan as Coloured, TestRng};

use crate::engines::deployed::{self, encoded};
use crate::engines::repository;

/// An exported tree, and Open MPI's algorithms for its methods.
pub(super) struct Exported {
    pub(super) name: String,
    pub(super) tree: DecisionTree,
    pub(super) known: &'static TunedCollective,
    pub(super) options: RuleOptions,
    /// The algorithm of each method, or `None` for the library's own choice.
    algorithms: Vec<Option<&'static Algorithm>>,
}

impl Exported {
    /// Creates an exported tree. Methods that the release does not know are replaced by its algorithms in turn, because the test is
    /// about where each applies.
    fn new(name: String, tree: DecisionTree, known: &'static TunedCollective, release: Release) -> Self {
        let released: Vec<_> =
            known.algorithms.iter().filter(|algorithm| algorithm.is_in(Some(release))).collect();
        let mut stand_ins: HashMap<String, &Algorithm> = HashMap::new();
        let mut options = RuleOptions { release: Some(release), ..for_all_sizes() };
        let algorithm = |method: &Method| {
            if method.baseline {
                return None;
            }
            let found = Library::OpenMpi.find(known.name, without_parameters(&method.name));
            Some(found.filter(|found| found.is_in(Some(release))).unwrap_or_else(|| {
                let turn = stand_ins.len();
                stand_ins.entry(method.name.clone()).or_insert_with(|| {
                    let algorithm = released[turn % released.len()];
                    options.methods.push((method.name.clone(), algorithm.name.to_owned()));
                    algorithm
                })
            }))
        };
        let algorithms = tree.domain().methods().iter().map(algorithm).collect();
        Self { name, tree, known, options, algorithms }
    }

    /// Limits the number of ranks for which there are rules, if each number of ranks needs its own.
    fn up_to(mut self, ranks: u64) -> Self {
        self.options.max_comm_size = Some(ranks);
        self
    }

    /// Returns the basis of the tree's message sizes.
    pub(super) fn basis(&self) -> Basis {
        let axis = self.tree.domain().find_axis("msg_size");
        let basis = axis.and_then(|axis| self.tree.domain().axes()[axis].basis);
        basis.unwrap_or_else(|| natural_basis_or_buffer(self.known.name))
    }

    /// Returns whether the library multiplies the tree's message sizes by the ranks.
    pub(super) fn is_multiplied(&self) -> bool {
        self.tree.domain().find_axis("msg_size").is_some()
            && matches!(self.known.unit, SizeUnit::TimesRanks | SizeUnit::Total)
            && self.basis() == Basis::Block
    }

    /// Returns the largest communicator size with rules of its own, if each needs some.
    pub(super) fn largest(&self) -> u64 {
        let axis = self.tree.domain().find_axis("comm_size");
        let values = axis.and_then(|axis| self.tree.domain().axes()[axis].values());
        self.options.max_comm_size.or(values.and_then(|values| values.last().copied())).unwrap_or(1024)
    }

    /// Returns the number, fan-out and segment size of the tree's decision; zeros leave the choice to the library.
    pub(super) fn expected(&self, ranks: u64, size: u64) -> (u64, u64, u64) {
        self.decision(ranks, size).and_then(|method| self.setting(method, ranks)).unwrap_or((0, 0, 0))
    }

    /// Returns the most requests that a rank may have open by the tree's decision, or `None` for no limit.
    pub(super) fn requests(&self, ranks: u64, size: u64) -> Option<u64> {
        let method = self.decision(ranks, size)?;
        let (_, _, segment) = self.setting(method, ranks)?;
        let requests = parameter(&self.tree.domain().method(method).name, "reqs");
        self.algorithms[method.get()]?.open_requests(requests, Some(segment))
    }

    fn decision(&self, ranks: u64, size: u64) -> Option<MethodIndex> {
        let domain = self.tree.domain();
        let mut sizes = vec![0; domain.axes().len()];
        for (name, size) in [("comm_size", ranks), ("msg_size", size)] {
            if let Some(axis) = domain.find_axis(name) {
                sizes[axis] = size;
            }
        }
        self.tree.decide(&sizes)
    }

    fn setting(&self, index: MethodIndex, ranks: u64) -> Option<(u64, u64, u64)> {
        let method = self.tree.domain().method(index);
        let algorithm = self.algorithms[index.get()]?;
        let may_run = |requirement: &Requirement| match requirement {
            Requirement::PowerOfTwo => ranks.is_power_of_two(),
            Requirement::CommSize(only) => ranks == *only,
            Requirement::Commutative | Requirement::CountAtLeastCommSize => true,
        };
        if !method.requires.iter().all(may_run) || (algorithm.name == "two_proc" && ranks != 2) {
            return None;
        }
        let segment = method.segment_size.filter(|_| algorithm.is_segmented()).unwrap_or(0);
        let fan_out = parameter(&method.name, "fanout").or(algorithm.fan_out).unwrap_or(0);
        Some((algorithm.number.unwrap_or(0), fan_out, segment))
    }

    /// Returns whether some methods are replaced by other algorithms.
    pub(super) fn has_stand_ins(&self) -> bool {
        !self.options.methods.is_empty()
    }
}

/// Returns the maps and trees of the repository and of its measurements, each map with all borders, and the number of others,
/// whose axes Open MPI's rules files do not use. Those that name no collective are treated as broadcasts. Algorithms are those of a release.
pub(super) fn of_repository(release: Release) -> Result<(Vec<Exported>, usize), String> {
    let (mut exported, mut others) = (Vec::new(), 0);
    for (name, document) in repository::documents()?.into_iter().chain(repository::measured()?) {
        let domain = document.domain();
        let known = Library::OpenMpi.collective(domain.collective().unwrap_or("bcast"));
        let is_looked_at = |axis: &Axis| {
            ["comm_size", "msg_size"].contains(&&*axis.name) && matches!(axis.samples, Samples::Values(_))
        };
        let Some(known) = known.filter(|_| domain.axes().iter().all(is_looked_at)) else {
            others += 1;
            continue;
        };
        let trees = match document {
            Document::Tree(tree) => vec![tree],
            Document::Map(map) => {
                Borders::ALL.iter().map(|(_, borders)| encoded(&map, *borders)).collect::<Result<_, _>>()?
            }
        };
        for tree in trees {
            exported.push(Exported::new(name.clone(), tree, known, release));
        }
    }
    Ok((exported, others))
}

/// Returns random maps for every collective.
pub(super) fn random(release: Release) -> Result<Vec<Exported>, String> {
    let mut exported = Vec::new();
    let mut seed = 1;
    for known in COLLECTIVES {
        for basis in [Basis::Block, Basis::Buffer, Basis::Total] {
            let fits = match known.unit {
                SizeUnit::Buffer | SizeUnit::Nothing => basis == Basis::Buffer,
                SizeUnit::PerRank => basis == Basis::Block,
                SizeUnit::TimesRanks | SizeUnit::Total => true,
            };
            for pattern in [Pattern::Noise, Pattern::Smooth, Pattern::Stripes] {
                seed += 1;
                if fits {
                    let shape: &[usize] = if known.unit == SizeUnit::Nothing { &[9] } else { &[9, 12] };
                    let plan = Coloured { nulls: 10, ..Coloured::new(shape, pattern, seed) };
                    let tree = encoded(
                        &random_map(&plan, known, basis, release)?,
                        Borders::ALL[seed as usize % Borders::ALL.len()].1,
                    )?;
                    exported
                        .push(Exported::new(format!("random map {seed}"), tree, known, release).up_to(70));
                }
            }
        }
    }
    Ok(exported)
}

/// Returns a coloured grid whose colours are algorithms of a collective, some with segments and, for a release whose rules can, with limits
/// of requests.
fn random_map(
    plan: &Coloured,
    known: &TunedCollective,
    basis: Basis,
    release: Release,
) -> Result<DecisionMap, String> {
    let algorithms: Vec<_> =
        known.algorithms.iter().filter(|algorithm| algorithm.is_in(Some(release))).collect();
    let coloured = Coloured { methods: 7, ..plan.clone() }.map();
    let mut chance = TestRng(plan.seed);
    let methods = (0..coloured.domain().methods().len() as u64).map(|index| {
        let algorithm = algorithms[index as usize % algorithms.len()];
        // The numbers differ, so that no two methods are equal.
        let segment_size = Some(index * 100_000 + 1 + chance.below(90_000));
        let limits = release >= REQUESTS_SINCE && algorithm.limits_requests(true);
        let limit = if limits { format!(":reqs={}", chance.below(10)) } else { String::new() };
        Method { segment_size, ..Method::new(format!("{}{limit}", algorithm.name)) }
    });
    let methods: Vec<Method> = methods.collect();
    let axes = coloured.domain().axes().iter().map(|axis| {
        // The communicators are small enough to have rules of their own.
        let values = axis.values().unwrap_or(&[]);
        let is_comm = axis.name == "comm_size";
        let shrunk = values
            .iter()
            .enumerate()
            .map(|(index, value)| if is_comm { 2 + 7 * index as u64 } else { *value });
        Axis {
            basis: (!is_comm).then_some(basis),
            ..Axis::new(axis.name.clone(), shrunk.collect::<Vec<u64>>())
        }
    });
    let domain = Domain::new(Some(known.name.to_owned()), axes.collect(), methods);
    let domain = domain.map_err(|problems| problems.to_string())?;
    DecisionMap::new(domain, coloured.cells().to_vec()).map_err(|problems| problems.to_string())
}

/// Returns the number of a collective in a rules file.
pub(super) fn number(known: &TunedCollective) -> u8 {
    known.number.expect("Open MPI's files number all collectives")
}

/// Returns the options of rules that continue beyond the tree's largest communicator.
pub(super) fn for_all_sizes() -> RuleOptions {
    RuleOptions { extend: true, ..RuleOptions::default() }
}

/// Returns a tree that chooses one method everywhere.
pub(super) fn always(known: &TunedCollective, method: Method) -> Result<DecisionTree, String> {
    deployed::tree(known.name, vec![Axis::new("comm_size", vec![2])], vec![method], [0])
}
