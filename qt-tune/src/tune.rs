//! From the measurements of one collective to what is deployed: the pipeline of `qtdec tune`.
//!
//! ```text
//!  Measurements ──► what can be carried out ──► DecisionMap ──► recommended tree ──► LibraryRules of the tuning file
//!                   the default a candidate      launches held out
//! ```
//!
//! Our own schedules can be carried out by the interposer only. If there are times of some, the tree is for that, and the rules are those
//! of a second tree, which has the library's algorithms alone.

mod bases;

use qtdec_core::encode;
use qtdec_core::similar::did_you_mean;
use qtdec_core::{Borders, Calls, DecisionMap, DecisionTree, MethodIndex, Place, Problem, Problems};

use crate::switch_cost;
use crate::tuning::open_mpi::HAN;
use crate::tuning::open_mpi_han::{Han, beside, parts_with_rules};
use crate::tuning::{Format, LibraryRules, RuleOptions};
use qtdec_measure::hold_out::{HoldOut, Splits};
use qtdec_measure::measurements::Measurements;
use qtdec_measure::notes::Notes;
use qtdec_measure::profile;
use qtdec_measure::readers::collective_name;
use qtdec_measure::selection::Recipe;
use qtdec_measure::study::claim::Claim;
use qtdec_measure::study::gain::Gain;
use qtdec_measure::study::launch_gain::{FoldMaps, LaunchGains, fold_maps};
use qtdec_measure::study::left_out::LeftOut;
use qtdec_measure::study::recommend::{self, Rated, RecommendOptions, rated};
use qtdec_measure::study::sample_size::LaunchNoise;
use qtdec_measure::study::unmeasured::{Unknown, Unmeasured};
use qtdec_mpi::catalogue::{FUNCTIONS, Library, Matching, SizeUnit, open_mpi as catalogue};
use qtdec_run::choice::{UNTOUCHED, WITH_HAN};
use qtdec_run::own;

/// The options of the pipeline.
pub struct Task<'t> {
    /// The options for converting measurements to a map.
    pub recipe: Recipe,
    /// The requirements on the tree.
    pub recommend: RecommendOptions,
    /// The format of the tuning file.
    pub format: &'t dyn Format,
    /// The options for writing it.
    pub options: RuleOptions,
    /// Whether Open MPI's component HAN keeps the calls without rules: then the default is the one that was measured with HAN.
    pub keeps_han: bool,
    /// Whether MPICH's device keeps the calls without rules: then the default is the untouched library, if it was measured.
    pub keeps_device: bool,
    /// The calls of a program, as CSV.
    pub profile: Option<&'t [u8]>,
    /// The number of random halves to hold out if there is only one run.
    pub splits: u64,
}

/// The results for one collective.
#[derive(Debug)]
pub struct Tuned {
    /// MPI's name in lower case.
    pub collective: String,
    /// The map of the methods that the library can be told to use, its default, and our own schedules.
    pub map: DecisionMap,
    /// The recommended tree, and the costs of others.
    pub rated: Vec<Rated>,
    /// The gain of the recommended tree in each launch, decided by the others; empty if there is only one launch.
    pub gains: LaunchGains,
    /// The cost of the recommended tree at sizes that were not measured, or the reason why it is unknown.
    pub unmeasured: Result<Unmeasured, Unknown>,
    /// The calls of the cells, or `None` without a profile or if it has none of this collective.
    pub calls: Option<Calls>,
    /// The part of the repeats that was held out, or `None` if launches or nothing could be held out.
    pub held_out: Option<HoldOut>,
    /// The rules of the tuning file: those of the recommended tree, or of one without our own schedules.
    pub rules: LibraryRules,
    /// The rules of HAN that send the calls with rules to other components, if HAN keeps the others.
    routes: Option<LibraryRules>,
    /// The gain of these rules in each launch if they are those of another tree.
    without_own: Option<LaunchGains>,
    /// The tree that keeps the library's default everywhere, or `None` if no method is its default.
    default_everywhere: Option<DecisionTree>,
    /// Rules that leave every choice to the library, and those of HAN, or `None` if no method is its default.
    no_rules: Option<Rules>,
    /// Notes for the user.
    pub notes: Vec<String>,
}

/// The rules of a tree, and those of HAN beside them if HAN keeps the calls without rules.
type Rules = (LibraryRules, Option<LibraryRules>);

