//! The benchmark, and the smoke test that `qtdec-mpi tune` writes beside deployed files: it accepts the file of a library, and of each bad
//! one it says the cause in one line.

use std::fmt::Write as _;
use std::path::Path;
use std::process::{Command, Output};

use super::installed::Installed;
use super::measured;
use super::preloaded::build_qtdec;
use super::started::{launcher, succeed};
use xtask::files;
use xtask::run::{root, target};

/// A way to make a file bad: what it is, the change of its text, and what the line about it says.
pub(super) type Bad<'b> = (&'b str, &'b dyn Fn(&str) -> String, &'b str);

/// The deployment of a library.
pub(super) struct Deployed<'d> {
    /// The name of the format, and that of the tuning file.
    pub(super) format: [&'d str; 2],
    /// More options of `qtdec-mpi tune`.
    pub(super) options: &'d [&'d str],
    /// The name of the library's own choice in the times.
    pub(super) own: &'d str,
    /// Two collectives, each with its algorithms for small and for large messages.
    pub(super) algorithms: [(&'d str, [&'d str; 2]); 2],
    /// The numbers of ranks of the times.
    pub(super) ranks: &'d [u64],
}

/// The number of ranks of the launches.
pub(super) const RANKS: u64 = 4;

/// The numbers of ranks of times in which the library's own choice is fast on no more ranks than a launch has.
const LARGER: [u64; 3] = [2, RANKS, 64];

/// Checks the benchmark and the smoke test of a deployment in a folder, and that of bad files in its place. `launch` adds the options of the launcher,
/// and a library that is preloaded.
pub(super) fn prove(
    installed: &Installed,
    deployed: &Deployed<'_>,
    bad: &[Bad<'_>],
    folder: &Path,
    launch: impl Fn(&mut Command, Option<&Path>),
) -> Result<String, String> {
    build_qtdec()?;
    let mut build = Command::new(target().join("debug/qtdec-mpi"));
    build.args(["build", "--mpicc"]).arg(&installed.mpicc).arg("--output").arg(folder);
    succeed(build.envs(installed.variable.clone()))?;
    let measured = measured::prove(installed, folder, |command| launch(command, None))?;
    deployed.tune(
        folder,
        deployed.ranks,
        |size, _, [small, large]| if size < 65_536 { small } else { large },
    )?;
    let run = |preloaded| smoke(installed, folder, |command| launch(command, preloaded));
    let good = run(None)?;
    let calls = good.strip_prefix("accepted, ").and_then(|rest| rest.split_once(' ')?.0.parse::<u32>().ok());
    let calls = calls
        .filter(|calls| *calls > 5)
        .ok_or_else(|| format!("the smoke test of good files says: {good}"))?;
    let wrong = folder.join("wrong.so");
    let mut compile = Command::new(&installed.mpicc);
    compile.args(["-O1", "-shared", "-fPIC", "-o"]).arg(&wrong).envs(installed.variable.clone());
    succeed(compile.arg(root().join("lab/engines/src/engines/smoke.c")))?;
    expect("in effect, with a wrong broadcast", &run(Some(&wrong))?, ": the result is wrong")?;
    let file = folder.join("tuned").join(deployed.format[1]);
    let text = files::read(&file)?;
    for (what, change, cause) in bad {
        let changed = change(&text);
        if changed == text {
            return Err(format!("the file that is {what} is not another one"));
        }
        files::write(&file, changed)?;
        expect(what, &run(None)?, cause)?;
    }
    deployed.tune(
        folder,
        &LARGER,
        |_, ranks, [small, _]| if ranks > RANKS { small } else { deployed.own },
    )?;
    expect(
        "for larger communicators",
        &run(None)?,
        "no rule is for the communicators of a launch of 4 ranks: ",
    )?;
    Ok(format!(
        "{measured}; {calls} calls of a smoke test were right, a wrong broadcast was found, and {} bad files ended in one line with the cause",
        bad.len() + 1
    ))
}

/// Compares what a smoke test says of a bad file.
fn expect(what: &str, said: &str, cause: &str) -> Result<(), String> {
    let is_expected = said.starts_with("failed: ") && said.contains(cause);
    is_expected.then_some(()).ok_or_else(|| format!("the smoke test of the file that is {what} says: {said}"))
}

/// Returns the line that the smoke test prints.
fn smoke(installed: &Installed, folder: &Path, launch: impl Fn(&mut Command)) -> Result<String, String> {
    let mut command = launcher("sh", "");
    command.arg("tuned/smoke.sh").arg(&installed.mpirun).envs(installed.variable.clone()).current_dir(folder);
    launch(&mut command);
    let Output { stdout, stderr, status } =
        command.arg("./qtdec-bench").output().map_err(|error| error.to_string())?;
    let (said, told) = (String::from_utf8_lossy(&stdout), String::from_utf8_lossy(&stderr));
    match said.lines().collect::<Vec<_>>()[..] {
        [line] if told.is_empty() && status.success() == line.starts_with("accepted") => Ok(line.to_owned()),
        _ => Err(format!("the smoke test ended with {status}, and printed {said}{told}")),
    }
}

impl<'d> Deployed<'d> {
    /// Tunes the library by times in which one method is fast at each size, on each number of ranks and among two algorithms.
    fn tune(
        &self,
        folder: &Path,
        ranks: &[u64],
        fast: impl Fn(u64, u64, [&'d str; 2]) -> &'d str,
    ) -> Result<(), String> {
        let mut times =
            "# qtdec-times/1\n# machine: this one\n# axis comm_size: ranks\n# axis msg_size: bytes\n\
             comm_size,msg_size,method,collective,basis,launch,repeat,time_us\n"
                .to_owned();
        for (collective, algorithms) in self.algorithms {
            for ranks in ranks {
                for (launch, noise) in [(1, 0.0), (2, 0.03), (3, 0.01)] {
                    for size in [64, 1024, 65_536, 262_144] {
                        for method in [self.own].into_iter().chain(algorithms) {
                            let is_fast = method == fast(size, *ranks, algorithms);
                            let time = noise + if is_fast { 5.0 } else { 10.0 };
                            let _ = writeln!(
                                times,
                                "{ranks},{size},{method},{collective},buffer,{launch},1,{time}"
                            );
                        }
                    }
                }
            }
        }
        files::write(folder.join("times.csv"), times)?;
        let mut tune = Command::new(target().join("debug/qtdec-mpi"));
        tune.args(["tune", "times.csv", "--library", self.format[0], "-o", "tuned", "--force"]);
        succeed(tune.args(["--jobs", "launch"]).args(self.options).current_dir(folder))
    }
}
