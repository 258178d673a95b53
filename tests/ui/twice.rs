//! Two attributes on one item.

use qtdec::decision_map;

#[decision_map("maps/good.json")]
#[decision_map("maps/total.json")]
fn function(comm_size: usize, msg_size: usize) -> Option<u32>;

#[decision_map("maps/good.json")]
#[qtdec::decision_map("maps/total.json")]
pub enum Methods {}

#[decision_map("maps/total.json")]
#[cfg_attr(not(any()), decision_map("maps/total.json"))]
fn hidden(comm_size: usize) -> u32;

fn main() {}
