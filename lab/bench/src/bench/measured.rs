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

/// The times of one form on one distribution.
#[derive(Clone)]
pub(super) struct Times {
    pub(super) form: String,
    pub(super) distribution: String,
    /// The number of queries that are decided differently from the map.
    pub(super) wrong: u64,
    pub(super) throughput: Spread,
    pub(super) latency: Spread,
    pub(super) cold: Spread,
}

/// Nanoseconds: the first decile, the median and the last decile.
#[derive(Clone, Copy)]
pub(super) struct Spread(pub(super) [f64; 3]);

impl Spread {
    pub(super) fn median(self) -> f64 {
        self.0[1]
    }
}

impl Times {
    /// Parses a line printed by the program.
    pub(super) fn read(line: &str) -> Option<Self> {
        let mut words = line.split(' ');
        let (form, distribution) = (words.next()?.to_owned(), words.next()?.to_owned());
        let wrong = words.next()?.parse().ok()?;
        let numbers: Vec<f64> = words.map(str::parse).collect::<Result<_, _>>().ok()?;
        let spread = |from: usize| Some(Spread(numbers.get(from..from + 3)?.try_into().ok()?));
        Some(Self {
            form,
            distribution,
            wrong,
            throughput: spread(0)?,
            latency: spread(3)?,
            cold: spread(6)?,
        })
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
