//! The tests of the package that share a process: one binary is linked, instead of one for each file.

#![allow(clippy::disallowed_methods)]

mod bound;
mod fit;
mod models;
mod network;
mod predict;
#[path = "simulate/main.rs"]
mod simulate;
