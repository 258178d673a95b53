//! The choices of models of scikit-learn, made by `models.py` in an environment of its own.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use qtdec_core::DecisionMap;
use serde_json::{Value, json};
use xtask::files;
use xtask::run::{printed, root};

use super::cases::Case;
use super::folds::Fold;

/// The positions of the chosen methods at the points of a fold, by the name of the model.
pub(super) type Choices = BTreeMap<String, Vec<usize>>;

/// What the models decide, and what it takes.
pub(super) struct Learned {
    /// For each case and each of its folds.
    pub(super) decisions: Vec<Vec<Choices>>,
    /// For each case, the nanoseconds of one decision in Python, by the name of the model.
    pub(super) in_python: Vec<BTreeMap<String, f64>>,
}

/// Returns the choices of all models. Models of whole maps are written as C to the folder, where they have such a form.
pub(super) fn decisions(cases: &[Case], folds: &[Vec<Fold>], folder: &Path) -> Result<Learned, String> {
    files::folder(folder)?;
    let python = python(folder)?;
    let asked: Vec<Value> = cases.iter().zip(folds).map(|(case, folds)| asked(case, folds)).collect();
    let (question, answer) = (folder.join("question.json"), folder.join("answer.json"));
    files::write(&question, Value::from(asked).to_string())?;
    let mut script = Command::new(python);
    script.arg(root().join("lab/papers/models/models.py")).args([&question, &answer]).arg(folder);
    printed(&mut script)?;
    let text = files::read(&answer)?;
    answered(&text).ok_or_else(|| format!("{}: not what the script writes", answer.display()))
}

fn answered(text: &str) -> Option<Learned> {
    let answer: Value = serde_json::from_str(text).ok()?;
    let mut learned = Learned { decisions: Vec::new(), in_python: Vec::new() };
    for case in answer.as_array()? {
        learned.decisions.push(case["folds"].as_array()?.iter().map(choices).collect::<Option<_>>()?);
        let times = case["nanoseconds"].as_object()?.iter();
        learned
            .in_python
            .push(times.map(|(name, time)| Some((name.clone(), time.as_f64()?))).collect::<Option<_>>()?);
    }
    Some(learned)
}

fn choices(fold: &Value) -> Option<Choices> {
    fold.as_object()?.iter().map(|(name, chosen)| Some((name.clone(), positions(chosen)?))).collect()
}

fn positions(chosen: &Value) -> Option<Vec<usize>> {
    chosen.as_array()?.iter().map(|at| usize::try_from(at.as_u64()?).ok()).collect()
}

/// Returns the Python that has the packages of `requirements.txt`, which are installed where they are not.
fn python(folder: &Path) -> Result<PathBuf, String> {
    let requirements = root().join("lab/papers/models/requirements.txt");
    let environment = folder.join("python");
    let (python, installed) = (environment.join("bin/python"), environment.join("installed.txt"));
    let wanted = files::read(&requirements)?;
    if fs::read_to_string(&installed).is_ok_and(|text| text == wanted) {
        return Ok(python);
    }
    printed(Command::new("python3").args(["-m", "venv"]).arg(&environment))?;
    printed(
        Command::new(&python).args(["-m", "pip", "install", "--quiet", "--requirement"]).arg(&requirements),
    )?;
    files::write(&installed, wanted)?;
    Ok(python)
}

/// Returns what the script is asked about a case: times to learn from, and sizes to decide at, for each fold and for the whole map.
fn asked(case: &Case, folds: &[Fold]) -> Value {
    let labels: Vec<Option<usize>> =
        case.map.domain().axes().iter().map(|axis| axis.values().is_none().then(|| axis.len())).collect();
    let folds = folds.iter().map(|fold| {
        let domain = fold.priced(case).domain();
        let sizes: Vec<Vec<u64>> = fold.cells.iter().map(|&cell| domain.sizes(cell)).collect();
        json!({ "from": times(&fold.from), "at": sizes })
    });
    json!({ "labels": labels, "folds": folds.collect::<Vec<_>>(), "whole": times(&case.map) })
}

/// Returns the times of the methods that may be chosen at each point; none for the others.
fn times(map: &DecisionMap) -> Value {
    let domain = map.domain();
    let points = (0..map.cells().len()).map(|cell| {
        let sizes = domain.sizes(cell);
        let time = |method| {
            let may_be_chosen = !domain.method(method).is_never_chosen() && domain.may_run(method, &sizes);
            map.costs().filter(|_| may_be_chosen)?.get(cell, method)
        };
        let times: Vec<Option<f64>> = domain.method_indexes().map(time).collect();
        (sizes, times)
    });
    let (sizes, times): (Vec<_>, Vec<_>) = points.unzip();
    json!({ "sizes": sizes, "times": times })
}
