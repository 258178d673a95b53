//! Studies of decisions: their cost, comparisons between them, and the time they take.

pub mod against;
pub mod assess;
pub mod compare;
pub mod compliance;
pub mod gain;
pub mod held_out;
pub mod holm;
pub mod interval;
pub mod claim;
pub mod launch_gain;
pub mod launch_interval;
pub mod recommend;
pub mod repeats;
pub mod student;
pub mod sweep;
pub mod timing;
pub mod verify;
