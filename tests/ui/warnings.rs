//! Warnings, which are errors only because of this lint level.

#![deny(deprecated)]

use qtdec::decision_map;

#[decision_map("maps/total.json")]
fn a_body_that_never_runs(comm_size: usize) -> u32 {
    comm_size as u32
}

#[allow(deprecated)]
#[decision_map("maps/total.json")]
fn a_body_that_may_stay(comm_size: usize) -> u32 {
    comm_size as u32
}

#[decision_map("maps/contradiction.json")]
fn costs_that_contradict_the_cells(comm_size: usize) -> u32;

fn main() {}
