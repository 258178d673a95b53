//! The papers' prototypes for any map; the command `qtdec-papers` shows the papers' tables and figures.

pub mod prototype;
pub mod read;
