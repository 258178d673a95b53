//! Rules in a library's own terms: its algorithms and its units.

mod extent;
mod restrictions;
mod scale;
mod settings;
mod shared;

use crate::catalogue::{Algorithm, Library, Placement, Release, SizeUnit};
use qtdec_core::{DecisionTree, Domain, Place, Problem, Problems};

use super::bands::Bands;
use super::by_placement::{measured, placed};
use super::operands;
use restrictions::allowed;
use scale::Scale;
use settings::settings;
use shared::scaled;

/// The settings of a rule.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Setting {
    /// The algorithm, or `None` to leave the choice to the library.
    pub algorithm: Option<&'static Algorithm>,
    /// The segment size in bytes.
    pub segment_size: Option<u64>,
    /// The fan-in or fan-out.
    pub fan_out: Option<u64>,
    /// The most requests that a rank has open at once, or 0 for no limit.
    pub requests: Option<u64>,
}

/// Options for converting a tree to a library's terms.
#[derive(Clone, Debug, Default)]
pub struct RuleOptions {
    /// Pairs of methods and their algorithms, given by the user.
    pub methods: Vec<(String, String)>,
    /// The largest communicator size to cover; by default the largest one measured.
    pub max_comm_size: Option<u64>,
    /// Whether rules also cover larger communicators, unless every size needs rules of its own.
    pub extend: bool,
    /// Whether one rule may apply to a range of communicator sizes where that is not exact.
    pub approximate: bool,
    /// Whether communicators below the smallest one measured are left to the library.
    pub guard: bool,
    /// The release for which the rules are written, or `None` for one that has every algorithm.
    pub release: Option<Release>,
    /// What the file can test of the placement of ranks; by default what all files of the library can.
    pub placement: Option<Placement>,
}

impl RuleOptions {
    /// Returns these options for the methods of one map: pairs with the prefix of its collective replace those without.
    #[must_use]
    pub fn restricted_to(&self, domain: &Domain) -> Self {
        let is_own =
            |(method, _): &&(String, String)| without_collective(method, domain.collective()).is_some();
        let (one, all): (Vec<_>, Vec<_>) = self.methods.iter().partition(is_own);
        let own = |(method, algorithm): &(String, String)| {
            Some((own_method(domain, method)?.to_owned(), algorithm.clone()))
        };
        let mut methods: Vec<(String, String)> = Vec::new();
        for (method, algorithm) in one.into_iter().chain(all).filter_map(own) {
            if !methods.iter().any(|(known, _)| *known == method) {
                methods.push((method, algorithm));
            }
        }
        Self { methods, ..self.clone() }
    }
}

/// Returns the method of `COLLECTIVE:METHOD` if it is for this collective.
pub fn without_collective<'m>(method: &'m str, collective: Option<&str>) -> Option<&'m str> {
    let (prefix, method) = method.split_once(':')?;
    (Some(prefix) == collective).then_some(method)
}

/// Finds a method of a map by its name or label, with or without the prefix of the map's collective.
pub fn own_method<'m>(domain: &Domain, method: &'m str) -> Option<&'m str> {
    let is_known =
        |name: &&str| domain.methods().iter().any(|known| known.name == *name || known.label() == *name);
    [Some(method), without_collective(method, domain.collective())].into_iter().flatten().find(is_known)
}

/// The rules for one collective in a library's own terms.
#[derive(Clone, Debug)]
pub struct LibraryRules {
    /// MPI's name in lower case.
    pub collective: String,
    /// The settings by size; message sizes are in the library's unit.
    pub bands: Bands<Setting>,
    /// The settings by size from each number of ranks per node on, of which the first is 0; empty if [`bands`](Self::bands) hold for all
    /// placements.
    pub by_ranks_per_node: Vec<(u64, Bands<Setting>)>,
    /// The largest communicator size covered if every size needs rules of its own.
    pub largest: u64,
    /// Notes about what was lost or is not exact, and the number of rules.
    pub notes: Vec<String>,
    /// Faults of algorithms that the rules force.
    pub warnings: Vec<String>,
    /// What the rules do at sizes that were not measured, or `None` if they force nothing.
    pub extent: Option<String>,
    /// The algorithms that give operations of programs parts of their operands, or `None` if the rules force none.
    pub cut: Option<String>,
}

