//! Parameters that do not match the axes of the map.

use qtdec::decision_map;

#[decision_map("maps/good.json")]
fn unknown_and_missing(comm_size: usize, message: usize, colour: u8) -> Option<u32>;

#[decision_map("maps/good.json")]
fn misnamed(comm_size: usize, message: usize) -> Option<u32>;

#[decision_map("maps/good.json", bytes = message)]
fn misnamed_in_the_attribute(comm_size: usize, message: usize) -> Option<u32>;

#[decision_map("maps/good.json", msg_size = len, ranks = comm_size, comm_size = size)]
fn renamed(comm_size: usize, len: usize) -> Option<u32>;

#[decision_map("maps/good.json", msg_size = comm_size)]
fn one_for_two(comm_size: usize) -> Option<u32>;

#[decision_map("maps/good.json", borders = "floor")]
fn narrow(comm_size: u8, msg_size: u8) -> Option<u32>;

#[decision_map("maps/good.json")]
fn a_string(comm_size: usize, msg_size: &str) -> Option<u32>;

#[decision_map("maps/good.json")]
fn other_types(comm_size: bool, msg_size: f64) -> Option<u32>;

#[decision_map("maps/labels.json")]
fn a_bool_for_three(collective: bool, commutative: bool, msg_size: usize) -> Option<u32>;

#[decision_map("maps/labels.json")]
fn an_integer_for_labels(collective: u8, commutative: bool, msg_size: usize) -> Option<u32>;

enum Kind {
    AllReduce,
}

#[decision_map("maps/label_names.json")]
fn labels_that_meet(kind: Kind, msg_size: usize) -> Option<u32>;

enum Collective {
    Bcast,
    Reduce,
    AllReduce,
    Barrier,
}

#[decision_map("maps/labels.json")]
fn a_label_too_many(collective: Collective, commutative: bool, msg_size: usize) -> Option<u32>;

#[decision_map("maps/good.json")]
fn a_generic<T: Copy + Into<u64>>(comm_size: usize, msg_size: T) -> Option<u32>;

fn main() {}
