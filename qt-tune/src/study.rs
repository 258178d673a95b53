//! Studies of decisions: what they cost, how they compare, and how long they take.

pub mod against;
pub mod assess;
pub mod compare;
pub mod sweep;
pub mod timing;
