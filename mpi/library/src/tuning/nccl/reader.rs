//! The two programs that read the table, and what they do differently.

use crate::tuning::{Switch, SwitchValue, Switches};

/// The names of algorithms and protocols in the table.
pub(super) const ALGORITHMS: [&str; 7] =
    ["tree", "ring", "collnet_direct", "collnet_chain", "nvls", "nvls_tree", "pat"];
pub(super) const PROTOCOLS: [&str; 3] = ["ll", "ll128", "simple"];

/// A program that reads the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reader {
    /// NCCL's example plugin, `plugins/tuner/example/plugin.c` of 2.30.7.
    Plugin,
    /// RCCL itself, `src/plugin/tuner/csv_tuner.cc` of rocm-systems in November 2026; merged in April 2026 with pull request 4503.
    BuiltIn,
}

impl Reader {
    /// Returns what was read of it, since it was not run.
    pub(super) const fn sources(self) -> &'static str {
        match self {
            Self::Plugin => "the sources of NCCL 2.30.7",
            Self::BuiltIn => "the sources of RCCL in rocm-systems of November 2026",
        }
    }

    /// Returns the number of channels that leaves the choice to the library. The plugin takes -1 for one channel, and RCCL
    /// warns of 0.
    pub(super) fn own_channels(self) -> &'static str {
        match self {
            Self::Plugin => "0",
            Self::BuiltIn => "-1",
        }
    }

    /// Returns whether a row with an unknown name is skipped; the plugin replaces the name by a default.
    pub(super) fn skips_unknown_names(self) -> bool {
        self == Self::BuiltIn
    }

    /// Returns whether blanks may precede `#` and a carriage return may end a line.
    pub(super) fn trims_lines(self) -> bool {
        self == Self::BuiltIn
    }

    /// Returns the algorithms that the library runs.
    ///
    /// RCCL marks the others as not to be used: <https://rocm.docs.amd.com/projects/rccl/en/docs-10.2.0/how-to/using-rccl-tuner-plugin-api.html>.
    pub(super) fn algorithms(self) -> &'static [&'static str] {
        match self {
            Self::Plugin => &ALGORITHMS,
            Self::BuiltIn => &["tree", "ring"],
        }
    }

    /// Returns the settings that make the library read the file.
    pub(super) fn switches(self) -> Switches {
        let file = Switch::variable("NCCL_TUNER_CONFIG_FILE", SwitchValue::File);
        let (settings, remark) = match self {
            Self::Plugin => (
                vec![
                    Switch::variable(
                        "NCCL_TUNER_PLUGIN",
                        SwitchValue::Text("/path/to/libnccl-tuner-example.so"),
                    ),
                    file,
                ],
                "write the path of the plugin, which is built from the folder plugins/tuner/example of NCCL's sources, for \
                 NCCL_TUNER_PLUGIN; the plugin of NCCL up to 2.30 gives one channel to a call that no row matches; NCCL_ALGO \
                 and NCCL_PROTO take precedence over it",
            ),
            Self::BuiltIn => (
                vec![file],
                "RCCL reads the file itself, in place of its own table, unless NCCL_TUNER_PLUGIN names a plugin or none; NCCL_ALGO \
                 and NCCL_PROTO take precedence over it",
            ),
        };
        Switches { is_script: false, settings, remarks: vec![remark.to_owned()] }
    }
}
