//! The papers' experiments, and their prototypes for any map; the command `qtdec-papers` shows the papers' tables and figures.

pub mod experiment;
pub mod prototype;
pub mod read;
