//! Files that cannot be read, or contain no map.

use qtdec::decision_map;

#[decision_map("maps/none.json")]
fn missing(comm_size: usize, msg_size: usize) -> u32;

#[decision_map("maps")]
fn a_folder(comm_size: usize, msg_size: usize) -> u32;

#[decision_map("/maps/good.json")]
fn absolute(comm_size: usize, msg_size: usize) -> u32;

#[decision_map("maps/many-problems.json")]
fn many_problems(comm_size: usize, msg_size: usize) -> u32;

// The valid methods exist, so code that names them causes no further errors.
#[decision_map("maps/bad_cells.json")]
enum BadCells {}

fn names() -> BadCells {
    BadCells::Ring
}

#[decision_map("Cargo.toml")]
fn not_json(comm_size: usize, msg_size: usize) -> u32;

#[decision_map]
fn no_file(comm_size: usize, msg_size: usize) -> u32;

#[decision_map("maps/good.json", "maps/good.json")]
fn two_files(comm_size: usize, msg_size: usize) -> u32;

#[decision_map(concat!(env!("NO_SUCH_VARIABLE"), "/map.json"))]
fn no_variable(comm_size: usize, msg_size: usize) -> u32;

// Calls in a constant cause no further errors.
const MISSING: u32 = missing_in_a_constant(1, 2);
static SIZES: [u8; several(1, 2)] = [0; several(1, 2)];

#[decision_map("maps/none.json")]
const fn missing_in_a_constant(comm_size: usize, msg_size: usize) -> u32;

#[decision_map("maps/bad_cells.json", max_deep = 3)]
const fn several(comm_size: usize, msg_size: usize) -> usize;

fn main() {
    let _ = (MISSING, &SIZES);
    // Callers are type-checked, and cause no further errors.
    let _: u32 = missing(1, 2) + a_folder(1, 2) + absolute(1, 2) + many_problems(1, 2) + not_json(1, 2);
    let _: u32 = no_file(1, 2) + two_files(1, 2) + no_variable(1, 2);
}
