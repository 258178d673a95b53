//! Output for people: tables, pictures and the HTML page.

mod origin;
pub mod page;
pub mod picture;
pub(crate) mod rated_trees;
pub(crate) mod table;
