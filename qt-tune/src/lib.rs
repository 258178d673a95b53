//! Decision maps from measurements of MPI collectives, and the cost of decision functions.
//!
//! The `qtdec` command is a thin layer over this library.

pub mod campaign;
#[allow(clippy::doc_markdown, reason = "doc comments there are help texts")]
pub mod cli;
mod command_line;
pub mod compare;
pub mod emit;
pub mod report;
pub mod switch_cost;
pub mod timing;
pub mod tune;
pub mod vocabulary;
