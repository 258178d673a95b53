//! The steps of the tests, with their tiers.

use std::process::Command;

use xtask::machine;
use xtask::outcome::Outcome;
use xtask::run::{cargo, program, root, target, workspace};
use xtask::watched::run;

use crate::{crates, msrv, publish, rsmpi, weka};

/// A set of steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tier {
    /// What answers at once, while one writes.
    Check,
    /// Everything.
    All,
}

/// A step: a check with a name.
pub(crate) struct Step {
    pub(crate) name: &'static str,
    pub(crate) tiers: &'static [Tier],
    /// Whether it may run beside another: no time that it measures decides whether it fails.
    pub(crate) side_by_side: bool,
    pub(crate) run: Run,
}

/// The work of a step.
type Run = fn() -> Result<Outcome, String>;

impl Step {
    /// Returns whether a skip for this reason is accepted even where skips are denied: nothing can be installed that mends it.
    pub(crate) fn excuses(&self, reason: &str) -> bool {
        self.name == CLUSTER && reason.contains(TUNNELS)
    }
}

/// The step that needs virtual network devices, which many containers do not have.
const CLUSTER: &str = "cluster";

/// The device of the kernel that makes them; the reason for skipping the step names it.
const TUNNELS: &str = "/dev/net/tun";

const ALWAYS: &[Tier] = &[Tier::Check, Tier::All];
const ALL: &[Tier] = &[Tier::All];

/// The version of Rust whose compiler errors are recorded under `tests/ui`.
const UI_TEXTS_OF: &str = "1.95.0";

/// The variable that seeds the random inputs of property tests. With a fixed seed, a result depends on the commit alone; without
/// one, as under `cargo test`, every run draws new inputs.
const SEED: &str = "PROPTEST_RNG_SEED";

/// The programs that show how the crates are used, with their folders in the build folder.
const EXAMPLES: [(&str, &str); 7] = [
    ("examples", "quickstart"),
    ("examples", "beside_rules"),
    ("", "qtdec-example-build-script"),
    ("", "qtdec-example-general"),
    ("", "sort"),
    ("", "threads"),
    ("", "kernels"),
];

// Steps with `--workspace` share what is compiled: with other packages, dependencies may have other features.
pub(crate) const STEPS: &[Step] = &[
    step("format", ALWAYS, || run(&mut cargo(["fmt", "--all", "--check"]))),
    step("crates", ALWAYS, || crates::crates().map(Outcome::Held)),
    step("lints", ALWAYS, lints),
    step("unit tests", &[Tier::Check], || run(&mut cargo(["test", "--lib", "--bins"]))),
    step("examples", ALL, examples),
    step("packages", ALL, publish::check),
    // The programs of tests run one after the other, most of them on one processor.
    Step { side_by_side: true, ..step("tests", ALL, tests) },
    beside("compiler errors", compiler_errors),
    beside("browser", browser),
    beside("C4.5 against Weka's J48", weka),
    beside("job scripts", job_scripts),
    beside("sizes left out", sizes_left_out),
    beside("documentation", documentation),
    beside("public API", || asked("qtdec-api", &[])),
    beside("oldest Rust", msrv::check),
    beside("optimised macros", optimised_macros),
    // Its last packages would leave a processor idle.
    beside("program of the rates", program_of_rates),
    step("rates", ALL, rates),
    step("instructions and branches", ALL, || asked(BENCH, &["gate"])),
    beside("Open MPI's reader", || engines("reader")),
    beside("Open MPI 4.1 under mpirun", || engines("Open MPI 4.1")),
    beside("Open MPI 5.0 under mpirun", || engines("Open MPI 5.0")),
    beside("MPICH 4.0 under mpirun", || engines("MPICH 4.0")),
    beside("MPICH 5.0 under mpirun", || engines("MPICH 5.0")),
    beside("Intel MPI 2021 under mpirun", || engines("Intel MPI")),
    beside("profiler", || engines("profiler")),
    beside("interposer", || engines("interposer")),
    beside("spawn", || engines("spawn")),
    beside("soak", || engines("soak")),
    step("rsmpi", ALL, rsmpi::check),
    step(CLUSTER, ALL, cluster),
];

