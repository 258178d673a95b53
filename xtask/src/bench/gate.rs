//! What may not grow: the instructions and branches of a decision by a table.

use super::program::Program;
use super::queries::Queries;
use super::{callgrind, folder, forms, maps};
use crate::outcome::Outcome;
use crate::packages;

/// The most instructions a decision by a table may take, the return included.
const INSTRUCTIONS: f64 = 30.0;

/// Counts the decisions of `table` on every map.
pub(crate) fn gate() -> Result<Outcome, String> {
    if let Err(reason) = packages::command("valgrind", &["valgrind"]) {
        return Ok(Outcome::Skipped(reason));
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
    Ok(Outcome::Held(held.join("\n")))
}