/// The reason why a collective cannot be tuned.
///
/// The variants are complete: what is read are times and a profile.
#[derive(Debug)]
pub enum TuneFault {
    /// The times do not make a map, or the library cannot accept the rules.
    Times(Problems),
    /// The profile cannot be read, or has calls of sizes outside the map.
    Profile(Problems),
}

impl From<Problems> for TuneFault {
    fn from(problems: Problems) -> Self {
        Self::Times(problems)
    }
}

impl From<Problem> for TuneFault {
    fn from(problem: Problem) -> Self {
        Self::Times(problem.into())
    }
}

/// A cell in which the recommended tree keeps the library's default.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct KeptCell {
    /// The cell, row-major.
    pub cell: usize,
    /// The best method.
    pub best: MethodIndex,
    /// The slowdown of the default relative to it, in per cent: 0 if the default is the best.
    pub percent: f64,
}

/// The names by which benchmarks and job scripts refer to the library's own choice, in any case.
const DEFAULTS: [&str; 3] = ["default", "default-default", "library default"];

/// Returns the label of the library's own choice: one of the usual names, otherwise an MPI function, in which nothing was forced.
/// If the library is known, so are the names that its benchmarks use.
pub fn default_of(measurements: &Measurements, library: Option<Library>) -> Option<String> {
    let labels: Vec<String> = measurements.methods().map(|method| method.label()).collect();
    let of_library = |label: &str| library == Some(Library::OpenMpi) && catalogue::is_own_choice(label);
    let named =
        |label: &&String| DEFAULTS.iter().any(|name| name.eq_ignore_ascii_case(label)) || of_library(label);
    let function = |label: &&String| label.starts_with("MPI_");
    labels.iter().find(named).or_else(|| labels.iter().find(function)).cloned()
}

/// Returns the collective of times that nothing else names, if the library's own choice is called after a function of MPI.
///
/// It must be known when the times are read, because it determines what their message sizes are converted to.
pub fn collective_of_default(
    measurements: &Measurements,
    baseline: &[String],
    library: Option<Library>,
) -> Option<String> {
    let default = if baseline.is_empty() { default_of(measurements, library) } else { None };
    let function = baseline.iter().chain(&default).find(|name| name.starts_with("MPI_"));
    function.map(|name| collective_name(name))
}