impl LibraryRules {
    /// Converts a tree to the terms of a library that compares message sizes in `unit`.
    ///
    /// # Errors
    ///
    /// Fails if the library does not know a method, or cannot accept an axis or basis.
    pub fn new(
        tree: &DecisionTree,
        library: Library,
        collective: &str,
        unit: SizeUnit,
        options: &RuleOptions,
    ) -> Result<Self, Problems> {
        let mut notes = Vec::new();
        if library.algorithms(collective).is_empty() {
            let message = format!("{} does not choose among algorithms for `{collective}`", library.name());
            return Err(Problem::new(Place::File, message).into());
        }
        let placement = options.placement.unwrap_or(library.placement());
        let decisions = placed(tree, library, placement, &mut notes)?;
        let settings = settings(tree, library, collective, options, &mut notes)?;
        let ends = measured(tree);
        let last = options.max_comm_size.or(ends.map(|(_, last)| last));
        let largest = last.unwrap_or(1024).clamp(1, 1 << 20);
        let mut by_ranks_per_node: Vec<(u64, Bands<Setting>)> = Vec::new();
        for (from, methods) in &decisions {
            let allowed = allowed(tree, methods, &settings, &mut notes);
            let mut bands =
                allowed.map(|method| method.map_or_else(Setting::default, |index| settings[index.get()]));
            let scale = Scale::new(tree, collective, unit, &bands)?;
            if scale == Scale::PerRank {
                notes.push(
                    "the library rounds the bytes for each rank down: this is exact only for totals that are \
                     multiples of the ranks"
                        .to_owned(),
                );
            }
            if options.guard
                && let Some((first, _)) = ends.filter(|(first, _)| *first > 0)
            {
                bands = guarded(&bands, first);
            }
            if scale != Scale::AsIs && bands.use_message_sizes() {
                shared::check_rows(&bands, collective, largest, options.approximate)?;
                bands = scaled(tree, &bands, scale, (largest, options.approximate), &mut notes);
            }
            let bands = extent::ended(bands, library, last.filter(|_| !options.extend));
            by_ranks_per_node.push((*from, bands));
        }
        let extent = extent::described(tree, library, collective, &by_ranks_per_node);
        notes.extend(extent.clone());
        let rows = by_ranks_per_node.iter().map(|(_, bands)| bands.rows()).sum();
        let ranges = by_ranks_per_node.iter().map(|(_, bands)| bands.communicators().len()).sum();
        let levels = match by_ranks_per_node.len() {
            0 | 1 => String::new(),
            levels => format!(" within {}", counted(levels, "range of ranks per node")),
        };
        notes.push(format!(
            "{collective}: {} of the tree in {}, for {}{levels}",
            counted(tree.statistics().regions as usize, "region"),
            counted(rows, "rule"),
            counted(ranges, "range of communicator sizes"),
        ));
        let mut kept: Vec<String> = Vec::new();
        for note in notes {
            if !kept.contains(&note) {
                kept.push(note);
            }
        }
        let bands = by_ranks_per_node[0].1.clone();
        let by_ranks_per_node = if by_ranks_per_node.len() > 1 { by_ranks_per_node } else { Vec::new() };
        let mut rules = Self {
            bands,
            by_ranks_per_node,
            largest,
            notes: kept,
            extent,
            ..Self::left_to_library(collective)
        };
        rules.warnings = cautions(library, collective, &rules);
        let forced = rules.settings();
        let forced =
            forced.filter_map(|(_, setting)| Some((setting.algorithm?, setting.segment_size.is_some())));
        rules.cut = operands::described(library, collective, forced);
        rules.notes.extend(rules.cut.clone());
        Ok(rules)
    }
}

impl LibraryRules {
    /// Creates rules that leave every choice to the library.
    pub fn left_to_library(collective: &str) -> Self {
        Self {
            collective: collective.to_owned(),
            bands: Bands::everywhere(Setting::default()),
            by_ranks_per_node: Vec::new(),
            largest: 1,
            notes: Vec::new(),
            warnings: Vec::new(),
            extent: None,
            cut: None,
        }
    }

