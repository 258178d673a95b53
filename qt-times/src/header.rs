//! What a file declares before its rows: keys, axes, parameters and the unit of the times.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashSet};

use qtdec_core::domain::{MAX_AXES, MAX_SAMPLES};
use qtdec_core::naming::is_identifier;
use qtdec_core::{Diagnostics, Place, Problem, Problems};

use crate::about::About;
use crate::columns::{MAX_PARAMETERS, NAMES};
use crate::text::name_fault;
use crate::unit::TimeUnit;

/// The name and version of the form.
pub const FORMAT: &str = "qtdec-times/1";

/// The parameter that holds the segment size of a method.
pub const SEGMENT_SIZE: &str = "segment_size";

/// An axis or a parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Named {
    /// Its name.
    pub name: String,
    /// The unit of its values.
    pub unit: Option<String>,
}

/// The declarations of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Header {
    /// The keys with their values.
    pub about: About,
    /// The axes, in the order of their columns.
    pub axes: Vec<Named>,
    /// The labels of each axis that has labels instead of sizes, in their order. A size on such an axis is the position of its label.
    pub labels: BTreeMap<String, Vec<String>>,
    /// The parameters of methods, in the order of their columns.
    pub parameters: Vec<Named>,
    /// The unit of the times, if it is known.
    pub unit: Option<TimeUnit>,
}

impl Header {
    /// Checks that a file can declare this, given the place of each axis and parameter, or of all for `None`. Returns all faults of names
    /// and units, and of the number of axes and parameters.
    pub(crate) fn check_at(&self, place: impl Fn(Option<&str>) -> Place) -> Result<(), Problems> {
        let mut check = Diagnostics::default();
        let fault = |message: String| Problem::new(place(None), message);
        if !(1..=MAX_AXES).contains(&self.axes.len()) {
            check.add(
                fault(format!("{} axes, where 1 to {MAX_AXES} are possible", self.axes.len()))
                    .help("declare each axis in a line as `# axis msg_size: bytes`"),
            );
        }
        if self.parameters.len() > MAX_PARAMETERS {
            check.add(
                fault(format!(
                    "{} parameters, where at most {MAX_PARAMETERS} are possible",
                    self.parameters.len()
                ))
                .help("make some of them parts of the methods' names"),
            );
        }
        let mut seen = HashSet::new();
        for Named { name, unit } in self.axes.iter().chain(&self.parameters) {
            let fault = |message: String| Problem::new(place(Some(name)), message);
            if !is_identifier(name) {
                check.add(
                    fault(format!("`{name}` cannot be the name of an axis or a parameter"))
                        .help("choose a name that a function's parameter can have"),
                );
            } else if NAMES.contains(&&**name)
                || TimeUnit::ALL.iter().any(|(unit, _)| *name == format!("time_{unit}"))
            {
                check.add(
                    fault(format!("`{name}` is the name of another column"))
                        .help("choose another name for the axis or parameter"),
                );
            } else if !seen.insert(name) {
                check.add(fault(format!("`{name}` is declared twice")).help("remove one of the lines"));
            }
            if let Some(why) = unit.as_ref().and_then(|unit| name_fault(unit)) {
                check.add(fault(format!("the unit of `{name}` {why}")).help("write it after a colon"));
            }
        }
        self.check_labels(&place, &mut check);
        check.finish(Some(()))
    }

    fn check_labels(&self, place: &impl Fn(Option<&str>) -> Place, check: &mut Diagnostics) {
        for (axis, labels) in &self.labels {
            let mut fault = |message: String, help: &str| {
                check.add(Problem::new(place(Some(axis)), message).help(help));
            };
            if !self.axes.iter().any(|known| known.name == *axis) {
                fault(
                    format!("there is no axis `{axis}` that could have labels"),
                    "declare it in a line as `# axis order`",
                );
            }
            if labels.len() > MAX_SAMPLES {
                fault(
                    format!("`{axis}` has {} labels, where at most {MAX_SAMPLES} are possible", labels.len()),
                    "remove those that no row has, or divide the times among several files",
                );
            }
            let mut seen = HashSet::new();
            for label in labels {
                if let Some(why) = name_fault(label) {
                    fault(
                        format!("a label of `{axis}` {why}"),
                        "write it after a colon, as in `# label order: sorted`",
                    );
                } else if !seen.insert(label) {
                    fault(
                        format!("the label `{label}` of `{axis}` is declared twice"),
                        "remove one of the lines",
                    );
                }
            }
        }
    }

    /// Returns the labels of an axis, by its position; `None` if it has sizes.
    pub fn labels_of(&self, axis: usize) -> Option<&[String]> {
        self.labels.get(&self.axes[axis].name).map(Vec::as_slice)
    }

    /// Returns a size on an axis as it is written: a label by its name.
    pub fn sample(&self, axis: usize, size: u64) -> Cow<'_, str> {
        match self.labels_of(axis) {
            Some(labels) => labels[size as usize].as_str().into(),
            None => size.to_string().into(),
        }
    }

    /// Returns the position of the segment size among the parameters.
    pub fn segment_size(&self) -> Option<usize> {
        self.parameters.iter().position(|parameter| parameter.name == SEGMENT_SIZE)
    }
}
