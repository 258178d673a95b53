//! What the program `qtdec-mpi` is made of: campaigns, comparisons with hand-written rules, pictures of schedules, and tuning.
//!
//! **The API is not stable.** The program depends on exactly this version.

pub mod campaign;
pub mod compare;
pub mod pictures;
pub mod pipeline;
pub mod switch_cost;
