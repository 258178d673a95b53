//! Types, bodies and arguments that nearly fit: one error for each, in words of the attribute's own.

use std::borrow::Cow;

use qtdec::decision_map;

#[decision_map("maps/good.json")]
enum Method {}

#[decision_map("maps/other.json")]
enum OtherMap {}

enum Collective {
    Bcast,
    Reduce,
    AllReduce,
}

#[decision_map("maps/labels.json")]
fn a_reference_to_a_bool(collective: Collective, commutative: &bool, msg_size: usize) -> Option<u32>;

#[decision_map("maps/labels.json")]
fn a_text_for_labels(collective: &str, commutative: bool, msg_size: usize) -> Option<u32>;

#[decision_map("maps/labels.json")]
fn optional_labels(collective: Option<Collective>, commutative: bool, msg_size: usize) -> Option<u32>;

#[decision_map("maps/good.json")]
fn an_empty_body(comm_size: usize, msg_size: usize) -> Method {}

#[decision_map("maps/good.json")]
fn the_enum_of_another_map(comm_size: usize, msg_size: usize) -> Option<OtherMap>;

#[decision_map("maps/good.json")]
fn a_cow(comm_size: usize, msg_size: usize) -> Cow<'static, str>;

#[decision_map("maps/good.json")]
fn a_box(comm_size: usize, msg_size: usize) -> Box<Method>;

#[decision_map("maps/good.json")]
fn an_optional_size(comm_size: Option<usize>, msg_size: usize) -> Option<u32>;

#[decision_map(file = "maps/good.json")]
fn a_named_path(comm_size: usize, msg_size: usize) -> Option<u32>;

#[decision_map("maps/good.json", layout: "table")]
fn a_colon(comm_size: usize, msg_size: usize) -> Option<u32>;

#[decision_map("maps/good.json", layout("table"))]
fn parentheses(comm_size: usize, msg_size: usize) -> Option<u32>;

#[decision_map("maps/good.json", layout = )]
fn no_value(comm_size: usize, msg_size: usize) -> Option<u32>;

#[decision_map("maps/good.json", comm_size = 1.5, msg_size = "8")]
fn not_sizes() -> Option<u32>;

#[decision_map("maps/good.json", comm_size = -1)]
fn a_negative_size(msg_size: usize) -> Option<u32>;

#[decision_map("maps/good.json", comm_size = ranks.len(), comm_size = 8)]
fn an_axis_twice(ranks: &[u32], msg_size: usize) -> Option<u32>;

#[decision_map("maps/good.json", commsize = ranks.len())]
fn a_misspelt_axis(ranks: &[u32], msg_size: usize) -> Option<u32>;

#[decision_map("maps/labels.json", collective = "bcst", commutative = 1)]
fn not_labels(msg_size: usize) -> Option<u32>;

#[decision_map("maps/labels.json", collective = kind.get())]
fn an_expression_for_three_labels(kind: &Method, commutative: bool, msg_size: usize) -> Option<u32>;

#[decision_map("maps/good.json")]
fn a_function(comm_size: usize, msg_size: usize) -> Option<fn(u32) -> u32>;

#[decision_map("maps/good.json", answers(binomal = 1))]
fn misspelt_answers(comm_size: usize, msg_size: usize) -> Option<f32>;

#[decision_map("maps/good.json", max_depth = 0, answers(binomial = 1.0, "pipeline/8192" = "2"))]
fn an_answer_that_is_never_returned(comm_size: usize, msg_size: usize) -> Option<f32>;

#[decision_map("maps/good.json")]
fn a_pattern((comm_size, msg_size): (usize, usize)) -> Option<u32>;

#[decision_map("maps/untold.json", datatype = kind.is_empty())]
fn an_expression_of_unclear_truth(kind: &[u32], commutative: bool) -> Option<u32>;

#[decision_map("maps/good.json", display, max_depth = 1)]
enum OptionsOfFunctions {}

fn main() {}
