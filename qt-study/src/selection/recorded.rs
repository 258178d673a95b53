//! The options with which a map was made, as the map records them.

use qtdec_core::json::PlacedValue;
use qtdec_core::{Diagnostics, Problem, Problems, Requirement};
use serde_json::{Map, json};

use super::{Distinction, Gaps, GridSizes, Recipe, TieRule};
use crate::measurements::{Cleaning, Statistic};
use crate::terms::Terms;

/// The options with which a map was made from times: a recipe, the repeats that did not count, and the rows that were chosen.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Recorded {
    /// The options for converting measurements to a map.
    pub recipe: Recipe,
    /// The repeats that did not count.
    pub cleaning: Cleaning,
    /// Columns with their required values.
    pub filters: Vec<(String, String)>,
}

const KEYS: [&str; 15] = [
    "collective",
    "where",
    "statistic",
    "drop_first",
    "first",
    "drop_outliers",
    "baseline",
    "no_default",
    "exclude",
    "requires",
    "tie_tolerance",
    "tie_test",
    "gaps",
    "grid",
    "terms",
];

impl Recorded {
    /// Returns the options as a JSON object, without those that have no effect.
    pub fn to_json(&self) -> String {
        let Self { recipe, cleaning, filters } = self;
        let pairs = |pairs: &[(String, String)]| -> Vec<String> {
            pairs.iter().map(|(name, value)| format!("{name}={value}")).collect()
        };
        let requires: Vec<(String, String)> = recipe
            .requires
            .iter()
            .map(|(name, requirement)| (name.clone(), requirement.to_string()))
            .collect();
        let gaps = Gaps::ALL.iter().find(|(_, gaps)| *gaps == recipe.gaps).map(|(name, _)| *name);
        let grid: Map<String, serde_json::Value> =
            recipe.grid.iter().map(|grid| (grid.axis.clone(), json!(grid.sizes))).collect();
        let some = |is_some: bool, value: serde_json::Value| is_some.then_some(value);
        let level = recipe.ties.and_then(|ties| ties.distinction).map(|distinction| distinction.level);
        let members = [
            ("collective", recipe.collective.as_ref().map(|name| json!(name))),
            ("where", some(!filters.is_empty(), json!(pairs(filters)))),
            ("statistic", recipe.statistic.map(|statistic| json!(statistic.to_string()))),
            ("drop_first", some(cleaning.drop_first > 0, json!(cleaning.drop_first))),
            ("first", cleaning.first.map(|first| json!(first))),
            ("drop_outliers", some(cleaning.drop_outliers, json!(true))),
            ("baseline", some(!recipe.baseline.is_empty(), json!(recipe.baseline))),
            ("no_default", some(recipe.no_default, json!(true))),
            ("exclude", some(!recipe.exclude.is_empty(), json!(recipe.exclude))),
            ("requires", some(!requires.is_empty(), json!(pairs(&requires)))),
            ("tie_tolerance", recipe.ties.map(|ties| json!(ties.tolerance))),
            ("tie_test", level.map(|level| json!(level))),
            ("gaps", gaps.filter(|_| recipe.gaps != Gaps::default()).map(|name| json!(name))),
            ("grid", some(!grid.is_empty(), grid.into())),
            ("terms", recipe.terms.as_ref().map(|terms| json!(terms.to_string()))),
        ];
        let members = members.into_iter().filter_map(|(key, value)| Some((key.to_owned(), value?)));
        serde_json::Value::Object(members.collect()).to_string()
    }

    /// Parses the options in a map.
    ///
    /// # Errors
    ///
    /// Returns all faults, with their places below `recipe`.
    pub fn from_json(text: &str) -> Result<Self, Problems> {
        let mut check = Diagnostics::default();
        let value = PlacedValue::parse(text)?;
        let recorded = read(&value, &mut check);
        check.finish(recorded)
    }
}

fn share(value: &PlacedValue<'_>, check: &mut Diagnostics) -> Option<f64> {
    let number = value.number(check)?;
    if number.is_finite() && number >= 0.0 {
        return Some(number);
    }
    check.refuse(Problem::new(value.path.clone(), format!("{number} is not a number from 0 on")))
}

fn statistic(value: &PlacedValue<'_>, check: &mut Diagnostics) -> Option<Statistic> {
    let name = value.string(check)?;
    let statistic = Statistic::parse(&name);
    if statistic.is_none() {
        let problem = Problem::new(value.path.clone(), format!("unknown statistic `{name}`"));
        check.add(problem.help("it is median, mean, geomean, trimmed, min, max or a quantile such as p90"));
    }
    statistic
}

