//! The tests of the package that share a process: one binary is linked, instead of one for each file.

mod algorithms;
mod bad_input;
mod bound;
mod counts;
mod delivery;
mod fit;
mod foreign;
mod json;
mod models;
mod network;
mod predict;
#[path = "simulate/main.rs"]
mod simulate;
mod two_level;
mod vectored;
mod wrong_schedules;
