//! From measurements of MPI collectives to decision maps, and what a decision function costs.
//!
//! The `qtdec` command is a thin layer over this library.

pub mod against;
pub mod assess;
pub mod c_header;
#[allow(clippy::doc_markdown, reason = "doc comments there are help texts")]
pub mod command;
pub mod compare;
pub mod diff;
mod faults;
pub mod holdout;
pub mod measurements;
pub mod notes;
pub mod picture;
pub mod plan;
pub mod profile;
pub mod readers;
pub mod recipe;
pub mod report;
pub mod rules;
mod similar;
pub mod sweep;
mod table;
pub mod timing;
pub mod tuning;
