//! What a library is to be told: its own algorithms, its own units.

use std::collections::BTreeSet;

use qtdec_core::{
    Basis, Check, DecisionTree, Method, MethodIndex, Path, Place, Problem, Problems, Requirement,
};

use super::bands::Bands;
use crate::libraries::{Algorithm, Library, Matching, Unit};
use crate::rules::natural_basis;

/// What a rule sets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Setting {
    /// The algorithm; `None` leaves the choice to the library.
    pub algorithm: Option<&'static Algorithm>,
    /// The segment size in bytes.
    pub segment_size: Option<u64>,
    /// The fan-in or fan-out.
    pub fan_out: Option<u64>,
}

/// How a tree is to be put into a library's terms.
#[derive(Clone, Debug, Default)]
pub struct PlanOptions {
    /// Methods and the algorithms that they are, as the user said.
    pub methods: Vec<(String, String)>,
    /// The largest communicator that is looked after where every size needs rules of its own; by default the largest
    /// one measured.
    pub max_comm_size: Option<u64>,
    /// Whether one rule may stand for a range of communicator sizes where that is not exact.
    pub approximate: bool,
    /// Whether communicators below the smallest one measured are left to the library.
    pub guard: bool,
}

/// The rules for one collective in a library's own terms.
#[derive(Clone, Debug)]
pub struct Plan {
    /// MPI's name in lower case.
    pub collective: String,
    /// What holds where; message sizes are in the library's unit.
    pub bands: Bands<Setting>,
    /// What was lost or is not exact, and how many rules there are.
    pub notes: Vec<String>,
}

/// How a map's message sizes become a library's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Scale {
    AsIs,
    TimesRanks,
    /// Divided by the ranks and rounded up.
    PerRank,
}

impl Plan {
    /// Puts a tree into the terms of a library that compares message sizes in `unit`.
    ///
    /// # Errors
    ///
    /// Methods that the library does not know, axes or bases that it cannot take.
    pub fn new(
        tree: &DecisionTree,
        library: Library,
        collective: &str,
        unit: Unit,
        options: &PlanOptions,
    ) -> Result<Self, Problems> {
        let mut notes = Vec::new();
        if library.algorithms(collective).is_empty() {
            let message = format!("{} does not choose among algorithms for `{collective}`", library.name());
            return Err(Problem::new(Place::File, message).into());
        }
        let methods = Bands::of(tree)?;
        let settings = settings(tree, library, collective, options, &mut notes)?;
        let allowed = allowed(tree, (library, collective), &methods, &settings, &mut notes);
        let mut bands =
            allowed.map(|method| method.map_or_else(Setting::default, |index| settings[index.get()]));
        let scale = scale(tree, collective, unit, &bands)?;
        if scale == Scale::PerRank {
            notes.push(
                "the library rounds bytes for each rank down: exact for totals that the ranks divide"
                    .to_owned(),
            );
        }
        if options.guard
            && let Some(first) = first_sample(tree).filter(|first| *first > 0)
        {
            bands = guarded(&bands, first);
        }
        if scale != Scale::AsIs && bands.look_at_messages() {
            bands = scaled(tree, &bands, scale, options, &mut notes);
        }
        notes.push(format!(
            "{collective}: {} of the tree in {}, for {}",
            counted(tree.statistics().regions as usize, "region"),
            counted(bands.rows(), "rule"),
            counted(bands.communicators().len(), "range of communicator sizes"),
        ));
        Ok(Self { collective: collective.to_owned(), bands, notes })
    }
}

/// `1 rule`, `2 rules`; the first word takes the ending.
fn counted(number: usize, what: &str) -> String {
    let (first, rest) =
        what.split_once(' ').map_or((what, String::new()), |(first, rest)| (first, format!(" {rest}")));
    format!("{number} {first}{}{rest}", if number == 1 { "" } else { "s" })
}

/// What the library is told for each method, of which those that the tree uses must be known to it.
fn settings(
    tree: &DecisionTree,
    library: Library,
    collective: &str,
    options: &PlanOptions,
    notes: &mut Vec<String>,
) -> Result<Vec<Setting>, Problems> {
    let domain = tree.domain();
    let matching = Matching::new(domain, library, collective, &options.methods)
        .map_err(|fault| Problem::new(Place::File, fault.0))?;
    let used: BTreeSet<MethodIndex> = tree.root().methods().flatten().collect();
    let mut check = Check::default();
    let mut settings = vec![Setting::default(); domain.methods().len()];
    for &index in &used {
        let method = domain.method(index);
        if method.baseline {
            continue;
        }
        match matching.get(index) {
            Some(algorithm) => {
                settings[index.get()] = setting(algorithm, method, library, notes);
            }
            None => check.add_with(|| unknown(library, collective, index, method)),
        }
    }
    check.finish(Some(settings))
}