/// The programs of `lab/` with commands of their own.
pub(crate) const BENCH: &str = "qtdec-lab-bench";
pub(crate) const ENGINES: &str = "qtdec-lab-engines";
pub(crate) const RATES: &str = "qtdec-lab-rates";

const fn step(name: &'static str, tiers: &'static [Tier], run: Run) -> Step {
    Step { name, tiers, side_by_side: false, run }
}

/// Returns a step of the largest tier that may run beside another.
const fn beside(name: &'static str, run: Run) -> Step {
    Step { side_by_side: true, ..step(name, ALL, run) }
}

/// Returns the steps of a tier, in their order.
pub(crate) fn in_tier(tier: Tier) -> Vec<&'static Step> {
    STEPS.iter().filter(|step| step.tiers.contains(&tier)).collect()
}

pub(crate) fn find(name: &str) -> Result<&'static Step, String> {
    STEPS.iter().find(|step| step.name == name).ok_or_else(|| {
        let names: Vec<&str> = STEPS.iter().map(|step| step.name).collect();
        format!("there is no step `{name}`; the steps are {}", names.join(", "))
    })
}

fn lints() -> Result<Outcome, String> {
    run(&mut workspace("clippy", ["--all-targets", "--", "--deny", "warnings"]))?;
    // What the attribute uses of `qtdec-core`.
    let packages = ["clippy", "--package", "qtdec-core", "--no-default-features"];
    run(cargo(packages).args(["--", "--deny", "warnings"]))
}

fn tests() -> Result<Outcome, String> {
    run(workspace("test", ["--no-fail-fast"]).env(SEED, "1"))
}

fn examples() -> Result<Outcome, String> {
    run(&mut workspace("build", ["--examples", "--bins"]))?;
    for (folder, example) in EXAMPLES {
        println!("── {example}");
        run(Command::new(target().join("debug").join(folder).join(example)).current_dir(root()))?;
    }
    Ok(Outcome::Held(format!("{} examples ran", EXAMPLES.len())))
}

fn compiler_errors() -> Result<Outcome, String> {
    let mut cargo = match machine::cargo_of(UI_TEXTS_OF) {
        Ok(cargo) => cargo,
        Err(reason) => {
            return Ok(Outcome::Skipped(format!("recorded for one version of Rust ({reason})")));
        }
    };
    cargo.args(["test", "--workspace", "--test", "ui", "--", "--ignored"]).current_dir(root());
    // The texts contain the folder in which Cargo builds.
    run(cargo.env("CARGO_TARGET_DIR", root().join("target")))
}

fn browser() -> Result<Outcome, String> {
    match machine::command("chromium") {
        Ok(()) => run(&mut cargo(["test", "--workspace", "--test", "report", "--", "--ignored"])),
        Err(reason) => Ok(Outcome::Skipped(format!("the page of a report ({reason})"))),
    }
}

/// Runs shellcheck on the templates of job scripts, and on scripts of every kind.
fn job_scripts() -> Result<Outcome, String> {
    match machine::command("shellcheck") {
        Ok(()) => run(&mut workspace("test", ["--test", "integration", "shellcheck", "--", "--ignored"])),
        Err(reason) => Ok(Outcome::Skipped(format!("scripts were only run ({reason})"))),
    }
}

/// Runs what fits models to half of the sizes of large archives.
fn sizes_left_out() -> Result<Outcome, String> {
    let mut cargo = workspace("test", ["--test", "integration", "--lib"]);
    run(cargo.args(["--", "--ignored", "products_of_matrices", "table_of_the_communicators"]))
}

fn weka() -> Result<Outcome, String> {
    match weka::class_path() {
        Ok(class_path) => {
            let mut ask = workspace("test", ["--test", "integration", "c45", "--", "--ignored"]);
            run(ask.env("WEKA", class_path))
        }
        Err(reason) => Ok(Outcome::Skipped(format!("its stored trees were used ({reason})"))),
    }
}

fn documentation() -> Result<Outcome, String> {
    run(cargo(["doc", "--workspace", "--no-deps"]).env("RUSTDOCFLAGS", "--deny warnings"))
}

