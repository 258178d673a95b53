//! What may not grow: the instructions and branches of a decision by a table.

use super::program::Program;
use super::queries::Queries;
use super::{callgrind, folder, forms, maps};
use crate::outcome::Outcome;
use crate::packages;

/// What a decision may take, the return included.
struct Limit {
    form: &'static str,
    instructions: f64,
    /// Conditional branches. Those of forms in memory do not depend on the sizes.
    branches: f64,
}

const LIMITS: [Limit; 3] = [
    Limit { form: "table", instructions: 30.0, branches: 0.0 },
    Limit { form: "memory_table", instructions: 48.0, branches: 6.0 },
    Limit { form: "memory_tree", instructions: 50.0, branches: 7.0 },
];

/// The most mispredictions of a decision: only the first ones are guessed wrong.
const MISPREDICTIONS: f64 = 0.01;

/// Counts the decisions of these forms on every map.
pub(crate) fn gate() -> Result<Outcome, String> {
    if let Err(reason) = packages::command("valgrind", &["valgrind"]) {
        return Ok(Outcome::Skipped(reason));
    }
    let folder = folder("gate")?;
    let mut held = Vec::new();
    for maps::NamedMap { name, map } in maps::all() {
        let limit = |form: &forms::Form| LIMITS.iter().find(|limit| limit.form == form.name);
        let mut forms =
            [forms::layouts(&map)?, forms::in_memory(&map)?].into_iter().flatten().collect::<Vec<_>>();
        forms.retain(|form| limit(form).is_some());
        let program = Program::build(&folder.join(name), &forms)?;
        let queries = Queries::all(&map);
        for (form, limit) in forms.iter().filter_map(|form| Some((form, limit(form)?))) {
            for (distribution, asked) in queries.iter().take(2) {
                let count = callgrind::count(&program, form, asked)?;
                let told = format!(
                    "{} on {distribution} queries of the {name} map: {:.1} instructions, {:.1} branches, {:.3} mispredicted",
                    form.name, count.instructions, count.branches, count.mispredictions
                );
                if count.instructions > limit.instructions
                    || count.branches > limit.branches
                    || count.mispredictions > MISPREDICTIONS
                {
                    return Err(format!(
                        "{told}; {}, {} and {MISPREDICTIONS} are allowed",
                        limit.instructions, limit.branches
                    ));
                }
                held.push(told);
            }
        }
    }
    Ok(Outcome::Held(held.join("\n")))
}
