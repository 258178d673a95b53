//! The commands, in folders that mirror the help page.

mod campaigns;
mod predictions;
mod programs;
mod tuning_files;

qtdec_terminal::commands! {
    "Campaigns":
    Measure in campaigns::measure,
    "Tuning files":
    Tune in tuning_files::tune,
    Emit in tuning_files::emit,
    Import in tuning_files::import,
    Check in tuning_files::check,
    Decide in tuning_files::decide,
    Diff in tuning_files::diff,
    Compare in tuning_files::compare,
    "Programs that run with MPI":
    Build in programs::build,
    Observe in programs::observe,
    "Predictions":
    Network in predictions::network,
    Predict in predictions::predict,
    Schedule in predictions::schedule,
    "Others":
    Completions in qtdec_terminal::completions for crate::Cli,
    Man in qtdec_terminal::man for crate::Cli,
}

pub(crate) const RARE: &[(&str, &[&str])] = &[
    ("measure", &["launcher-args", "segments", "results", "ppn", "network"]),
    ("tune", &["fail-if-nothing", "release", "force", "max-leaves", "profile"]),
    ("predict", &["chains", "noise", "skew", "threads", "every-segment", "names"]),
    ("compare", &["method", "non-commutative", "element-size"]),
    ("emit", &["basis-in", "approximate", "guard", "max-comm-size"]),
    ("decide", &["ranks-per-node", "release", "format"]),
    ("schedule", &["chains", "clusters", "figure"]),
];