fn unknown(library: Library, collective: &str, index: MethodIndex, method: &Method) -> Problem {
    let known: Vec<&str> = library.algorithms(collective).iter().map(|algorithm| algorithm.name).collect();
    let message = format!("{} has no `{}` for {collective}", library.name(), method.name);
    Problem::new(Path::root().key("methods").index(index.get()), message).help(format!(
        "say which of its algorithms it is, with --method '{}=ALGORITHM': {}",
        method.name,
        known.join(", ")
    ))
}

fn setting(
    algorithm: &'static Algorithm,
    method: &Method,
    library: Library,
    notes: &mut Vec<String>,
) -> Setting {
    let label = method.label();
    if let Some(since) = algorithm.since {
        notes.push(format!("`{label}` is known to {} since {since}", library.name()));
    }
    let segment_size = method.segment_size.filter(|_| algorithm.segmented);
    if method.segment_size.is_some() && segment_size.is_none() {
        notes.push(format!(
            "the segment size of `{label}` is dropped: {} takes none for `{}`",
            library.name(),
            algorithm.name
        ));
    }
    // `chain:fanout=4`
    let fan_out = method.name.split(':').find_map(|part| part.strip_prefix("fanout=")?.parse().ok());
    Setting { algorithm: Some(algorithm), segment_size, fan_out }
}

/// The bands without methods where they may not run: an algorithm for two ranks is an error with three.
fn allowed(
    tree: &DecisionTree,
    (library, collective): (Library, &str),
    bands: &Bands<Option<MethodIndex>>,
    settings: &[Setting],
    notes: &mut Vec<String>,
) -> Bands<Option<MethodIndex>> {
    let requires = |method: MethodIndex| {
        let algorithm = settings[method.get()].algorithm;
        let needs = algorithm.and_then(|algorithm| algorithm.requires(library, collective));
        tree.domain().method(method).requires.iter().copied().chain(needs).collect::<Vec<_>>()
    };
    let may_run = |method: MethodIndex, ranks: u64| {
        requires(method).iter().all(|requirement| match requirement {
            Requirement::PowerOfTwo => ranks.is_power_of_two(),
            Requirement::CommSize(only) => ranks == *only,
            Requirement::Commutative | Requirement::CountAtLeastCommSize => true,
        })
    };
    // Where one of the conditions may begin or cease to hold.
    let mut starts: Vec<u64> = bands.communicators().iter().map(|(from, _)| *from).collect();
    for method in tree.root().methods().flatten() {
        for requirement in requires(method) {
            match requirement {
                Requirement::CommSize(only) => starts.extend([only, only.saturating_add(1)]),
                Requirement::PowerOfTwo => {
                    starts.extend((0..31).flat_map(|exponent| [1 << exponent, (1 << exponent) + 1]));
                }
                Requirement::Commutative | Requirement::CountAtLeastCommSize => {}
            }
        }
    }
    starts.sort_unstable();
    starts.dedup();
    let mut left_out = BTreeSet::new();
    let communicators = starts.into_iter().map(|ranks| {
        let messages = bands.messages(ranks).iter().map(|(from, method)| {
            let kept = method.filter(|method| may_run(*method, ranks));
            left_out.extend(method.filter(|_| kept.is_none()));
            (*from, kept)
        });
        (ranks, messages.collect())
    });
    let allowed = Bands::new(communicators.collect()).expect("bands stay bands");
    for method in left_out {
        notes.push(format!(
            "where `{}` may not run, the choice is left to the library",
            tree.domain().method(method).label()
        ));
    }
    allowed
}

fn scale(
    tree: &DecisionTree,
    collective: &str,
    unit: Unit,
    bands: &Bands<Setting>,
) -> Result<Scale, Problem> {
    if !bands.look_at_messages() {
        return Ok(Scale::AsIs);
    }
    let axis = tree.domain().find_axis("msg_size").unwrap_or_default();
    let basis = tree.domain().axes()[axis].basis.unwrap_or_else(|| natural_basis(collective));
    let each_rank = ["scan", "exscan"].contains(&collective);
    let path = Path::root().key("axes").index(axis);
    match (unit, basis) {
        (Unit::Nothing, _) => {
            let message = format!("the library looks at no message sizes for `{collective}`");
            Err(Problem::new(path, message).help("make a map of comm_size alone"))
        }
        (Unit::Buffer, Basis::Total) => {
            let message =
                format!("`{collective}` has one buffer, the same on all ranks: a total has no meaning");
            Err(Problem::new(path.key("basis"), message).help("write \"buffer\""))
        }
        (Unit::TimesRanks, Basis::Buffer) if each_rank => Ok(Scale::TimesRanks),
        (Unit::Buffer, _)
        | (Unit::TimesRanks | Unit::Total, Basis::Buffer | Basis::Total)
        | (Unit::PerRank, Basis::Block) => Ok(Scale::AsIs),
        (Unit::TimesRanks | Unit::Total, Basis::Block) => Ok(Scale::TimesRanks),
        (Unit::PerRank, Basis::Buffer | Basis::Total) => Ok(Scale::PerRank),
    }
}

