//! The description that a job script puts beside its results, so that they are read without options.
//!
//! ```json
//! { "format": "qtdec-campaign/1",
//!   "path": "{collective}/{method}_np{comm_size}_run{run}.txt",
//!   "maps": { "bcast": { "baseline": ["default"], "exclude": ["untouched"], "requires": ["ring=count>=comm_size"] } },
//!   "options": ["--launcher", "srun"] }
//! ```

use std::fs;
use std::path::Path;

use qtdec_core::domain::Requirement;
use serde_json::Value;

use super::path::PathPattern;
use crate::measurements::Measurements;
use crate::selection::Recipe;

/// The name of the file, which is in the folder of the results.
const NAME: &str = "qtdec-campaign.json";

/// The format that the file names.
pub const FORMAT: &str = "qtdec-campaign/1";

/// What a job script says of its results.
#[derive(Clone, Debug)]
pub struct Campaign(Value);

impl Campaign {
    /// Returns the description of the results in these folders, if each of them, or the folder in which it is, has the same.
    pub fn of(paths: &[String]) -> Option<Self> {
        let (first, others) = paths.split_first()?;
        let found = of_folder(first)?;
        others.iter().all(|path| of_folder(path).as_ref() == Some(&found)).then_some(Self(found))
    }

    /// Returns the pattern of the paths, if the files do not say themselves what they have times of.
    pub(super) fn path(&self) -> Option<PathPattern> {
        PathPattern::parse(self.0.get("path")?.as_str()?).ok()
    }

    /// Returns the options of the command that wrote the script, as far as they say how a job starts the benchmark.
    pub fn options(&self) -> Vec<String> {
        let options = self.0.get("options").and_then(Value::as_array).into_iter().flatten();
        options.filter_map(Value::as_str).map(str::to_owned).collect()
    }

    /// Completes the recipe of a map: with the baseline and what it excludes unless the recipe names one, and with the requirements of the
    /// methods, as far as they were measured.
    #[must_use]
    pub fn complete(&self, mut recipe: Recipe, measurements: &Measurements) -> Recipe {
        let collective = measurements.collective.as_deref().unwrap_or_default();
        let Some(own) = self.0.get("maps").and_then(|maps| maps.get(collective)) else { return recipe };
        let labels: Vec<String> = measurements.labels().collect();
        let texts = |key: &str| {
            let values = own.get(key).and_then(Value::as_array).into_iter().flatten();
            values.filter_map(Value::as_str).map(str::to_owned).collect::<Vec<_>>()
        };
        if recipe.baseline.is_empty() {
            let named = [texts("baseline"), texts("exclude")].map(|mut named| {
                named.retain(|label| labels.contains(label));
                named
            });
            let [baseline, exclude] = named;
            recipe.baseline.extend(baseline);
            recipe.exclude.extend(exclude);
        }
        let required = texts("requires");
        let required = required.iter().filter_map(|text| Requirement::of_method(text));
        recipe.requires.extend(required.filter(|(method, _)| labels.contains(method)));
        recipe
    }
}

fn of_folder(path: &str) -> Option<Value> {
    let folder = fs::canonicalize(path).ok().filter(|folder| folder.is_dir())?;
    [Some(&*folder), folder.parent()].into_iter().flatten().find_map(read)
}

fn read(folder: &Path) -> Option<Value> {
    let value: Value = serde_json::from_slice(&fs::read(folder.join(NAME)).ok()?).ok()?;
    (value.get("format")?.as_str()? == FORMAT).then_some(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_described_for_themselves_and_their_parts() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
        fs::create_dir_all(path("results/bcast")).unwrap();
        fs::create_dir(path("others")).unwrap();
        let text = format!(
            r#"{{"format":"{FORMAT}","path":"{{method}}.txt","maps":{{"bcast":{{"requires":["a=power_of_two"]}}}}}}"#
        );
        fs::write(path(&format!("results/{NAME}")), text).unwrap();
        for named in [&["results"][..], &["results/bcast"], &["results/bcast", "results"]] {
            let paths: Vec<String> = named.iter().map(|name| path(name)).collect();
            assert_eq!(Campaign::of(&paths).unwrap().path().unwrap().as_str(), "{method}.txt", "{named:?}");
        }
        assert!(Campaign::of(&[path("results"), path("others")]).is_none(), "one has no description");
        let campaign = Campaign::of(&[path("results")]).unwrap();
        let mut measured = Measurements::default();
        measured.collective = Some("bcast".to_owned());
        let required =
            |measured: &Measurements| campaign.complete(Recipe::default(), measured).requires.len();
        assert_eq!(required(&measured), 0, "the method was not measured");
        measured.method(qtdec_core::Method::new("a"));
        assert_eq!(required(&measured), 1);
    }
}
