//! The papers' experiments, and C4.5's rules and their prototypes for any map; the command `qtdec-papers` shows the papers' tables and figures.

pub mod c45_rules;
pub mod experiment;
pub mod prototype;
pub mod read;
