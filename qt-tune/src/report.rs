//! What people look at: tables, pictures and the page.

pub mod page;
pub mod picture;
pub(crate) mod recommended;
pub(crate) mod table;
