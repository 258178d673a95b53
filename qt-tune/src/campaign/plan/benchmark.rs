//! What is run.

/// A benchmark whose output a reader knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Benchmark {
    /// OSU micro-benchmarks: a program for each collective.
    Osu,
    /// Intel MPI Benchmarks: `IMB-MPI1`.
    Imb,
}

impl Benchmark {
    /// All of them, with the name each has in options.
    pub const ALL: [(&'static str, Self); 2] = [("osu", Self::Osu), ("imb", Self::Imb)];

    /// The name in options.
    pub(super) fn name(self) -> &'static str {
        Self::ALL.iter().find(|(_, known)| *known == self).map_or("", |(name, _)| name)
    }

    /// What people call it.
    pub(super) fn title(self) -> &'static str {
        match self {
            Self::Osu => "the OSU micro-benchmarks",
            Self::Imb => "the Intel MPI Benchmarks",
        }
    }

    /// Whether the message size is shared out among the ranks.
    pub(super) fn shares_out(self, collective: &str) -> bool {
        match self {
            Self::Osu => ["reduce_scatter", "reduce_scatter_block"].contains(&collective),
            Self::Imb => collective == "reduce_scatter",
        }
    }

    /// The program that measures a collective.
    pub(super) fn program(self, collective: &str) -> String {
        match self {
            Self::Osu => format!("osu_{collective}"),
            Self::Imb => "IMB-MPI1".to_owned(),
        }
    }

    /// The command line that measures `$collective` with messages from `$from` to `$greatest` bytes: an array of Bash.
    pub(super) fn command(self) -> &'static str {
        match self {
            Self::Osu => {
                "  local command=(\"osu_$collective\" -f)\n\
                 \x20 if [ \"$collective\" != barrier ]; then command+=(-m \"$from:$greatest\"); fi\n"
            }
            // The names there begin with a capital; without -npmin every smaller communicator is measured as well.
            Self::Imb => {
                "  local command=(IMB-MPI1 -npmin \"$ranks\" -msglog \"$(log2 \"$from\"):$(log2 \"$greatest\")\" \"${collective^}\")\n"
            }
        }
    }

    /// Functions that its command line calls.
    pub(super) fn functions(self) -> &'static str {
        match self {
            Self::Osu => "",
            Self::Imb => {
                "log2() { local size=$1 exponent=0; while [ \"$size\" -gt 1 ]; do size=$((size / 2)) exponent=$((exponent + 1)); \
                 done; echo \"$exponent\"; }\n"
            }
        }
    }
}
