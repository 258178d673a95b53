//! What the switches of a deployment cost by themselves: the library's own choice with them, compared with the untouched library.

use qtdec_core::{DecisionMap, Problems};
use qtdec_mpi_library::choice::UNTOUCHED;
use qtdec_study::measurements::Measurements;
use qtdec_study::notes::Notes;
use qtdec_study::selection::Recipe;
use qtdec_study::study::launch_gain::{LaunchGains, fold_maps};
use qtdec_study::study::launch_interval::LEVEL;

/// Returns whether a method with this label was measured.
pub fn has(measurements: &Measurements, label: &str) -> bool {
    measurements.labels().any(|known| known == label)
}

/// Returns a sentence about what the switches cost: the geometric mean over the cells of t\[default\] / t\[untouched\], with its interval
/// over the launches. `recipe` names the default, which was measured with the switches. Returns `None` unless both have times.
///
/// # Errors
///
/// Fails if the times do not make a map.
pub fn sentence(measurements: &Measurements, recipe: &Recipe) -> Result<Option<String>, Problems> {
    let Some(default) = recipe.baseline.first().filter(|_| has(measurements, UNTOUCHED)) else {
        return Ok(None);
    };
    let others = measurements.labels();
    let others = others.filter(|label| label != default && label != UNTOUCHED);
    let recipe = Recipe {
        baseline: vec![UNTOUCHED.to_owned()],
        exclude: others.collect(),
        requires: Vec::new(),
        ..recipe.clone()
    };
    let mut costs = LaunchGains::default();
    let folds = fold_maps(measurements, &recipe)?.into_iter();
    let mut maps: Vec<DecisionMap> = folds.map(|(_, alone)| alone).collect();
    if maps.is_empty() {
        maps.push(recipe.map(measurements, &mut Notes::default())?);
    }
    for map in &maps {
        let chosen =
            map.domain().method_indexes().find(|method| map.domain().method(*method).label() == *default);
        costs.add_decisions(&vec![chosen; map.cells().len()], map);
    }
    // A positive logarithm is one of times that the switches save.
    let percent = |log: f64| 100.0 * (-log).exp_m1();
    let change = match (costs.mean(), &costs.logs[..]) {
        (Some(mean), logs) => {
            let [low, high] = mean.ends(LEVEL).map(percent);
            format!(
                "{:+.1} % (95 %: {high:+.1} to {low:+.1} %, {})",
                percent(mean.mean),
                measurements.units().counted(logs.len())
            )
        }
        (None, [log]) => format!("{:+.1} % (one launch)", percent(*log)),
        (None, _) => return Ok(None),
    };
    Ok(Some(format!(
        "the switches of the deployment alone change the time of `{default}` by {change} against the untouched library; gains are \
         over the library with the switches"
    )))
}
