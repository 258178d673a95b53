//! Output for people: tables, pictures and the HTML page.

pub mod page;
pub mod picture;
pub(crate) mod recommended;
pub(crate) mod table;
