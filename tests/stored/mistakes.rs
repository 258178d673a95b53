use qtdec::decision_map;

#[decision_map("map.json", max_depth = 2)]
pub fn a_map(comm_size: usize, msg_size: usize) -> u32;

#[decision_map("broken.json")]
pub fn broken(comm_size: usize, msg_size: usize) -> u32;

#[decision_map("wrong.json")]
pub fn wrong(comm_size: usize, msg_size: usize) -> u32;

#[decision_map("bcast.tree.json")]
pub fn missing(comm_size: usize) -> u32;

#[decision_map("bcast.tree.json", max_depth = 2)]
pub fn option_of_maps(comm_size: usize, msg_size: usize) -> u32;

#[decision_map("bcast.tree.json", layout = "table", max_dept = 2)]
pub fn no_such_option(comm_size: usize, msg_size: usize) -> u32;

#[decision_map("bcast.tree.json", layout = "branches" true_label)]
pub fn no_comma(comm_size: usize, msg_size: usize) -> u32;

#[decision_map("bcast.tree.json", msg_size = len)]
pub fn types(comm_size: f64, len: Option<usize>) -> String;

#[decision_map("guarded.tree.json")]
pub fn requirements(comm_size: usize, msg_size: usize) -> &'static str;

#[decision_map("large.tree.json")]
pub fn large(comm_size: usize, msg_size: usize) -> u32;

#[decision_map("bcast.tree.json", layout = "select", error = "none")]
pub fn layouts(comm_size: usize, msg_size: usize) -> u32;

#[decision_map("bcast.tree.json")]
#[derive(Debug)]
pub enum Filled {
    One,
}
