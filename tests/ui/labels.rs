//! Labels that do not show which of them means `true`.

use qtdec::decision_map;

#[decision_map("maps/untold.json")]
fn untold(datatype: bool, commutative: bool) -> u32;

#[decision_map("maps/untold.json", true_label = "strided")]
fn reported(datatype: bool, commutative: bool) -> u32;

#[decision_map("maps/guarded.json")]
fn guarded(comm_size: usize) -> u32;

fn main() {}
