//! Output for people, as values: tables, pictures and the HTML page.
//!
//! **The API is not stable.** The programs of qtdec depend on exactly this version.

pub mod bounds;
pub mod origin;
pub mod page;
pub mod picture;
pub mod rated_trees;
pub mod table;