/// Runs the whole pipeline on the measurements of one collective, which they or the recipe name.
///
/// # Errors
///
/// Fails if the measurements do not make a map, the library does not choose for the collective, or it cannot accept the rules; also
/// if the profile is not one of this map.
pub fn tune(measurements: &Measurements, task: &Task<'_>) -> Result<Tuned, TuneFault> {
    let (mut recipe, mut notes) = (task.recipe.clone(), Notes::default());
    if let Some(warning) = choose_default(&mut recipe, measurements, task) {
        notes.add(warning);
    }
    if recipe.baseline.is_empty() {
        match default_of(measurements, Some(task.format.library())) {
            Some(found) => {
                notes.add(format!(
                    "`{found}` is assumed to be the library's own choice: name another method with --baseline"
                ));
                recipe.baseline.push(found);
            }
            None => notes.add(
                "no method is known to be the library's own choice, so the default cannot be kept anywhere: \
                     measure it, and name it with --baseline",
            ),
        }
    }
    let is_untouched = task.keeps_device && recipe.baseline.iter().any(|label| label == UNTOUCHED);
    if switch_cost::is_measured(measurements) && !is_untouched {
        if let Some(cost) = switch_cost::sentence(measurements, &recipe)? {
            notes.add(cost);
        }
        recipe.exclude.push(UNTOUCHED.to_owned());
    }
    let all = recipe.map(measurements, &mut Notes::default())?;
    let collective = all.domain().collective().map(str::to_owned).ok_or_else(|| {
        Problem::new(Place::File, "the collective is not specified").help("name it with --collective")
    })?;
    let own = only_known(&mut recipe, &all, &collective, task, &mut notes)?;
    let Chosen { map, calls, rated, gains, splits } = chosen(measurements, &recipe, task, &mut notes)?;
    if task.profile.is_some() && calls.is_none() {
        notes.add("the profile has no calls of this collective");
    }
    if let Some(noise) = LaunchNoise::of_methods(measurements).filter(|_| splits.is_by_launch()) {
        notes.add(format!(
            "from launch to launch, each method differs by itself, at all sizes together (standard deviation {:.1} %): more launches \
             narrow the interval of the gain, more sizes hardly do",
            100.0 * noise
        ));
    }
    let recommend::Choice { tree, options, .. } = &recommended(&rated).choice;
    let unmeasured = if recipe.fills_in_times() {
        Err(Unknown::Filled)
    } else {
        LeftOut::new(&map).and_then(|left_out| left_out.figure(|rest| recommend::tree(rest, options)))
    };
    let unit = task.format.unit(&collective);
    let rules_in = |tree: &DecisionTree, unit: SizeUnit| {
        let options = task.options.restricted_to(tree.domain());
        LibraryRules::new(tree, task.format.library(), &collective, unit, &options)
    };
    let is_routed = task.keeps_han && HAN.contains(&&*collective);
    let rules = |tree: &DecisionTree| -> Result<Rules, Problems> {
        let rules = rules_in(tree, unit)?;
        let own = is_routed.then(|| rules_in(tree, Han.unit(&collective))).transpose()?;
        let routes = own.map(|own| beside(&rules, own));
        Ok((rules, routes))
    };
    let default_everywhere = default_everywhere(&map)?;
    let of_library = Recipe { exclude: [&recipe.exclude, &own[..]].concat(), ..recipe.clone() };
    let ((rules, routes), no_rules, without_own) = match &own[..] {
        [] => (rules(tree)?, default_everywhere.as_ref().map(&rules).transpose()?, None),
        own => {
            let is_of_library = |label: &String| !own.contains(label) && !recipe.exclude.contains(label);
            let left = LibraryRules::left_to_library(&collective);
            let left = (left.clone(), is_routed.then_some(left));
            if measurements.methods().map(|method| method.label()).filter(is_of_library).count() < 2 {
                (left.clone(), Some(left), Some(LaunchGains::default()))
            } else {
                let alone = chosen(measurements, &of_library, task, &mut Notes::default())?;
                (rules(&recommended(&alone.rated).choice.tree)?, Some(left), Some(alone.gains))
            }
        }
    };
    let fewer =
        bases::with_fewer_rules(measurements, &of_library, options, &rules, |tree| rules_in(tree, unit));
    let reached = routes.as_ref().and_then(|_| parts_with_rules(&rules));
    for note in fewer.into_iter().chain(reached) {
        notes.add(note);
    }
    let (notes, held_out) = (notes.lines().collect(), splits.kind);
    Ok(Tuned {
        collective,
        map,
        rated,
        gains,
        unmeasured,
        calls,
        held_out,
        rules,
        routes,
        without_own,
        default_everywhere,
        no_rules,
        notes,
    })
}

/// The decisions among some methods, and what they gain.
struct Chosen {
    map: DecisionMap,
    calls: Option<Calls>,
    rated: Vec<Rated>,
    gains: LaunchGains,
    splits: Splits,
}

fn chosen(
    measurements: &Measurements,
    recipe: &Recipe,
    task: &Task<'_>,
    notes: &mut Notes,
) -> Result<Chosen, TuneFault> {
    let map = recipe.map(measurements, notes)?;
    let calls = match task.profile {
        Some(profile) => calls(&map, profile, Extent::Whole)?,
        None => None,
    };
    let folds = fold_maps(measurements, recipe)?;
    let is_by_launch = !folds.is_empty();
    let splits = if is_by_launch {
        Splits { parts: folds, kind: None }
    } else {
        Splits::best_of(measurements, recipe, task.splits)?
    };
    let rated = rated(&map, &task.recommend, &splits.parts)?;
    let held_out = &recommended(&rated).held_out;
    let gains = match task.profile {
        _ if !is_by_launch => LaunchGains::default(),
        Some(profile) => gains_with_calls(&held_out.trees, &splits.parts, profile)?,
        None => held_out.gains.clone(),
    };
    Ok(Chosen { map, calls, rated, gains, splits })
}