fn read(value: &PlacedValue<'_>, check: &mut Diagnostics) -> Option<Recorded> {
    let object = value.object(&KEYS, check)?;
    let strings = |value: &PlacedValue<'_>, check: &mut Diagnostics| value.all(check, PlacedValue::string);
    let flag = |value: &PlacedValue<'_>, check: &mut Diagnostics| value.boolean(check);
    let count = |value: &PlacedValue<'_>, check: &mut Diagnostics| {
        value.whole(check).map(|number| usize::try_from(number).unwrap_or(usize::MAX))
    };
    let statistic = object.optional("statistic", check, statistic);
    let filters = object.optional("where", check, |value, check| value.all(check, pair));
    let requires = object.optional("requires", check, |value, check| value.all(check, requirement));
    let gaps = object.optional("gaps", check, |value, check| value.one_of("treatment", &Gaps::ALL, check));
    let grid = object.optional("grid", check, |value, check| {
        let members = value.members(check)?;
        let sizes = |(axis, sizes): (String, PlacedValue<'_>)| {
            Some(GridSizes { axis, sizes: sizes.all(check, PlacedValue::whole)? })
        };
        members.into_iter().map(sizes).collect::<Option<Vec<_>>>()
    });
    let terms = object.optional("terms", check, |value, check| {
        let parsed = Terms::parse(&value.string(check)?);
        parsed.map_err(|problem| check.add(Problem { place: value.path.clone().into(), ..problem })).ok()
    });
    let collective = object.optional("collective", check, PlacedValue::string);
    let drop_first = object.optional("drop_first", check, count);
    let first = object.optional("first", check, count);
    let drop_outliers = object.optional("drop_outliers", check, flag);
    let baseline = object.optional("baseline", check, strings);
    let no_default = object.optional("no_default", check, flag);
    let exclude = object.optional("exclude", check, strings);
    let tolerance = object.optional("tie_tolerance", check, share);
    let level = object.optional("tie_test", check, share);
    let distinction = level?.map(|level| Distinction { level });
    let tolerance = tolerance?.or(distinction.map(|_| TieRule::default().tolerance));
    Some(Recorded {
        recipe: Recipe {
            collective: collective?,
            statistic: statistic?,
            baseline: baseline?.unwrap_or_default(),
            no_default: no_default?.unwrap_or_default(),
            exclude: exclude?.unwrap_or_default(),
            requires: requires?.unwrap_or_default(),
            ties: tolerance.map(|tolerance| TieRule { tolerance, distinction }),
            gaps: gaps?.unwrap_or_default(),
            grid: grid?.unwrap_or_default(),
            terms: terms?,
        },
        cleaning: Cleaning {
            drop_first: drop_first?.unwrap_or_default(),
            first: first?,
            drop_outliers: drop_outliers?.unwrap_or_default(),
        },
        filters: filters?.unwrap_or_default(),
    })
}

fn pair(value: &PlacedValue<'_>, check: &mut Diagnostics) -> Option<(String, String)> {
    let text = value.string(check)?;
    let Some((name, wanted)) = text.split_once('=') else {
        return check.refuse(Problem::new(value.path.clone(), format!("`{text}` is not COLUMN=VALUE")));
    };
    Some((name.to_owned(), wanted.to_owned()))
}

fn requirement(value: &PlacedValue<'_>, check: &mut Diagnostics) -> Option<(String, Requirement)> {
    let text = value.string(check)?;
    let found = Requirement::of_method(&text);
    if found.is_none() {
        let forms = Requirement::FORMS.join(", ");
        let problem = Problem::new(value.path.clone(), format!("`{text}` is not METHOD=REQUIREMENT"));
        check.add(problem.help(format!("the requirements are {forms}")));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_read_back() {
        let all = Recorded {
            recipe: Recipe {
                collective: Some("bcast".to_owned()),
                statistic: Some(Statistic::Quantile(900)),
                baseline: vec!["default".to_owned()],
                no_default: true,
                exclude: vec!["a=b".to_owned(), "ring/8".to_owned()],
                requires: vec![("x=y".to_owned(), Requirement::parse("comm_size=4").unwrap())],
                ties: Some(TieRule { tolerance: 2.5, distinction: Some(Distinction { level: 0.01 }) }),
                gaps: Gaps::Nearest,
                grid: vec![GridSizes { axis: "msg_size".to_owned(), sizes: vec![1, 2, 1 << 60] }],
                terms: Some(Terms::parse("1 + ceil(m/mr)*mr").unwrap()),
            },
            cleaning: Cleaning { drop_first: 2, first: Some(7), drop_outliers: true },
            filters: vec![("nodes".to_owned(), "a=b".to_owned())],
        };
        for recorded in [all, Recorded::default()] {
            assert_eq!(Recorded::from_json(&recorded.to_json()).unwrap(), recorded);
        }
        assert_eq!(Recorded::default().to_json(), "{}");
    }

    #[test]
    fn faults_are_reported_together() {
        let text =
            r#"{ "statistics": "median", "gaps": "some", "first": -1, "where": ["a"], "requires": ["b=c"] }"#;
        let problems: Vec<String> =
            Recorded::from_json(text).unwrap_err().iter().map(ToString::to_string).collect();
        for part in ["statistics", "gaps: ", "first: ", "where[0]: ", "requires[0]: "] {
            assert!(problems.iter().any(|problem| problem.contains(part)), "{part}: {problems:?}");
        }
    }
}
