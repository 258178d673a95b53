//! Options that are none.

use qtdec::decision_map;

#[decision_map("maps/good.json", max_depth = 3, max_depth = 4, threshold = 120, depth = 1, borders = "round")]
fn several(comm_size: usize, msg_size: usize) -> Option<u32>;

#[decision_map("maps/good.json", encoding = "huffman")]
fn no_encoder(comm_size: usize, msg_size: usize) -> Option<u32>;

#[decision_map("maps/good.json", max_depth = 'a')]
fn a_letter(comm_size: usize, msg_size: usize) -> Option<u32>;

#[decision_map("maps/good.json" max_depth = 3)]
fn no_comma(comm_size: usize, msg_size: usize) -> Option<u32>;

#[decision_map("maps/tree.json", max_depth = 3)]
fn a_tree(comm_size: usize, msg_size: usize) -> Option<u32>;

#[decision_map("maps/good.json", borders = geometric)]
fn without_quotes(comm_size: usize, msg_size: usize) -> Option<u32>;

#[decision_map(maps/good.json)]
fn a_path_without_quotes(comm_size: usize, msg_size: usize) -> Option<u32>;

#[decision_map("maps/good.json", layout = "hybrid")]
fn a_removed_layout(comm_size: usize, msg_size: usize) -> Option<u32>;

fn main() {}