    pub(super) fn all_bands(&self) -> impl Iterator<Item = &Bands<Setting>> {
        let everywhere = self.by_ranks_per_node.is_empty().then_some(&self.bands);
        everywhere.into_iter().chain(self.by_ranks_per_node.iter().map(|(_, bands)| bands))
    }

    /// Returns every setting with the message size that it applies from.
    pub(super) fn settings(&self) -> impl Iterator<Item = &(u64, Setting)> {
        self.all_bands().flat_map(Bands::communicators).flat_map(|(_, messages)| messages)
    }

    /// Returns the number of rules, with those that leave the choice to the library.
    pub fn rows(&self) -> usize {
        self.all_bands().map(Bands::rows).sum()
    }

    /// Returns what users should know of the rules, as clauses.
    pub fn remarks(&self) -> impl Iterator<Item = &str> {
        self.extent.iter().chain(&self.cut).map(String::as_str)
    }

    /// Returns the rules without the algorithms that divide the ranks among the nodes, whose calls are left to the part of the library that
    /// has them: a file for it is written beside.
    #[must_use]
    pub fn without_nodes(&self) -> Self {
        let left = |setting: &Setting| match setting.algorithm {
            Some(algorithm) if algorithm.is_by_nodes() => Setting::default(),
            _ => *setting,
        };
        let levels = self.by_ranks_per_node.iter().map(|(from, bands)| (*from, bands.map(left)));
        Self { bands: self.bands.map(left), by_ranks_per_node: levels.collect(), ..self.clone() }
    }

    /// Returns the name of an algorithm of the rules that divides the ranks among the nodes, if there is one.
    pub(super) fn by_nodes(&self) -> Option<&'static str> {
        let algorithms = self.settings().filter_map(|(_, setting)| setting.algorithm);
        algorithms.into_iter().find(|algorithm| algorithm.is_by_nodes()).map(|algorithm| algorithm.name)
    }

    /// Returns the number of rules that force an algorithm.
    pub fn forced(&self) -> usize {
        self.settings().filter(|(_, setting)| setting.algorithm.is_some()).count()
    }

    /// Describes rules for messages above the greatest size that a library compares with, which have no effect.
    pub(super) fn beyond(&self, greatest: u64, what_then: &str) -> Option<String> {
        let first = self.settings().map(|(from, _)| *from).filter(|from| *from > greatest).min()?;
        Some(format!(
            "{}: the rules from {first} bytes on are omitted, because {greatest} is the greatest size in a \
                 rule: {what_then}",
            self.collective
        ))
    }
}

/// Returns `1 rule` or `2 rules`; the first word is inflected.
pub fn counted(number: usize, what: &str) -> String {
    let (first, rest) =
        what.split_once(' ').map_or((what, String::new()), |(first, rest)| (first, format!(" {rest}")));
    format!("{number} {first}{}{rest}", if number == 1 { "" } else { "s" })
}

/// Returns the faults of the algorithms that rules force, each algorithm once.
fn cautions(library: Library, collective: &str, rules: &LibraryRules) -> Vec<String> {
    let mut cautions = Vec::new();
    for algorithm in library.algorithms(collective) {
        let mut forced = rules.settings().filter(|(_, setting)| setting.algorithm == Some(algorithm));
        let fault = forced.find_map(|(_, setting)| algorithm.fault(setting.segment_size.is_some()));
        cautions.extend(
            fault.map(|fault| format!("{}'s {collective} `{}` {fault}", library.name(), algorithm.name)),
        );
    }
    cautions
}

/// Returns whether rules for some communicators force an algorithm.
pub(super) fn forces(messages: &[(u64, Setting)]) -> bool {
    messages.iter().any(|(_, setting)| setting.algorithm.is_some())
}

fn guarded(bands: &Bands<Setting>, first: u64) -> Bands<Setting> {
    let mut communicators = vec![(0, vec![(0, Setting::default())]), (first, bands.messages(first).to_vec())];
    communicators.extend(bands.communicators().iter().filter(|(from, _)| *from > first).cloned());
    Bands::new(communicators).expect("bands stay bands")
}
