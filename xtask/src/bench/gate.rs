//! What may not grow: the instructions and branches of a decision by a table.

use super::program::Program;
use super::queries::Queries;
use super::{callgrind, folder, forms, maps};

/// The most instructions a decision by a table may take, the return included.
const INSTRUCTIONS: f64 = 30.0;

/// What became of the gate.
pub(crate) enum Gate {
    /// It was measured, in so many words.
    Held(String),
    /// Callgrind is not here.
    NotInstalled,
}

/// Counts the decisions of `table` on every map.
pub(crate) fn gate() -> Result<Gate, String> {
    if !callgrind::is_installed() {
        return Ok(Gate::NotInstalled);
    }
    let folder = folder("gate")?;
    let mut held = Vec::new();
    for maps::NamedMap { name, map } in maps::all() {
        let mut forms = forms::layouts(&map)?;
        forms.retain(|form| form.name == "table");
        let program = Program::build(&folder.join(name), &forms)?;
        for (distribution, asked) in Queries::all(&map).iter().take(2) {
            let count = callgrind::count(&program, &forms[0], asked)?;
            let (instructions, branches) = (count.instructions, count.branches);
            if instructions > INSTRUCTIONS || branches > 0.0 {
                return Err(format!(
                    "a table decides {distribution} queries of the {name} map in {instructions} instructions and \
                     {branches} conditional branches; {INSTRUCTIONS} and none are allowed"
                ));
            }
            held.push(format!("{name}, {distribution}: {instructions:.1} instructions, {branches} branches"));
        }
    }
    Ok(Gate::Held(held.join("\n")))
}
