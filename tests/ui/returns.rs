//! Invalid return types.

use qtdec::decision_map;

enum Method {
    Binomial,
}

#[decision_map("maps/good.json")]
fn nothing(comm_size: usize, msg_size: usize);

#[decision_map("maps/good.json")]
fn a_pair(comm_size: usize, msg_size: usize) -> (u32, u32);

#[decision_map("maps/good.json")]
fn a_bool(comm_size: usize, msg_size: usize) -> bool;

#[decision_map("maps/good.json")]
fn a_variant_is_missing(comm_size: usize, msg_size: usize) -> Option<Method>;

#[decision_map("maps/partial.json")]
fn nothing_measured(comm_size: usize, msg_size: usize) -> u32;

#[decision_map("maps/names.json")]
fn names(comm_size: usize, msg_size: usize) -> Option<Method>;

#[decision_map("maps/names.json")]
fn ids(comm_size: usize, msg_size: usize) -> Option<u32>;

#[decision_map("maps/good.json")]
fn not_zero(comm_size: usize, msg_size: usize) -> Option<core::num::NonZeroU32>;

fn main() {}
