//! From the measurements of one collective to what is deployed: the pipeline of `qtdec-mpi tune`.
//!
//! ```text
//!  Measurements ──► what can be carried out ──► DecisionMap ──► recommended tree ──► LibraryRules of the tuning file
//!                   the default a candidate      launches held out
//! ```
//!
//! Our own schedules can be carried out by the interposer only. If there are times of some, the tree is for the interposer and the tuning
//! file together: the rules are those of the tree where it has an algorithm of the library, and leave its other calls to the library.

mod available_methods;
mod bases;
mod decisions;
mod default;
mod tuned;

use qtdec_core::{Borders, DecisionMap, DecisionTree, Place, Problem, Problems, encode};
use qtdec_mpi_library::catalogue::SizeUnit;
use qtdec_mpi_library::choice::UNTOUCHED;
use qtdec_study::measurements::Measurements;
use qtdec_study::notes::Notes;
use qtdec_study::selection::Recipe;
use qtdec_study::study::left_out::LeftOut;
use qtdec_study::study::recommend::{self, RecommendOptions};
use qtdec_study::study::sample_size::LaunchNoise;
use qtdec_study::study::unmeasured::Unmeasured;

use crate::switch_cost;
use available_methods::only_known;
use decisions::{Chosen, chosen, of_the_library};
use default::choose_default;
pub use default::{collective_of_default, default_of, own_choice};
use qtdec_mpi_library::tuning::{Companion, Format, LibraryRules, RuleOptions};
pub use tuned::{KeptCell, Ruled, Tuned};

/// The options of the pipeline.
pub struct Task<'t> {
    /// The options for converting measurements to a map.
    pub recipe: Recipe,
    /// The requirements on the tree.
    pub recommend: RecommendOptions,
    /// The format of the tuning file.
    pub format: &'t Format,
    /// The options for writing it.
    pub options: RuleOptions,
    /// The file beside the tuning file, if one is written: then a part of the library keeps the calls without rules.
    pub companion: Option<Companion>,
    /// The calls of a program, as CSV.
    pub profile: Option<&'t [u8]>,
    /// The number of random halves to hold out if there is only one run.
    pub splits: u64,
}

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

/// Runs the whole pipeline on the measurements of one collective, which they or the recipe name.
///
/// # Errors
///
/// Fails if the measurements do not make a map, the library does not choose for the collective, or it cannot accept the rules; also
/// if the profile is not one of this map.
pub fn tune(measurements: &Measurements, task: &Task<'_>) -> Result<Tuned, TuneFault> {
    let (mut recipe, mut notes) = (task.recipe.clone(), Notes::default());
    name_default(&mut recipe, measurements, task, &mut notes);
    if !recipe.baseline.iter().any(|label| label == UNTOUCHED)
        && let Some(cost) = switch_cost::sentence(measurements, &recipe)?
    {
        notes.add(cost);
    }
    let all = recipe.map(measurements, &mut Notes::default())?;
    let collective = all.domain().collective().map(str::to_owned).ok_or_else(|| {
        Problem::new(Place::File, "the collective is not specified")
            .help("name it with qtdec read --collective")
    })?;
    let own = only_known(&mut recipe, &all, &collective, task, &mut notes)?;
    let decided = chosen(measurements, &recipe, task, &mut notes)?;
    let of_the_file = (!own.is_empty()).then(|| decided.gains_of_the_file(&own)).transpose()?;
    let Chosen { map, calls, rated, gains, splits } = decided;
    if task.profile.is_some() && calls.is_none() {
        notes.add("the profile has no calls of this collective");
    }
    if let Some(noise) = LaunchNoise::of_methods(measurements).filter(|_| splits.is_by_launch()) {
        notes.add(format!(
            "from {0} to {0}, each method differs by itself, at all sizes together (standard deviation {1:.1} %): more {2} \
             narrow the interval of the gain, more sizes hardly do",
            measurements.units().word(),
            100.0 * noise,
            measurements.units().words()
        ));
    }
    let recommend::Choice { tree, options, .. } = &rated.recommended.choice;
    let unmeasured = unmeasured(&map, &recipe, options);
    let ruling = Ruling { task, collective: &collective, own: &own };
    let left = default_everywhere(&map)?.map(|tree| ruling.ruled(tree)).transpose()?;
    let ruled = ruling.ruled(tree.clone())?;
    let rules = &ruled.rules;
    let fewer =
        bases::with_fewer_rules(measurements, &recipe, options, rules, |tree| ruling.of_the_file(tree));
    let companion = task.companion.filter(|_| ruled.beside.is_some());
    let reached = companion.and_then(|companion| (companion.warning)(rules));
    for note in fewer.into_iter().chain(reached) {
        notes.add(note);
    }
    let (notes, held_out) = (notes.lines().collect(), splits.kind);
    Ok(Tuned { collective, map, rated, gains, unmeasured, calls, held_out, ruled, left, of_the_file, notes })
}

/// Names the library's own choice as the baseline, or says that it is not known.
fn name_default(recipe: &mut Recipe, measurements: &Measurements, task: &Task<'_>, notes: &mut Notes) {
    if let Some(warning) = choose_default(recipe, measurements, task) {
        notes.add(warning);
    }
    if !recipe.baseline.is_empty() {
        return;
    }
    match default_of(measurements, Some(task.format.library)) {
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

/// Returns the cost of the trees that these options make at sizes that were not measured.
fn unmeasured(
    map: &DecisionMap,
    recipe: &Recipe,
    options: &[(String, String)],
) -> Result<Unmeasured, String> {
    if recipe.fills_in_times() {
        return Err("some times of the map were not measured".to_owned());
    }
    LeftOut::new(map)?.figure(|rest| recommend::tree(rest, options))
}

/// How trees become rules of the library.
struct Ruling<'r> {
    task: &'r Task<'r>,
    collective: &'r str,
    /// Our own schedules, whose calls are left to the library.
    own: &'r [String],
}

impl Ruling<'_> {
    /// Returns a tree with its rules; they force nothing if the library does not choose for the collective.
    fn ruled(&self, tree: DecisionTree) -> Result<Ruled, Problems> {
        let Self { task, collective, .. } = self;
        if task.format.library.algorithms(collective).is_empty() {
            return Ok(Ruled { tree, rules: LibraryRules::left_to_library(collective), beside: None });
        }
        let rules = self.of_the_file(&tree)?;
        let beside = match task.companion.filter(|companion| (companion.serves)(collective)) {
            Some(companion) => {
                let own = self.in_unit(&tree, (companion.format)().unit(collective))?;
                Some((companion.beside)(&rules, own))
            }
            None => None,
        };
        Ok(Ruled { tree, rules, beside })
    }

    fn of_the_file(&self, tree: &DecisionTree) -> Result<LibraryRules, Problems> {
        self.in_unit(tree, self.task.format.unit(self.collective))
    }

    fn in_unit(&self, tree: &DecisionTree, unit: SizeUnit) -> Result<LibraryRules, Problems> {
        let options = self.task.options.restricted_to(tree.domain());
        let (tree, library) = (of_the_library(tree, self.own), self.task.format.library);
        LibraryRules::new(&tree, library, self.collective, unit, &options)
    }
}

/// Returns the tree that keeps the library's default everywhere, or `None` if there is no default.
fn default_everywhere(map: &DecisionMap) -> Result<Option<DecisionTree>, Problems> {
    let Some(default) = map.domain().baseline() else { return Ok(None) };
    let kept = DecisionMap::new(map.domain().clone(), vec![Some(default); map.cells().len()])?;
    Ok(Some(encode::encode(&kept, &encode::Greedy, Borders::Floor)?))
}
