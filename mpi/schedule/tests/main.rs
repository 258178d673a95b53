//! The tests of the package that share a process: one binary is linked, instead of one for each file.

#![allow(clippy::disallowed_methods)]

mod algorithms;
mod bad_input;
mod counts;
mod delivery;
mod goal;
mod json;
mod two_level;
mod vectored;
mod wrong_schedules;
