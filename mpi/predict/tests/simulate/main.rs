//! The simulator, compared with the formulas, with a slow simulator, and with the rules in its documentation.

mod formulas;
mod oracle;
pub(crate) mod random;
mod rules;
mod symmetry;
