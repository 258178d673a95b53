//! Measurements of a form.

/// The cost of a form before any query.
#[derive(Clone, Copy)]
pub(super) struct Cost {
    /// Processor time of rustc in seconds, or of gcc for C code.
    pub(super) compiler_seconds: f64,
    pub(super) text_bytes: Option<u64>,
    /// The size of constants in the program, or of loaded data.
    pub(super) table_bytes: Option<u64>,
}

/// The times of one form on one distribution: medians in nanoseconds.
#[derive(Clone)]
pub(super) struct Times {
    pub(super) form: String,
    pub(super) distribution: String,
    /// The number of queries that are decided differently from the map.
    pub(super) wrong: u64,
    pub(super) throughput: f64,
    pub(super) latency: f64,
    pub(super) cold: f64,
}

impl Times {
    /// Parses a line printed by the program.
    pub(super) fn read(line: &str) -> Option<Self> {
        let mut words = line.split(' ');
        let (form, distribution) = (words.next()?.to_owned(), words.next()?.to_owned());
        let wrong = words.next()?.parse().ok()?;
        let mut median = || words.next()?.parse().ok();
        Some(Self { form, distribution, wrong, throughput: median()?, latency: median()?, cold: median()? })
    }
}

/// The average cost of a decision over some queries.
#[derive(Clone, Copy, Debug)]
pub(super) struct Count {
    pub(super) instructions: f64,
    /// Conditional branches.
    pub(super) branches: f64,
    /// The branches, including indirect ones, that callgrind's simple predictor mispredicts.
    pub(super) mispredictions: f64,
}