impl Scale {
    /// The threshold in the library's unit; `None` where no message gets there.
    fn apply(self, threshold: u64, ranks: u64) -> Option<u64> {
        match self {
            Self::AsIs => Some(threshold),
            Self::TimesRanks => threshold.checked_mul(ranks),
            Self::PerRank => Some(threshold.div_ceil(ranks.max(1))),
        }
    }

    fn messages(self, bands: &[(u64, Setting)], ranks: u64) -> Vec<(u64, Setting)> {
        let scaled = bands.iter().filter_map(|(from, held)| Some((self.apply(*from, ranks)?, *held)));
        let mut messages: Vec<(u64, Setting)> = scaled.collect();
        // Thresholds that fall together: what held from the last of them holds.
        messages.reverse();
        messages.dedup_by_key(|(from, _)| *from);
        messages.reverse();
        messages
    }
}

/// Bands of the library's own message sizes. Those of one communicator size are exact; a range of sizes shares rules
/// only if the user asked for it.
fn scaled(
    tree: &DecisionTree,
    bands: &Bands<Setting>,
    scale: Scale,
    options: &PlanOptions,
    notes: &mut Vec<String>,
) -> Bands<Setting> {
    let axis = tree.domain().find_axis("comm_size");
    let values = axis.and_then(|axis| tree.domain().axes()[axis].values()).unwrap_or(&[]);
    let largest = options.max_comm_size.or(values.last().copied()).unwrap_or(1024).clamp(1, 1 << 20);
    if options.approximate {
        // The sizes that were measured are exact; those between take the rules of the one below.
        let mut samples: Vec<(u64, u64)> = vec![(0, values.first().copied().unwrap_or(1))];
        if let Some(axis) = axis {
            samples.extend((1..values.len()).map(|at| (tree.threshold(axis, at), values[at])));
        }
        let mut starts: Vec<u64> = bands.communicators().iter().map(|(from, _)| *from).collect();
        starts.extend(samples.iter().map(|(from, _)| *from));
        starts.sort_unstable();
        starts.dedup();
        let stands_for = |from: u64| {
            let (_, sample) = samples[samples.partition_point(|(start, _)| *start <= from) - 1];
            sample.max(from).max(1)
        };
        let communicators =
            starts.into_iter().map(|from| (from, scale.messages(bands.messages(from), stands_for(from))));
        let approximate = Bands::new(communicators.collect()).expect("bands stay bands");
        disagreements(bands, &approximate, scale, largest, notes);
        return approximate;
    }
    let exact = (1..=largest).map(|ranks| (ranks, scale.messages(bands.messages(ranks), ranks)));
    let first = (0, scale.messages(bands.messages(0), 1));
    let exact = Bands::new([first].into_iter().chain(exact).collect()).expect("bands stay bands");
    notes.push(format!(
        "message sizes are multiplied by the ranks: rules for each of 1 to {largest} ranks, beyond which the library \
         chooses (--max-comm-size, or --approximate for fewer rules)"
    ));
    exact.then(largest.saturating_add(1), Setting::default())
}

/// As many disagreements are listed.
const LISTED: usize = 8;

/// Lists where shared rules decide otherwise than the tree.
fn disagreements(
    exact: &Bands<Setting>,
    approximate: &Bands<Setting>,
    scale: Scale,
    largest: u64,
    notes: &mut Vec<String>,
) {
    let name = |setting: &Setting| match setting.algorithm {
        Some(algorithm) => algorithm.name,
        None => "the library's choice",
    };
    let mut listed: Vec<String> = Vec::new();
    let (mut ranges, mut sizes) = (0, 0);
    for ranks in 1..=largest {
        let back = |from: u64| {
            if scale == Scale::PerRank { from.saturating_mul(ranks) } else { from.div_ceil(ranks) }
        };
        let own = exact.messages(ranks);
        let mut starts: Vec<u64> = own.iter().map(|(from, _)| *from).collect();
        starts.extend(approximate.messages(ranks).iter().map(|(from, _)| back(*from)));
        starts.sort_unstable();
        starts.dedup();
        let before = ranges;
        for (index, &from) in starts.iter().enumerate() {
            let Some(asked) = (match scale {
                Scale::PerRank => Some(from / ranks),
                _ => scale.apply(from, ranks),
            }) else {
                continue;
            };
            let (wanted, got) = (exact.get(ranks, from), approximate.get(ranks, asked));
            if wanted != got {
                ranges += 1;
                if listed.len() < LISTED {
                    let upto =
                        starts.get(index + 1).map_or("on".to_owned(), |next| format!("to {}", next - 1));
                    listed.push(format!(
                        "at comm_size {ranks}, {from} {upto} bytes: {} for {}",
                        name(got),
                        name(wanted)
                    ));
                }
            }
        }
        sizes += u64::from(ranges > before);
    }
    if ranges == 0 {
        notes.push(format!("the shared rules are exact up to {largest} ranks"));
        return;
    }
    let more = if ranges > listed.len() {
        format!("; and {} more ranges", ranges - listed.len())
    } else {
        String::new()
    };
    notes.push(format!(
        "approximate: other decisions than the tree's for {sizes} of {largest} communicator sizes: {}{more}",
        listed.join("; ")
    ));
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