/// Names the default that was measured as the deployment will be, unless the recipe names one, and excludes the others. Returns a warning
/// if that default was not measured.
fn choose_default(recipe: &mut Recipe, measurements: &Measurements, task: &Task<'_>) -> Option<String> {
    if !recipe.baseline.is_empty() {
        return None;
    }
    let other = || default_of(measurements, Some(task.format.library()));
    let is_measured = |label: &str| switch_cost::has(measurements, label);
    if task.keeps_device {
        if !is_measured(UNTOUCHED) {
            return Some(format!(
                "`{UNTOUCHED}` was not measured, and the library that was measured lacks the device, which keeps the calls without rules: \
                 measure `{UNTOUCHED}` with the script of qtdec plan"
            ));
        }
        recipe.exclude.extend(other());
        recipe.baseline.push(UNTOUCHED.to_owned());
    } else if is_measured(WITH_HAN) {
        if task.keeps_han {
            recipe.exclude.extend(other());
            recipe.baseline.push(WITH_HAN.to_owned());
        } else {
            recipe.exclude.push(WITH_HAN.to_owned());
        }
    }
    None
}

/// The times from which a map was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Extent {
    /// All times: calls of other sizes than theirs are a fault.
    Whole,
    /// Those of some launches, which may lack sizes: their calls count at the nearest one.
    Launches,
}

/// Returns the calls of the cells of a map, or `None` if the profile has none of measured cells.
fn calls(map: &DecisionMap, profile: &[u8], extent: Extent) -> Result<Option<Calls>, TuneFault> {
    let calls = profile::read(profile, map, extent == Extent::Launches).map_err(TuneFault::Profile)?;
    let is_called = |(cell, best): (usize, &Option<MethodIndex>)| best.is_some() && calls.get(cell) > 0.0;
    Ok(map.cells().iter().enumerate().any(is_called).then_some(calls))
}

/// Returns the gains of trees, each in the launch that was held out from it, also in the time of the calls of a profile. The calls price
/// the trees and do not make them: a tuning file serves other programs too.
fn gains_with_calls(
    trees: &[DecisionTree],
    folds: &[FoldMaps],
    profile: &[u8],
) -> Result<LaunchGains, TuneFault> {
    let mut gains = LaunchGains::default();
    for (tree, (_, alone)) in trees.iter().zip(folds) {
        let called = match calls(alone, profile, Extent::Launches)? {
            Some(calls) => alone.clone().with_calls(calls).map_err(TuneFault::Profile)?,
            None => alone.clone(),
        };
        gains.add(tree, &called)?;
    }
    Ok(gains)
}

/// Removes the methods that nothing can carry out, and limits the library's to where they can run. Returns our own schedules.
fn only_known(
    recipe: &mut Recipe,
    all: &DecisionMap,
    collective: &str,
    task: &Task<'_>,
    notes: &mut Notes,
) -> Result<Vec<String>, Problems> {
    let (domain, library) = (all.domain(), task.format.library());
    let matching = Matching::new(domain, library, collective, &task.options.restricted_to(domain).methods)
        .map_err(|fault| Problem::new(Place::File, fault.0))?;
    let (mut unknown, mut own) = (Vec::new(), Vec::new());
    for method in domain.method_indexes().filter(|&method| !domain.method(method).baseline) {
        let label = domain.method(method).label();
        match matching.get(method) {
            None if own::carries_out(collective, &domain.method(method).name) => own.push(label),
            None => unknown.push(label),
            Some(algorithm) => {
                let requires = algorithm.requires().map(|requirement| (label.clone(), requirement));
                recipe.requires.extend(requires);
            }
        }
    }
    let known: Vec<&str> = library.algorithms(collective).iter().map(|known| known.name).collect();
    let meant: Vec<String> = unknown
        .iter()
        .filter_map(|label| Some(format!("{label}={}", did_you_mean(label, known.iter().copied())?)))
        .collect();
    let meant = if meant.is_empty() { String::new() } else { format!(" (perhaps {})", listed(&meant)) };
    if unknown.len() == domain.methods().len() - usize::from(all.domain().baseline().is_some()) {
        let message = format!("none of the methods is an algorithm of {} for {collective}", library.name());
        let help = match &known[..] {
            [] => match did_you_mean(collective, FUNCTIONS) {
                Some(meant) if !FUNCTIONS.contains(&collective) => format!("did you mean `{meant}`?"),
                _ => format!("{} does not choose among algorithms for it", library.name()),
            },
            known => format!("match them with --method METHOD=ALGORITHM{meant}: {}", known.join(", ")),
        };
        return Err(Problem::new(Place::File, message).help(help).into());
    }
    if !unknown.is_empty() {
        notes.add(format!(
            "{} cannot be configured to use {}, which {} excluded: --method METHOD=ALGORITHM matches one to \
                 an algorithm{meant}",
            library.name(),
            listed(&unknown),
            if unknown.len() == 1 { "is" } else { "are" },
        ));
        recipe.exclude.extend(unknown);
    }
    Ok(own)
}

