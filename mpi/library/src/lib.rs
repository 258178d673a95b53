//! What is known of MPI libraries: the algorithms of each, and the hand-written rules and tuning files that choose among them.
//!
//! **The API is not stable.** The packages of qtdec depend on exactly this version.

pub mod catalogue;
pub mod choice;
pub mod rules;
pub mod tuning;
