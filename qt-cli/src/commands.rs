//! The commands, in folders that mirror the help page.

mod demo;
mod maps;
mod mpi;
mod reviews;
mod times;
mod trees;

qtdec_terminal::commands! {
    "Times and maps":
    Read in times::read,
    Map in maps::map,
    Combine in maps::combine,
    Weigh in maps::weigh,
    "Trees":
    Encode in trees::encode,
    Stats in trees::stats,
    Sweep in trees::sweep,
    Plot in trees::plot,
    Report in trees::report,
    Emit in trees::emit,
    Decide in trees::decide,
    "Reviews":
    Diff in reviews::diff,
    Check in reviews::check,
    Verify in reviews::verify,
    "Others":
    Demo in demo,
    Mpi in mpi,
    Completions in qtdec_terminal::completions for crate::Cli,
    Man in qtdec_terminal::man for crate::Cli,
}

pub(crate) const RARE: &[(&str, &[&str])] = &[
    ("map", &["hold-out", "held-out", "price", "seed"]),
    ("sweep", &["price", "seed", "splits", "unpriced", "without", "all-columns", "picture", "markdown"]),
    ("stats", &["unpriced", "without"]),
    ("plot", &["bands", "at"]),
    ("emit", &["true-label", "basis-in", "parameter-type", "returns", "enum-items"]),
];
