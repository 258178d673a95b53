//! The unit of independence of times.

/// What the runs of measurements are: two of them are independent of each other, the repeats of one are not.
///
/// The variants are complete: files record jobs or do not, and of several or of one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Unit {
    /// The launch. It is not known which launches shared a job.
    #[default]
    Unrecorded,
    /// The launch. Each was a job of its own.
    Launch,
    /// The job, of which there are several.
    Job,
    /// The launch. All launches are of one job, so that what they show is true of this job.
    WithinJob,
}

/// The jobs of launches of which files do not record it, as the user knows them.
///
/// The variants are complete: anything between them is recorded by a name for each job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnrecordedJobs {
    /// Each launch was a job of its own.
    EachLaunch,
    /// All launches were of one job.
    One,
}

impl UnrecordedJobs {
    /// The answers with their names in options.
    pub const ALL: [(&'static str, Self); 2] = [("launch", Self::EachLaunch), ("one", Self::One)];
}

impl Unit {
    /// Returns the name of one unit, and of several.
    pub fn names(self) -> [&'static str; 2] {
        match self {
            Self::Unrecorded | Self::Launch => ["launch", "launches"],
            Self::Job => ["job", "jobs"],
            Self::WithinJob => ["launch of one job", "launches of one job"],
        }
    }

    /// Returns a number of units with their name, such as `5 jobs`.
    pub fn counted(self, number: usize) -> String {
        let [one, several] = self.names();
        format!("{number} {}", if number == 1 { one } else { several })
    }

    /// Returns the unit without what is known of the jobs of launches.
    #[must_use]
    pub fn plain(self) -> Self {
        if self == Self::Job { Self::Job } else { Self::Launch }
    }

    /// Returns the word for one unit in sentences about all of them.
    pub fn word(self) -> &'static str {
        self.plain().names()[0]
    }

    /// Returns the word for several units.
    pub fn words(self) -> &'static str {
        self.plain().names()[1]
    }
}
