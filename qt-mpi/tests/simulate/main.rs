//! The simulator: against the formulas, against a slow simulator of its own, and the rules that its docs state.

mod formulas;
mod oracle;
mod random;
mod rules;
