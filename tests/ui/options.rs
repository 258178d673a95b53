//! Invalid options.

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
fn an_unknown_layout(comm_size: usize, msg_size: usize) -> Option<u32>;

#[decision_map("maps/good.json", layout = "quadrants", encoding = "optimal")]
fn no_quadtree(comm_size: usize, msg_size: usize) -> Option<u32>;

#[decision_map("maps/good.json", error = "no quadrant")]
fn no_quadrants(comm_size: usize, msg_size: usize) -> Option<u32>;

#[decision_map("maps/good.json", max_dept = 3, encoding = "optmal", colapse)]
fn misspelt(comm_size: usize, msg_size: usize) -> Option<u32>;

#[decision_map("maps/good.json", fallback = "bruck")]
fn no_fallback(comm_size: usize, msg_size: usize) -> Option<u32>;

#[decision_map("maps/partial.json", empty = "strict", max_depth = 0)]
fn not_strict(comm_size: usize, msg_size: usize) -> Option<u32>;

#[decision_map("maps/labels.json", true_label = "maybe")]
fn no_such_label(collective: u8, commutative: bool, msg_size: usize) -> Option<u32>;

#[decision_map("maps/good.json", msg_sise = len, comm_size = rank)]
fn misspelt_axis(ranks: usize, len: usize) -> Option<u32>;

#[decision_map("maps/good.json", bordres = geometric)]
fn misspelt_without_quotes(comm_size: usize, msg_size: usize) -> Option<u32>;

#[decision_map("maps/good.json", borders = "geometrik", layout = "tabel", encoding = "quadtre")]
fn misspelt_values(comm_size: usize, msg_size: usize) -> Option<u32>;

#[decision_map("maps/good.json", threshold = 0.9)]
fn a_share(comm_size: usize, msg_size: usize) -> Option<u32>;

#[decision_map("maps/good.json", encoding = "c45", confidence = 0.25)]
fn another_share(comm_size: usize, msg_size: usize) -> Option<u32>;

#[decision_map("maps/good.json", fallback = "binomial")]
fn a_needless_fallback(comm_size: usize, msg_size: usize) -> Option<u32>;

fn main() {}
