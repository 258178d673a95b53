//! Pictures of schedules: what happens when, and the trees of messages.

mod schedule;
mod sheet;
mod trees;

pub use schedule::{SpaceTime, TooMany};
pub use trees::{NoTrees, TreeNode, TreePanel, Trees};
