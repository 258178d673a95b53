//! Benchmark programs.

/// A benchmark whose output can be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Benchmark {
    /// OSU micro-benchmarks, one program per collective.
    Osu,
    /// Intel MPI Benchmarks: `IMB-MPI1`.
    Imb,
}

impl Benchmark {
    /// Every benchmark and its name in options.
    pub const ALL: [(&'static str, Self); 2] = [("osu", Self::Osu), ("imb", Self::Imb)];

    /// Returns the name in options.
    pub(super) fn name(self) -> &'static str {
        Self::ALL.iter().find(|(_, known)| *known == self).map_or("", |(name, _)| name)
    }

    /// Returns the display name.
    pub(super) fn title(self) -> &'static str {
        match self {
            Self::Osu => "the OSU micro-benchmarks",
            Self::Imb => "the Intel MPI Benchmarks",
        }
    }

    /// Returns whether the message size is divided among the ranks.
    pub(super) fn divides_size(self, collective: &str) -> bool {
        match self {
            Self::Osu => ["reduce_scatter", "reduce_scatter_block"].contains(&collective),
            Self::Imb => collective == "reduce_scatter",
        }
    }

    /// Returns how often the collective is called with messages of a size, unless options say otherwise; of OSU's with the calls that come
    /// before (`COLL_LOOP_SMALL`, `COLL_SKIP_SMALL`, … of `osu_util.h`), of Intel's at most (`-iter`).
    pub fn calls(self, bytes: u64) -> u64 {
        match self {
            Self::Osu if bytes <= 8192 => 1100,
            Self::Osu => 110,
            Self::Imb => ((40 << 20) / bytes.max(1)).clamp(1, 1000),
        }
    }

    /// Returns the number of seconds after which the benchmark goes on to the next size, if there is one (`-time`).
    pub fn most_seconds(self) -> Option<f64> {
        match self {
            Self::Osu => None,
            Self::Imb => Some(10.0),
        }
    }

    /// Returns the program that measures a collective.
    pub(super) fn program(self, collective: &str) -> String {
        match self {
            Self::Osu => format!("osu_{collective}"),
            Self::Imb => "IMB-MPI1".to_owned(),
        }
    }

    /// Returns the function `set_command`, which sets the command line of a benchmark, and what it calls.
    pub(super) fn functions(self) -> &'static str {
        match self {
            Self::Osu => include_str!("script/osu.sh"),
            Self::Imb => include_str!("script/imb.sh"),
        }
    }
}
