//! Enums that cannot be filled in, and items that are neither functions nor enums.

use qtdec::decision_map;

#[decision_map("maps/good.json", max_depth = 3)]
pub enum WithOption {}

#[decision_map("maps/good.json")]
pub enum NotEmpty {
    Ring,
}

#[decision_map("maps/good.json")]
pub enum Generic<T> {}

#[decision_map]
pub enum NoFile {}

#[decision_map("maps/names.json")]
pub enum Names {}

#[decision_map("maps/good.json", "maps/other.json")]
pub enum Clash {}

#[decision_map("maps/good.json")]
pub struct Struct;

#[derive(Debug, PartialEq)]
/// The derives stand above.
#[decision_map("maps/good.json")]
enum DeriveAbove {}

#[decision_map("maps/good.json")]
const fn derived_above(comm_size: usize, msg_size: usize) -> DeriveAbove;

const CHOSEN: DeriveAbove = derived_above(2, 8);

fn is_ring(method: DeriveAbove) -> bool {
    method == CHOSEN || matches!(method, DeriveAbove::Binomial)
}

fn main() {}