/// Builds the crate with almost nothing in scope, with an optimised attribute and an optimised builder.
fn optimised_macros() -> Result<Outcome, String> {
    let settings = ["opt-level=3", "overflow-checks=true"];
    let settings =
        settings.map(|setting| ["--config".to_owned(), format!("profile.dev.build-override.{setting}")]);
    run(cargo(["build", "--package", "qtdec-hygiene"]).args(settings.concat()))
}

/// The packages in which the program of the rates spends its time, with the units in which each is compiled. One unit makes the fastest
/// code, but the last packages would leave a processor idle.
const BUSY: [(&str, u32); 9] = [
    ("libm", 1),
    ("qtdec-core", 1),
    ("qtdec-lab-rates", 1),
    ("qtdec-study", 2),
    ("qtdec-times", 1),
    ("rand", 1),
    ("rand_core", 1),
    ("rand_pcg", 1),
    ("special", 1),
];

/// Builds the program of the rates, whose busiest packages are optimised. It shares the others with the tests: to optimise those too
/// takes longer than it saves.
fn program_of_rates() -> Result<Outcome, String> {
    let mut cargo = workspace("build", ["--quiet", "--bin", RATES]);
    for (package, units) in BUSY {
        let units = format!("codegen-units={units}");
        for setting in ["opt-level=3", &units, "debug-assertions=false", "overflow-checks=false"] {
            cargo.arg("--config").arg(format!("profile.dev.package.{package}.{setting}"));
        }
    }
    run(&mut cargo)
}

/// Measures the rates on all processors.
fn rates() -> Result<Outcome, String> {
    program_of_rates()?;
    run(Command::new(target().join("debug").join(RATES)).arg("rates").current_dir(root()))
}

/// Runs commands on emulated clusters, of which nothing may be left, and on one of them the chain from measuring to verifying.
fn cluster() -> Result<Outcome, String> {
    if let Err(error) = std::fs::File::options().read(true).write(true).open(TUNNELS) {
        return Ok(Outcome::Skipped(format!("{TUNNELS} cannot be opened: {error}")));
    }
    if let Err(reason) = machine::command("ip") {
        return Ok(Outcome::Skipped(reason));
    }
    run(&mut workspace("test", ["--test", "left_behind"]))?;
    asked("qtdec-cluster", &["demo"])
}

/// Asks the libraries with this word in their names.
fn engines(name: &str) -> Result<Outcome, String> {
    asked(ENGINES, &[name])
}

/// Runs a check of another program, which may install what it needs.
fn asked(name: &str, arguments: &[&str]) -> Result<Outcome, String> {
    run(program(name)?.args(arguments))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::{STEPS, Tier, in_tier};

    #[test]
    fn names_are_different_and_every_step_has_a_tier() {
        let names: BTreeSet<&str> = STEPS.iter().map(|step| step.name).collect();
        assert_eq!(names.len(), STEPS.len());
        assert!(STEPS.iter().all(|step| !step.tiers.is_empty()));
    }

    #[test]
    fn only_the_cluster_may_be_skipped_where_skips_are_denied() {
        let excused = |reason| STEPS.iter().filter(move |step| step.excuses(reason)).map(|step| step.name);
        assert_eq!(excused("/dev/net/tun cannot be opened: no such file").collect::<Vec<_>>(), ["cluster"]);
        assert_eq!(excused("chromium is not installed").count(), 0);
    }

    /// What `tests` runs, `unit tests` need not run before.
    #[test]
    fn the_largest_tier_drops_only_what_it_does_otherwise() {
        for step in in_tier(Tier::Check).into_iter().filter(|step| step.name != "unit tests") {
            assert!(step.tiers.contains(&Tier::All), "{}", step.name);
        }
    }

    #[test]
    fn the_tests_of_the_documentation_name_every_step() {
        let text = include_str!("../../tests/README.md");
        for step in STEPS {
            assert!(
                text.contains(&format!("| {} |", step.name)),
                "tests/README.md has no row for `{}`",
                step.name
            );
        }
    }
}
