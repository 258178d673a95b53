//! Rules in a library's own terms: its algorithms and its units.

mod allowed;
mod scale;
mod settings;
mod shared;

use qtdec_core::{DecisionTree, Domain, Place, Problem, Problems};
use qtdec_mpi::catalogue::{Algorithm, Library, Release, SizeUnit};

use super::bands::Bands;
use allowed::allowed;
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
    /// The number of channels.
    pub channels: Option<u64>,
}

/// Options for converting a tree to a library's terms.
#[derive(Clone, Debug, Default)]
pub struct RuleOptions {
    /// Pairs of methods and their algorithms, given by the user.
    pub methods: Vec<(String, String)>,
    /// The largest communicator size to cover if every size needs rules of its own; by default the largest
    /// one measured.
    pub max_comm_size: Option<u64>,
    /// Whether one rule may apply to a range of communicator sizes where that is not exact.
    pub approximate: bool,
    /// Whether communicators below the smallest one measured are left to the library.
    pub guard: bool,
    /// The release for which the rules are written, or `None` for one that has every algorithm.
    pub release: Option<Release>,
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
    /// The largest communicator size covered if every size needs rules of its own.
    pub largest: u64,
    /// Notes about what was lost or is not exact, and the number of rules.
    pub notes: Vec<String>,
    /// Faults of algorithms that the rules force.
    pub warnings: Vec<String>,
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
        let methods = Bands::from_tree(tree)?;
        let settings = settings(tree, library, collective, options, &mut notes)?;
        let allowed = allowed(tree, &methods, &settings, &mut notes);
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
            && let Some(first) = first_sample(tree).filter(|first| *first > 0)
        {
            bands = guarded(&bands, first);
        }
        let largest = largest(tree, options);
        if scale != Scale::AsIs && bands.use_message_sizes() {
            shared::check_rows(&bands, collective, largest, options.approximate)?;
            bands = scaled(tree, &bands, scale, (largest, options.approximate), &mut notes);
        }
        notes.push(format!(
            "{collective}: {} of the tree in {}, for {}",
            counted(tree.statistics().regions as usize, "region"),
            counted(bands.rows(), "rule"),
            counted(bands.communicators().len(), "range of communicator sizes"),
        ));
        let warnings = cautions(library, collective, &bands);
        Ok(Self { collective: collective.to_owned(), bands, largest, notes, warnings })
    }
}

impl LibraryRules {
    /// Creates rules that leave every choice to the library.
    pub fn left_to_library(collective: &str) -> Self {
        Self {
            collective: collective.to_owned(),
            bands: Bands::everywhere(Setting::default()),
            largest: 1,
            notes: Vec::new(),
            warnings: Vec::new(),
        }
    }

    /// Returns the number of rules that force an algorithm.
    pub fn forced(&self) -> usize {
        let communicators = self.bands.communicators().iter();
        let settings = communicators.flat_map(|(_, messages)| messages.iter().map(|(_, setting)| setting));
        settings.filter(|setting| setting.algorithm.is_some()).count()
    }

    /// Describes rules for messages above the greatest size that a library compares with, which have no effect.
    pub(super) fn beyond(&self, greatest: u64, what_then: &str) -> Option<String> {
        let first_beyond = |messages: &Vec<(u64, Setting)>| {
            messages.iter().map(|(from, _)| *from).find(|from| *from > greatest)
        };
        let first =
            self.bands.communicators().iter().filter_map(|(_, messages)| first_beyond(messages)).min()?;
        Some(format!(
            "{}: the rules from {first} bytes on are omitted, because {greatest} is the greatest size in a \
                 rule: {what_then}",
            self.collective
        ))
    }
}

/// Returns `1 rule` or `2 rules`; the first word is inflected.
pub(super) fn counted(number: usize, what: &str) -> String {
    let (first, rest) =
        what.split_once(' ').map_or((what, String::new()), |(first, rest)| (first, format!(" {rest}")));
    format!("{number} {first}{}{rest}", if number == 1 { "" } else { "s" })
}

/// Returns the faults of the algorithms that rules force, each algorithm once.
fn cautions(library: Library, collective: &str, bands: &Bands<Setting>) -> Vec<String> {
    let settings: Vec<&Setting> = (bands.communicators().iter())
        .flat_map(|(_, messages)| messages.iter().map(|(_, setting)| setting))
        .collect();
    let fault = |algorithm: &'static Algorithm| {
        let mut forced = settings.iter().filter(|setting| setting.algorithm == Some(algorithm));
        let fault = forced.find_map(|setting| algorithm.fault(setting.segment_size.is_some()))?;
        Some(format!("{}'s {collective} `{}` {fault}", library.name(), algorithm.name))
    };
    library.algorithms(collective).iter().filter_map(fault).collect()
}

fn largest(tree: &DecisionTree, options: &RuleOptions) -> u64 {
    let axis = tree.domain().find_axis("comm_size");
    let values = axis.and_then(|axis| tree.domain().axes()[axis].values()).unwrap_or(&[]);
    options.max_comm_size.or(values.last().copied()).unwrap_or(1024).clamp(1, 1 << 20)
}

fn first_sample(tree: &DecisionTree) -> Option<u64> {
    let axis = tree.domain().find_axis("comm_size")?;
    tree.domain().axes()[axis].values()?.first().copied()
}

fn guarded(bands: &Bands<Setting>, first: u64) -> Bands<Setting> {
    let mut communicators = vec![(0, vec![(0, Setting::default())]), (first, bands.messages(first).to_vec())];
    communicators.extend(bands.communicators().iter().filter(|(from, _)| *from > first).cloned());
    Bands::new(communicators).expect("bands stay bands")
}