/// Returns the tree that keeps the library's default everywhere, or `None` if there is no default.
fn default_everywhere(map: &DecisionMap) -> Result<Option<DecisionTree>, Problems> {
    let Some(default) = map.domain().baseline() else { return Ok(None) };
    let kept = DecisionMap::new(map.domain().clone(), vec![Some(default); map.cells().len()])?;
    Ok(Some(encode::encode(&kept, &encode::Greedy, Borders::Floor)?))
}

/// Lists the first few names.
fn listed(names: &[String]) -> String {
    match names {
        [first, second, _, _, ..] => format!("{first}, {second} and {} more", names.len() - 2),
        few => few.join(", "),
    }
}

fn recommended(rated: &[Rated]) -> &Rated {
    rated.iter().find(|rated| rated.choice.name == "recommended").unwrap_or(&rated[0])
}

impl Tuned {
    /// Returns the rules of the recommended tree if it is to be deployed, otherwise rules that leave every choice to the library.
    pub fn rules_if(&self, is_deployed: bool) -> &LibraryRules {
        self.no_rules.as_ref().filter(|_| !is_deployed).map_or(&self.rules, |(rules, _)| rules)
    }

    /// Returns the rules of HAN beside those that [`rules_if`](Self::rules_if) returns, or `None` if HAN does not serve the collective or is
    /// switched off.
    pub fn routes_if(&self, is_deployed: bool) -> Option<&LibraryRules> {
        let no_routes =
            self.no_rules.as_ref().filter(|_| !is_deployed).and_then(|(_, routes)| routes.as_ref());
        no_routes.or(self.routes.as_ref())
    }

    /// Returns the gain of the rules in each launch, decided by the others.
    pub fn gains_of_rules(&self) -> &LaunchGains {
        self.without_own.as_ref().unwrap_or(&self.gains)
    }

    /// Returns whether times of our own schedules are among those that decide.
    pub fn has_own(&self) -> bool {
        self.without_own.is_some()
    }

    /// Returns our own schedules that the recommended tree chooses, and the number of its cells that have one.
    pub fn own_schedules(&self) -> (Vec<String>, usize) {
        let domain = self.map.domain();
        let is_own = |method: &MethodIndex| {
            let method = domain.method(*method);
            self.has_own() && !method.baseline && own::carries_out(&self.collective, &method.name)
        };
        let cells = self.recommended().choice.tree.cells();
        let own: Vec<MethodIndex> = cells.into_iter().flatten().filter(is_own).collect();
        let is_chosen = |method: &MethodIndex| own.contains(method);
        let labels = domain.method_indexes().filter(is_chosen).map(|method| domain.method(method).label());
        (labels.collect(), own.len())
    }

    /// Returns whether the interposer is to carry out some of the decisions.
    pub fn is_interposed(&self, claim: &Claim) -> bool {
        claim.is_written() && !self.own_schedules().0.is_empty()
    }

    /// Returns the tree that the interposer is to follow: the recommended one, or if it is not to be deployed and has our own schedules,
    /// one that keeps the default.
    pub fn tree_if(&self, is_deployed: bool) -> &DecisionTree {
        let kept = self.default_everywhere.as_ref().filter(|_| !is_deployed && self.has_own());
        kept.unwrap_or(&self.recommended().choice.tree)
    }

    /// Returns the recommended tree.
    pub fn recommended(&self) -> &Rated {
        recommended(&self.rated)
    }

    /// Returns its gain over the library's default.
    pub fn gain(&self) -> Option<Gain> {
        Gain::everywhere(&self.recommended().choice.tree.cells(), &self.map)
    }

    /// Returns the cells in which it keeps the library's default.
    pub fn kept(&self) -> Vec<KeptCell> {
        let (Some(costs), Some(default)) = (self.map.costs(), self.map.domain().baseline()) else {
            return Vec::new();
        };
        let decisions = self.recommended().choice.tree.cells();
        let kept = |(cell, decision): (usize, &Option<MethodIndex>)| {
            let best = self.map.cells()[cell].filter(|_| *decision == Some(default))?;
            let percent = 100.0 * (costs.get(cell, default)? / costs.get(cell, best)? - 1.0);
            Some(KeptCell { cell, best, percent })
        };
        decisions.iter().enumerate().filter_map(kept).collect()
    }
}
