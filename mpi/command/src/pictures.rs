//! Pictures of schedules: what happens when, and the trees of messages.

mod schedule;
mod sheet;
mod trees;

pub use schedule::SpaceTime;
pub use trees::{TreeNode, TreePanel, Trees};
