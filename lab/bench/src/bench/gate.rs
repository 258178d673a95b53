//! Limits that must not grow: the instructions and branches of a decision by a table or in memory, and those of branches relative
//! to the papers' form.

use std::path::Path;

use super::measured::Count;
use super::program::Program;
use super::queries::Queries;
use super::trees::NamedTree;
use super::{callgrind, compiler, folder, forms, maps, trees};
use xtask::machine;
use xtask::outcome::Outcome;

/// The limits of a decision, including the return.
struct Limit {
    form: &'static str,
    instructions: f64,
    /// The number of conditional branches. Those of forms in memory do not depend on the sizes.
    branches: f64,
}

const LIMITS: [Limit; 2] = [
    Limit { form: "table", instructions: 30.0, branches: 0.0 },
    Limit { form: "memory_table", instructions: 48.0, branches: 6.0 },
];

/// The maximum mispredictions of such a decision: only the first ones are mispredicted.
const MISPREDICTIONS: f64 = 0.01;

/// The maximum cost of branches relative to the papers' form: their instructions in the quadtree's order, and on maps
/// like those of clusters their mispredictions in the order that minimises them.
const OF_PAPER: f64 = 0.65;

/// The maximum cost of selections for the trees of the benchmark, including an empty call of two instructions.
const OF_TREES: [(&str, f64); 4] =
    [("5 regions", 16.0), ("11 regions", 32.0), ("22 regions", 61.0), ("49 regions", 80.0)];

/// A target whose assembly is also examined, because its compiler translates selections differently from that for x86-64.
const AARCH64: &str = "aarch64-unknown-linux-gnu";

/// Returns whether a line of assembly for `AArch64` is a conditional branch.
fn is_conditional_branch(line: &str) -> bool {
    let instruction = line.trim_start();
    ["b.", "cbz\t", "cbnz\t", "tbz\t", "tbnz\t"].iter().any(|branch| instruction.starts_with(branch))
}

/// Counts the instructions of selections, which must have no branches and read nothing.
fn selections(folder: &Path, held: &mut Vec<String>) -> Result<(), String> {
    for (NamedTree { name, tree, .. }, (limited, instructions)) in trees::all()?.iter().zip(OF_TREES) {
        assert_eq!(*name, limited, "the limits are in the order of the trees");
        let mut forms = forms::of_tree(tree)?;
        forms.retain(|form| form.name == "select");
        let program = Program::build(&folder.join(name.replace(' ', "_")), &forms)?;
        for (distribution, requested) in &Queries::of_tree(tree) {
            let limit = Limit { form: "select", instructions, branches: 0.0 };
            let count = callgrind::count(&program, &forms[0], requested)?;
            held.push(limit.held(count, &format!("{distribution} queries of the tree of {name}"))?);
        }
        if let Some(bytes) = program.costs[0].table_bytes.filter(|bytes| *bytes > 0) {
            return Err(format!("select of the tree of {name} reads {bytes} bytes of constants"));
        }
        let assembly = program.assembly(&forms[0], AARCH64)?;
        if let Some(branch) = assembly.lines().find(|line| is_conditional_branch(line)) {
            return Err(format!("select of the tree of {name} branches on {AARCH64}: {}", branch.trim()));
        }
        held.push(format!("select of the tree of {name}: no conditional branch on {AARCH64}"));
    }
    Ok(())
}

/// Counts the instructions of these forms on every map, and of selections on small trees.
pub(crate) fn gate() -> Result<Outcome, String> {
    if let Err(reason) = machine::command("valgrind") {
        return Ok(Outcome::Skipped(reason));
    }
    if let Err(reason) = machine::target(AARCH64) {
        return Ok(Outcome::Skipped(reason));
    }
    let folder = folder("gate")?;
    let mut held = Vec::new();
    for maps::NamedMap { name, map } in maps::all() {
        let mut forms = forms::all(&map)?;
        let limited = LIMITS.iter().map(|limit| limit.form);
        let wanted: Vec<&str> = limited.chain(["branches", "branches_smallest", "paper"]).collect();
        forms.retain(|form| wanted.contains(&&*form.name));
        let program = Program::build(&folder.join(name), &forms)?;
        for (distribution, requested) in Queries::all(&map).iter().take(2) {
            let count = |wanted: &str| {
                let form = forms.iter().find(|form| form.name == wanted).ok_or("no such form")?;
                callgrind::count(&program, form, requested)
            };
            let requested = format!("{distribution} queries of the {name} map");
            for limit in &LIMITS {
                held.push(limit.held(count(limit.form)?, &requested)?);
            }
            let paper = count("paper")?;
            let instructions = share("instructions of branches", &requested, |count| count.instructions);
            held.push(instructions(count("branches")?, paper)?);
            if name != "random" {
                let mispredictions = share("mispredictions of the smallest branches", &requested, |count| {
                    count.mispredictions
                });
                held.push(mispredictions(count("branches_smallest")?, paper)?);
            }
        }
    }
    selections(&folder, &mut held)?;
    held.push(compiler::alias_check(&folder.join("compiler"))?);
    Ok(Outcome::Held(held.join("\n")))
}

impl Limit {
    fn held(&self, count: Count, requested: &str) -> Result<String, String> {
        let reported = format!(
            "{} on {requested}: {:.1} instructions, {:.1} branches, {:.3} mispredicted",
            self.form, count.instructions, count.branches, count.mispredictions
        );
        let holds = count.instructions <= self.instructions
            && count.branches <= self.branches
            && count.mispredictions <= MISPREDICTIONS;
        let most = || {
            format!("{reported}; {}, {} and {MISPREDICTIONS} are allowed", self.instructions, self.branches)
        };
        if holds { Ok(reported) } else { Err(most()) }
    }
}

/// Compares the cost of a form with that of the papers' form.
fn share(
    what: &str,
    requested: &str,
    of: fn(Count) -> f64,
) -> impl Fn(Count, Count) -> Result<String, String> {
    let reported = format!("{what} on {requested}");
    move |form, paper| {
        let share = of(form) / of(paper);
        let reported = format!("{reported}: {share:.2} of those of the papers' shape");
        if share <= OF_PAPER { Ok(reported) } else { Err(format!("{reported}; {OF_PAPER} is allowed")) }
    }
}

#[cfg(test)]
mod tests {
    use super::is_conditional_branch;

    #[test]
    fn branches_are_distinguished_from_other_instructions() {
        for branch in ["\tb.lo\t.LBB0_2", "\tcbz\tw0, .LBB0_2", "\ttbnz\tw0, #3, .LBB0_2"] {
            assert!(is_conditional_branch(branch), "{branch}");
        }
        for other in ["\tbic\tw0, w0, w1", "\tb\t.LBB0_2", "\tcsel\tx0, x1, x2, lo", "\tret"] {
            assert!(!is_conditional_branch(other), "{other}");
        }
    }
}
