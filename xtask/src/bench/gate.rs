//! What may not grow: the instructions and branches of a decision by a table, and those by branches beside the papers'.

use super::measured::Count;
use super::program::Program;
use super::queries::Queries;
use super::{callgrind, folder, forms, maps};
use crate::outcome::Outcome;
use crate::packages;

/// The most instructions a decision by a table may take, the return included.
const INSTRUCTIONS: f64 = 30.0;

/// The most that branches may take of what the papers' shape does: their instructions in the quadtree's order, and on maps
/// like those of clusters their mispredictions in the order that makes them least.
const OF_PAPER: f64 = 0.65;

/// Counts the decisions of tables and branches on every map.
pub(crate) fn gate() -> Result<Outcome, String> {
    if let Err(reason) = packages::command("valgrind", &["valgrind"]) {
        return Ok(Outcome::Skipped(reason));
    }
    let folder = folder("gate")?;
    let mut held = Vec::new();
    for maps::NamedMap { name, map } in maps::all() {
        let mut forms = forms::all(&map)?;
        forms.retain(|form| ["table", "branches", "branches_smallest", "paper"].contains(&form.name));
        let program = Program::build(&folder.join(name), &forms)?;
        for (distribution, asked) in Queries::all(&map).iter().take(2) {
            let count = |wanted: &str| {
                let form = forms.iter().find(|form| form.name == wanted).ok_or("no such form")?;
                callgrind::count(&program, form, asked)
            };
            let (table, branches, smallest, paper) =
                (count("table")?, count("branches")?, count("branches_smallest")?, count("paper")?);
            let asked = format!("{distribution} queries of the {name} map");
            held.push(table_held(table, &asked)?);
            held.push(branches_held(branches, paper, &asked)?);
            if name != "random" {
                held.push(predictions_held(smallest, paper, &asked)?);
            }
        }
    }
    Ok(Outcome::Held(held.join("\n")))
}

fn table_held(Count { instructions, branches, .. }: Count, asked: &str) -> Result<String, String> {
    if instructions > INSTRUCTIONS || branches > 0.0 {
        return Err(format!(
            "a table decides {asked} in {instructions} instructions and {branches} conditional branches; \
             {INSTRUCTIONS} and none are allowed"
        ));
    }
    Ok(format!("{asked}: a table takes {instructions:.1} instructions, {branches} branches"))
}

fn branches_held(branches: Count, paper: Count, asked: &str) -> Result<String, String> {
    let share = branches.instructions / paper.instructions;
    if share > OF_PAPER {
        return Err(format!(
            "branches decide {asked} in {share:.2} of the instructions of the papers' shape; {OF_PAPER} is allowed"
        ));
    }
    Ok(format!("{asked}: branches take {share:.2} of the instructions of the papers' shape"))
}

fn predictions_held(smallest: Count, paper: Count, asked: &str) -> Result<String, String> {
    let share = smallest.mispredictions / paper.mispredictions;
    if share > OF_PAPER {
        return Err(format!(
            "the branches of fewest mispredictions decide {asked} with {share:.2} of those of the papers' shape; {OF_PAPER} is \
             allowed"
        ));
    }
    Ok(format!(
        "{asked}: the branches of fewest mispredictions have {share:.2} of those of the papers' shape"
    ))
}
