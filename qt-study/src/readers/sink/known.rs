//! What is known of all rows of a file before they are read: values from its path or from the user.

use std::borrow::Cow;
use std::collections::BTreeMap;

use crate::readers::collective_name;

/// The values that are the same for all rows of a file, as they were written.
#[derive(Clone, Debug, Default)]
pub(in crate::readers) struct Known {
    /// The collective, by its usual name.
    pub(in crate::readers) collective: Option<String>,
    pub(in crate::readers) method: Option<String>,
    pub(in crate::readers) segment_size: Option<String>,
    pub(in crate::readers) job: Option<String>,
    pub(in crate::readers) run: Option<String>,
    pub(in crate::readers) sizes: BTreeMap<String, String>,
}

impl Known {
    /// Sorts values by what they are; later ones replace earlier ones.
    pub(in crate::readers) fn new(values: impl IntoIterator<Item = (String, String)>) -> Self {
        let mut known = Self::default();
        for (name, value) in values {
            match &*name {
                "collective" => known.collective = Some(collective_name(&value)),
                "method" => known.method = Some(value),
                "segment_size" => known.segment_size = Some(value),
                "job" => known.job = Some(value),
                "run" => known.run = Some(value),
                _ => {
                    known.sizes.insert(name, value);
                }
            }
        }
        known
    }

    pub(super) fn is_empty(&self) -> bool {
        let Self { collective, method, segment_size, job, run, sizes } = self;
        [collective, method, segment_size, job, run].iter().all(|value| value.is_none()) && sizes.is_empty()
    }

    /// Returns the name of a launch that a row names, or nothing for that of all rows: launches of different jobs are different.
    pub(super) fn launch<'n>(&'n self, run: &'n str) -> Cow<'n, str> {
        match (&self.job, if run.is_empty() { self.run.as_deref().unwrap_or_default() } else { run }) {
            (None, run) => run.into(),
            (Some(job), "") => job.into(),
            (Some(job), run) => format!("{job}/{run}").into(),
        }
    }

    /// Returns whether the launch of the file is known.
    pub(super) fn names_launch(&self) -> bool {
        self.job.is_some() || self.run.is_some()
    }

    pub(in crate::readers) fn size(&self, axis: &str) -> Option<&str> {
        self.sizes.get(axis).map(String::as_str)
    }
}
