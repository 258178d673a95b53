//! Aliases that the attribute takes for enums: one error for each, at the alias.

use qtdec::decision_map;

#[decision_map("maps/good.json")]
enum Method {}

enum Collective {
    Bcast,
    Reduce,
    AllReduce,
}

type Id = u32;
type Name = &'static str;
type Decision = Option<Method>;
type Flag = bool;

#[decision_map("maps/good.json")]
const fn an_integer(comm_size: usize, msg_size: usize) -> Option<Id>;

const CALLED: Option<Id> = an_integer(2, 1);

#[decision_map("maps/good.json", layout = "table")]
fn a_name(comm_size: usize, msg_size: usize) -> Option<self::Name>;

#[decision_map("maps/good.json")]
fn an_option(comm_size: usize, msg_size: usize) -> Decision;

#[decision_map("maps/labels.json")]
fn a_flag(collective: Collective, commutative: Flag, msg_size: usize) -> Option<u32>;

enum Other {
    Linear,
}

#[decision_map("maps/good.json")]
fn no_variant(comm_size: usize, msg_size: usize) -> Option<Other>;

fn main() {}
