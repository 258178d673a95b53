//! The columns of a file, in the order in which every file has them.

use qtdec_core::domain::MAX_AXES;
use qtdec_core::listing::listed;
use qtdec_core::similar::did_you_mean;
use qtdec_core::{Diagnostics, Place, Problem, Problems};

use crate::unit::TimeUnit;

pub(crate) const MAX_PARAMETERS: usize = 16;

/// The names of the columns that are neither axes nor parameters; that of the time is followed by its unit.
pub(crate) const NAMES: [&str; 9] =
    ["method", "collective", "basis", "job", "launch", "process", "repeat", "statistic", "time"];

/// The columns of a file after its axes, `method` and the parameters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each column is there or not, whatever the others")]
pub(crate) struct Columns {
    pub(crate) collective: bool,
    pub(crate) basis: bool,
    pub(crate) job: bool,
    pub(crate) process: bool,
    pub(crate) statistic: bool,
    pub(crate) unit: Option<TimeUnit>,
}

impl Columns {
    pub(crate) fn names(self, axes: &[String], parameters: &[String]) -> Vec<String> {
        let others = [
            self.collective.then_some("collective"),
            self.basis.then_some("basis"),
            self.job.then_some("job"),
            Some("launch"),
            self.process.then_some("process"),
            Some("repeat"),
            self.statistic.then_some("statistic"),
        ];
        let mut names = [axes, &["method".to_owned()], parameters].concat();
        names.extend(others.into_iter().flatten().map(str::to_owned));
        names.push(time_column(self.unit));
        names
    }

    /// Returns the columns of a header row, given the names of the declared axes and parameters in any order.
    pub(crate) fn new(
        names: &[String],
        axes: &[String],
        parameters: &[String],
        line: u64,
    ) -> Result<Self, Problems> {
        let mut check = Diagnostics::default();
        let fault = |message: String| Problem::new(Place::Line(line), message);
        let most = MAX_AXES + MAX_PARAMETERS + NAMES.len();
        if names.len() > most {
            let problem = fault(format!("{} columns, where at most {most} are possible", names.len()));
            return Err(problem
                .help("keep those of the axes, the method, its parameters and the time")
                .into());
        }
        let has = |name: &str| names.iter().any(|known| known == name);
        let units = [None].into_iter().chain(TimeUnit::ALL.map(|(_, unit)| Some(unit)));
        let times: Vec<Option<TimeUnit>> = units.filter(|unit| has(&time_column(*unit))).collect();
        let columns = Self {
            collective: has("collective"),
            basis: has("basis"),
            job: has("job"),
            process: has("process"),
            statistic: has("statistic"),
            unit: times.first().copied().flatten(),
        };
        let declared = axes.iter().chain(parameters);
        for name in declared.filter(|name| !has(name)) {
            check.add(
                fault(format!("there is no column `{name}`, which is declared above"))
                    .help(format!("add the column, or remove the line that declares `{name}`")),
            );
        }
        for name in ["method", "launch", "repeat"].iter().filter(|name| !has(name)) {
            check.add(
                fault(format!("there is no column `{name}`"))
                    .help("add it; it may be empty except for `method`"),
            );
        }
        match times.len() {
            0 => check.add(fault("there is no column of the time".to_owned()).help(
                "call it `time_s`, `time_ms`, `time_us` or `time_ns`, or `time` if the unit is not known",
            )),
            1 => {}
            _ => check.add(fault("there are several columns of times".to_owned()).help("keep one of them")),
        }
        for (position, name) in names.iter().enumerate() {
            let is_known = NAMES.contains(&&**name)
                || TimeUnit::ALL.iter().any(|(_, unit)| *name == time_column(Some(*unit)))
                || axes.contains(name)
                || parameters.contains(name);
            if names[..position].contains(name) {
                check.add(fault(format!("two columns are called `{name}`")).help("remove one of them"));
            } else if !is_known {
                let meant = did_you_mean(name, NAMES)
                    .map_or_else(String::new, |meant| format!("; did you mean `{meant}`?"));
                check.add(fault(format!("the column `{name}` is not declared")).help(format!(
                    "declare it above with `# axis {name}` or `# parameter {name}`, or remove the column{meant}"
                )));
            }
        }
        check.finish(Some(()))?;
        let ordered = |declared: &[String]| -> Vec<String> {
            names.iter().filter(|name| declared.contains(name)).cloned().collect()
        };
        let (axes, parameters) = (ordered(axes), ordered(parameters));
        let expected = columns.names(&axes, &parameters);
        if names != expected {
            let problem = fault("the columns are not in their order".to_owned())
                .help(format!("the order is {}", listed(&expected)));
            return Err(problem.into());
        }
        Ok(columns)
    }
}

pub(crate) fn time_column(unit: Option<TimeUnit>) -> String {
    unit.map_or_else(|| "time".to_owned(), |unit| format!("time_{}", unit.name()))
}
