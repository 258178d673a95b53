//! A type that is too narrow is an error even if the lint for it is disabled.

#![allow(overflowing_literals)]

use qtdec::decision_map;

#[decision_map("maps/good.json", borders = "floor")]
fn parameter(comm_size: usize, msg_size: i8) -> Option<u32>;

#[decision_map("maps/wide_ids.json")]
fn returned(comm_size: usize, msg_size: usize) -> u8;

fn main() {}
